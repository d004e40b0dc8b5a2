import { join } from 'node:path'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { spawnThread } from '../kernel/thread.ts'
import { runCollector } from '../pipeline/collect/collector.ts'
import { watchLag } from '../pipeline/collect/stream-lag.ts'
import { CollectorThreads } from '../pipeline/read/collector-threads.ts'
import { createEnrich } from '../pipeline/read/enrich.ts'
import { type Read, readHere } from '../pipeline/read/read.ts'
import type { ScoreStage } from '../pipeline/score/score.ts'
import { StoreStage } from '../pipeline/store/store-stage.ts'
import { openWatch, type Watch } from '../pipeline/watch/watch.ts'
import { isLive } from '../sources/contract.ts'
import { ErasedAuthors } from '../store/erasure/erased-authors.ts'
import type { CollectThreadData } from './collect-thread.ts'
import type { ServicePart } from './part.ts'
import { openPostStream, throughStream } from './post-stream.ts'
import type { Settings } from './settings.ts'
import { contextFor, liveSourcesOf } from './sources.ts'

export interface Collecting {
  /** Number of keywords loaded. */
  keywords: number
  begin(): void
}

/**
 * Loads the keywords and prepares collecting. New mentions go to `score`, or to the processes that work if it is null.
 */
export async function startCollecting(part: ServicePart, score: ScoreStage | null): Promise<Collecting> {
  const { installation, metrics, onStop, ending } = part
  const { services, settings, log, egress } = installation
  const { db, clock } = services
  const stream = await openPostStream(settings)
  if (stream) onStop(() => stream.close())
  const sources = services.sources.setups.flatMap(({ source }) => (source ? throughStream(source, stream) : []))
  const doors = contextFor(settings, egress, { db, clock, log }, { aside: false })
  const erased = new ErasedAuthors(services.sealer)
  const watch = await loadWatch(part, erased)
  const threads = settings.collectThreads > 0 ? startThreads(settings, watch, { clock, log }) : null
  if (threads) onStop(threads.close)
  const here = readHere({ watch, contextFor: doors })
  // Polled sources are little work and count requests in the database, which threads lack.
  const read: Read = threads ? (source, from) => (isLive(source) ? threads : { read: here }).read(source, from) : here
  const store = new StoreStage({
    db,
    clock,
    log,
    erased,
    metrics,
    metered: services.billing === 'metered',
    partitions: settings.partitions,
    mentionDays: services.retention.mentionDays,
    onMentions: score && ((mentions) => score.add(mentions, ending)),
  })
  return {
    keywords: watch.size,
    begin() {
      const enrich = createEnrich({ db, clock, log, metrics, contextFor: doors })
      const options = {
        db,
        clock,
        log,
        metrics,
        read,
        store,
        watch,
        enrich,
        contextFor: doors,
        contextAside: services.sources.contextFor,
      }
      const collected = runCollector(sources, options, ending)
      onStop(() => collected)
      if (stream === null) return
      const platforms = sources.filter(isLive).map(({ platform }) => platform)
      const lagging = watchLag(platforms, { db, clock, log, metrics, stream }, ending)
      onStop(() => lagging)
    },
  }
}

async function loadWatch(
  { installation: { services, settings, log }, metrics, onStop, ending }: ServicePart,
  erased: ErasedAuthors,
): Promise<Watch> {
  const snapshotPath = join(settings.dataDir, 'keywords.index')
  const watch = openWatch({
    db: services.db,
    clock: services.clock,
    log,
    erased,
    metrics,
    signal: ending,
    snapshotPath,
  })
  onStop(() => watch.ended)
  await watch.loaded.catch((error: unknown) => {
    ending.throwIfAborted()
    throw error
  })
  return watch
}

function startThreads(settings: Settings, watch: Watch, { clock, log }: { clock: Clock; log: Log }): CollectorThreads {
  const workerData: CollectThreadData = { settings, shared: watch.shared }
  return new CollectorThreads({
    clock,
    log,
    watch,
    sources: liveSourcesOf(settings),
    count: settings.collectThreads,
    spawn: () => spawnThread(import.meta.url, 'collect-thread', workerData),
  })
}
