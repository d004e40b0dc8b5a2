import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centsToUnits, toCents, UNITS_PER_CENT, units } from './money.ts'

test.each([
  [0, 0],
  [14, 0],
  [15, 1],
  [16, 1],
  [29, 1],
  [30, 1],
  [44, 1],
  [45, 2],
  [-14, 0],
  [-15, 0],
  [-16, -1],
  [-30, -1],
  [-44, -1],
  [-45, -1],
  [-46, -2],
  [500, 17],
  [24, 1],
])('%i thirtieths are %i cents', (amount, cents) => {
  expect(toCents(units(amount))).toBe(cents)
})

test('rounding never moves an amount by more than half a cent, and half goes up', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (amount) => {
      const off = 2 * (toCents(units(amount)) * UNITS_PER_CENT - amount)
      expect(off > -UNITS_PER_CENT && off <= UNITS_PER_CENT).toBe(true)
    }),
  )
})

test('whole cents come back as they were, debts and fortunes too', () => {
  fc.assert(fc.property(fc.integer({ min: -3e13, max: 3e13 }), (cents) => toCents(centsToUnits(cents)) === cents))
})

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%d is no amount of money', (amount) => {
  expect(() => units(amount)).toThrow(RangeError)
})
