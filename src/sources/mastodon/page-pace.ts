import { type Clock, SECOND_MS } from '../../kernel/clock.ts'

/** Servers allow 300 pages in 15 minutes from one address; the rest is for searches and look-ups. */
const AT_ONCE = 60
const EACH_MS = 4 * SECOND_MS

/** The pace of pages from each server, over all breaks. */
export class PagePace {
  private readonly clock: Pick<Clock, 'monotonicMs'>
  /** When the allowance of a server is whole again. */
  private readonly wholeAtMs = new Map<string, number>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.clock = clock
  }

  charge(server: string): void {
    const nowMs = this.clock.monotonicMs()
    this.wholeAtMs.set(server, Math.max(nowMs, this.wholeAtMs.get(server) ?? nowMs) + EACH_MS)
  }

  /** Milliseconds until the next page may be read. */
  waitMs(server: string): number {
    const missingMs = (this.wholeAtMs.get(server) ?? 0) - this.clock.monotonicMs()
    return Math.max(0, missingMs - (AT_ONCE - 1) * EACH_MS)
  }
}
