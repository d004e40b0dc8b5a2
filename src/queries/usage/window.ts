import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { DAY_MS, dayOf, monthStart, nextMonthStart, plus } from '../../kernel/clock.ts'

export const USAGE_RANGES = { '7d': 7, '30d': 30, '90d': 90 } as const
export type UsageRange = keyof typeof USAGE_RANGES

/** UTC days, both included, YYYY-MM-DD. */
export interface UsageWindow {
  from: string
  to: string
  days: number
}

export interface UsageWindowInput {
  range?: UsageRange | undefined
  /** YYYY-MM. */
  month?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export const MAX_WINDOW_DAYS = 366

/** The times in ids begin here. */
const FIRST_DAY = '1970-01-01'

/** The requested window: by default the last 30 days. The current month ends today. */
export function windowFrom(
  { range, month, from, to }: UsageWindowInput,
  at: Date,
): UsageWindow | Refusal<'validation_error'> {
  if (month !== undefined && range !== undefined) return refuseField('month', 'cannot be combined with range')
  const span = from !== undefined || to !== undefined
  if (span && (range !== undefined || month !== undefined))
    return refuseField(from === undefined ? 'to' : 'from', 'cannot be combined with range or month')
  if (month !== undefined) return monthWindow(month, at)
  if (span) return spanWindow(from, to)
  const first = plus(at, -(USAGE_RANGES[range ?? '30d'] - 1) * DAY_MS)
  return windowOf(dayOf(first), dayOf(at))
}

export function daysOf({ from, days }: UsageWindow): string[] {
  const first = new Date(`${from}T00:00:00Z`)
  return Array.from({ length: days }, (_, day) => dayOf(plus(first, day * DAY_MS)))
}

function monthWindow(month: string, at: Date): UsageWindow | Refusal<'validation_error'> {
  const first = calendarDay(`${month}-01`)
  if (first === null) return refuseField('month', 'must be a month, such as 2026-11')
  if (first > monthStart(at)) return refuseField('month', 'must not be in the future')
  if (month < FIRST_DAY.slice(0, 7)) return refuseField('month', `must not be before ${FIRST_DAY.slice(0, 7)}`)
  const last = plus(nextMonthStart(first), -DAY_MS)
  return windowOf(dayOf(first), dayOf(last < at ? last : at))
}

function spanWindow(from: string | undefined, to: string | undefined): UsageWindow | Refusal<'validation_error'> {
  if (from === undefined) return refuseField('from', 'is required with to')
  if (to === undefined) return refuseField('to', 'is required with from')
  if (calendarDay(from) === null) return refuseField('from', 'must be a day, such as 2026-11-20')
  if (calendarDay(to) === null) return refuseField('to', 'must be a day, such as 2026-11-20')
  if (from < FIRST_DAY) return refuseField('from', `must not be before ${FIRST_DAY}`)
  const window = windowOf(from, to)
  return window.days > MAX_WINDOW_DAYS
    ? refuseField('to', `must be at most ${MAX_WINDOW_DAYS} days after from, both included`)
    : window
}

function windowOf(from: string, to: string): UsageWindow {
  return { from, to, days: Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1 }
}

/** Null for a day that does not exist. */
function calendarDay(text: string): Date | null {
  const at = new Date(`${text}T00:00:00Z`)
  // JavaScript turns 31 February into March; formatting the day again detects it.
  return !Number.isNaN(at.getTime()) && dayOf(at) === text ? at : null
}
