import type { Egress } from '../kernel/egress.ts'
import type { Log } from '../kernel/log.ts'
import type { Settings } from '../kernel/settings.ts'
import type { ContextFor } from '../pipeline/read.ts'
import { createCollectContext } from '../sources/collect-context.ts'
import type { Source } from '../sources/contract.ts'
import { createSources } from '../sources/registry.ts'

/** Every source of this installation, as it is set up. */
export function sourcesOf({ jetstreamHosts }: Settings): readonly Source[] {
  return createSources(jetstreamHosts ? { bluesky: { hosts: jetstreamHosts } } : {})
}

/** How the sources of this installation reach the outside. */
export function contextForOf({ sourceUrls, userAgent }: Settings, { dispatcher }: Egress, log: Log): ContextFor {
  return (source, at, signal) => createCollectContext(source, { address: sourceUrls.get(source.platform) ?? null, dispatcher, userAgent, at, signal, log })
}
