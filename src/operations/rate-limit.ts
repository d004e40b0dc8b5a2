import { type Clock, MINUTE_MS } from '../kernel/clock.ts'

/** What is left to a caller after a request was counted. */
export interface Allowance {
  granted: boolean
  limit: number
  remaining: number
  /** Unix seconds at which counting starts anew. */
  resetAt: number
  /** Whole seconds until then, at least 1. */
  retryAfterSeconds: number
}

export interface RateLimits {
  /** Counts one request under `key`, of which `limit` are granted in each window of the clock, a minute unless told otherwise. */
  take(key: string, limit: number, windowMs?: number): Allowance
  /** Takes back what `take` granted under `key` for a minute; nothing when that minute is over. */
  giveBack(key: string, granted: Allowance): void
}

/** The counts of all windows of one length that run at present. */
interface Window {
  /** Windows since the epoch. */
  number: number
  counts: Map<string, number>
}

/**
 * Limits by fixed windows, kept in the memory of this process. All windows of a length turn together, so their counts are
 * forgotten at once and memory is bounded by the callers of one window.
 */
export function createRateLimits(clock: Clock): RateLimits {
  const windows = new Map<number, Window>()
  /** The counts of the present window of this length. */
  const present = (windowMs: number): Window => {
    const number = Math.floor(clock.now().getTime() / windowMs)
    const known = windows.get(windowMs)
    if (known?.number === number) return known
    const begun = { number, counts: new Map() }
    windows.set(windowMs, begun)
    return begun
  }
  return {
    take(key, limit, windowMs = MINUTE_MS) {
      const { number, counts } = present(windowMs)
      const taken = counts.get(key) ?? 0
      const granted = taken < limit
      if (granted) counts.set(key, taken + 1)
      const turn = (number + 1) * windowMs
      return {
        granted,
        limit,
        remaining: granted ? limit - taken - 1 : 0,
        resetAt: turn / 1000,
        retryAfterSeconds: Math.max(1, Math.ceil((turn - clock.now().getTime()) / 1000)),
      }
    },
    giveBack(key, { resetAt }) {
      const { number, counts } = present(MINUTE_MS)
      const taken = counts.get(key) ?? 0
      if (taken > 0 && resetAt * 1000 === (number + 1) * MINUTE_MS) counts.set(key, taken - 1)
    },
  }
}
