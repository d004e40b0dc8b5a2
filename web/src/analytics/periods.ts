import type { AnalyticsSeries } from '../api/analytics.ts'
import { LOCALE } from '../kit/words.ts'

/** The names of the buckets in the time zone of the days. */
export function periodNames({ buckets, interval, window }: AnalyticsSeries): string[] {
  const zone = { timeZone: window.timezone }
  const format =
    interval === 'hour'
      ? new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', ...zone })
      : new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', ...zone })
  return buckets.map((start) => format.format(new Date(start)))
}

/** Beginning and end of a bucket, as filters of mentions have them. */
export function bucketWindow({ buckets, window }: AnalyticsSeries, index: number): { since: string; until: string } {
  return { since: buckets[index]!, until: buckets[index + 1] ?? window.until }
}

/** The bucket of a time; -1 outside of the window. */
export function bucketAt({ buckets, window }: AnalyticsSeries, at: string): number {
  return at >= window.until ? -1 : buckets.findLastIndex((start) => start <= at)
}
