import { HOUR_MS } from '../../kernel/clock.ts'
import { ATTENTION_RULES } from './kinds.ts'

/** What the hours before the window brought; `matches` and `squares` are sums of hourly counts and of their squares. */
export interface HourlyBaseline {
  hours: number
  matches: number
  squares: number
}

/** Whether one hour's matches are far more than usual. Exact: there is no rounding before the comparison. */
export function isSpike(matches: number, { hours, matches: sum, squares }: HourlyBaseline): boolean {
  const { spike, historyHoursAtLeast } = ATTENTION_RULES
  if (matches < spike.matchesAtLeast || hours < historyHoursAtLeast) return false
  // Everything times `hours`, so that mean and deviation stay whole numbers.
  const excess = matches * hours - sum
  return excess > 0 && excess ** 2 > spike.deviations ** 2 * (hours * squares - sum ** 2)
}

/** Mean and standard deviation as they are told, to two decimals. */
export function hourlyTold({ hours, matches, squares }: HourlyBaseline): {
  meanPerHour: number
  stddevPerHour: number
  hours: number
} {
  const deviation = Math.sqrt(Math.max(0, hours * squares - matches ** 2)) / hours
  return { meanPerHour: rounded(matches / hours), stddevPerHour: rounded(deviation), hours }
}

/** How many mentions of a window had a score, and of these were relevant, and of these were negative. */
export interface SentimentCounts {
  scored: number
  relevant: number
  negative: number
}

/** Whether the window alone is bad enough for a look at the week before. */
export function isMuchNegative({ scored, relevant, negative }: SentimentCounts): boolean {
  const { scoredAtLeast, negativeAtLeast, sharePercent } = ATTENTION_RULES.negativeSpike
  return scored >= scoredAtLeast && negative >= negativeAtLeast && negative * 100 >= sharePercent * relevant
}

/**
 * Whether the share of negative mentions has jumped against the week before. A week without relevant mentions holds no
 * negative ones either, so that anything is a jump against it.
 */
export function isNegativeSpike(now: SentimentCounts, before: SentimentCounts & { hours: number }): boolean {
  const { negativeSpike, historyHoursAtLeast } = ATTENTION_RULES
  if (!isMuchNegative(now) || before.hours < historyHoursAtLeast) return false
  return now.negative * before.relevant >= negativeSpike.times * before.negative * now.relevant
}

/** Part of a whole, to three decimals; null of nothing. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 1000
}

/**
 * The hours of history before a window: from the first full hour after `since`, when the keyword began to collect as it
 * does now, and a week at most.
 */
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
