import { StartError } from '../kernel/start-error.ts'
import { runGatherer } from '../pipeline/gather/gatherer.ts'
import { isLive } from '../sources/contract.ts'
import type { ServicePart } from './part.ts'
import { openPostStream } from './post-stream.ts'
import { contextFor } from './sources.ts'

/** Throws StartError if there is nothing to gather. */
export async function startGathering({ installation, metrics, onStop, ending }: ServicePart): Promise<void> {
  const { services, settings, log, egress } = installation
  const { db, clock } = services
  const live = services.sources.setups.flatMap(({ source }) => source ?? []).filter(isLive)
  if (live.length === 0) throw new StartError('SOURCES_OFF: a process with the role gather needs a live platform.')
  const stream = await openPostStream(settings)
  if (stream === null) return
  onStop(() => stream.close())
  const doors = contextFor(settings, egress, { db, clock, log }, { aside: false })
  const gathered = runGatherer(live, { db, clock, log, metrics, stream, contextFor: doors }, ending)
  onStop(() => gathered)
}
