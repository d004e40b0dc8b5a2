import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Settings } from '../kernel/settings.ts'
import { runCollector } from '../pipeline/collector.ts'
import { createThreads, type Threads } from '../pipeline/collector-threads.ts'
import { readHere } from '../pipeline/read.ts'
import type { ScoreStage } from '../pipeline/score.ts'
import { createStoreStage } from '../pipeline/store-stage.ts'
import { openWatch, type Watch } from '../pipeline/watch.ts'
import type { Source } from '../sources/contract.ts'
import type { CollectThreadData } from './collect-thread.ts'
import type { Part } from './part.ts'
import { contextForOf, sourcesOf } from './sources.ts'

/** The part of a process that reads the platforms, with the keywords loaded. */
export interface Collecting {
  /** How many keywords are being looked for. */
  keywords: number
  begin(): void
}

/**
 * Loads the keywords and makes everything ready to collect. New mentions go to `score`; without one they are left to
 * the processes that work.
 */
export async function startCollecting({ installation, metrics, onStop, ending }: Part, score: ScoreStage | null): Promise<Collecting> {
  const { services, settings, egress, log } = installation
  const { db, clock } = services
  const sources = sourcesOf(settings)
  const watch = openWatch({ db, clock, log, metrics, signal: ending, snapshotPath: join(settings.dataDir, 'keywords.index') })
  onStop(() => watch.ended)
  await watch.loaded.catch((error: unknown) => {
    ending.throwIfAborted()
    throw error
  })

  const threads = settings.collectThreads > 0 ? startThreads(settings, sources, watch, { clock, log }) : null
  if (threads) onStop(threads.close)
  const read = threads?.read ?? readHere({ watch, contextFor: contextForOf(settings, egress, log) })
  const store = createStoreStage({
    db,
    clock,
    log,
    metrics,
    metered: services.billing === 'metered',
    onMentions: score && ((mentions) => score.add(mentions, ending)),
  })
  return {
    keywords: watch.size,
    begin() {
      const collected = runCollector(sources, { db, clock, log, metrics, read, store, pollSeconds: settings.sourcePollSeconds }, ending)
      onStop(() => collected)
    },
  }
}

function startThreads(settings: Settings, sources: readonly Source[], watch: Watch, { clock, log }: { clock: Clock; log: Log }): Threads {
  const workerData: CollectThreadData = { settings, shared: watch.shared }
  return createThreads({ clock, log, watch, sources, count: settings.collectThreads, spawn: () => spawn(workerData) })
}

function spawn(workerData: CollectThreadData): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./collect-thread.js', import.meta.url), { workerData })
  // A thread does not inherit what lets Node.js read the sources.
  const [loader, entry] = [import.meta.resolve('tsx/esm/api'), new URL('./collect-thread.ts', import.meta.url).href]
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => register() && import(${JSON.stringify(entry)}))`
  return new Worker(code, { eval: true, workerData, execArgv: [] })
}
