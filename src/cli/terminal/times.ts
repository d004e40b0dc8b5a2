import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'

/** How long ago, as short as a column wants. */
export function ago(at: string | null, now: Date): string {
  if (at === null) return '-'
  const ms = Math.max(0, now.getTime() - new Date(at).getTime())
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)}s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)}h`
  return `${Math.floor(ms / DAY_MS)}d`
}

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }

/** `7d`, `12h`, `30m` or `2w` back from now; anything else is left to the service to read. */
export function instantOf(text: string, now: Date): string {
  const [, count, unit] = /^(\d{1,4})([mhdw])$/.exec(text) ?? []
  if (count === undefined || unit === undefined) return text
  return new Date(now.getTime() - Number(count) * UNITS[unit]!).toISOString()
}
