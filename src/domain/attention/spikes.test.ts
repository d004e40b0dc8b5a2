import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, plus } from '../../kernel/clock.ts'
import { historyBefore, hourlyStatistics, isNegativeSpike, isSpike, spikeShareOf } from './spikes.ts'

const baselineOf = (counts: readonly number[]) => ({
  hours: counts.length,
  matches: counts.reduce((sum, count) => sum + count, 0),
  squares: counts.reduce((sum, count) => sum + count ** 2, 0),
})

/** The rule as it is written, with real numbers. */
function isSpikeByHand(matches: number, counts: readonly number[]): boolean {
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
  const deviation = Math.sqrt(counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length)
  return matches >= 10 && matches > mean + 4 * deviation
}

describe('a spike of mentions', () => {
  test('is ten at least, and four standard deviations above the mean of the hours before', () => {
    const hours = fc.array(fc.oneof({ weight: 3, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: fc.nat(300) }), {
      minLength: 24,
      maxLength: 168,
    })
    fc.assert(
      fc.property(hours, fc.nat(400), (counts, matches) => {
        const told = hourlyStatistics(baselineOf(counts))
        // Where the two sides are as good as equal the arithmetic of real numbers cannot tell.
        fc.pre(Math.abs(matches - told.meanPerHour - 4 * told.stddevPerHour) > 0.1)
        expect(isSpike(matches, baselineOf(counts))).toBe(isSpikeByHand(matches, counts))
      }),
      { numRuns: 2000 },
    )
  })

  test('is exact at the border: what equals mean and deviations does not exceed them', () => {
    // A mean of 10 and a deviation of 10.
    const counts = Array.from({ length: 24 }, (_, at) => (at % 2) * 20)
    expect([50, 51].map((matches) => isSpike(matches, baselineOf(counts)))).toEqual([false, true])
    const even = Array.from({ length: 24 }, () => 12)
    expect([12, 13].map((matches) => isSpike(matches, baselineOf(even)))).toEqual([false, true])
  })

  test('needs ten matches and a day of history, however quiet it was', () => {
    const quiet = (hours: number) => baselineOf(Array.from({ length: hours }, () => 0))
    expect([9, 10].map((matches) => isSpike(matches, quiet(168)))).toEqual([false, true])
    expect([0, 23, 24].map((hours) => isSpike(1000, quiet(hours)))).toEqual([false, false, true])
  })
})

describe('a spike of negative mentions', () => {
  const before = { scored: 100, relevant: 100, negative: 10, hours: 168 }
  test.each([
    ['three tenths and twice the share of before', { scored: 10, relevant: 10, negative: 3 }, before, true],
    ['nine scored', { scored: 9, relevant: 9, negative: 9 }, before, false],
    ['less than three tenths', { scored: 20, relevant: 20, negative: 5 }, before, false],
    ['not twice the share of before', { scored: 100, relevant: 100, negative: 59 }, { ...before, negative: 30 }, false],
    ['exactly twice', { scored: 100, relevant: 100, negative: 60 }, { ...before, negative: 30 }, true],
    ['two negative ones among few relevant', { scored: 50, relevant: 2, negative: 2 }, before, false],
    ['three of three relevant ones among much noise', { scored: 50, relevant: 3, negative: 3 }, before, true],
    [
      'nothing relevant before',
      { scored: 10, relevant: 10, negative: 3 },
      { ...before, relevant: 0, negative: 0 },
      true,
    ],
    ['nothing negative before', { scored: 10, relevant: 10, negative: 3 }, { ...before, negative: 0 }, true],
    ['too little history', { scored: 10, relevant: 10, negative: 10 }, { ...before, hours: 23 }, false],
  ])('%s', (_what, now, then, expected) => expect(isNegativeSpike(now, then)).toBe(expected))

  test('never begins because something else was relevant, and never ends because something else was negative', () => {
    const counts = fc
      .tuple(fc.nat(40), fc.nat(40), fc.nat(40))
      .map(([negative, other, noise]) => ({ negative, relevant: negative + other, scored: negative + other + noise }))
    fc.assert(
      fc.property(counts, counts, (now, then) => {
        const past = { ...then, hours: 168 }
        const moreRelevant = { ...now, relevant: now.relevant + 1, scored: now.scored + 1 }
        if (now.scored >= 10 && isNegativeSpike(moreRelevant, past)) expect(isNegativeSpike(now, past)).toBe(true)
        if (isNegativeSpike(now, past))
          expect(isNegativeSpike({ ...moreRelevant, negative: now.negative + 1 }, past)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})

test('history is whole hours since a keyword collects, and a week at most', () => {
  const at = new Date('2026-11-20T09:00:00.000Z')
  expect(historyBefore(at, plus(at, -30 * DAY_MS))).toEqual({ hours: 168, from: plus(at, -7 * DAY_MS) })
  expect(historyBefore(at, plus(at, -2 * HOUR_MS))).toEqual({ hours: 2, from: plus(at, -2 * HOUR_MS) })
  expect(historyBefore(at, plus(at, -2 * HOUR_MS + 1))).toEqual({ hours: 1, from: plus(at, -HOUR_MS) })
  expect(historyBefore(at, plus(at, 5 * HOUR_MS))).toEqual({ hours: 0, from: at })
})

test('what is told is rounded, and of nothing there is no share', () => {
  expect(hourlyStatistics(baselineOf([1, 2, 2]))).toEqual({ meanPerHour: 1.67, stddevPerHour: 0.47, hours: 3 })
  expect([spikeShareOf(1, 3), spikeShareOf(0, 0)]).toEqual([0.333, null])
})
