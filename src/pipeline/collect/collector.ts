import type { Platform } from '../../domain/platform/platforms.ts'
import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { onRead } from '../../kernel/metrics.ts'
import { isFeed, type Source } from '../../sources/contract.ts'
import { QUERY_CHANNEL } from '../../store/source/keyword-queries.ts'
import {
  announceCollector,
  leaveCollectors,
  releaseSource,
  renewLeases,
  SOURCE_CHANNEL,
  type SourceLease,
  takeSources,
} from '../../store/source/source-leases.ts'
import { registerSources } from '../../store/source/source-state.ts'
import { type CollectOptions, collect } from './collect.ts'
import { runQueries } from './queries.ts'
import type { AskedSource } from './query-poll.ts'

/** A source is another process's to take when its holder has not renewed its lease for this long. */
export const SOURCE_LEASE_MS = 15 * SECOND_MS
export const RENEW_MS = 5 * SECOND_MS

/**
 * Collects from its share of the sources until `signal` is aborted. All processes that do so spread the sources evenly
 * among them: each source has one holder at a time, whose lease ends soon after the process does. A holder that was
 * passed over, because it stood still for too long, finds its source in other hands and leaves it alone.
 */
export async function runCollector(
  sources: readonly Source[],
  options: CollectOptions,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, log } = options
  const collector = createCollector(sources, options)
  const wakeUp = new WakeUp(clock)
  db.listen(SOURCE_CHANNEL, wakeUp.wake, wakeUp.wake, signal)
  db.listen(QUERY_CHANNEL, collector.wake, collector.wake, signal)
  while (!signal.aborted) {
    try {
      wakeUp.clear()
      await collector.look()
    } catch (error) {
      log.warn({ err: error }, 'could not look after the sources; trying again')
      collector.doubt()
    }
    await wakeUp.sleep(RENEW_MS, signal)
  }
  await collector.leave()
}

interface Collector {
  /** Renews what this process holds, ends what it lost, lets go of more than its share and takes what is free. */
  look(): Promise<void>
  /** Something may be due at once. */
  wake(): void
  /** The leases could not be renewed: once they may be over, nothing is collected any more. */
  doubt(): void
  /** Ends everything, and frees it for others. */
  leave(): Promise<void>
}

/** What a source is asked for beside its feed; null when the feed is all. */
function askedSource(source: Source): AskedSource | null {
  if (source.mode === 'search' || source.mode === 'page') return source
  return source.mode === 'stream' && source.searching ? { ...source, searching: source.searching } : null
}

/** A source that this process collects from. */
interface Collected {
  ended: Promise<void>
  /** Ends it; whether it is given back afterwards, for others to take. */
  end(how: { giveBack: boolean }): void
  ending: boolean
}

function createCollector(sources: readonly Source[], options: CollectOptions): Collector {
  const { db, clock, log, metrics } = options
  const holder: Uuid = newUuid(clock.now())
  const collected = new Map<Platform, Collected>()
  const wakers = new Map<Platform, () => void>()
  let joined = false
  let renewedMs = clock.monotonicMs()
  /** When the newest post was published that a source has brought since this process collects from it. */
  const newest = new Map<Platform, Date>()
  const noteNewest = (platform: Platform, at: Date) => {
    const known = newest.get(platform)
    if (known === undefined || at > known) newest.set(platform, at)
  }
  // Worked out when somebody reads it: it has to grow when a source brings nothing any more.
  onRead(metrics, () => {
    for (const [platform, at] of newest)
      metrics.sourceLagSeconds.set({ platform }, (clock.now().getTime() - at.getTime()) / SECOND_MS)
  })

  const begin = (source: Source) => {
    const { platform } = source
    const ending = new AbortController()
    const own = log.child({ platform })
    let giveBack = false
    const run = async () => {
      own.info('collecting from here')
      metrics.sourceHeld.set({ platform }, 1)
      await Promise.all(
        waysOf(
          source,
          { source: platform, holder },
          { ...options, log: own, onNewest: (at) => noteNewest(platform, at) },
          ending.signal,
        ),
      )
      wakers.delete(platform)
      metrics.sourceHeld.set({ platform }, 0)
      newest.delete(platform)
      metrics.sourceLagSeconds.remove({ platform })
      // Until it is given back it counts as collected from, or the next look would begin with it again.
      if (giveBack)
        await releaseSource(db, { source: platform, holder }).catch((error: unknown) =>
          own.warn({ err: error }, 'could not be given back; the lease runs out'),
        )
      collected.delete(platform)
    }
    const one: Collected = {
      ending: false,
      end(how) {
        giveBack ||= how.giveBack
        one.ending = true
        ending.abort()
      },
      ended: run(),
    }
    collected.set(platform, one)
  }
  /** A platform may have a feed, things that it is asked for, or both. */
  const waysOf = (source: Source, lease: SourceLease, own: CollectOptions, signal: AbortSignal): Promise<void>[] => {
    const asked = askedSource(source)
    const wakes = (ring: () => void) => wakers.set(source.platform, ring)
    return [
      ...(isFeed(source) ? [collect(source, lease, own, signal)] : []),
      ...(asked ? [runQueries(asked, lease, own, wakes, signal)] : []),
    ]
  }
  const beginAll = (names: readonly string[]) => {
    for (const source of sources) if (names.includes(source.platform) && !collected.has(source.platform)) begin(source)
  }
  const join = async (at: Date) => {
    const registered = sources.map(({ platform, mode }) => ({ source: platform, scheduled: mode !== 'live' }))
    await db.transaction((tx) => registerSources(tx, registered, at))
  }
  return {
    async look() {
      const at = clock.now()
      if (!joined) await join(at)
      const lease = { holder, at, leasedUntil: plus(at, SOURCE_LEASE_MS) }
      const { held, collectors } = await renewLeases(db, lease)
      renewedMs = clock.monotonicMs()
      for (const [platform, one] of collected) if (!held.includes(platform)) one.end({ giveBack: false })
      // What is held but not collected from was given up while the database was away.
      beginAll(held)
      // The others have to know of this process before they let go of what is its share.
      if (!joined) await announceCollector(db)
      joined = true
      const share = Math.ceil(sources.length / collectors)
      const going = [...collected.values()].filter((one) => !one.ending)
      for (const one of going.slice(share)) one.end({ giveBack: true })
      if (going.length >= share) return
      const free = sources.map(({ platform }) => platform).filter((platform) => !collected.has(platform))
      beginAll(await takeSources(db, { ...lease, sources: free, limit: share - going.length }))
    },
    wake() {
      for (const ring of wakers.values()) ring()
    },
    doubt() {
      if (clock.monotonicMs() - renewedMs < SOURCE_LEASE_MS) return
      for (const one of collected.values()) one.end({ giveBack: false })
    },
    async leave() {
      for (const one of collected.values()) one.end({ giveBack: false })
      await Promise.all([...collected.values()].map(({ ended }) => ended))
      await leaveCollectors(db, holder).catch((error: unknown) =>
        log.warn({ err: error }, 'the sources could not be given back; their leases run out'),
      )
    },
  }
}
