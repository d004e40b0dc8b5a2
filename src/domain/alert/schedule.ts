import { Temporal } from 'temporal-polyfill'
import { HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import type { AlertMode, DigestMode, Schedule } from './mode.ts'

export type Timetable = { mode: 'hourly'; schedule: null } | { mode: 'daily' | 'weekly'; schedule: Schedule }

/** The span of a digest: `from` is included, `to` is not. */
export interface Period {
  mode: DigestMode
  from: Date
  to: Date
  /** UTC for hourly rules. */
  timezone: string
  /** The local day, YYYY-MM-DD. For hourly rules `h:` and the UTC hour that the digest covers, YYYY-MM-DDTHH. */
  name: string
}

export const HOURLY_AFTER_MS = 5 * MINUTE_MS

/** Refuses offsets such as +02:00, which ignore daylight saving. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    localDay(new Date(0), name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

export function timetableOf({ mode, schedule }: { mode: AlertMode; schedule: Schedule | null }): Timetable | null {
  if (mode === 'instant') return null
  if (mode === 'hourly') return { mode, schedule: null }
  if (schedule === null) throw new Error(`a ${mode} rule has no schedule`)
  return { mode, schedule }
}

/**
 * The first run strictly after `after`. A local time that the clocks skip runs later by the length of the gap, maybe on
 * the next day; a time that occurs twice runs at the earlier one.
 */
export function nextRunAfter(timetable: Timetable, after: Date): Date {
  if (timetable.mode === 'hourly') return plus(hourOf(plus(after, -HOURLY_AFTER_MS)), HOUR_MS + HOURLY_AFTER_MS)
  const today = localDay(after, timetable.schedule.timezone)
  const runs = daysAround(today, -1, LOOKS_AHEAD_DAYS).filter((day) => isRunDay(timetable, day))
  const run = runs.map((day) => runOn(day, timetable.schedule)).find((at) => at > after)
  if (run === undefined) throw new Error(`a ${timetable.mode} rule has no run after ${after.toISOString()}`)
  return run
}

export function periodOf(timetable: Timetable, runAt: Date): Period {
  if (timetable.mode === 'hourly') {
    const to = hourOf(runAt)
    const from = plus(to, -HOUR_MS)
    return { mode: 'hourly', from, to, timezone: 'UTC', name: `h:${from.toISOString().slice(0, 13)}` }
  }
  const { mode, schedule } = timetable
  const today = localDay(runAt, schedule.timezone)
  const days = daysAround(today, -LOOKS_AHEAD_DAYS, 1).filter((day) => isRunDay(timetable, day))
  // A run moved past midnight keeps its own day as name, so that two runs never share one.
  const ofRun = days.findLast((day) => runOn(day, schedule).getTime() === runAt.getTime())
  const before = days.map((day) => runOn(day, schedule)).findLast((at) => at < runAt)
  if (before === undefined) throw new Error(`a ${mode} rule has no run before ${runAt.toISOString()}`)
  return { mode, from: before, to: runAt, timezone: schedule.timezone, name: (ofRun ?? today).toString() }
}

/** A week, and a day on either side for clock changes and skipped days. */
const LOOKS_AHEAD_DAYS = 9

function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
}

function localDay(at: Date, timezone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
}

function daysAround(day: Temporal.PlainDate, first: number, last: number): Temporal.PlainDate[] {
  return Array.from({ length: last - first + 1 }, (_, at) => day.add({ days: first + at }))
}

function runOn(day: Temporal.PlainDate, { hour, minute, timezone }: Schedule): Date {
  const local = day.toPlainDateTime({ hour, minute })
  return new Date(local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds)
}

function isRunDay({ mode, schedule }: Timetable, day: Temporal.PlainDate): boolean {
  // Temporal counts Monday as 1 and Sunday as 7.
  return mode !== 'weekly' || day.dayOfWeek % 7 === schedule.weekday
}
