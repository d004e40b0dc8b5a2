import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type LiveSource, SourceFault } from '../../sources/contract.ts'
import type { Database } from '../../store/database.ts'
import { holdLease, type SourceLease } from '../../store/source/source-leases.ts'
import { readCursor } from '../../store/source/source-state.ts'
import { cursorShape, type PostStream, StreamMoved } from '../../stream/contract.ts'
import { BACK_OFF_FIRST_MS, type FailureRun } from '../collect/failures.ts'
import { fillIntake, keepCollecting } from '../collect/keep-collecting.ts'
import type { CollectMetrics } from '../collect/metrics.ts'
import type { ContextFor } from '../read/read.ts'
import { type GatherPlace, Publishing } from './publishing.ts'

export interface GatherOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: CollectMetrics
  stream: PostStream
  contextFor: ContextFor
  onNewest?: (at: Date) => void
}

const savedShape = z.object({
  cursor: cursorShape,
  number: z.int().nonnegative(),
  posts: z.int().nonnegative(),
})

/** Publishes what one source brings until `signal` is aborted or another process has the lease. */
export async function gather(
  source: LiveSource,
  lease: SourceLease,
  options: GatherOptions,
  signal: AbortSignal,
): Promise<void> {
  await keepCollecting(source, lease, options, signal, async (run) => {
    try {
      await gatherOnce(source, lease, run, options, signal)
    } catch (error) {
      if (!(error instanceof StreamMoved)) throw error
      await options.db.transaction((tx) => holdLease(tx, lease))
      throw new SourceFault('stream', error.message, { cause: error })
    }
  })
}

async function gatherOnce(
  source: LiveSource,
  lease: SourceLease,
  run: FailureRun,
  options: GatherOptions,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log, contextFor } = options
  const { platform } = source
  run.begin()
  const place = await placeOf(source, lease, options)
  const publishing = new Publishing({ ...options, platform, lease, onPublished: () => run.noteStored() }, place)
  await fillIntake(publishing, { platform, log, signal }, async (ending) => {
    for await (const batch of source.follow(contextFor(source, clock.now(), ending), place.cursor))
      await publishing.put(batch)
  })
  run.noteStored()
  await clock.wait(BACK_OFF_FIRST_MS, signal)
}

/**
 * Where to go on. The newest message tells the cursor behind it, and so of posts that were published by a process that
 * died before it stored its own place. That place counts when the message is kept no longer.
 */
async function placeOf(
  { platform }: LiveSource,
  lease: SourceLease,
  { db, stream }: GatherOptions,
): Promise<GatherPlace> {
  await stream.prepare(platform)
  const saved = savedShape.nullable().parse(await readCursor(db, lease.source))
  const newest = await stream.newest(platform)
  const isSaved = newest.cursor === null || newest.number === saved?.number
  return {
    cursor: (isSaved ? saved?.cursor : newest.cursor) ?? null,
    end: { number: newest.number, posts: newest.posts ?? saved?.posts ?? 0 },
  }
}
