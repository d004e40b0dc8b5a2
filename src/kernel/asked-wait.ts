import { SECOND_MS } from './clock.ts'

/** Milliseconds that `Retry-After` asks for, in seconds or until a date; 0 or more, null if absent or invalid. */
export function askedWaitMs(header: string | null | undefined, at: Date): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS
  // Dates of HTTP begin with the day of the week; the parser takes many other texts too.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - at.getTime())
}
