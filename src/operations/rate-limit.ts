import { type Clock, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts'

/** What is left to a caller after a request was counted. */
export interface Allowance {
  granted: boolean
  limit: number
  remaining: number
  /** Unix seconds at which the whole limit is free again when nothing more is asked. */
  resetAt: number
  /** Whole seconds until the next request is granted where none is left, at least 1. */
  retryAfterSeconds: number
  /** When it was counted, on the clock that only grows. */
  takenAtMs: number
}

export interface RateLimits {
  /**
   * Counts one request under `key`, of which `limit` are granted in any span of `windowMs`, a minute unless told
   * otherwise.
   */
  take(key: string, limit: number, windowMs?: number): Allowance
  /** Takes back what `take` granted under `key` for a minute; nothing when it no longer counts. */
  giveBack(key: string, granted: Allowance): void
}

/** A request is noted together with those that follow it within this part of its window. */
const PORTIONS = 60
/** Keys of one length of window that are held apart; beyond, those that were silent longest are forgotten early. */
const KEYS_HELD = 50_000

/** Requests that were granted close together. All of them count until the last of them is a whole window old. */
interface Portion {
  firstMs: number
  lastMs: number
  count: number
}

/** What a caller was granted in the window that ends now. */
class SlidingWindow {
  private readonly portions: Portion[] = []
  private taken = 0

  constructor(private readonly windowMs: number) {}

  /** Whether one more fits; it is then counted. */
  take(limit: number, nowMs: number): boolean {
    this.forget(nowMs)
    if (this.taken >= limit) return false
    const last = this.portions.at(-1)
    if (last !== undefined && nowMs - last.firstMs < this.windowMs / PORTIONS) {
      last.lastMs = nowMs
      last.count += 1
    } else this.portions.push({ firstMs: nowMs, lastMs: nowMs, count: 1 })
    this.taken += 1
    return true
  }

  giveBack(takenAtMs: number): void {
    const portion = this.portions.find(
      ({ firstMs, lastMs, count }) => firstMs <= takenAtMs && takenAtMs <= lastMs && count > 0,
    )
    if (portion === undefined) return
    portion.count -= 1
    this.taken -= 1
  }

  left(limit: number): number {
    return Math.max(0, limit - this.taken)
  }

  /** Milliseconds until the first, and until the last, of what was granted counts no more. */
  waits(nowMs: number): { first: number; last: number } {
    const until = (portion: Portion | undefined) => (portion === undefined ? 0 : portion.lastMs + this.windowMs - nowMs)
    const counts = ({ count }: Portion) => count > 0
    return { first: until(this.portions.find(counts)), last: until(this.portions.findLast(counts)) }
  }

  private forget(nowMs: number): void {
    while (this.portions.length > 0 && this.portions[0]!.lastMs + this.windowMs <= nowMs)
      this.taken -= this.portions.shift()!.count
  }
}

/**
 * The windows of one length by their callers, in two generations: who asks is moved to the younger one, and the older
 * one is dropped when it has been silent for a whole window, or when too many others came.
 */
class Windows {
  private young = new Map<string, SlidingWindow>()
  private old = new Map<string, SlidingWindow>()
  private turnedAtMs: number

  constructor(
    readonly windowMs: number,
    nowMs: number,
  ) {
    this.turnedAtMs = nowMs
  }

  of(key: string, nowMs: number): SlidingWindow {
    if (nowMs - this.turnedAtMs >= this.windowMs || this.young.size >= KEYS_HELD) this.turn(nowMs)
    const known = this.young.get(key)
    if (known !== undefined) return known
    const window = this.old.get(key) ?? new SlidingWindow(this.windowMs)
    this.young.set(key, window)
    return window
  }

  find(key: string): SlidingWindow | undefined {
    return this.young.get(key) ?? this.old.get(key)
  }

  private turn(nowMs: number): void {
    this.old = this.young
    this.young = new Map()
    this.turnedAtMs = nowMs
  }
}

/** Limits by sliding windows, kept in the memory of this process. */
export function createRateLimits(clock: Clock): RateLimits {
  const byLength = new Map<number, Windows>()
  const windowsOf = (windowMs: number, nowMs: number): Windows => {
    const known = byLength.get(windowMs)
    if (known !== undefined) return known
    const begun = new Windows(windowMs, nowMs)
    byLength.set(windowMs, begun)
    return begun
  }
  return {
    take(key, limit, windowMs = MINUTE_MS) {
      const nowMs = clock.monotonicMs()
      const window = windowsOf(windowMs, nowMs).of(key, nowMs)
      const granted = window.take(limit, nowMs)
      const { first, last } = window.waits(nowMs)
      return {
        granted,
        limit,
        remaining: window.left(limit),
        resetAt: Math.ceil((clock.now().getTime() + last) / SECOND_MS),
        retryAfterSeconds: Math.max(1, Math.ceil(first / SECOND_MS)),
        takenAtMs: nowMs,
      }
    },
    giveBack(key, { takenAtMs }) {
      byLength.get(MINUTE_MS)?.find(key)?.giveBack(takenAtMs)
    },
  }
}
