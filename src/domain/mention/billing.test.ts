import { expect, test } from 'vitest'
import { isBillable, isFree, mentionPrice } from './billing.ts'

test('only reviews from before their page was connected are free', () => {
  expect(isFree({ mode: 'page', lookedBack: true })).toBe(true)
  expect(isFree({ mode: 'page', lookedBack: false })).toBe(false)
  for (const mode of ['search', 'stream'] as const)
    for (const lookedBack of [true, false]) expect(isFree({ mode, lookedBack })).toBe(false)
})

test('a mention is charged when it has a verdict and is not free', () => {
  expect(isBillable({ scored: true, free: false })).toBe(true)
  expect(isBillable({ scored: true, free: true })).toBe(false)
  expect(isBillable({ scored: false, free: false })).toBe(false)
  expect(isBillable({ scored: false, free: true })).toBe(false)
})

test('a mention costs 0.8 cents, and nothing on an unmetered installation', () => {
  expect(mentionPrice(true)).toBe(24)
  expect(mentionPrice(false)).toBe(0)
})
