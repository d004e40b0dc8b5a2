import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Cursor, FeedSource, LiveSource, StreamSource } from '../../sources/contract.ts'
import type { Database } from '../../store/database.ts'
import { holdLease, type SourceLease } from '../../store/source/source-leases.ts'
import { notePoll, readCursor } from '../../store/source/source-state.ts'
import type { Enrich } from '../read/enrich.ts'
import type { Brought, ContextFor, Read } from '../read/read.ts'
import type { BatchIntake } from '../store/intake.ts'
import type { StoreStage } from '../store/store-stage.ts'
import { addMatched } from '../watch/changes.ts'
import type { Watch } from '../watch/watch.ts'
import { BACK_OFF_FIRST_MS, type FailureRun } from './failures.ts'
import { baseMs } from './intervals.ts'
import { fillIntake, keepCollecting } from './keep-collecting.ts'
import type { CollectMetrics } from './metrics.ts'

export interface CollectorOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: CollectMetrics
  read: Read
  store: Pick<StoreStage, 'open' | 'storePoll'>
  watch: Pick<Watch, 'match' | 'find' | 'caughtUp' | 'admitted' | 'noteRejected'>
  enrich: Enrich
  contextFor: ContextFor
  /** Contexts limited to a share of the daily quotas, so that side work leaves the rest to collecting. */
  contextAside: ContextFor
  onNewest?: (at: Date) => void
}

/**
 * Collects from one source until `signal` is aborted or another process has the lease. Failures continue from the
 * stored cursor. Resolves when all is stored.
 */
export async function collect(
  source: FeedSource,
  lease: SourceLease,
  options: CollectorOptions,
  signal: AbortSignal,
): Promise<void> {
  await keepCollecting(source, lease, options, signal, (run) => collectOnce(source, lease, run, options, signal))
}

async function collectOnce(
  source: FeedSource,
  lease: SourceLease,
  run: FailureRun,
  options: CollectorOptions,
  signal: AbortSignal,
): Promise<void> {
  run.begin()
  const intake = options.store.open(source, lease, () => run.noteStored())
  await (source.mode === 'live'
    ? follow(source, intake, options, signal)
    : poll(source, lease, intake, options, signal))
  run.noteStored()
  // A completed poll proves that the source works. A live connection proves so only by lasting.
  if (source.mode === 'stream') run.end()
  await options.clock.wait(source.mode === 'stream' ? baseMs(source) : BACK_OFF_FIRST_MS, signal)
}

async function follow(
  source: LiveSource,
  intake: BatchIntake,
  options: CollectorOptions,
  signal: AbortSignal,
): Promise<void> {
  const cursor = (await readCursor(options.db, source.platform)) as Cursor | null
  await fillIntake(intake, { platform: source.platform, log: options.log, signal }, async (ending) => {
    for await (const brought of options.read(source, { at: options.clock.now(), cursor, signal: ending }))
      await take(brought, source, intake, options, ending)
  })
}

async function poll(
  source: StreamSource,
  lease: SourceLease,
  intake: BatchIntake,
  options: CollectorOptions,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, log } = options
  const { platform } = source
  const at = clock.now()
  const beganMs = clock.monotonicMs()
  const cursor = (await readCursor(db, platform)) as Cursor | null
  let found = 0
  try {
    for await (const brought of options.read(source, { at, cursor, signal })) {
      found += brought.posts
      await take(brought, source, intake, options, signal)
    }
  } catch (error) {
    // What was read before the fault is complete and is not requested again.
    await intake.finish()
    throw error
  }
  await intake.finish()
  await db.transaction(async (tx) => {
    await notePoll(tx, platform, found, at, null)
    await holdLease(tx, lease)
  })
  log.info(
    { event: 'source.polled', platform, found, ms: Math.round(clock.monotonicMs() - beganMs) },
    'Platform polled',
  )
}

async function take(
  brought: Brought,
  source: FeedSource,
  intake: BatchIntake,
  options: CollectorOptions,
  signal: AbortSignal,
): Promise<void> {
  const { metrics, onNewest } = options
  const { platform } = source
  const { posts, newestAt, changes } = brought
  metrics.postsRead.inc({ platform }, posts)
  metrics.postsMatched.inc({ platform }, changes.matched.size)
  if (newestAt) onNewest?.(newestAt)
  await intake.put({
    ...brought,
    changes: { ...changes, matched: await filledIn(changes.matched, source, options, signal) },
  })
}

/** Matches again after enrichment, because a rule may name the author by an enriched field. */
async function filledIn(
  matched: Map<string, MatchedPost>,
  source: FeedSource,
  { enrich, watch }: CollectorOptions,
  signal: AbortSignal,
): Promise<Map<string, MatchedPost>> {
  if (!source.enrich || matched.size === 0) return matched
  const before = [...matched.values()].map(({ post }) => post)
  const after = await enrich(source, before, signal)
  if (after === before) return matched
  const filled = new Map<string, MatchedPost>()
  for (const post of after) {
    const match = watch.match(post)
    if (match) addMatched(filled, match)
  }
  return filled
}
