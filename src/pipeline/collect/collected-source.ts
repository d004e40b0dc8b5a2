import { isFeed, type Source } from '../../sources/contract.ts'
import type { SourceLease } from '../../store/source/source-leases.ts'
import { type CollectorOptions, collect } from './collect.ts'
import { HeldSource } from './held-source.ts'
import { PlaceAsker } from './place-asker.ts'
import { PlatformAsker } from './platform-asker.ts'
import type { PolledSource } from './polled-source.ts'

export function collectedSource(source: Source, lease: SourceLease, options: CollectorOptions): HeldSource {
  return new HeldSource(source.platform, lease, options, (context, signal) => {
    const own = { ...options, ...context }
    const asker = askerOf(source, lease, own)
    return {
      ended: Promise.all([isFeed(source) ? collect(source, lease, own, signal) : undefined, asker?.run(signal)]),
      wake: () => asker?.wake(),
    }
  })
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
