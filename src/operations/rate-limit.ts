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
  /** Counts one request under `key`, of which `perMinute` are granted in each minute of the clock. */
  take(key: string, perMinute: number): Allowance
  /** Takes back what `take` granted under `key`; nothing when its minute is over. */
  giveBack(key: string, granted: Allowance): void
}

/**
 * Limits by fixed windows of one minute, kept in the memory of this process. All windows turn together, so the counts
 * of a minute are forgotten at once and memory is bounded by the callers of one minute.
 */
export function createRateLimits(clock: Clock): RateLimits {
  let window = Number.NEGATIVE_INFINITY
  const counts = new Map<string, number>()
  return {
    take(key, perMinute) {
      const now = clock.now().getTime()
      const present = Math.floor(now / MINUTE_MS)
      if (present !== window) {
        window = present
        counts.clear()
      }
      const taken = counts.get(key) ?? 0
      const granted = taken < perMinute
      if (granted) counts.set(key, taken + 1)
      const turn = (present + 1) * MINUTE_MS
      return {
        granted,
        limit: perMinute,
        remaining: granted ? perMinute - taken - 1 : 0,
        resetAt: turn / 1000,
        retryAfterSeconds: Math.max(1, Math.ceil((turn - now) / 1000)),
      }
    },
    giveBack(key, { resetAt }) {
      const taken = counts.get(key) ?? 0
      if (taken > 0 && resetAt * 1000 === (window + 1) * MINUTE_MS) counts.set(key, taken - 1)
    },
  }
}
