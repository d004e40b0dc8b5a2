import { type FocusEvent, useContext, useState } from 'react'
import { InsideRow } from './inside-row.ts'
import styles from './time.module.css'
import { type TimeFormat, toggleTimeFormat, useNow, useTimeFormat } from './time-store.ts'
import { LOCALE, words } from './words.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** From the largest. */
const UNITS = [
  { unit: 'day', ms: DAY_MS },
  { unit: 'hour', ms: HOUR_MS },
  { unit: 'minute', ms: MINUTE_MS },
  { unit: 'second', ms: SECOND_MS },
] as const

/** Older times show their date: "63 days ago" has to be counted back. */
const RELATIVE_LIMIT_MS = 7 * DAY_MS

const EXACT = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})
const DAY = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' })
const DAY_OF_YEAR = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' })
const UTC_DAY = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const UTC_DAY_OF_MONTH = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const UTC_MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const FIGURE = new Intl.NumberFormat(LOCALE)
const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { style: 'short', numeric: 'always' })

/** Day, time to the second and time zone of the reader. */
export function formatExact(at: string): string {
  return EXACT.format(new Date(at))
}

/** The day in UTC, by which the service counts days. */
export function formatUtcDay(at: string | number): string {
  return UTC_DAY.format(new Date(at))
}

/** The same without its year, for days of one window. */
export function formatUtcDayOfMonth(at: string): string {
  return UTC_DAY_OF_MONTH.format(new Date(at))
}

/** The name of a month such as `2026-11`. */
export function formatMonth(month: string): string {
  return UTC_MONTH.format(new Date(`${month}-01`))
}

/** The distance within a week, the date beyond. */
export function formatRelative(at: string, now: number): string {
  const time = Date.parse(at)
  const distance = time - now
  if (Math.abs(distance) >= RELATIVE_LIMIT_MS) return formatDay(time, now)
  const step = UNITS.find(({ unit, ms }) => unit !== 'second' && Math.abs(distance) >= ms)
  return step ? RELATIVE.format(Math.trunc(distance / step.ms), step.unit) : words.now
}

/** The day in the time zone of the reader, with the year where it is another one. */
export function formatDay(time: number, now: number): string {
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear()
  return (sameYear ? DAY : DAY_OF_YEAR).format(time)
}

/** The two largest units of a duration: `64 ms`, `4.2 s`, `3 min 20 s`, `2 d 4 h`. */
export function formatDuration(ms: number): string {
  if (Math.round(ms) < SECOND_MS) return formatUnit(Math.round(ms), 'millisecond')
  if (ms < 10 * SECOND_MS) return formatUnit(Math.round(ms / 100) / 10, 'second')
  const whole = Math.round(ms / SECOND_MS) * SECOND_MS
  const index = UNITS.findIndex((step) => whole >= step.ms)
  const largest = UNITS[index]!
  const next = UNITS[index + 1]
  const rest = next ? Math.floor((whole % largest.ms) / next.ms) : 0
  const text = formatUnit(Math.floor(whole / largest.ms), largest.unit)
  return next && rest > 0 ? `${text} ${formatUnit(rest, next.unit)}` : text
}

function formatUnit(value: number, unit: keyof typeof words.units): string {
  return `${FIGURE.format(value)}\u00a0${words.units[unit]}`
}

interface TimeProps {
  /** A time of the API, in UTC. */
  at: string
  /** `exact`, for logs, always shows the exact time; otherwise a click changes all times. */
  format?: TimeFormat | undefined
}

export function Time({ at, format = 'relative' }: TimeProps) {
  return format === 'exact' ? <time dateTime={at}>{formatExact(at)}</time> : <ToggledTime at={at} />
}

function ToggledTime({ at }: { at: string }) {
  const now = useNow()
  const shown = useTimeFormat()
  const insideRow = useContext(InsideRow)
  const [focused, setFocused] = useState(false)
  const exact = formatExact(at)
  return (
    <button
      type="button"
      className={styles.time}
      title={exact}
      tabIndex={insideRow ? -1 : 0}
      onClick={(event) => {
        event.stopPropagation()
        toggleTimeFormat()
      }}
      onFocus={(event: FocusEvent) => setFocused(event.currentTarget.matches(':focus-visible'))}
      onBlur={() => setFocused(false)}
    >
      <time dateTime={at}>{shown === 'exact' || focused ? exact : formatRelative(at, now)}</time>
    </button>
  )
}
