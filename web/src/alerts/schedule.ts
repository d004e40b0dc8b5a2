import type { Alert } from '../api/alerts.ts'
import { LOCALE } from '../kit/words.ts'
import { words } from './words.ts'

export type Schedule = NonNullable<Alert['schedule']>

/** The time zone of the reader. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** 4 January 1970 was a Sunday. */
const SUNDAY = Date.UTC(1970, 0, 4)
const DAY_MS = 86_400_000
const WEEKDAY = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', timeZone: 'UTC' })

/** The names of weekdays, from Sunday, as the API numbers them. */
export const WEEKDAYS = Array.from({ length: 7 }, (_, day) => WEEKDAY.format(SUNDAY + day * DAY_MS))

/** When a rule sends, in words. The zone is named where it is not that of the reader. */
export function scheduleInWords({ mode, schedule }: Pick<Alert, 'mode' | 'schedule'>, zone = ownZone()): string {
  if (schedule === null) return words.modes[mode]
  const time = timeOf(schedule)
  const text = mode === 'weekly' ? words.weekly(WEEKDAYS[schedule.weekday ?? 1]!, time) : words.daily(time)
  return schedule.timezone === zone ? text : words.inZone(text, schedule.timezone)
}

/** As a field of time holds it: `09:05`. */
export function timeOf({ hour, minute }: Pick<Schedule, 'hour' | 'minute'>): string {
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Null while the field is empty. */
export function readTime(text: string): Pick<Schedule, 'hour' | 'minute'> | null {
  const [hour, minute] = text.split(':').map(Number)
  return text === '' || hour === undefined || minute === undefined ? null : { hour, minute }
}

/** A digest on the morning of the reader; weekly ones on Monday. */
export function firstSchedule(mode: Alert['mode'], former: Schedule | null): Schedule | null {
  if (mode === 'instant' || mode === 'hourly') return null
  const schedule = former ?? { hour: 9, minute: 0, timezone: ownZone(), skipEmpty: false, weekday: null }
  return { ...schedule, weekday: mode === 'weekly' ? (schedule.weekday ?? 1) : null }
}
