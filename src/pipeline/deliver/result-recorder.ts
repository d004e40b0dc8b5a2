import { shownOutcome } from '../../domain/delivery/status.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type Database, DatabaseUnavailable } from '../../store/database.ts'
import { type Settled, settleDeliveries } from '../../store/delivery/settle-deliveries.ts'
import type { DeliverMetrics } from './metrics.ts'

export interface RecorderOptions<Delivery extends Leased> {
  db: Database
  clock: Clock
  log: Log
  metrics: DeliverMetrics
  /** What was added is recorded, or could not be, and `error` says why. */
  onEnd(delivery: Delivery, error: unknown): void
}

/** The lease that a delivery is in flight under; it changes when this process takes the delivery again. */
export interface Leased {
  readonly leasedUntil: Date
}

/** Results wait for each other at most this long; while one batch is being written, the next one grows. */
const GATHER_MS = 5
/**
 * The same after a batch of at least so many: where much is going on, a transaction for each few would cost more than
 * what is in it.
 */
const GATHER_BUSY_MS = 25
const BUSY_BATCH = 50
/**
 * A batch has at most so many. When as many wait beside the one that is being written, they are written at once: a
 * commit leaves the server time for another.
 */
const BATCH_MAX = 500
/** Once the process is to end. */
const LAST_TRIES = 10

type Result = Omit<Settled, 'leasedUntil'>

interface Waiting<Delivery> {
  result: Result
  delivery: Delivery
}

/** Records the results of attempts, in batches. */
export class ResultRecorder<Delivery extends Leased> {
  private readonly options: RecorderOptions<Delivery>
  private readonly waiting: Waiting<Delivery>[] = []
  private draining: Promise<void> | null = null
  private drainingBeside: Promise<void> | null = null
  private isHurried = false
  /** Since the process is to end. */
  private failedTries = 0

  constructor(options: RecorderOptions<Delivery>) {
    this.options = options
  }

  /** While the database is away the result is kept and tried again. */
  add(result: Result, delivery: Delivery): void {
    this.waiting.push({ result, delivery })
    if (this.draining === null) this.draining = this.drain()
    else if (this.waiting.length >= BATCH_MAX) this.drainingBeside ??= this.drainBeside()
  }

  /** From now on an absence of the database is waited out for a few seconds only, so that the process can end. */
  hurry(): void {
    this.isHurried = true
  }

  /** Resolves when nothing is to be recorded any more. */
  async idle(): Promise<void> {
    while (this.draining !== null || this.drainingBeside !== null)
      await Promise.all([this.draining, this.drainingBeside])
  }

  private async drain(): Promise<void> {
    let gatherMs = GATHER_MS
    while (this.waiting.length > 0) {
      if (this.waiting.length < BATCH_MAX) await this.options.clock.wait(gatherMs)
      const batch = this.waiting.splice(0, BATCH_MAX)
      gatherMs = batch.length < BUSY_BATCH ? GATHER_MS : GATHER_BUSY_MS
      if (batch.length > 0) await this.record(batch)
    }
    this.draining = null
  }

  private async drainBeside(): Promise<void> {
    while (this.waiting.length >= BATCH_MAX) await this.record(this.waiting.splice(0, BATCH_MAX))
    this.drainingBeside = null
  }

  private async record(batch: readonly Waiting<Delivery>[]): Promise<void> {
    const { clock, onEnd } = this.options
    const beganMs = clock.monotonicMs()
    try {
      await this.persist(batch)
    } catch (error) {
      return await this.recordFailed(batch, error)
    }
    this.noteRecorded(batch, clock.monotonicMs() - beganMs)
    for (const { delivery } of batch) onEnd(delivery, null)
  }

  /**
   * What was accepted and is not known to be is sent again: an outage of the database is waited out for as long as this
   * process runs. What waits meanwhile still counts as in flight, so its number is bounded.
   */
  private async persist(batch: readonly Waiting<Delivery>[]): Promise<void> {
    const { db, clock } = this.options
    for (;;) {
      try {
        const settled = batch.map(({ result, delivery }) => ({ ...result, leasedUntil: delivery.leasedUntil }))
        await db.transaction((tx) => settleDeliveries(tx, settled))
        this.failedTries = 0
        return
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error
        if (this.isHurried) this.failedTries += 1
        if (this.failedTries >= LAST_TRIES) throw error
        await clock.wait(SECOND_MS)
      }
    }
  }

  /** One that cannot be written must not take the others along, whose receivers would get them once more. */
  private async recordFailed(batch: readonly Waiting<Delivery>[], error: unknown): Promise<void> {
    if (batch.length > 1 && !(error instanceof DatabaseUnavailable)) {
      const middle = batch.length >> 1
      await this.record(batch.slice(0, middle))
      await this.record(batch.slice(middle))
      return
    }
    const { log, onEnd } = this.options
    log.warn(
      { event: 'delivery.results_not_recorded', err: error, deliveries: batch.length },
      'The results of deliveries could not be recorded',
    )
    for (const { delivery } of batch) onEnd(delivery, error)
  }

  private noteRecorded(batch: readonly Waiting<Delivery>[], tookMs: number): void {
    const { log, metrics } = this.options
    metrics.settleSeconds.observe(tookMs / SECOND_MS)
    log.info(
      { event: 'delivery.recorded', deliveries: batch.length, ...countsOf(batch), ms: Math.round(tookMs) },
      'Results of deliveries recorded',
    )
  }
}

/** How many attempts led to what; those that are to be tried again count as retries. */
function countsOf(batch: readonly { result: Pick<Settled, 'state'> }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { result } of batch) {
    const outcome = shownOutcome(result.state.status)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}
