import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import { type ClaimedMention, claimUnscored } from '../../store/model/unscored.ts'

export interface UnscoredSweepOptions {
  db: Database
  clock: Clock
  log: Log
  batch: number
  leaseMs: number
  /** A claim counts as an attempt up to this many: later attempts are made alone, and counted one by one. */
  together: number
}

/** Finds mentions left by a dead process or a failed attempt, even under load. */
const SWEEP_MS = 5 * SECOND_MS

export class UnscoredSweep {
  private readonly options: UnscoredSweepOptions
  private dueAtMs = Number.NEGATIVE_INFINITY

  constructor(options: UnscoredSweepOptions) {
    this.options = options
  }

  hasten(): void {
    this.dueAtMs = Number.NEGATIVE_INFINITY
  }

  remainingMs(): number {
    return this.dueAtMs - this.options.clock.monotonicMs()
  }

  async run(): Promise<ClaimedMention[]> {
    const { clock, log, batch } = this.options
    if (this.remainingMs() > 0) return []
    try {
      // Set first, so that an announcement during the sweep causes another.
      this.dueAtMs = clock.monotonicMs() + SWEEP_MS
      const found = await this.claim()
      // A full batch may not be all.
      if (found.length === batch) this.hasten()
      return found
    } catch (error) {
      // The memory queue continues, which makes capacity for waiting collectors.
      log.warn({ event: 'score.sweep_failed', err: error }, 'The unscored mentions could not be read; retrying')
      this.dueAtMs = clock.monotonicMs() + SECOND_MS
      return []
    }
  }

  private async claim(): Promise<ClaimedMention[]> {
    const { db, clock, batch, leaseMs, together } = this.options
    const at = clock.now()
    return await claimUnscored(db, { at, leasedUntil: plus(at, leaseMs), limit: batch, together })
  }
}
