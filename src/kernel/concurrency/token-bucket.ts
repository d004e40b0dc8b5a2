import { type Clock, SECOND_MS } from '../clock.ts'

/** Allows a burst of one second's tokens. */
export class TokenBucket {
  private readonly perSecond: number
  private readonly clock: Pick<Clock, 'monotonicMs'>
  private left: number
  private filledAtMs: number

  constructor(perSecond: number, clock: Pick<Clock, 'monotonicMs'>) {
    this.perSecond = perSecond
    this.clock = clock
    this.left = perSecond
    this.filledAtMs = clock.monotonicMs()
  }

  refill(): void {
    const nowMs = this.clock.monotonicMs()
    const cameIn = ((nowMs - this.filledAtMs) * this.perSecond) / SECOND_MS
    this.left = Math.min(this.perSecond, this.left + cameIn)
    this.filledAtMs = nowMs
  }

  /** Takes a token as of the last refill; false when none is left. */
  take(): boolean {
    if (this.left < 1) return false
    this.left -= 1
    return true
  }

  get isFull(): boolean {
    return this.left >= this.perSecond
  }

  /** Whole milliseconds from the last refill to the next token. */
  get waitMs(): number {
    return Math.ceil((Math.max(0, 1 - this.left) / this.perSecond) * SECOND_MS)
  }
}
