import type { Clock } from '../../kernel/clock.ts'
import { WorkLoop } from '../../kernel/concurrency/work-loop.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { watchQueue } from '../../kernel/metrics.ts'
import type { Database } from '../../store/database.ts'
import { type LogPoint, MOST_CHANGES, readChanges } from '../../store/keyword/keyword-changes.ts'
import { readWatched, type WatchedKeyword } from '../../store/keyword/watched-keywords.ts'
import type { WatchMetrics } from './metrics.ts'
import type { Gate, KeywordOrder } from './order.ts'
import { type ChangeBatch, HEARD_MOST, PendingChanges } from './pending-changes.ts'
import { putOrLeaveOut, type WatchedIndex } from './watched-index.ts'

export interface FollowingOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: WatchMetrics
  order: KeywordOrder
  gate: Gate
  signal: AbortSignal
}

type Waiter = (caughtUp: boolean) => void

export const RETRY_MS = 1000

/**
 * Takes changes of keywords over as they are heard of, and reads the log of changes so that none is missed. One reading
 * at a time, so that none overtakes another.
 */
export class LiveChanges {
  private readonly options: FollowingOptions
  private readonly pending = new PendingChanges()
  private readonly loop: WorkLoop
  private index: WatchedIndex | null = null
  /** Up to here the log has been read, and what it named is in the index; null when everything has to be read first. */
  private reached: LogPoint | null = null
  /** Whether what the log did not name is in the index as well. */
  private isComplete = false
  /** Where the reading of the log ended whose keywords are being put in place; it becomes `reached` after them. */
  private coming: LogPoint | null = null
  private isLogDue = false
  private changedCount = 0
  /** Who waits until the log has been read from now on, and those of them for whom it is being read. */
  private waiting: Waiter[] = []
  private served: Waiter[] = []
  private onGap: () => void = () => undefined

  constructor(options: FollowingOptions) {
    this.options = options
    const { clock, log, metrics, signal } = options
    this.loop = new WorkLoop({
      clock,
      signal,
      hasWork: () => this.hasWork(),
      step: () => this.step(),
      onFailure: (error) =>
        log.error({ event: 'keyword.follow_failed', err: error }, 'The keywords could not be followed; retrying'),
      retryMs: RETRY_MS,
    })
    signal.addEventListener('abort', () => this.end())
    // Nobody pauses at this limit: what is heard beyond stands in the log, and past the log's part everything is read
    // again.
    watchQueue(metrics, 'keyword_changes', HEARD_MOST + MOST_CHANGES, () => this.pending.count())
  }

  /** A notification: its ids are read at once, and the log after it. */
  hear(payload: string): void {
    this.pending.hear(idsIn(payload), this.options.clock.monotonicMs())
    this.look()
  }

  /** The log has to be read, because notifications may have been lost. */
  look(): void {
    this.isLogDue = true
    void this.loop.run()
  }

  /**
   * Resolves when the log has been read from now on and what it names is in the index; false when that cannot come to
   * pass.
   */
  caughtUp(): Promise<boolean> {
    if (this.options.signal.aborted || this.reached === null) return Promise.resolve(false)
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      this.look()
    })
  }

  /** Begins to put changes in place: the index has come, in the state of `point`, or empty when it is null. */
  start(index: WatchedIndex, point: LogPoint | null): void {
    this.index = index
    this.reached = point
    this.isComplete = point !== null
    void this.loop.run()
  }

  /** Everything is about to be read; changes from `point` on are put in place meanwhile. */
  beginLoad(point: LogPoint): void {
    this.reached = point
    this.look()
  }

  /** Everything has been read; in vain when there was a gap in the log meanwhile. */
  endLoad(): void {
    this.isComplete = this.reached !== null
  }

  /** Every keyword is in the index as it was at this point or later; null while everything has to be read. */
  get point(): LogPoint | null {
    return this.isComplete ? this.reached : null
  }

  /** Resolves when everything has to be read, because the log does not say what changed. */
  gap(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.isComplete || this.options.signal.aborted) resolve()
      else this.onGap = resolve
    })
  }

  /** How many keywords were really changed so far. */
  get count(): number {
    return this.changedCount
  }

  private hasWork(): boolean {
    if (this.index === null) return false
    return this.pending.hasHeard || this.coming !== null || (this.isLogDue && this.reached !== null)
  }

  private async step(): Promise<void> {
    if (this.isLogDue && this.reached && this.coming === null) await this.readLog(this.reached)
    const batch = this.pending.nextBatch()
    if (batch.size > 0) await this.refresh(this.index!, batch)
    if (this.coming === null || this.pending.hasNamed) return
    this.reached = this.coming
    this.coming = null
    for (const tell of this.served.splice(0)) tell(true)
  }

  private async readLog(since: LogPoint): Promise<void> {
    this.isLogDue = false
    const asked = this.waiting
    this.waiting = []
    try {
      const reading = await readChanges(this.options.db, since)
      if (reading.gap) {
        this.meetGap(reading.gap, asked)
        return
      }
      this.pending.name(reading.changed)
      this.coming = reading.point
      this.served = asked
    } catch (error) {
      this.waiting.push(...asked)
      this.isLogDue = true
      throw error
    }
  }

  private meetGap(reason: string, asked: readonly Waiter[]): void {
    this.options.log.warn(
      { event: 'keyword.changes_missing', reason },
      'The log of keyword changes has a gap; all keywords are read again',
    )
    this.reached = null
    this.isComplete = false
    for (const tell of asked) tell(false)
    this.onGap()
  }

  private async refresh(into: WatchedIndex, batch: ChangeBatch): Promise<void> {
    const { db, order, gate, signal } = this.options
    try {
      const sent = order.sent()
      const found = new Map((await readWatched(db, [...batch.keys()])).map((keyword) => [keyword.id, keyword]))
      await gate.pass()
      if (signal.aborted) return
      if (order.isOvertaken(sent)) this.pending.putBack(batch, this.coming !== null)
      else this.putInPlace(into, batch, found)
    } catch (error) {
      this.pending.putBack(batch, this.coming !== null)
      throw error
    }
  }

  private putInPlace(into: WatchedIndex, batch: ChangeBatch, found: ReadonlyMap<Uuid, WatchedKeyword>): void {
    const { clock, log, metrics, order } = this.options
    let changed = 0
    for (const [id, heardAtMs] of batch) {
      const keyword = found.get(id)
      if (keyword ? putOrLeaveOut(into, keyword, log) : into.drop(id)) changed += 1
      order.noteFresh(id)
      if (heardAtMs !== null) metrics.keywordChangeSeconds.observe((clock.monotonicMs() - heardAtMs) / 1000)
    }
    this.changedCount += changed
    metrics.keywordChanges.inc(changed)
  }

  private end(): void {
    for (const tell of [...this.waiting.splice(0), ...this.served.splice(0)]) tell(false)
    this.onGap()
  }
}

/** A workspace and keywords of it. */
const NOTIFICATION = /^[0-9a-f-]{36}(?: [0-9a-f-]{36})+$/

function idsIn(payload: string): Uuid[] {
  return NOTIFICATION.test(payload) ? (payload.split(' ').slice(1) as Uuid[]) : []
}
