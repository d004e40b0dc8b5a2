/** What is left to a caller after a request was counted. */
export interface Allowance {
  granted: boolean
  limit: number
  remaining: number
  /** Unix seconds at which the whole limit is free again when nothing more is asked. */
  resetAt: number
  /** Whole seconds until the next request is granted where none is left, at least 1. */
  retryAfterSeconds: number
  /** When it was counted, on the clock of the count. */
  takenAtMs: number
}

/** Counts in the memory of this process. */
export interface Limits {
  /** Counts one request under `key`, of which `limit` are granted in any span of a minute. */
  take(key: string, limit: number): Allowance
  /** Takes back what `take` granted under `key`; nothing when it no longer counts. */
  giveBack(key: string, granted: Allowance): void
}

/** Counts in the database, exactly over all processes. Each call is a statement or two. */
export interface ExactLimits {
  /** Like `Limits`, in any span of `windowMs`, a minute unless told otherwise. */
  take(key: string, limit: number, windowMs?: number): Promise<Allowance>
  giveBack(key: string, granted: Allowance): Promise<void>
}

/** For limits of many requests. Processes tell each other what they have counted. */
export interface RateLimits extends Limits {
  /** For small limits and for those that keep strangers out. */
  exact: ExactLimits
}

/** A limit of a minute up to this is exact. It bounds the statements that counting for a caller costs. */
export const EXACT_UP_TO = 20

/** Where a limit of so many a minute is counted. */
export function countsFor(limits: RateLimits, perMinute: number): Limits | ExactLimits {
  return perMinute <= EXACT_UP_TO ? limits.exact : limits
}
