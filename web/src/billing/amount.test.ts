import { expect, test } from 'vitest'
import { centsIn, dollarsOf, isWithin } from './amount.ts'

test('amounts are read as people type them', () => {
  expect(['50', ' $20 ', '1,250.50', '0.5', '', 'ten', '-5', '5.123'].map(centsIn)).toEqual([
    ...[5000, 2000, 125_050, 50],
    ...[null, null, null, null],
  ])
})

test('an amount is shown as it was typed', () => {
  for (const text of ['50', '12.50']) expect(dollarsOf(centsIn(text)!)).toBe(text)
})

test('limits belong to what is allowed', () => {
  expect([1999, 2000, 500_000, 500_001, null].map((cents) => isWithin(cents, 2000, 500_000))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
})
