import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { cleanLine } from '../../kernel/text.ts'
import { type FeedSource, type Source, SourceFault } from '../../sources/contract.ts'
import { type Database, DatabaseUnavailable, type Transaction } from '../../store/database.ts'
import { holdLease, type SourceLease } from '../../store/source/source-leases.ts'
import { noteFailure } from '../../store/source/source-state.ts'
import { baseMs } from './intervals.ts'
import type { CollectMetrics } from './metrics.ts'

export const BACK_OFF_FIRST_MS = SECOND_MS
const BACK_OFF_LAST_MS = 60 * SECOND_MS
const MOST_DRAWN_MS = 60 * SECOND_MS
export const CREDENTIALS_MS = 15 * MINUTE_MS
/** A source without a fault, or a connection that lasted, this long is sound. */
const SOUND_AFTER_MS = 30 * SECOND_MS

export class FailureRun {
  private readonly clock: Pick<Clock, 'monotonicMs'>
  private failures = 0
  private soundSinceMs: number | null = null
  private beganMs: number

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.clock = clock
    this.beganMs = clock.monotonicMs()
  }

  begin(): void {
    this.beganMs = this.clock.monotonicMs()
  }

  noteStored(): void {
    this.soundSinceMs ??= this.clock.monotonicMs()
  }

  end(): void {
    this.failures = 0
  }

  /** `held`: a live connection broke, which resets the count if it lasted long enough. */
  noteFailure(held: boolean): number {
    if (this.isLong(this.soundSinceMs) || (held && this.isLong(this.beganMs))) this.failures = 0
    this.soundSinceMs = null
    this.failures += 1
    return this.failures
  }

  private isLong(sinceMs: number | null): boolean {
    return sinceMs !== null && this.clock.monotonicMs() - sinceMs >= SOUND_AFTER_MS
  }
}

/** A fault that does not pass by itself is retried no more often than a working source is polled. */
export function restMs(source: FeedSource, error: unknown, failures: number): number {
  const backOff = backOffMs(error, failures)
  if (source.mode === 'live' || !(error instanceof SourceFault)) return backOff
  if (error.kind === 'credentials') return Math.max(CREDENTIALS_MS, backOff)
  const passes = error.kind === 'throttled' || error.kind === 'unavailable'
  return passes ? backOff : Math.max(baseMs(source), backOff)
}

/** Doubles per failure in a row, waits at least `retryAfterSeconds`, and adds jitter. */
export function backOffMs(error: unknown, failures: number): number {
  const asked = error instanceof SourceFault ? (error.retryAfterSeconds ?? 0) * SECOND_MS : 0
  const own = Math.min(BACK_OFF_LAST_MS, BACK_OFF_FIRST_MS * 2 ** Math.min(failures - 1, 10))
  const longest = Math.max(asked, own)
  return longest + Math.random() * Math.min(longest / 3, MOST_DRAWN_MS)
}

export interface Reporting {
  db: Database
  clock: Clock
  log: Log
  metrics: CollectMetrics
  /** False when the failure says nothing about the platform as a whole. Default true. */
  isReported?: boolean
}

/** `also` runs in the same transaction. False when the database could not record it. */
export async function reportFailure(
  { platform }: Pick<Source, 'platform'>,
  lease: SourceLease,
  { db, clock, log, metrics, isReported = true }: Reporting,
  error: unknown,
  also: (tx: Transaction, message: string) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const ours = error instanceof DatabaseUnavailable ? 'database' : 'defect'
  const fault = error instanceof SourceFault ? error.kind : ours
  metrics.sourceFaults.inc({ platform, fault })
  if (isReported)
    log.warn(
      { event: 'source.poll_failed', err: error, platform, fault },
      'Collecting from a platform failed; retrying from the stored cursor',
    )
  else log.info({ event: 'source.query_failed', err: error, platform, fault }, 'A platform query failed; will retry')
  if (error instanceof DatabaseUnavailable) return false
  const message = cleanLine(`${fault}: ${error instanceof Error ? error.message : String(error)}`).slice(0, 500)
  try {
    await db.transaction(async (tx) => {
      await also(tx, message)
      if (isReported) await noteFailure(tx, lease.source, message, clock.now())
      await holdLease(tx, lease)
    })
    return true
  } catch (failure) {
    log.warn(
      { event: 'source.failure_not_recorded', err: failure, platform },
      'The failure of a platform could not be recorded',
    )
    return false
  }
}
