import type { Platform } from '../../domain/platform/platforms.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { isFeed, type Source } from '../../sources/contract.ts'
import { releaseSource, type SourceLease } from '../../store/source/source-leases.ts'
import { type CollectorOptions, collect } from './collect.ts'
import { PlaceAsker } from './place-asker.ts'
import { PlatformAsker } from './platform-asker.ts'
import type { PolledSource } from './polled-source.ts'

export class CollectedSource {
  readonly platform: Platform
  /** Resolves when nothing is read or stored any more and the lease, if asked, is released. */
  readonly ended: Promise<void>
  private readonly source: Source
  private readonly lease: SourceLease
  private readonly options: CollectorOptions
  private readonly ending = new AbortController()
  private readonly asker: PlatformAsker | PlaceAsker | null
  private givesBack = false
  private newest: Date | null = null

  constructor(source: Source, lease: SourceLease, options: CollectorOptions) {
    this.platform = source.platform
    this.source = source
    this.lease = lease
    this.options = {
      ...options,
      log: options.log.child({ platform: source.platform }),
      onNewest: (at) => this.noteNewest(at),
    }
    this.asker = askerOf(source, lease, this.options)
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
    this.asker?.wake()
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
    const { log, metrics } = this.options
    log.info({ event: 'source.lease_taken' }, 'Collecting from this platform')
    metrics.sourceHeld.set({ platform }, 1)
    await this.collect()
    metrics.sourceHeld.set({ platform }, 0)
    this.newest = null
    metrics.sourceLagSeconds.remove({ platform })
    // The platform counts as collected until the release, or the next check would begin it again.
    if (this.givesBack) await this.release()
  }

  private async collect(): Promise<void> {
    const { source, lease, options, asker } = this
    const { signal } = this.ending
    await Promise.all([isFeed(source) ? collect(source, lease, options, signal) : undefined, asker?.run(signal)])
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

function askerOf(source: Source, lease: SourceLease, options: CollectorOptions): PlatformAsker | PlaceAsker | null {
  if (source.mode === 'places') return new PlaceAsker(source, lease, options)
  const asked = askedSource(source)
  return asked && new PlatformAsker(asked, lease, options)
}

function askedSource(source: Source): PolledSource | null {
  if (source.mode === 'search' || source.mode === 'page') return source
  return source.mode === 'stream' && source.searching ? { ...source, searching: source.searching } : null
}
