import type { Platform } from '../../domain/platform/platforms.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import { releaseSource, type SourceLease } from '../../store/source/source-leases.ts'
import type { CollectMetrics } from './metrics.ts'

export interface HoldOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: CollectMetrics
}

export interface SourceWorkContext {
  log: Log
  onNewest(at: Date): void
}

export interface SourceWork {
  /** Resolves when nothing is read or stored any more. */
  ended: Promise<unknown>
  wake(): void
}

/** A source that this process has the lease of, and works on until it ends. */
export class HeldSource {
  readonly platform: Platform
  /** Resolves when nothing is read or stored any more and the lease, if asked, is released. */
  readonly ended: Promise<void>
  private readonly lease: SourceLease
  private readonly options: HoldOptions
  private readonly ending = new AbortController()
  private readonly work: SourceWork
  private givesBack = false
  private newest: Date | null = null

  constructor(
    platform: Platform,
    lease: SourceLease,
    options: HoldOptions,
    begin: (context: SourceWorkContext, signal: AbortSignal) => SourceWork,
  ) {
    this.platform = platform
    this.lease = lease
    this.options = { ...options, log: options.log.child({ platform }) }
    const { log, metrics } = this.options
    log.info({ event: 'source.lease_taken' }, 'Collecting from this platform')
    metrics.sourceHeld.set({ platform }, 1)
    this.work = begin({ log, onNewest: (at) => this.noteNewest(at) }, this.ending.signal)
    this.ended = this.run()
  }

  get isEnding(): boolean {
    return this.ending.signal.aborted
  }

  end({ giveBack }: { giveBack: boolean }): void {
    this.givesBack ||= giveBack
    this.ending.abort()
  }

  wake(): void {
    this.work.wake()
  }

  /** Computed when metrics are read, so that the lag grows while a source brings nothing. */
  showLag(): void {
    const { clock, metrics } = this.options
    if (this.newest === null) return
    const lagSeconds = (clock.now().getTime() - this.newest.getTime()) / SECOND_MS
    metrics.sourceLagSeconds.set({ platform: this.platform }, lagSeconds)
  }

  private noteNewest(at: Date): void {
    if (this.newest === null || at > this.newest) this.newest = at
  }

  private async run(): Promise<void> {
    const { platform } = this
    const { metrics } = this.options
    await this.work.ended
    metrics.sourceHeld.set({ platform }, 0)
    this.newest = null
    metrics.sourceLagSeconds.remove({ platform })
    // The source counts as held until the release, or the next check would begin it again.
    if (this.givesBack) await this.release()
  }

  private async release(): Promise<void> {
    const { db, log } = this.options
    await releaseSource(db, this.lease).catch((error: unknown) =>
      log.warn(
        { event: 'source.lease_not_released', err: error },
        'The lease of a platform could not be released; it expires',
      ),
    )
  }
}
