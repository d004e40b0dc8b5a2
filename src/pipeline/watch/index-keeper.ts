import { type Clock, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { Deferred } from '../../kernel/concurrency/deferred.ts'
import { waitAtMost } from '../../kernel/concurrency/wait-at-most.ts'
import type { Log } from '../../kernel/log.ts'
import { onRead } from '../../kernel/metrics.ts'
import type { Database } from '../../store/database.ts'
import { readLogEnd } from '../../store/keyword/keyword-changes.ts'
import { KEYWORD_CHANNEL } from '../../store/keyword/keywords.ts'
import { FOLLOW_RETRY_MS, LiveChanges } from './live-changes.ts'
import type { WatchMetrics } from './metrics.ts'
import { ChangeGate, KeywordOrder } from './order.ts'
import { repeatEvery, retryUntilDone } from './repeat.ts'
import { Snapshots } from './snapshots.ts'
import { loadAll, type SweepOptions, verifyAll } from './sweep.ts'
import { WatchedIndex } from './watched-index.ts'

export interface KeeperOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: WatchMetrics
  signal: AbortSignal
  /** Null for no snapshot. */
  snapshotPath: string | null
  /** Fewest keywords of a snapshot; default 10,000. */
  snapshotFrom?: number
}

/** Poll interval without notifications, since a connection can die unnoticed. */
const POLL_EVERY_MS = 10_000
const SNAPSHOT_EVERY_MS = 5 * MINUTE_MS
/** Verifies a start soon, but after the first snapshot, which would be given up for it. */
const VERIFY_FIRST_MS = 8 * MINUTE_MS
const VERIFY_EVERY_MS = 6 * HOUR_MS
const SNAPSHOT_FROM = 10_000

export class IndexKeeper {
  private readonly options: KeeperOptions
  private readonly order = new KeywordOrder()
  private readonly gate: ChangeGate
  private readonly changes: LiveChanges
  private readonly snapshots: Snapshots | null
  private readonly loading = new Deferred()
  private readonly listening = new Deferred()
  private current = new WatchedIndex()
  private swept = 0

  constructor(options: KeeperOptions) {
    const { db, clock, metrics, signal, snapshotPath: path, snapshotFrom: leastKeywords = SNAPSHOT_FROM } = options
    this.options = options
    this.gate = new ChangeGate(clock)
    const { order, gate } = this
    this.changes = new LiveChanges({ ...options, order, gate })
    this.snapshots = path === null ? null : new Snapshots({ ...options, gate, path, leastKeywords })
    const notify = (payload: string) => this.changes.notify(payload)
    db.listen(KEYWORD_CHANNEL, notify, () => this.beginListening(), signal)
    onRead(metrics, () => {
      metrics.keywordsWatched.set(this.current.totals.count)
      metrics.indexBytes.set(this.current.matcher.stats().bytes)
    })
    signal.addEventListener('abort', () => this.end(), { once: true })
    // An abandoned start has no waiter.
    this.loading.promise.catch(() => undefined)
  }

  get index(): WatchedIndex {
    return this.current
  }

  /** Resolves when every keyword is loaded that the database had at the start. */
  get loaded(): Promise<void> {
    return this.loading.promise
  }

  /** Resolves when every keyword change committed before the call is in the index. */
  async caughtUp(): Promise<void> {
    const { clock, signal } = this.options
    // After a gap everything is read again, which includes the changes waited for.
    while (!signal.aborted && !(await this.changes.caughtUp())) await clock.wait(FOLLOW_RETRY_MS, signal)
  }

  async run(ready: Promise<void>): Promise<void> {
    const { log } = this.options
    await Promise.all([
      this.keepWhole(ready),
      this.whenLoaded(
        POLL_EVERY_MS,
        async () => this.changes.poll(),
        (err) => log.warn({ event: 'keyword.changes_failed', err }, 'The log of keyword changes could not be read'),
      ),
      this.whenLoaded(
        SNAPSHOT_EVERY_MS,
        () => this.save(false),
        (err) =>
          log.warn({ event: 'keyword.snapshot_failed', err }, 'The snapshot of the keyword index could not be written'),
      ),
    ])
  }

  async whenLoaded(
    milliseconds: number,
    work: () => Promise<void>,
    onFailure: (error: unknown) => void,
  ): Promise<void> {
    await this.loaded.catch(() => undefined)
    await repeatEvery(milliseconds, work, onFailure, this.options)
  }

  async save(isLast: boolean): Promise<void> {
    const { point, count } = this.changes
    if (point) await this.snapshots?.save(this.current, point, count + this.swept, isLast)
  }

  private beginListening(): void {
    this.listening.resolve()
    this.changes.poll()
  }

  private end(): void {
    this.listening.resolve()
    this.loading.reject(new Error('stopped before the keywords were loaded'))
  }

  /** Loading and verifying are sweeps, of which only one runs at a time. */
  private async keepWhole(ready: Promise<void>): Promise<void> {
    const { clock, signal } = this.options
    await ready
    await this.begin()
    for (let waitMs = VERIFY_FIRST_MS; !signal.aborted; waitMs = VERIFY_EVERY_MS) {
      await waitAtMost(this.changes.gap(), waitMs, clock, signal)
      if (this.changes.point === null) await this.loadWhole()
      else if (!signal.aborted) await this.verify()
    }
  }

  private async begin(): Promise<void> {
    const restored = (await this.snapshots?.restore()) ?? null
    this.current = restored?.index ?? this.current
    this.changes.start(this.current, restored?.point ?? null)
    while (!this.options.signal.aborted) {
      if (this.changes.point === null) await this.loadWhole()
      await this.listening.promise
      // Changes committed before the notifications began are in the log.
      if (await this.changes.caughtUp()) return this.loading.resolve()
    }
  }

  /** A gap that recurs at once is given time, or the readings would never end. */
  private async loadWhole(): Promise<void> {
    const { clock, log, signal } = this.options
    const onFailure = (err: unknown) =>
      log.error({ event: 'keyword.index_failed', err }, 'The keywords could not be read; retrying')
    await retryUntilDone(() => this.load(), onFailure, this.options)
    if (!(await this.changes.caughtUp())) await clock.wait(FOLLOW_RETRY_MS, signal)
  }

  private async load(): Promise<void> {
    const { db, clock, log, signal } = this.options
    const sinceMs = clock.monotonicMs()
    // Read before the first keyword, so that the log has every later change.
    this.changes.beginLoad(await readLogEnd(db))
    await loadAll(this.sweeping())
    if (signal.aborted) return
    this.changes.endLoad()
    const ms = Math.round(clock.monotonicMs() - sinceMs)
    log.info({ event: 'keyword.index_loaded', keywords: this.current.totals.count, ms }, 'Keyword index loaded')
  }

  private async verify(): Promise<void> {
    const { log } = this.options
    try {
      const mended = await verifyAll(this.sweeping(), () => this.changes.caughtUp())
      if (mended > 0)
        log.error(
          { event: 'keyword.index_repaired', mended },
          'Keywords in the index differed from the database and were repaired',
        )
    } catch (error) {
      log.warn({ event: 'keyword.verify_failed', err: error }, 'The keyword index could not be verified')
    }
  }

  private sweeping(): SweepOptions {
    const { db, clock, log, signal } = this.options
    const onChanged = (count: number) => {
      this.swept += count
    }
    return { db, clock, log, signal, index: this.current, order: this.order, gate: this.gate, onChanged }
  }
}
