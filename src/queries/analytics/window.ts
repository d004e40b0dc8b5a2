import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { dayPlus, isTimezone, localDayOf, localDayStart } from './local-days.ts'

export const ANALYTICS_RANGES = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const
export type AnalyticsRange = keyof typeof ANALYTICS_RANGES
export const INTERVALS = ['hour', 'day', 'week'] as const
export type Interval = (typeof INTERVALS)[number]

export const WINDOW_DAYS_MAX = 366
/** Hours of longer windows are more than anybody looks at. */
export const HOURLY_DAYS_MAX = 31
const FIRST_DAY = '1970-01-01'
const LAST_DAY = '9999-12-31'

/** What a caller may say of the window: a range, or the first and the last day, and the zone whose days are meant. */
export interface WindowInput {
  range?: AnalyticsRange | undefined
  /** YYYY-MM-DD, included. */
  from?: string | undefined
  to?: string | undefined
  timezone: string
  /** Whether the window before is wanted too. */
  compare: boolean
}

/** Whole days of a time zone. Publication times from `begin` on and before `end` are in it. */
export interface Window {
  from: string
  to: string
  days: number
  timezone: string
  begin: Date
  end: Date
}

/** A window, and the one of as many days right before it where a comparison is wanted. */
export interface Windows {
  current: Window
  previous: Window | null
}

/** The windows that a caller asks for at `at`: the last 30 days, today included, unless told otherwise. */
export function windowsFrom(
  { range, from, to, timezone, compare }: WindowInput,
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

/**
 * The first instants of all hours, days or weeks of a window, in order. A week begins with the window, and the last one
 * ends with it.
 */
export function bucketsOf({ from, days, timezone, begin, end }: Window, interval: Interval): Date[] {
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

function windowOf(from: string, to: string, timezone: string): Window {
  return {
    from,
    to,
    days: daysBetween(from, to),
    timezone,
    begin: localDayStart(from, timezone),
    end: localDayStart(dayPlus(to, 1), timezone),
  }
}

/** Days from the first to the last, both included. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / (24 * HOUR_MS)) + 1
}

/** The calendar of JavaScript rolls 31 February over to March; writing the day again shows it. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text
}
