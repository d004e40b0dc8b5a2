import { DAY_MS, dayOf, plus } from './clock.ts'
import { boundedCache } from './concurrency/bounded-cache.ts'

/** Formatters by zone name, about 600 names in any letter case: making one costs far more than using it. */
const clocks = boundedCache<Intl.DateTimeFormat>({ most: 2000 })

/** Null for an unknown zone. */
function clockOf(timezone: string): Intl.DateTimeFormat | null {
  const known = clocks.get(timezone)
  if (known) return known
  // Offsets such as +02:00 ignore daylight saving.
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

/** YYYY-MM-DD. */
export function localDayOf(at: Date, timezone: string): string {
  return dayOf(plus(at, offsetMs(at, timezone)))
}

/**
 * The first instant of a local day: after the gap where clocks skip midnight, the earlier one where midnight occurs
 * twice.
 */
export function localDayStart(day: string, timezone: string): Date {
  const midnight = new Date(`${day}T00:00:00Z`)
  const offsets = [-DAY_MS, DAY_MS].map((aside) => offsetMs(plus(midnight, aside), timezone))
  const [earlier, later] = offsets.map((offset) => plus(midnight, -offset)).sort((a, b) => a.getTime() - b.getTime())
  return localDayOf(earlier!, timezone) >= day ? earlier! : later!
}

export function dayPlus(day: string, days: number): string {
  return dayOf(plus(new Date(`${day}T00:00:00Z`), days * DAY_MS))
}

/** Milliseconds that local time is ahead of UTC. */
function offsetMs(at: Date, timezone: string): number {
  const clock = clockOf(timezone)
  if (!clock) throw new RangeError(`there is no time zone ${timezone}`)
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const shown = Date.UTC(parts.year!, parts.month! - 1, parts.day!, parts.hour!, parts.minute!, parts.second!)
  return shown - Math.floor(at.getTime() / 1000) * 1000
}
