import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import { type ClaimedMention, claimUnscored } from '../../store/model/unscored.ts'

export interface UnscoredSweepOptions {
  db: Database
  clock: Clock
  log: Log
  /** Mentions of one sweep at most. */
  batch: number
  leaseMs: number
}

/**
 * How often mentions are looked for that nobody scores, however busy it is: left by a process that died, or by a failed
 * attempt.
 */
const SWEEP_MS = 5 * SECOND_MS

/** Finds mentions in the database that nobody scores, and takes them on. */
export class UnscoredSweep {
  private readonly options: UnscoredSweepOptions
  private dueAtMs = Number.NEGATIVE_INFINITY

  constructor(options: UnscoredSweepOptions) {
    this.options = options
  }

  /** There may be some: the next sweep is due at once. */
  hasten(): void {
    this.dueAtMs = Number.NEGATIVE_INFINITY
  }

  /** Milliseconds until the next sweep is due; negative when it is due already. */
  remainingMs(): number {
    return this.dueAtMs - this.options.clock.monotonicMs()
  }

  /** Those that were found; none when no sweep is due, or when it fails, which is told in the log. */
  async run(): Promise<ClaimedMention[]> {
    const { clock, log, batch } = this.options
    if (this.remainingMs() > 0) return []
    try {
      // Set before the sweep, so that what is announced during it leads to another one.
      this.dueAtMs = clock.monotonicMs() + SWEEP_MS
      const found = await this.claim()
      // A full batch says that there may be more. What has come in meanwhile gets its share of the next one.
      if (found.length === batch) this.hasten()
      return found
    } catch (error) {
      // What waits in memory has its turn all the same, and makes room for those who wait to hand over.
      log.warn({ event: 'score.sweep_failed', err: error }, 'The unscored mentions could not be read; retrying')
      this.dueAtMs = clock.monotonicMs() + SECOND_MS
      return []
    }
  }

  private async claim(): Promise<ClaimedMention[]> {
    const { db, clock, batch, leaseMs } = this.options
    const at = clock.now()
    return await claimUnscored(db, { at, leasedUntil: plus(at, leaseMs), limit: batch })
  }
}
