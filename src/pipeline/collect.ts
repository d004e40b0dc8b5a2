import { type Clock, SECOND_MS } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { type Cursor, type LiveSource, type Source, SourceFault, type StreamSource } from '../sources/contract.ts'
import { type Database, DatabaseUnavailable } from '../store/database.ts'
import { holdLease, LeaseLost, type SourceLease } from '../store/source-leases.ts'
import { noteFailure, notePoll, readCursor } from '../store/source-state.ts'
import type { Brought, Read } from './read.ts'
import type { Intake, StoreStage } from './store-stage.ts'

export interface CollectOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: Metrics
  read: Read
  store: StoreStage
  /** Seconds between two polls of a platform when the operator says so. */
  pollSeconds: ReadonlyMap<string, number>
  /** Told when the newest post of a batch was published. */
  onNewest?: (at: Date) => void
}

const BACK_OFF_FIRST_MS = SECOND_MS
const BACK_OFF_LAST_MS = 60 * SECOND_MS
/** A source that has gone without a fault for so long counts as sound; one that brings a batch and breaks does not. */
const SOUND_AFTER_MS = 30 * SECOND_MS

/**
 * Collects from one source until `signal` is aborted or its lease turns out to be another process's: hands every batch
 * through matching into the store, and starts again from the stored cursor whenever something fails. Resolves when what
 * was taken on is stored.
 */
export async function collect(source: Source, lease: SourceLease, options: CollectOptions, signal: AbortSignal): Promise<void> {
  const { clock, log } = options
  let failures = 0
  /** Since when it has brought what could be stored, without a fault in between. */
  let soundSinceMs: number | null = null
  const advanced = () => {
    soundSinceMs ??= clock.monotonicMs()
  }
  while (!signal.aborted) {
    try {
      const intake = options.store.open(source.platform, lease, advanced)
      await (source.mode === 'live' ? follow(source, intake, options, signal) : poll(source, lease, intake, options, signal))
      advanced()
      await clock.wait(source.mode === 'stream' ? pollMs(source, options) : BACK_OFF_FIRST_MS, signal)
    } catch (error) {
      if (error instanceof LeaseLost) return log.warn({ platform: source.platform }, 'another process collects from here now; leaving it alone')
      if (signal.aborted) return log.debug({ err: error, platform: source.platform }, 'collecting was cut short; it goes on from the last stored place')
      if (soundSinceMs !== null && clock.monotonicMs() - soundSinceMs >= SOUND_AFTER_MS) failures = 0
      soundSinceMs = null
      failures += 1
      await report(source, lease, options, error)
      await clock.wait(backOffMs(error, failures), signal)
    }
  }
}

function pollMs(source: StreamSource, { pollSeconds }: CollectOptions): number {
  return (pollSeconds.get(source.platform) ?? source.pollSeconds) * SECOND_MS
}

/** Doubles with each failure in a row; at least what the platform asks for; up to a third is drawn, so that many do not return at once. */
function backOffMs(error: unknown, failures: number): number {
  const asked = error instanceof SourceFault ? (error.retryAfterSeconds ?? 0) * SECOND_MS : 0
  const own = Math.min(BACK_OFF_LAST_MS, BACK_OFF_FIRST_MS * 2 ** Math.min(failures - 1, 10))
  return Math.max(asked, own) * (1 + Math.random() / 3)
}

async function report({ platform }: Source, lease: SourceLease, { db, clock, log, metrics }: CollectOptions, error: unknown): Promise<void> {
  const fault = error instanceof SourceFault ? error.kind : error instanceof DatabaseUnavailable ? 'database' : 'defect'
  metrics.sourceFaults.inc({ platform, fault })
  log.warn({ err: error, platform, fault }, 'collecting failed; trying again from the last stored place')
  if (error instanceof DatabaseUnavailable) return
  const message = error instanceof Error ? error.message : String(error)
  try {
    await db.transaction(async (tx) => {
      await noteFailure(tx, platform, `${fault}: ${message}`.slice(0, 500), clock.now())
      await holdLease(tx, lease)
    })
  } catch (failure) {
    log.warn({ err: failure, platform }, 'could not note the failure either')
  }
}

async function follow(source: LiveSource, intake: Intake, options: CollectOptions, signal: AbortSignal): Promise<void> {
  const cursor = (await readCursor(options.db, source.platform)) as Cursor | null
  // A quiet feed would not notice by itself that what it brought last could not be stored.
  const ending = AbortSignal.any([signal, intake.failed])
  try {
    for await (const brought of options.read(source, { at: options.clock.now(), cursor, signal: ending })) await take(brought, source, intake, options)
  } catch (error) {
    intake.failed.throwIfAborted()
    // The reason why the feed ended counts; what could not be stored is read again.
    await intake.finish().catch((failure: unknown) => options.log.warn({ err: failure, platform: source.platform }, 'what was read last could not be stored'))
    throw error
  }
  await intake.finish()
}

async function poll(source: StreamSource, lease: SourceLease, intake: Intake, options: CollectOptions, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = options
  const { platform } = source
  const at = clock.now()
  const beganMs = clock.monotonicMs()
  const cursor = (await readCursor(db, platform)) as Cursor | null
  let found = 0
  try {
    for await (const brought of options.read(source, { at, cursor, signal })) {
      found += brought.posts
      await take(brought, source, intake, options)
    }
  } catch (error) {
    // What was brought before the fault is whole, and need not be asked for again.
    await intake.finish()
    throw error
  }
  await intake.finish()
  await db.transaction(async (tx) => {
    await notePoll(tx, platform, found, at)
    await holdLease(tx, lease)
  })
  log.info({ platform, found, ms: Math.round(clock.monotonicMs() - beganMs) }, 'polled')
}

/** Counts what was brought and hands it on. Resolves when the source may bring more. */
async function take(brought: Brought, { platform }: Source, intake: Intake, { metrics, onNewest }: CollectOptions): Promise<void> {
  const { posts, newestAt, changes } = brought
  metrics.postsRead.inc({ platform }, posts)
  metrics.postsMatched.inc({ platform }, changes.matched.size)
  if (newestAt) onNewest?.(newestAt)
  await intake.put(brought)
}
