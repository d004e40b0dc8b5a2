import { expect, test } from 'vitest'
import { formatCount, formatPlural } from './count.tsx'
import { listAll, listAny } from './list.ts'
import { formatMoney, formatPrice, formatRoundMoney } from './money.tsx'
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

test('a price below a dollar is in cents, whole or not', () => {
  expect([null, 0.8123, 1, 1.94, 42, 250].map(formatPrice)).toEqual([
    '–',
    '0.81\u00a0¢',
    '1\u00a0¢',
    '1.9\u00a0¢',
    '42\u00a0¢',
    '$2.50',
  ])
})

test('formatShare keeps a decimal below one percent', () => {
  expect([0, 0.0042, 0.01, 0.43, 1].map(formatShare)).toEqual(['0%', '0.4%', '1%', '43%', '100%'])
})

test('formatCount groups the digits', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
})

test('formatPlural fits the noun to the count', () => {
  expect([0, 1, 1200].map((count) => formatPlural(count, 'post'))).toEqual(['0 posts', '1 post', '1,200 posts'])
  expect([1, 2].map((count) => formatPlural(count, 'match', 'matches'))).toEqual(['1 match', '2 matches'])
})

test('lists read as in a sentence', () => {
  expect([listAll(['a']), listAll(['a', 'b', 'c']), listAny(['a', 'b'])]).toEqual(['a', 'a, b, and c', 'a or b'])
})
