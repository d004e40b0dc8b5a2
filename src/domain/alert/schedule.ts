import { Temporal } from 'temporal-polyfill'
import { HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import type { AlertMode, DigestMode, Schedule } from './mode.ts'

/** When a rule runs: hourly ones have no schedule. */
export type Timetable = { mode: 'hourly'; schedule: null } | { mode: 'daily' | 'weekly'; schedule: Schedule }

/** What a digest is about: mentions made from `from` on and before `to`, and how its period is called in the log. */
export interface Period {
  mode: DigestMode
  from: Date
  to: Date
  /** UTC for hourly rules. */
  timezone: string
  /**
   * The local day that the run is of, as YYYY-MM-DD; of an hourly rule `h:` and the hour of UTC that it is about, as
   * YYYY-MM-DDTHH.
   */
  name: string
}

/** Hourly digests are sent so long after the hour that they are about. */
export const HOURLY_AFTER_MS = 5 * MINUTE_MS

/**
 * Whether runs can be told in the zone of this name. Offsets such as +02:00 are no names: what they mean does not
 * change with the seasons.
 */
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

/** When a rule in this mode runs; null for instant rules, which have no runs. */
export function timetableOf({ mode, schedule }: { mode: AlertMode; schedule: Schedule | null }): Timetable | null {
  if (mode === 'instant') return null
  if (mode === 'hourly') return { mode, schedule: null }
  if (schedule === null) throw new Error(`a ${mode} rule has no schedule`)
  return { mode, schedule }
}

/**
 * The first run after an instant, never at it. A time of day that the clocks skip is made up for as long after the gap
 * began as it would have been without it, which may be on the next day; of one that comes twice the earlier counts.
 */
export function nextRunAfter(timetable: Timetable, after: Date): Date {
  if (timetable.mode === 'hourly') return plus(hourOf(plus(after, -HOURLY_AFTER_MS)), HOUR_MS + HOURLY_AFTER_MS)
  const today = localDay(after, timetable.schedule.timezone)
  const runs = daysAround(today, -1, LOOKS_AHEAD_DAYS).filter((day) => isRunDay(timetable, day))
  const run = runs.map((day) => runOn(day, timetable.schedule)).find((at) => at > after)
  if (run === undefined) throw new Error(`a ${timetable.mode} rule has no run after ${after.toISOString()}`)
  return run
}

/** The period of the run that is due at `runAt`: the hour, or the time since the run before. */
export function periodOf(timetable: Timetable, runAt: Date): Period {
  if (timetable.mode === 'hourly') {
    const to = hourOf(runAt)
    const from = plus(to, -HOUR_MS)
    return { mode: 'hourly', from, to, timezone: 'UTC', name: `h:${from.toISOString().slice(0, 13)}` }
  }
  const { mode, schedule } = timetable
  const today = localDay(runAt, schedule.timezone)
  const days = daysAround(today, -LOOKS_AHEAD_DAYS, 1).filter((day) => isRunDay(timetable, day))
  // A run that was put off over midnight belongs to the day before, which keeps its name apart from that of the next
  // one.
  const ofRun = days.findLast((day) => runOn(day, schedule).getTime() === runAt.getTime())
  const before = days.map((day) => runOn(day, schedule)).findLast((at) => at < runAt)
  if (before === undefined) throw new Error(`a ${mode} rule has no run before ${runAt.toISOString()}`)
  return { mode, from: before, to: runAt, timezone: schedule.timezone, name: (ofRun ?? today).toString() }
}

/** A week, and a day on either side for runs that the clocks put off and for days that a zone has left out. */
const LOOKS_AHEAD_DAYS = 9

function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
}

function localDay(at: Date, timezone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
}

/** The days of the calendar from so many before or after a day to so many after it, in order. */
function daysAround(day: Temporal.PlainDate, first: number, last: number): Temporal.PlainDate[] {
  return Array.from({ length: last - first + 1 }, (_, at) => day.add({ days: first + at }))
}

/** `compatible` is what calendars do: after a gap, and the earlier of two. */
function runOn(day: Temporal.PlainDate, { hour, minute, timezone }: Schedule): Date {
  const local = day.toPlainDateTime({ hour, minute })
  return new Date(local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds)
}

function isRunDay({ mode, schedule }: Timetable, day: Temporal.PlainDate): boolean {
  // The calendar counts Monday as 1 and Sunday as 7.
  return mode !== 'weekly' || day.dayOfWeek % 7 === schedule.weekday
}
