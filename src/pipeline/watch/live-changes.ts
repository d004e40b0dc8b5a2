import type { Clock } from '../../kernel/clock.ts'
import { WorkLoop } from '../../kernel/concurrency/work-loop.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { watchQueue } from '../../kernel/metrics.ts'
import type { Database } from '../../store/database.ts'
import { type LogPoint, MOST_CHANGES, readChanges } from '../../store/keyword/keyword-changes.ts'
import { readWatched, type WatchedKeyword } from '../../store/keyword/watched-keywords.ts'
import type { WatchMetrics } from './metrics.ts'
import type { ChangeGate, KeywordOrder } from './order.ts'
import { type ChangeBatch, NOTIFIED_MAX, PendingChanges } from './pending-changes.ts'
import { putOrLeaveOut, type WatchedIndex } from './watched-index.ts'

export interface FollowingOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: WatchMetrics
  order: KeywordOrder
  gate: ChangeGate
  signal: AbortSignal
}

type Waiter = (caughtUp: boolean) => void

export const FOLLOW_RETRY_MS = 1000

/**
 * Applies notified changes and reads the change log, so that none is missed. Reads are sequential: none overtakes
 * another.
 */
export class LiveChanges {
  private readonly options: FollowingOptions
  private readonly pending = new PendingChanges()
  private readonly loop: WorkLoop
  private index: WatchedIndex | null = null
  /** The log is read and applied up to here. Null when everything must be read. */
  private reached: LogPoint | null = null
  /** Whether a full load has also been applied. */
  private isComplete = false
  /** The end of the log reading that is being applied. It becomes `reached`. */
  private coming: LogPoint | null = null
  private isLogDue = false
  private changedCount = 0
  /** Callers waiting for a log reading that begins later, and those of the current one. */
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
      retryMs: FOLLOW_RETRY_MS,
    })
    signal.addEventListener('abort', () => this.end())
    // Further notifications are in the log, and a longer log causes a full read.
    watchQueue(metrics, 'keyword_changes', NOTIFIED_MAX + MOST_CHANGES, () => this.pending.count())
  }

  notify(payload: string): void {
    this.pending.notify(idsIn(payload), this.options.clock.monotonicMs())
    this.poll()
  }

  poll(): void {
    this.isLogDue = true
    void this.loop.run()
  }

  /** Resolves when the log, read from now on, is applied. False when that cannot happen. */
  caughtUp(): Promise<boolean> {
    if (this.options.signal.aborted || this.reached === null) return Promise.resolve(false)
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      this.poll()
    })
  }

  /** Begins with an index at `point`, or with an empty one when null. */
  start(index: WatchedIndex, point: LogPoint | null): void {
    this.index = index
    this.reached = point
    this.isComplete = point !== null
    void this.loop.run()
  }

  /** A full read begins. Changes from `point` on are applied meanwhile. */
  beginLoad(point: LogPoint): void {
    this.reached = point
    this.poll()
  }

  endLoad(): void {
    this.isComplete = this.reached !== null
  }

  /** The index has every keyword as of this point or later. Null while everything must be read. */
  get point(): LogPoint | null {
    return this.isComplete ? this.reached : null
  }

  /** Resolves when the log has a gap and everything must be read. */
  gap(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.isComplete || this.options.signal.aborted) resolve()
      else this.onGap = resolve
    })
  }

  get count(): number {
    return this.changedCount
  }

  private hasWork(): boolean {
    if (this.index === null) return false
    return this.pending.hasNotified || this.coming !== null || (this.isLogDue && this.reached !== null)
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
    for (const [id, notifiedAtMs] of batch) {
      const keyword = found.get(id)
      if (keyword ? putOrLeaveOut(into, keyword, log) : into.drop(id)) changed += 1
      order.noteFresh(id)
      if (notifiedAtMs !== null) metrics.keywordChangeSeconds.observe((clock.monotonicMs() - notifiedAtMs) / 1000)
    }
    this.changedCount += changed
    metrics.keywordChanges.inc(changed)
  }

  private end(): void {
    for (const tell of [...this.waiting.splice(0), ...this.served.splice(0)]) tell(false)
    this.onGap()
  }
}

const NOTIFICATION = /^[0-9a-f-]{36}(?: [0-9a-f-]{36})+$/

function idsIn(payload: string): Uuid[] {
  return NOTIFICATION.test(payload) ? (payload.split(' ').slice(1) as Uuid[]) : []
}
