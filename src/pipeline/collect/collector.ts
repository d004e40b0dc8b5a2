import { onRead } from '../../kernel/metrics.ts'
import type { Source } from '../../sources/contract.ts'
import { QUERY_CHANNEL } from '../../store/source/keyword-queries.ts'
import { PLACE_CHANNEL, prunePlaces, registerPlaces } from '../../store/source/places.ts'
import { renewLeases } from '../../store/source/source-leases.ts'
import { registerSources } from '../../store/source/source-state.ts'
import type { CollectorOptions } from './collect.ts'
import { collectedSource } from './collected-source.ts'
import { LeaseKeeper } from './lease-keeper.ts'

/**
 * Collects this process's share of the sources. Each has one holder, whose lease ends soon after its process. A holder
 * that stalled past its lease leaves the source alone.
 */
export async function runCollector(
  sources: readonly Source[],
  options: CollectorOptions,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, log, metrics } = options
  const byName = new Map<string, Source>(sources.map((source) => [source.platform, source]))
  const keeper = new LeaseKeeper({
    ...{ db, clock, log },
    names: [...byName.keys()],
    join: (at) => join(sources, options, at),
    async renew(renewal) {
      const { held, collectors } = await renewLeases(db, renewal)
      return { held, share: Math.ceil(sources.length / collectors) }
    },
    begin: (lease) => collectedSource(byName.get(lease.source)!, lease, options),
  })
  onRead(metrics, () => {
    for (const source of keeper.held) source.showLag()
  })
  const wakeAll = () => {
    for (const source of keeper.held) source.wake()
  }
  for (const channel of [QUERY_CHANNEL, PLACE_CHANNEL]) db.listen(channel, wakeAll, wakeAll, signal)
  await keeper.run(signal)
}

async function join(sources: readonly Source[], { db }: CollectorOptions, at: Date): Promise<void> {
  const registered = sources.map(({ platform, mode }) => ({ source: platform, scheduled: mode !== 'live' }))
  await db.transaction(async (tx) => {
    await registerSources(tx, registered, at)
    for (const source of sources)
      if (source.mode === 'places') await registerPlaces(tx, source.platform, source.named, at)
  })
  await prunePlaces(db)
}
