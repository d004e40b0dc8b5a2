import { expect, test } from 'vitest'
import { addressesIn } from './addresses-in.ts'

test.each([
  ['See https://acme.example/a?b=1#c, and http://two.example.', ['https://acme.example/a?b=1#c', 'http://two.example']],
  ['(www.acme.example/start) WWW.Two.example!', ['https://www.acme.example/start', 'https://WWW.Two.example']],
  [
    'https://en.wikipedia.example/wiki/Acme_(brand) (https://one.example/x)',
    ['https://en.wikipedia.example/wiki/Acme_(brand)', 'https://one.example/x'],
  ],
  ['https://www.acme.example/', ['https://www.acme.example/']],
  ['me@www.acme.example mywww.acme.example acme.example 1.5', []],
  ['', []],
])('%j shows %j', (text, addresses) => {
  expect(addressesIn(text)).toEqual(addresses)
})
