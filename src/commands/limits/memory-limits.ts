import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Allowance, Limits } from './contract.ts'
import { SlidingWindows } from './sliding-window.ts'

/** Limits of one length of window, in the memory of this process. */
export class MemoryLimits implements Limits {
  readonly windows: SlidingWindows
  private readonly clock: Clock
  /** Called with 1 for each grant, and with -1 for each that is given back. */
  private readonly granted: (key: string, change: 1 | -1) => void

  constructor(clock: Clock, windowMs = MINUTE_MS, granted: MemoryLimits['granted'] = () => undefined) {
    this.clock = clock
    this.windows = new SlidingWindows(windowMs, clock.monotonicMs())
    this.granted = granted
  }

  take(key: string, limit: number): Allowance {
    const nowMs = this.clock.monotonicMs()
    const window = this.windows.of(key, nowMs)
    const granted = window.take(limit, nowMs)
    if (granted) this.granted(key, 1)
    const { first, last } = window.waits(nowMs)
    return {
      granted,
      limit,
      remaining: window.left(limit),
      resetAt: Math.ceil((this.clock.now().getTime() + last) / SECOND_MS),
      retryAfterSeconds: Math.max(1, Math.ceil(first / SECOND_MS)),
      takenAtMs: nowMs,
    }
  }

  giveBack(key: string, { takenAtMs }: Allowance): void {
    if (this.windows.find(key)?.giveBack(takenAtMs)) this.granted(key, -1)
  }
}
