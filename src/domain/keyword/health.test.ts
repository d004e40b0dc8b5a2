import { describe, expect, test } from 'vitest'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { type HealthFacts, healthOf, isNoisy } from './health.ts'

const NOW = new Date('2026-11-20T09:30:00.000Z')
const daysAgo = (days: number) => plus(NOW, -days * DAY_MS)

/** A keyword to which every description applies at once; each test takes the first away and expects the next. */
const EVERYTHING: HealthFacts = {
  muted: true,
  pausedForCap: true,
  createdAt: daysAgo(1),
  judgedSince: daysAgo(1),
  scored: 20,
  relevant: 0,
}

test('the first description that applies is the health', () => {
  expect(healthOf(EVERYTHING, NOW)).toBe('paused')
  expect(healthOf({ ...EVERYTHING, muted: false }, NOW)).toBe('capped')
  expect(healthOf({ ...EVERYTHING, muted: false, pausedForCap: false }, NOW)).toBe('noisy')
  expect(healthOf({ ...EVERYTHING, muted: false, pausedForCap: false, scored: 19 }, NOW)).toBe('new')
  expect(
    healthOf(
      { ...EVERYTHING, muted: false, pausedForCap: false, scored: 19, createdAt: daysAgo(7), judgedSince: daysAgo(7) },
      NOW,
    ),
  ).toBe('quiet')
  expect(
    healthOf(
      {
        ...EVERYTHING,
        muted: false,
        pausedForCap: false,
        scored: 19,
        relevant: 1,
        createdAt: daysAgo(7),
        judgedSince: daysAgo(7),
      },
      NOW,
    ),
  ).toBe('healthy')
})

describe('new', () => {
  const old: HealthFacts = {
    muted: false,
    pausedForCap: false,
    createdAt: daysAgo(100),
    judgedSince: daysAgo(100),
    scored: 19,
    relevant: 19,
  }
  test.each([
    [
      'one moment short of seven days old',
      { createdAt: plus(daysAgo(7), 1), judgedSince: plus(daysAgo(7), 1), scored: 100, relevant: 100 },
      'new',
    ],
    ['seven days old', { createdAt: daysAgo(7), judgedSince: daysAgo(7) }, 'healthy'],
    ['changed a moment less than seven days ago with 19 scored', { judgedSince: plus(daysAgo(7), 1) }, 'new'],
    [
      'changed a moment less than seven days ago with 20 scored',
      { judgedSince: plus(daysAgo(7), 1), scored: 20 },
      'healthy',
    ],
    ['changed seven days ago with 19 scored', { judgedSince: daysAgo(7) }, 'healthy'],
    ['changed yesterday without anything scored', { judgedSince: daysAgo(1), scored: 0, relevant: 0 }, 'new'],
  ])('%s', (_, change, health) => {
    expect(healthOf({ ...old, ...change }, NOW)).toBe(health)
  })
})

test.each([
  [19, 0, false],
  [20, 5, true],
  [20, 6, false],
  [30, 8, true],
  [30, 9, false],
  [1000, 299, true],
  [1000, 300, false],
  [0, 0, false],
])('%i scored with %i relevant: noisy %s', (scored, relevant, noisy) => {
  expect(isNoisy({ scored, relevant })).toBe(noisy)
})

test('a share of exactly three tenths is never noisy, however large the numbers', () => {
  for (let tens = 2; tens <= 2000; tens += 1) {
    expect(isNoisy({ scored: 10 * tens, relevant: 3 * tens })).toBe(false)
    expect(isNoisy({ scored: 10 * tens, relevant: 3 * tens - 1 })).toBe(true)
  }
})
