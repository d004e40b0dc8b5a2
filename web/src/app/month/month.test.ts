import { expect, test } from 'vitest'
import { daysOf, monthAfter, monthAt, monthIn } from './month.ts'

const NOW = Date.parse('2026-11-26T16:00:00Z')

test('months go over the ends of years', () => {
  expect([monthAt(NOW), monthAfter('2026-12', 1), monthAfter('2026-01', -1)]).toEqual(['2026-11', '2027-01', '2025-12'])
})

test('a month ends with its last day, the present month with today', () => {
  expect(daysOf('2026-11', NOW)).toEqual({ from: '2026-11-01', to: '2026-11-26' })
  expect(daysOf('2024-02', NOW)).toEqual({ from: '2024-02-01', to: '2024-02-29' })
})

test('the month of an address is the present one unless it is over', () => {
  const months = [null, '2026-10', '2026-11', '2026-12', '2026-13', 'x'].map((asked) => monthIn(asked, '2026-11'))
  expect(months).toEqual(['2026-11', '2026-10', '2026-11', '2026-11', '2026-11', '2026-11'])
})
