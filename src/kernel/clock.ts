import { setTimeout as delay } from 'node:timers/promises'

/** Where every room reads the time. Tests hand in a clock that they advance themselves. */
export interface Clock {
  /** The present instant. */
  now(): Date
  /** Milliseconds that only ever grow, for measuring durations; not related to any calendar. */
  monotonicMs(): number
  /**
   * Resolves after `milliseconds` (0 or more), or at once when `signal` is aborted: a wait that is cut short is an
   * ordinary outcome for the loops that use it, so it never throws.
   */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
  /**
   * Calls `ring` once after `milliseconds` (0 or more), unless the function that it answers is called before. It costs
   * next to nothing when it is put off, and so is for limits that every request stands under.
   */
  alarm(milliseconds: number, ring: () => void): () => void
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  async wait(milliseconds, signal) {
    try {
      await delay(milliseconds, undefined, signal ? { signal } : undefined)
    } catch (error) {
      if (!signal?.aborted) throw error
    }
  },
  alarm(milliseconds, ring) {
    const timer = setTimeout(ring, milliseconds)
    return () => clearTimeout(timer)
  },
}

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** `at` moved by `milliseconds`, which may be negative. */
export function plus(at: Date, milliseconds: number): Date {
  return new Date(at.getTime() + milliseconds)
}

/** The UTC calendar day of an instant, as YYYY-MM-DD. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** The first instant of the UTC calendar month that holds `at`. */
export function monthStart(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
}

/** The first instant of the UTC calendar month after the one that holds `at`. */
export function nextMonthStart(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}

/** The first instant of the UTC calendar day that holds `at`. */
export function dayStart(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()))
}
