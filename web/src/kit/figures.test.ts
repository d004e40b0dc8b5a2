import { expect, test } from 'vitest'
import { formatCount } from './count.tsx'
import { formatMoney, formatRoundMoney } from './money.tsx'
import { formatShare } from './share.tsx'

test('formatMoney gives whole cents as dollars and parts of a cent as cents', () => {
  expect([4120, 5, 0, -250, 123_456_789].map(formatMoney)).toEqual([
    '$41.20',
    '$0.05',
    '$0.00',
    '-$2.50',
    '$1,234,567.89',
  ])
  expect([1.9249, 0.06666, 99.5].map(formatMoney)).toEqual(['1.9\u00a0¢', '0.067\u00a0¢', '100\u00a0¢'])
  expect(formatMoney(150.5)).toBe('$1.51')
})

test('formatRoundMoney leaves cents out where there are none', () => {
  expect([2000, 500_000, 2050].map(formatRoundMoney)).toEqual(['$20', '$5,000', '$20.50'])
})

test('formatShare keeps a decimal below one percent', () => {
  expect([0, 0.0042, 0.01, 0.43, 1].map(formatShare)).toEqual(['0%', '0.4%', '1%', '43%', '100%'])
})

test('formatCount groups the digits', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
})
