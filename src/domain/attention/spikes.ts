import { HOUR_MS } from '../../kernel/clock.ts'
import { ATTENTION_RULES } from './kinds.ts'

/** `matches` and `squares` are sums of the hourly counts and of their squares. */
export interface HourlyBaseline {
  hours: number
  matches: number
  squares: number
}

/** The comparison is exact, without rounding. */
export function isSpike(matches: number, { hours, matches: sum, squares }: HourlyBaseline): boolean {
  const { spike, historyHoursAtLeast } = ATTENTION_RULES
  if (matches < spike.matchesAtLeast || hours < historyHoursAtLeast) return false
  // Both sides are multiplied by `hours`, which keeps all numbers whole.
  const excess = matches * hours - sum
  return excess > 0 && excess ** 2 > spike.deviations ** 2 * (hours * squares - sum ** 2)
}

/** Rounded to two decimals. */
export function hourlyStatistics({ hours, matches, squares }: HourlyBaseline): {
  meanPerHour: number
  stddevPerHour: number
  hours: number
} {
  const deviation = Math.sqrt(Math.max(0, hours * squares - matches ** 2)) / hours
  return { meanPerHour: rounded(matches / hours), stddevPerHour: rounded(deviation), hours }
}

/** Scored, of these relevant, of those negative. */
export interface SentimentCounts {
  scored: number
  relevant: number
  negative: number
}

export function isMuchNegative({ scored, relevant, negative }: SentimentCounts): boolean {
  const { scoredAtLeast, negativeAtLeast, sharePercent } = ATTENTION_RULES.negativeSpike
  return scored >= scoredAtLeast && negative >= negativeAtLeast && negative * 100 >= sharePercent * relevant
}

/** A week without relevant mentions has no negative ones, so any share exceeds it. */
export function isNegativeSpike(now: SentimentCounts, before: SentimentCounts & { hours: number }): boolean {
  const { negativeSpike, historyHoursAtLeast } = ATTENTION_RULES
  if (!isMuchNegative(now) || before.hours < historyHoursAtLeast) return false
  return now.negative * before.relevant >= negativeSpike.times * before.negative * now.relevant
}

/** Three decimals; null when `whole` is 0. */
export function spikeShareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 1000
}

/** From the first full hour after `since`, at most a week. */
export function historyBefore(windowFrom: Date, since: Date): { from: Date; hours: number } {
  const began = Math.ceil(since.getTime() / HOUR_MS) * HOUR_MS
  const hours = Math.min(
    ATTENTION_RULES.baselineHours,
    Math.max(0, Math.floor((windowFrom.getTime() - began) / HOUR_MS)),
  )
  return { from: new Date(windowFrom.getTime() - hours * HOUR_MS), hours }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
