import { vi } from 'vitest'
import type { Classifier } from '../../src/classify/contract.ts'
import { createAlert } from '../../src/commands/alerts/create-alert.ts'
import { createChannel } from '../../src/commands/channels/create-channel.ts'
import { createKeyword, type NewKeyword } from '../../src/commands/keywords/create-keyword.ts'
import type { WritingContext } from '../../src/commands/writing.ts'
import type { Post } from '../../src/domain/post/post.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Uuid } from '../../src/kernel/ids.ts'
import { type Log, silentLog } from '../../src/kernel/log.ts'
import { runCollector } from '../../src/pipeline/collect/collector.ts'
import { DeliverStage } from '../../src/pipeline/deliver/deliver.ts'
import { createEnrich } from '../../src/pipeline/read/enrich.ts'
import { readHere } from '../../src/pipeline/read/read.ts'
import { ScoreStage } from '../../src/pipeline/score/score.ts'
import { StoreStage } from '../../src/pipeline/store/store-stage.ts'
import { openWatch, type Watch } from '../../src/pipeline/watch/watch.ts'
import type { CollectContext, Source } from '../../src/sources/contract.ts'
import type { Database } from '../../src/store/database.ts'
import { ErasedAuthors } from '../../src/store/erasure/erased-authors.ts'
import { accepted, madeUpPost, stored } from '../makers.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import type { World } from '../world.ts'
import { scriptedClassifier } from './scripted-classifier.ts'

export interface PipelineOptions {
  sources?: Source[]
  classifier?: Classifier
  /** The world's clock, which stands still, unless a test wants the real one. */
  clock?: Clock
  /** Replaces the store's door, for tests that make it fail. */
  db?: Database
  log?: Log
  /** Into which live sources are divided; 1 if left out. */
  partitions?: number
}

/** Every stage of the pipeline, wired as the service wires them. */
export interface Pipeline {
  metrics: Metrics
  watch: Watch
  score: ScoreStage
  deliver: DeliverStage
  /** Ends in the order in which the service ends. Idempotent. */
  stop(): Promise<void>
}

export async function startPipeline(world: World, options: PipelineOptions = {}): Promise<Pipeline> {
  const { services } = world
  const clock = options.clock ?? world.clock
  const db = options.db ?? world.db
  const log = options.log ?? silentLog
  const metrics = createMetrics()
  const collecting = new AbortController()
  const erased = new ErasedAuthors(services.sealer)
  const scoring = new AbortController()
  const delivering = new AbortController()
  const deliver = new DeliverStage({
    db,
    clock,
    log,
    metrics,
    channels: services.channels,
    around: services.around,
    sealer: services.sealer,
  })
  const classifier = options.classifier ?? scriptedClassifier()
  const score = new ScoreStage({ db, clock, log, metrics, metered: true, classifier, deliver })
  const watch = openWatch({ db, clock, log, metrics, erased, signal: collecting.signal, snapshotPath: null })
  await watch.loaded
  const sent = deliver.run(delivering.signal)
  const scored = score.run(scoring.signal)
  const store = new StoreStage({
    db,
    clock,
    log,
    metrics,
    erased,
    metered: true,
    partitions: options.partitions ?? 1,
    mentionDays: null,
    onMentions: (mentions) => score.add(mentions, collecting.signal),
  })
  const contextFor = contextOf(log)
  const read = readHere({ watch, contextFor })
  const enrich = createEnrich({ db, clock, log, metrics, contextFor })
  const collectOptions = { db, clock, log, metrics, read, store, watch, enrich, contextFor, contextAside: contextFor }
  const collected = options.sources
    ? runCollector(options.sources, collectOptions, collecting.signal)
    : Promise.resolve()
  return {
    metrics,
    watch,
    score,
    deliver,
    async stop() {
      collecting.abort()
      await collected
      scoring.abort()
      await scored
      delivering.abort()
      await sent
    },
  }
}

/** Hand-made sources ask nobody. */
export function contextOf(log: Log) {
  return (_: Source, at: Date, signal: AbortSignal): CollectContext => ({
    fetch: () => Promise.reject(new Error('a hand-made source asked the network')),
    open: () => Promise.reject(new Error('a hand-made source asked the network')),
    addressOf: (url) => url,
    spend: () => undefined,
    userAgent: 'test',
    at,
    signal,
    log,
  })
}

/** Waits until a check passes; with a clock that the test moves, time passes meanwhile, by `stepMs` a look. */
export async function eventually(
  check: () => unknown | Promise<unknown>,
  { clock, stepMs = 5, withinMs = 25_000 }: Waiting = {},
): Promise<void> {
  await vi.waitFor(
    async () => {
      await clock?.advance(stepMs)
      await check()
    },
    { timeout: withinMs, interval: 4 },
  )
}

/** Lets time pass until something has ended. */
export async function whileTimePasses(clock: World['clock'], ended: Promise<unknown>): Promise<void> {
  while (await Promise.race([ended.then(() => false), clock.advance(100).then(() => true)]));
}

interface Waiting {
  clock?: World['clock']
  stepMs?: number
  withinMs?: number
}

export async function watched(writing: WritingContext, term: string, more: Partial<NewKeyword> = {}): Promise<Uuid> {
  const input = {
    term,
    kind: 'brand' as const,
    muted: false,
    platforms: null,
    context: null,
    cap: null,
    reviewSources: [],
    ...more,
  }
  return stored('kw', accepted(await createKeyword(writing, input)).id)
}

/** A webhook that an instant rule feeds with every relevant mention. */
export async function ruled(
  writing: WritingContext,
  url: string,
  more: { events?: string[] } = {},
): Promise<{ channelId: Uuid; alertId: Uuid; secret: string }> {
  const channel = accepted(await createChannel(writing, { kind: 'webhook', url, ...more }))
  const channelId = stored('dest', channel.id)
  const alert = accepted(
    await createAlert(writing, {
      name: 'Everything',
      mode: 'instant',
      event: 'mention.matched',
      filter: {},
      channelIds: [channelId],
      enabled: true,
    }),
  )
  return { channelId, alertId: stored('feed', alert.id), secret: (channel.config as { secret: string }).secret }
}

export function posted(at: Date, text: string, more: Partial<Post> = {}) {
  return { kind: 'post' as const, post: { ...madeUpPost(at, text), ...more } }
}
