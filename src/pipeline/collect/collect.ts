import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { cleanLine } from '../../kernel/text.ts'
import { underAny } from '../../kernel/under-any.ts'
import {
  type Cursor,
  type FeedSource,
  type LiveSource,
  type Source,
  SourceFault,
  type StreamSource,
} from '../../sources/contract.ts'
import { type Database, DatabaseUnavailable, type Transaction } from '../../store/database.ts'
import { holdLease, LeaseLost, type SourceLease } from '../../store/source/source-leases.ts'
import { noteFailure, notePoll, readCursor } from '../../store/source/source-state.ts'
import type { Enrich } from '../read/enrich.ts'
import type { Brought, ContextFor, Read } from '../read/read.ts'
import type { Intake, StoreStage } from '../store/store-stage.ts'
import { addMatched } from '../watch/changes.ts'
import type { Watch } from '../watch/watch.ts'
import { baseMs } from './intervals.ts'
import type { CollectMetrics } from './metrics.ts'

export interface CollectOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: CollectMetrics
  read: Read
  store: StoreStage
  watch: Pick<Watch, 'match' | 'caughtUp' | 'admitted' | 'noteRejected'>
  enrich: Enrich
  contextFor: ContextFor
  /** The doors for what must not take the daily quotas away from collecting. */
  contextAside: ContextFor
  /** Told when the newest post of a batch was published. */
  onNewest?: (at: Date) => void
}

const BACK_OFF_FIRST_MS = SECOND_MS
const BACK_OFF_LAST_MS = 60 * SECOND_MS
const MOST_DRAWN_MS = 60 * SECOND_MS
/** A platform that refuses the credentials is asked again after this long. */
export const CREDENTIALS_MS = 15 * MINUTE_MS
/**
 * A source that has gone without a fault for so long counts as sound, and so does a connection that stood for as long;
 * one that brings a batch and breaks does not.
 */
const SOUND_AFTER_MS = 30 * SECOND_MS

/**
 * Collects from one source until `signal` is aborted or its lease turns out to be another process's: hands every batch
 * through matching into the store, and starts again from the stored cursor whenever something fails. Resolves when what
 * was taken on is stored.
 */
export async function collect(
  source: FeedSource,
  lease: SourceLease,
  options: CollectOptions,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = options
  let failures = 0
  /** Since when it has brought what could be stored, without a fault in between. */
  let soundSinceMs: number | null = null
  const advanced = () => {
    soundSinceMs ??= clock.monotonicMs()
  }
  const isLong = (sinceMs: number | null) => sinceMs !== null && clock.monotonicMs() - sinceMs >= SOUND_AFTER_MS
  while (!signal.aborted) {
    const beganMs = clock.monotonicMs()
    try {
      const intake = options.store.open(source.platform, lease, advanced)
      await (source.mode === 'live'
        ? follow(source, intake, options, signal)
        : poll(source, lease, intake, options, signal))
      advanced()
      // A poll that came to its end has shown that all is well; a connection has to last to do so.
      if (source.mode === 'stream') failures = 0
      await clock.wait(source.mode === 'stream' ? baseMs(source) : BACK_OFF_FIRST_MS, signal)
    } catch (error) {
      if (error instanceof LeaseLost)
        return log.warn({ platform: source.platform }, 'another process collects from here now; leaving it alone')
      if (signal.aborted)
        return log.debug(
          { err: error, platform: source.platform },
          'collecting was cut short; it goes on from the last stored place',
        )
      if (isLong(soundSinceMs) || (source.mode === 'live' && error instanceof SourceFault && isLong(beganMs)))
        failures = 0
      soundSinceMs = null
      failures += 1
      await reportFailure(source, lease, options, error)
      await clock.wait(restMs(source, error, failures), signal)
    }
  }
}

/** What does not pass by itself is not asked more often than what goes well. */
function restMs(source: FeedSource, error: unknown, failures: number): number {
  const backOff = backOffMs(error, failures)
  if (source.mode === 'live' || !(error instanceof SourceFault)) return backOff
  if (error.kind === 'credentials') return Math.max(CREDENTIALS_MS, backOff)
  return error.kind === 'shape_changed' ? Math.max(baseMs(source), backOff) : backOff
}

