import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../kernel/clock.ts'
import { createEgress } from '../kernel/egress.ts'
import { createLog } from '../kernel/log.ts'
import { attachMatcher, type SharedMatcher } from '../matching/index.ts'
import { readForOthers } from '../pipeline/read/read-in-thread.ts'
import type { Settings } from './settings.ts'
import { liveContextFor, liveSourcesOf } from './sources.ts'

/** What a thread that reads platforms is given at its start. */
export interface CollectThreadData {
  settings: Settings
  shared: SharedMatcher
}

// A thread of a process that collects: it has sources and outbound connections of its own, shares the index and writes
// its log lines where the process does. It ends with the process, or when the process ends it.
if (parentPort) {
  const { settings, shared } = workerData as CollectThreadData
  const log = createLog(settings.logLevel)
  const egress = createEgress({ allow: settings.egressAllow })
  readForOthers(parentPort, {
    sources: liveSourcesOf(settings),
    contextFor: liveContextFor(settings, egress, log),
    matcher: attachMatcher(shared),
    clock: systemClock,
  })
}
