import type { Platform } from '../../domain/platform/platforms.ts'
import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { onRead } from '../../kernel/metrics.ts'
import type { Source } from '../../sources/contract.ts'
import { QUERY_CHANNEL } from '../../store/source/keyword-queries.ts'
import { PLACE_CHANNEL, prunePlaces, registerPlaces } from '../../store/source/places.ts'
import {
  announceCollector,
  leaveCollectors,
  renewLeases,
  SOURCE_CHANNEL,
  takeSources,
} from '../../store/source/source-leases.ts'
import { registerSources } from '../../store/source/source-state.ts'
import type { CollectorOptions } from './collect.ts'
import { CollectedSource } from './collected-source.ts'

/** Another process may take a source whose holder has not renewed its lease for this long. */
export const SOURCE_LEASE_MS = 15 * SECOND_MS
export const RENEW_MS = 5 * SECOND_MS

/**
 * Collects this process's share of the sources. Each has one holder, whose lease ends soon after its process. A holder
 * that stalled past its lease leaves the source alone.
 */
export async function runCollector(
  sources: readonly Source[],
  options: CollectorOptions,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, log } = options
  const collector = new Collector(sources, options)
  const wakeUp = new WakeUp(clock)
  db.listen(SOURCE_CHANNEL, wakeUp.wake, wakeUp.wake, signal)
  const wakeAll = () => collector.wake()
  for (const channel of [QUERY_CHANNEL, PLACE_CHANNEL]) db.listen(channel, wakeAll, wakeAll, signal)
  while (!signal.aborted) {
    try {
      wakeUp.clear()
      await collector.checkLeases()
    } catch (error) {
      log.warn({ event: 'source.balance_failed', err: error }, 'The leases of platforms could not be checked; retrying')
      collector.doubt()
    }
    await wakeUp.sleep(RENEW_MS, signal)
  }
  await collector.leave()
}

class Collector {
  private readonly sources: readonly Source[]
  private readonly options: CollectorOptions
  private readonly holder: Uuid
  private readonly collected = new Map<Platform, CollectedSource>()
  private hasJoined = false
  private renewedMs: number

  constructor(sources: readonly Source[], options: CollectorOptions) {
    const { clock, metrics } = options
    this.sources = sources
    this.options = options
    this.holder = newUuid(clock.now())
    this.renewedMs = clock.monotonicMs()
    onRead(metrics, () => {
      for (const source of this.collected.values()) source.showLag()
    })
  }

  async checkLeases(): Promise<void> {
    const { db, clock } = this.options
    const at = clock.now()
    if (!this.hasJoined) await this.join(at)
    const lease = { holder: this.holder, at, leasedUntil: plus(at, SOURCE_LEASE_MS) }
    const { held, collectors } = await renewLeases(db, lease)
    this.renewedMs = clock.monotonicMs()
    for (const [platform, source] of this.collected) if (!held.includes(platform)) source.end({ giveBack: false })
    this.beginAll(held)
    // Other processes must know of this one before they release its share.
    if (!this.hasJoined) await announceCollector(db)
    this.hasJoined = true
    const missing = this.reduceTo(Math.ceil(this.sources.length / collectors))
    if (missing <= 0) return
    const free = this.sources.map(({ platform }) => platform).filter((platform) => !this.collected.has(platform))
    this.beginAll(await takeSources(db, { ...lease, sources: free, limit: missing }))
  }

  wake(): void {
    for (const source of this.collected.values()) source.wake()
  }

  /** When the leases may have expired, collecting ends, since another process may hold them. */
  doubt(): void {
    if (this.options.clock.monotonicMs() - this.renewedMs < SOURCE_LEASE_MS) return
    this.endAll()
  }

  async leave(): Promise<void> {
    const { db, log } = this.options
    this.endAll()
    await Promise.all([...this.collected.values()].map(({ ended }) => ended))
    await leaveCollectors(db, this.holder).catch((error: unknown) =>
      log.warn(
        { event: 'source.leases_not_released', err: error },
        'The leases of platforms could not be released; they expire',
      ),
    )
  }

  private async join(at: Date): Promise<void> {
    const registered = this.sources.map(({ platform, mode }) => ({ source: platform, scheduled: mode !== 'live' }))
    await this.options.db.transaction(async (tx) => {
      await registerSources(tx, registered, at)
      for (const source of this.sources)
        if (source.mode === 'places') await registerPlaces(tx, source.platform, source.named, at)
    })
    await prunePlaces(this.options.db)
  }

  private reduceTo(share: number): number {
    const going = [...this.collected.values()].filter(({ isEnding }) => !isEnding)
    for (const source of going.slice(share)) source.end({ giveBack: true })
    return share - going.length
  }

  private beginAll(names: readonly string[]): void {
    for (const source of this.sources)
      if (names.includes(source.platform) && !this.collected.has(source.platform)) this.begin(source)
  }

  private begin(source: Source): void {
    const { platform } = source
    const collected = new CollectedSource(source, { source: platform, holder: this.holder }, this.options)
    this.collected.set(platform, collected)
    void collected.ended.then(() => this.collected.delete(platform))
  }

  private endAll(): void {
    for (const source of this.collected.values()) source.end({ giveBack: false })
  }
}
