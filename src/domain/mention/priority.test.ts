import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { INTENTS, isRelevant } from './classification.ts'
import { type PriorityFacts, priorityOf } from './priority.ts'

const NOW = new Date('2026-11-20T09:30:00.000Z')
const PLAIN: PriorityFacts = { relevance: 80, followers: 0, intents: [], publishedAt: NOW }

const facts = fc.record({
  relevance: fc.option(fc.integer({ min: 0, max: 100 })),
  followers: fc.option(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  intents: fc.subarray([...INTENTS]),
  publishedAt: fc.date({ min: new Date('2000-01-01'), max: new Date('2050-01-01'), noInvalidDate: true }),
})

test('a priority is a whole number from 0 to 100, whatever is known', () => {
  fc.assert(
    fc.property(facts, (item) => {
      const priority = priorityOf(item, NOW)
      expect(Number.isInteger(priority) && priority >= 0 && priority <= 100 && !Object.is(priority, -0)).toBe(true)
    }),
  )
})

test('more relevance, more followers, another intent never lower it; more age never raises it', () => {
  fc.assert(
    fc.property(
      facts,
      fc.nat(100),
      fc.nat(1_000_000),
      fc.constantFrom(...INTENTS),
      fc.nat(40 * DAY_MS),
      (item, relevance, followers, intent, ageMs) => {
        const before = priorityOf(item, NOW)
        expect(
          priorityOf({ ...item, relevance: Math.min(100, (item.relevance ?? 0) + relevance) }, NOW),
        ).toBeGreaterThanOrEqual(before)
        expect(priorityOf({ ...item, intents: [...item.intents, intent] }, NOW)).toBeGreaterThanOrEqual(before)
        expect(priorityOf({ ...item, publishedAt: plus(item.publishedAt, -ageMs) }, NOW)).toBeLessThanOrEqual(before)
        if (item.followers !== null)
          expect(priorityOf({ ...item, followers: item.followers + followers }, NOW)).toBeGreaterThanOrEqual(before)
      },
    ),
  )
})

test.each([
  ['half the relevance', {}, 40],
  ['nothing for a relevance that is not known', { relevance: null }, 0],
  ['twenty for the reach of a million', { followers: 999_999 }, 60],
  ['twenty at most for reach', { followers: 1e12 }, 60],
  ['eight for an unknown reach', { followers: null }, 48],
  ['twenty for buy_intent', { intents: ['buy_intent' as const] }, 60],
  ['five for praise', { intents: ['praise' as const] }, 45],
  ['the strongest intent only', { intents: ['praise' as const, 'buy_intent' as const, 'question' as const] }, 60],
  ['two less for each day', { publishedAt: plus(NOW, -3 * DAY_MS) }, 34],
  ['twenty less at most', { publishedAt: plus(NOW, -300 * DAY_MS) }, 20],
  ['nothing for a post from the future', { publishedAt: plus(NOW, 3 * DAY_MS) }, 40],
  ['ninety for everything at once', { relevance: 100, followers: 1e7, intents: ['buy_intent' as const] }, 90],
])('%s', (_, change, priority) => {
  expect(priorityOf({ ...PLAIN, ...change }, NOW)).toBe(priority)
})

test('relevant is 40 and more', () => {
  expect([null, 0, 39, 40, 100].map(isRelevant)).toEqual([false, false, false, true, true])
})
