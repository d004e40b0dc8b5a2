import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInRange, parseIpRange, readAddress } from './ip-range.ts'

const isIn = (address: string, range: string) => isInRange(readAddress(address)!, parseIpRange(range)!)

test.each([
  ['10.1.2.3', '10.0.0.0/8'],
  ['10.1.2.3', '10.9.9.9/8'],
  ['10.1.2.3', '0.0.0.0/0'],
  ['10.1.2.3', '10.1.2.3'],
  ['10.1.2.3', '::ffff:10.1.2.3'],
  ['10.1.2.3', '::ffff:10.0.0.0/104'],
  ['::ffff:10.1.2.3', '10.0.0.0/8'],
  ['::ffff:a01:203', '10.1.2.3/32'],
  ['2001:db8::1', '2001:db8::/32'],
  ['2001:db8::1', '2001:DB8:0:0::1'],
  ['2001:db8::1', '::/0'],
])('%s is in %s', (address, range) => {
  expect(isIn(address, range)).toBe(true)
})

test.each([
  ['11.0.0.0', '10.0.0.0/8'],
  ['10.1.2.4', '10.1.2.3'],
  ['10.1.2.3', '::/0'],
  ['::ffff:10.1.2.3', '::/0'],
  ['2001:db8::1', '0.0.0.0/0'],
  ['2001:db9::1', '2001:db8::/32'],
])('%s is not in %s', (address, range) => {
  expect(isIn(address, range)).toBe(false)
})

test.each([
  '',
  'localhost',
  '10',
  '10.1',
  '10.1.2',
  '010.1.2.3',
  '0x0a010203',
  '10.1.2.3.4',
  '[::1]',
  '10.1.2.3:80',
  ' 10.1.2.3',
  ':::1',
])('%j is no address and no range', (text) => {
  expect([readAddress(text), parseIpRange(text)]).toEqual([null, null])
})

test.each([
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0/8',
  '::/129',
  '/8',
  'localhost/8',
  '10.0.0.0/255.0.0.0',
])('%j is no range', (text) => {
  expect(parseIpRange(text)).toBeNull()
})

test('an address is in its own range and in every one around it, in both forms', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, bits) => {
      for (const form of [address, `::ffff:${address}`])
        expect([isIn(form, address), isIn(form, `${address}/${bits}`)]).toEqual([true, true])
    }),
  )
})
