import type { Platform } from '../../domain/platform/platforms.ts'
import { onRead } from '../../kernel/metrics.ts'
import type { LiveSource } from '../../sources/contract.ts'
import { renewSources } from '../../store/source/source-leases.ts'
import { registerGathered } from '../../store/source/source-state.ts'
import { HeldSource } from '../collect/held-source.ts'
import { LeaseKeeper } from '../collect/lease-keeper.ts'
import { type GatherOptions, gather } from './gather.ts'

/** The state of gathering stands beside that of a cell in the same database. */
export function gatheringOf(platform: Platform): string {
  return `gather:${platform}`
}

/**
 * Publishes the posts of live platforms to the post stream until `signal` is aborted. The first process takes every
 * platform; others stand by and take over when its leases end.
 */
export async function runGatherer(
  sources: readonly LiveSource[],
  options: GatherOptions,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, log, metrics } = options
  const byName = new Map(sources.map((source) => [gatheringOf(source.platform), source]))
  const names = [...byName.keys()]
  const keeper = new LeaseKeeper({
    ...{ db, clock, log, names },
    join: (at) => db.transaction((tx) => registerGathered(tx, names, at)),
    renew: async (renewal) => ({ held: await renewSources(db, renewal), share: names.length }),
    begin(lease) {
      const source = byName.get(lease.source)!
      return new HeldSource(source.platform, lease, options, (context, ending) => ({
        ended: gather(source, lease, { ...options, ...context }, ending),
        wake: () => undefined,
      }))
    },
  })
  onRead(metrics, () => {
    for (const source of keeper.held) source.showLag()
  })
  await keeper.run(signal)
}
