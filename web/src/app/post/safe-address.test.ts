import { expect, test } from 'vitest'
import { safeAddress } from './safe-address.ts'

test('only web addresses may be opened', () => {
  expect(['https://example.com/a?b#c', 'HTTP://example.com'].map(safeAddress)).toEqual([
    'https://example.com/a?b#c',
    'http://example.com/',
  ])
  const refused = [
    null,
    undefined,
    '',
    'example.com',
    'javascript:alert(1)',
    'data:text/html,a',
    'https://',
    'ftp://a.b',
  ]
  expect(refused.filter((address) => safeAddress(address) !== null)).toEqual([])
})