/**
 * Doubles with each failure in a row; at least what the platform asks for; something is drawn on top, so that many do
 * not return at once.
 */
export function backOffMs(error: unknown, failures: number): number {
  const asked = error instanceof SourceFault ? (error.retryAfterSeconds ?? 0) * SECOND_MS : 0
  const own = Math.min(BACK_OFF_LAST_MS, BACK_OFF_FIRST_MS * 2 ** Math.min(failures - 1, 10))
  const longest = Math.max(asked, own)
  return longest + Math.random() * Math.min(longest / 3, MOST_DRAWN_MS)
}

export interface Reporting extends Pick<CollectOptions, 'db' | 'clock' | 'log' | 'metrics'> {
  /** False when the failure says nothing of the platform as a whole; true when absent. */
  told?: boolean
}

/**
 * Tells people and machines that collecting failed; false when that could not be written down. `also` is written in the
 * same transaction, with the message.
 */
export async function reportFailure(
  { platform }: Pick<Source, 'platform'>,
  lease: SourceLease,
  { db, clock, log, metrics, told = true }: Reporting,
  error: unknown,
  also: (tx: Transaction, message: string) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const fault = error instanceof SourceFault ? error.kind : error instanceof DatabaseUnavailable ? 'database' : 'defect'
  metrics.sourceFaults.inc({ platform, fault })
  if (told) log.warn({ err: error, platform, fault }, 'collecting failed; trying again from the last stored place')
  else log.info({ err: error, platform, fault }, 'something was asked for in vain; it is asked for again later')
  if (error instanceof DatabaseUnavailable) return false
  const message = cleanLine(`${fault}: ${error instanceof Error ? error.message : String(error)}`).slice(0, 500)
  try {
    await db.transaction(async (tx) => {
      await also(tx, message)
      if (told) await noteFailure(tx, platform, message, clock.now())
      await holdLease(tx, lease)
    })
    return true
  } catch (failure) {
    log.warn({ err: failure, platform }, 'could not note the failure either')
    return false
  }
}

async function follow(source: LiveSource, intake: Intake, options: CollectOptions, signal: AbortSignal): Promise<void> {
  const cursor = (await readCursor(options.db, source.platform)) as Cursor | null
  const takeAll = async (ending: AbortSignal) => {
    for await (const brought of options.read(source, { at: options.clock.now(), cursor, signal: ending }))
      await take(brought, source, intake, options, ending)
  }
  try {
    // A quiet feed would not notice by itself that what it brought last could not be stored.
    await underAny([signal, intake.failed], takeAll)
  } catch (error) {
    intake.failed.throwIfAborted()
    // The reason why the feed ended counts; what could not be stored is read again.
    await intake
      .finish()
      .catch((failure: unknown) =>
        options.log.warn({ err: failure, platform: source.platform }, 'what was read last could not be stored'),
      )
    throw error
  }
  await intake.finish()
}

async function poll(
  source: StreamSource,
  lease: SourceLease,
  intake: Intake,
  options: CollectOptions,
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
    // What was brought before the fault is whole, and need not be asked for again.
    await intake.finish()
    throw error
  }
  await intake.finish()
  await db.transaction(async (tx) => {
    await notePoll(tx, platform, found, at, null)
    await holdLease(tx, lease)
  })
  log.info({ platform, found, ms: Math.round(clock.monotonicMs() - beganMs) }, 'polled')
}

/** Counts what was brought and hands it on, filled in. Resolves when the source may bring more. */
async function take(
  brought: Brought,
  source: FeedSource,
  intake: Intake,
  options: CollectOptions,
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

/** Posts are judged again with what was filled in, because a rule may name the author by it. */
async function filledIn(
  matched: Map<string, MatchedPost>,
  source: FeedSource,
  { enrich, watch }: CollectOptions,
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
