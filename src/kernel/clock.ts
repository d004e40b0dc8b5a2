import { setTimeout as delay } from 'node:timers/promises'

/** The only source of time; tests pass a clock that they advance. */
export interface Clock {
  now(): Date
  /** Only ever grows; for durations, unrelated to any calendar. */
  monotonicMs(): number
  /** Resolves after `milliseconds`, or at once when `signal` is aborted; never throws. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
  /**
   * Calls `ring` once after `milliseconds`, unless the returned function is called before. Cheap to set and cancel, for
   * limits on every request.
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

export function plus(at: Date, milliseconds: number): Date {
  return new Date(at.getTime() + milliseconds)
}

/** The UTC day as YYYY-MM-DD. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** In UTC, like the functions below. */
export function monthStart(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
}

export function nextMonthStart(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}

export function dayStart(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()))
}
