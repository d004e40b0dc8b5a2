import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import { boundedMemory } from '../../kernel/concurrency/bounded-memory.ts'

/**
 * Clocks of time zones by their names: making one costs far more than asking it. There are some 600 names of zones, in
 * whatever letter case callers write them.
 */
const clocks = boundedMemory<Intl.DateTimeFormat>({ most: 2000 })

/** The clock of a time zone of the IANA database, such as Europe/Berlin; null when there is no zone of that name. */
function clockOf(timezone: string): Intl.DateTimeFormat | null {
  const known = clocks.get(timezone)
  if (known) return known
  // Offsets such as +02:00 are no names: what they mean does not change with the seasons.
  if (!/^[A-Za-z]/.test(timezone)) return null
  try {
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    clocks.set(timezone, made)
    return made
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

export function isTimezone(timezone: string): boolean {
  return clockOf(timezone) !== null
}

/** The day on which an instant falls in a time zone, as YYYY-MM-DD. */
export function localDayOf(at: Date, timezone: string): string {
  return dayOf(plus(at, offsetMs(at, timezone)))
}

/**
 * The first instant of a day in a time zone. Where the clocks skip midnight it is the first instant after the gap, and
 * where midnight comes twice the earlier one.
 */
export function localDayStart(day: string, timezone: string): Date {
  const midnight = new Date(`${day}T00:00:00Z`)
  const offsets = [-DAY_MS, DAY_MS].map((aside) => offsetMs(plus(midnight, aside), timezone))
  const [earlier, later] = offsets.map((offset) => plus(midnight, -offset)).sort((a, b) => a.getTime() - b.getTime())
  return localDayOf(earlier!, timezone) >= day ? earlier! : later!
}

/** A day moved by so many days of the calendar. */
export function dayPlus(day: string, days: number): string {
  return dayOf(plus(new Date(`${day}T00:00:00Z`), days * DAY_MS))
}

/** How far the clock of a time zone is ahead of UTC at an instant. */
function offsetMs(at: Date, timezone: string): number {
  const clock = clockOf(timezone)
  if (!clock) throw new RangeError(`there is no time zone ${timezone}`)
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const shown = Date.UTC(parts.year!, parts.month! - 1, parts.day!, parts.hour!, parts.minute!, parts.second!)
  return shown - Math.floor(at.getTime() / 1000) * 1000
}
