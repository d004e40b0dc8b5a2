import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { dayPlus, isTimezone, localDayOf, localDayStart } from '../../kernel/local-days.ts'

export const ANALYTICS_RANGES = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const
export type AnalyticsRange = keyof typeof ANALYTICS_RANGES
export const INTERVALS = ['hour', 'day', 'week'] as const
export type Interval = (typeof INTERVALS)[number]

export const WINDOW_DAYS_MAX = 366
/** Longer windows have too many hours. */
export const HOURLY_DAYS_MAX = 31
const FIRST_DAY = '1970-01-01'
const LAST_DAY = '9999-12-31'

export interface AnalyticsWindowInput {
  range?: AnalyticsRange | undefined
  /** YYYY-MM-DD, included. */
  from?: string | undefined
  to?: string | undefined
  timezone: string
  /** Whether to read the previous window too. */
  compare: boolean
}

/** Whole local days: published at or after `begin` and before `end`. */
export interface AnalyticsWindow {
  from: string
  to: string
  days: number
  timezone: string
  begin: Date
  end: Date
}

/** `previous` has as many days, directly before. */
export interface Windows {
  current: AnalyticsWindow
  previous: AnalyticsWindow | null
}

/** The requested windows: by default the last 30 days including today. */
export function windowsFrom(
  { range, from, to, timezone, compare }: AnalyticsWindowInput,
  at: Date,
): Windows | Refusal<'validation_error'> {
  if (!isTimezone(timezone)) return refuseField('timezone', 'must be the name of a time zone, such as Europe/Berlin')
  if (from === undefined && to === undefined) {
    const today = localDayOf(at, timezone)
    return windowsOf(dayPlus(today, 1 - ANALYTICS_RANGES[range ?? '30d']), today, timezone, compare)
  }
  if (range !== undefined) return refuseField(from === undefined ? 'to' : 'from', 'cannot be combined with range')
  if (from === undefined) return refuseField('from', 'is required with to')
  if (to === undefined) return refuseField('to', 'is required with from')
  return refusedDays(from, to) ?? windowsOf(from, to, timezone, compare)
}

function refusedDays(from: string, to: string): Refusal<'validation_error'> | null {
  for (const [field, day] of Object.entries({ from, to })) {
    if (!isDay(day)) return refuseField(field, 'must be a day, such as 2026-11-20')
    if (day < FIRST_DAY) return refuseField(field, `must not be before ${FIRST_DAY}`)
  }
  if (to === LAST_DAY) return refuseField('to', `must be before ${LAST_DAY}`)
  return daysBetween(from, to) > WINDOW_DAYS_MAX
    ? refuseField('to', `must be at most ${WINDOW_DAYS_MAX} days after from, both included`)
    : null
}

/** The starts of all buckets. Weeks begin with the window; the last may be shorter. */
export function bucketsOf({ from, days, timezone, begin, end }: AnalyticsWindow, interval: Interval): Date[] {
  if (interval === 'hour')
    return Array.from({ length: Math.ceil((end.getTime() - begin.getTime()) / HOUR_MS) }, (_, hour) =>
      plus(begin, hour * HOUR_MS),
    )
  const step = interval === 'day' ? 1 : 7
  return Array.from({ length: Math.ceil(days / step) }, (_, bucket) =>
    localDayStart(dayPlus(from, bucket * step), timezone),
  )
}

function windowsOf(from: string, to: string, timezone: string, compare: boolean): Windows {
  const current = windowOf(from, to, timezone)
  return { current, previous: compare ? windowOf(dayPlus(from, -current.days), dayPlus(from, -1), timezone) : null }
}

function windowOf(from: string, to: string, timezone: string): AnalyticsWindow {
  return {
    from,
    to,
    days: daysBetween(from, to),
    timezone,
    begin: localDayStart(from, timezone),
    end: localDayStart(dayPlus(to, 1), timezone),
  }
}

/** Both included. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / (24 * HOUR_MS)) + 1
}

/** JavaScript turns 31 February into March; formatting the day again detects it. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text
}
