import { expect, test } from 'vitest'
import { centsToUnits, UNITS_PER_CENT } from '../../kernel/money.ts'
import { KEYWORD_DAY, MENTION, WELCOME_CREDIT } from './prices.ts'

test('the list prices are exact', () => {
  expect(30 * KEYWORD_DAY).toBe(centsToUnits(500))
  expect(1000 * MENTION).toBe(centsToUnits(800))
  expect(WELCOME_CREDIT).toBe(580 * UNITS_PER_CENT)
})
