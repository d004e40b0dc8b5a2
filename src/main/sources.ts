import type { Platform } from '../domain/platform/platforms.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import type { Egress } from '../kernel/egress.ts'
import type { Log } from '../kernel/log.ts'
import { SourceBudget } from '../pipeline/collect/source-budget.ts'
import type { ContextFor } from '../pipeline/read/read.ts'
import { createCollectContext } from '../sources/collect-context.ts'
import { isLive, type LiveSource, type Sources } from '../sources/contract.ts'
import { normalPost } from '../sources/normal-post.ts'
import { createSources } from '../sources/registry.ts'
import type { Database } from '../store/database.ts'
import type { Settings } from './settings.ts'

interface Around {
  db: Database
  clock: Clock
  log: Log
}

/** All platforms and their network access for callers, who get a share of the daily quotas. */
export function sourcesOf(settings: Settings, egress: Egress, around: Around): Sources {
  return {
    setups: createSources(settings, around.clock),
    checkAddress: (address) => egress.check(address),
    normalPost,
    contextFor: contextFor(settings, egress, around, { aside: true }),
  }
}

/** Requests count against the quotas that all processes share. */
export function contextFor(
  settings: Settings,
  egress: Egress,
  { db, clock, log }: Around,
  { aside }: { aside: boolean },
): ContextFor {
  return (source, at, signal) => {
    const outside = { ...outsideOf(settings, egress, source.platform), at, signal, log }
    // Each place has its own pace, so that there is no limit of the platform to count against.
    if (source.mode === 'places') return createCollectContext(source, outside)
    const budget = new SourceBudget(source, { db, clock, log, aside })
    return createCollectContext(source, { ...outside, budget })
  }
}

/** Live sources for threads, without limits: a thread has no database to count in. */
export function liveSourcesOf(settings: Settings): readonly LiveSource[] {
  return createSources(settings, systemClock).flatMap(({ source }) => (source && isLive(source) ? [source] : []))
}

export function liveContextFor(settings: Settings, egress: Egress, log: Log): ContextFor {
  return (source, at, signal) =>
    createCollectContext(source, { ...outsideOf(settings, egress, source.platform), at, signal, log })
}

function outsideOf({ sourceUrls, userAgent }: Settings, { dispatcher }: Egress, platform: Platform) {
  return { address: sourceUrls.get(platform) ?? null, dispatcher, userAgent }
}
