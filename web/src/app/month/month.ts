/** A month such as `2026-11`, `count` months after another. Months are in UTC, as charges are. */
export function monthAfter(month: string, count: number): string {
  const first = new Date(`${month}-01T00:00:00Z`)
  first.setUTCMonth(first.getUTCMonth() + count)
  return first.toISOString().slice(0, 7)
}

export function monthAt(now: number): string {
  return new Date(now).toISOString().slice(0, 7)
}

/** First and last day of a month, or today where the month is not over. */
export function daysOf(month: string, now: number): { from: string; to: string } {
  const today = new Date(now).toISOString().slice(0, 10)
  const next = new Date(`${monthAfter(month, 1)}-01T00:00:00Z`)
  next.setUTCDate(0)
  const last = next.toISOString().slice(0, 10)
  const isOver = last < today
  return { from: `${month}-01`, to: isOver ? last : today }
}

/** The month of an address, or the present one where the address has none that is over or running. */
export function monthIn(asked: string | null, now: string): string {
  return asked !== null && /^\d{4}-(0[1-9]|1[0-2])$/.test(asked) && asked <= now ? asked : now
}
