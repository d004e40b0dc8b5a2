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
  onEnd(delivery: Delivery, error: unknown): void
}

export interface Leased {
  readonly leasedUntil: Date
}

/** The next batch grows while one is written. */
const GATHER_MS = 5
/** Under load, small transactions cost more than their content. */
const GATHER_BUSY_MS = 25
const BUSY_BATCH = 50
/** When this many wait, a second transaction runs beside the first: a commit leaves the server time for it. */
const BATCH_MAX = 500
const LAST_TRIES = 10

type Result = Omit<Settled, 'leasedUntil'>

interface Waiting<Delivery> {
  result: Result
  delivery: Delivery
}

export class ResultRecorder<Delivery extends Leased> {
  private readonly options: RecorderOptions<Delivery>
  private readonly waiting: Waiting<Delivery>[] = []
  private draining: Promise<void> | null = null
  private drainingBeside: Promise<void> | null = null
  private isHurried = false
  private failedTries = 0

  constructor(options: RecorderOptions<Delivery>) {
    this.options = options
  }

  /** Keeps and retries the result while the database is away. */
  add(result: Result, delivery: Delivery): void {
    this.waiting.push({ result, delivery })
    if (this.draining === null) this.draining = this.drain()
    else if (this.waiting.length >= BATCH_MAX) this.drainingBeside ??= this.drainBeside()
  }

  /** From now on an outage of the database is retried for a few seconds only, so that the process can end. */
  hurry(): void {
    this.isHurried = true
  }

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

  /** An unrecorded acceptance would be sent again. Waiting results count as in flight, which bounds them. */
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

  /** Halves the batch, so that one bad row does not make the other receivers get theirs twice. */
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

function countsOf(batch: readonly { result: Pick<Settled, 'state'> }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { result } of batch) {
    const outcome = shownOutcome(result.state.status)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}
