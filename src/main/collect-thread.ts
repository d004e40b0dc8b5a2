import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../kernel/clock.ts'
import { createEgress } from '../kernel/egress.ts'
import { createLog } from '../kernel/log.ts'
import { attachMatcher, type SharedMatcher } from '../matching/index.ts'
import { readForOthers } from '../pipeline/read/read-in-thread.ts'
import { openPostStream, throughStream } from './post-stream.ts'
import type { Settings } from './settings.ts'
import { liveContextFor, liveSourcesOf } from './sources.ts'

export interface CollectThreadData {
  settings: Settings
  shared: SharedMatcher
}

// A collecting thread with its own sources and connections, which shares the index and the process's log. Ends with the
// process or at its request.
if (parentPort) {
  const { settings, shared } = workerData as CollectThreadData
  const log = createLog(settings.logLevel)
  const egress = createEgress({ allow: settings.egressAllow })
  // Ends with the thread.
  const stream = await openPostStream(settings)
  readForOthers(parentPort, {
    sources: liveSourcesOf(settings).map((source) => throughStream(source, stream)),
    contextFor: liveContextFor(settings, egress, log),
    matcher: attachMatcher(shared),
    clock: systemClock,
  })
}
