/** Ids of Mastodon hold in their upper bits the Unix milliseconds at which a post reached the server. */
const TIME_SHIFT = 16n
/** An id of other software may be a small number or a much larger one. */
const EARLIEST_MS = Date.UTC(2016, 0, 1)
const DIGITS = /^\d{1,25}$/

/** Null for ids that hold no time up to `latestMs`. */
export function arrivalMsOf(id: string, latestMs: number): number | null {
  if (!DIGITS.test(id)) return null
  const ms = Number(BigInt(id) >> TIME_SHIFT)
  return ms >= EARLIEST_MS && ms <= latestMs ? ms : null
}

/** Smaller than the ids of all posts that reached a server at `ms` or later. */
export function idBefore(ms: number): string {
  return String(BigInt(Math.max(0, Math.floor(ms))) << TIME_SHIFT)
}

export function isId(text: string): boolean {
  return DIGITS.test(text)
}

/** The ids must be digits without leading zeros. */
export function laterId(first: string, second: string): string {
  if (first.length !== second.length) return first.length > second.length ? first : second
  return first >= second ? first : second
}
