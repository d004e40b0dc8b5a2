import { setImmediate as breathe } from 'node:timers/promises'
import type { Platform } from '../domain/post/platform.ts'
import type { Post } from '../domain/post/post.ts'
import { type Clock, plus, SECOND_MS } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { type Batch, type CollectContext, type Cursor, type LiveSource, type Source, SourceFault, type StreamSource } from '../sources/contract.ts'
import { type Database, DatabaseUnavailable, type Transaction } from '../store/database.ts'
import { ingest, type MatchedPost, type NewMention, postId, postsOfAuthors, removePosts } from '../store/ingest.ts'
import { noteFailure, notePoll, readCursor, saveCursor } from '../store/source-state.ts'
import type { Watch } from './watch.ts'

export interface CollectOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: Metrics
  metered: boolean
  watch: Watch
  /** How a source reaches the outside at this moment. */
  contextFor(source: Source, at: Date, signal: AbortSignal): CollectContext
  /** Seconds between two polls of a platform when the operator says so. */
  pollSeconds: ReadonlyMap<string, number>
  /** Takes new mentions on to be scored. Resolves when there is room for more. */
  onMentions(mentions: readonly NewMention[]): Promise<void>
}

/** The owner of a new mention for this long; whoever finds it unscored afterwards may score it. */
export const SCORE_LEASE_MS = 30 * SECOND_MS
const BACK_OFF_FIRST_MS = SECOND_MS
const BACK_OFF_LAST_MS = 60 * SECOND_MS
/** A cursor behind which nothing was stored is written down this often at most. */
const CURSOR_EVERY_MS = SECOND_MS

/**
 * Collects from one source until `signal` is aborted: hands every batch through matching into the store, and starts again
 * from the stored cursor whenever something fails. Resolves when the batch in hand is finished.
 */
export async function collect(source: Source, options: CollectOptions, signal: AbortSignal): Promise<void> {
  let failures = 0
  const advanced = () => {
    failures = 0
  }
  while (!signal.aborted) {
    try {
      await (source.mode === 'live' ? follow(source, options, advanced, signal) : poll(source, options, signal))
      advanced()
      await options.clock.wait(source.mode === 'stream' ? pollMs(source, options) : BACK_OFF_FIRST_MS, signal)
    } catch (error) {
      if (signal.aborted) break
      failures += 1
      await report(source, options, error)
      await options.clock.wait(backOffMs(error, failures), signal)
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

async function report(source: Source, { db, clock, log }: CollectOptions, error: unknown): Promise<void> {
  const kind = error instanceof SourceFault ? error.kind : error instanceof DatabaseUnavailable ? 'database' : 'defect'
  log.warn({ err: error, platform: source.platform, fault: kind }, 'collecting failed; trying again from the last stored place')
  if (error instanceof DatabaseUnavailable) return
  const message = error instanceof Error ? error.message : String(error)
  try {
    await db.transaction((tx) => noteFailure(tx, source.platform, `${kind}: ${message}`.slice(0, 500), clock.now()))
  } catch (failure) {
    log.warn({ err: failure, platform: source.platform }, 'could not note the failure either')
  }
}

/** A feed may stay open for weeks, so each batch that it brings ends the row of failures before. */
async function follow(source: LiveSource, options: CollectOptions, advanced: () => void, signal: AbortSignal): Promise<void> {
  const intake = createIntake(source.platform, options)
  const cursor = (await readCursor(options.db, source.platform)) as Cursor | null
  try {
    for await (const batch of source.follow(options.contextFor(source, options.clock.now(), signal), cursor)) {
      await intake.take(batch)
      advanced()
    }
  } catch (error) {
    // The reason why the feed ended counts; without this cursor a little is read twice.
    await intake.finish().catch((failure: unknown) => options.log.warn({ err: failure, platform: source.platform }, 'the last cursor could not be stored'))
    throw error
  }
  await intake.finish()
}

async function poll(source: StreamSource, options: CollectOptions, signal: AbortSignal): Promise<void> {
  const intake = createIntake(source.platform, options)
  const at = options.clock.now()
  const cursor = (await readCursor(options.db, source.platform)) as Cursor | null
  let found = 0
  for await (const batch of source.poll(options.contextFor(source, at, signal), cursor)) {
    found += batch.events.length
    await intake.take(batch)
  }
  await intake.finish()
  await options.db.transaction((tx) => notePoll(tx, source.platform, found, at))
  options.log.debug({ platform: source.platform, found }, 'polled')
}

interface Intake {
  /** Matches and stores a batch, and its cursor with it. */
  take(batch: Batch): Promise<void>
  /** Writes the last cursor down, if it waits. */
  finish(): Promise<void>
}

interface Place {
  cursor: Cursor
  newestAt: Date | null
}

function createIntake(platform: Platform, options: CollectOptions): Intake {
  const { db, clock } = options
  /** A place up to which there was nothing to store. Never that of a batch that is not stored yet. */
  let waiting: Place | null = null
  let savedAtMs = Number.NEGATIVE_INFINITY

  const save = (tx: Transaction, { cursor, newestAt }: Place) => saveCursor(tx, platform, cursor, newestAt, clock.now())
  const saved = () => {
    waiting = null
    savedAtMs = clock.monotonicMs()
  }
  return {
    async take(batch) {
      const changes = await changesOf(batch, options.watch)
      const place = { cursor: batch.cursor, newestAt: newestOf(batch) ?? waiting?.newestAt ?? null }
      const nothingToStore = changes.matched.length === 0 && changes.goneIds.length === 0 && changes.goneAuthors.length === 0
      if (nothingToStore && clock.monotonicMs() - savedAtMs < CURSOR_EVERY_MS) {
        waiting = place
        return
      }
      await removeGone(platform, changes, options)
      const made = await db.transaction(async (tx) => {
        const mentions = await store(tx, changes, options)
        await save(tx, place)
        return mentions
      })
      saved()
      if (made.length > 0) await options.onMentions(made)
    },
    async finish() {
      const place = waiting
      if (!place) return
      await db.transaction((tx) => save(tx, place))
      saved()
    },
  }
}

interface Changes {
  matched: MatchedPost[]
  goneIds: ReturnType<typeof postId>[]
  goneAuthors: string[]
}

/** How many posts are matched before other work gets its turn. */
const MATCH_SLICE = 500

/** What a batch comes to: a post that goes again in the same batch never was. */
async function changesOf(batch: Batch, watch: Watch): Promise<Changes> {
  const posts = new Map<string, Post>()
  const goneIds = new Set<ReturnType<typeof postId>>()
  const goneAuthors = new Set<string>()
  for (const event of batch.events) {
    if (event.kind === 'post') {
      posts.set(event.post.nativeId, event.post)
    } else if (event.kind === 'post_gone') {
      posts.delete(event.nativeId)
      goneIds.add(postId(event.platform, event.nativeId))
    } else {
      for (const [nativeId, post] of posts) if (post.author?.id === event.authorId) posts.delete(nativeId)
      goneAuthors.add(event.authorId)
    }
  }
  const matched: MatchedPost[] = []
  let since = 0
  for (const post of posts.values()) {
    const match = watch.match(post)
    if (match) matched.push(match)
    since += 1
    if (since % MATCH_SLICE === 0) await breathe()
  }
  return { matched, goneIds: [...goneIds], goneAuthors: [...goneAuthors] }
}

/**
 * What went goes first: what comes after it under the same id is new. In a transaction of its own, because removal locks
 * mentions and storing locks counters, which everybody else locks before mentions. It comes again with its batch, and
 * finds nothing, when the batch cannot be stored.
 */
async function removeGone(platform: Platform, { goneIds, goneAuthors }: Changes, { db }: CollectOptions): Promise<void> {
  if (goneIds.length === 0 && goneAuthors.length === 0) return
  await db.transaction(async (tx) => {
    const ofAuthors = await postsOfAuthors(tx, platform, goneAuthors)
    await removePosts(tx, [...new Set([...goneIds, ...ofAuthors])].sort())
  })
}

async function store(tx: Transaction, { matched }: Changes, { clock, metered }: CollectOptions): Promise<NewMention[]> {
  const at = clock.now()
  return await ingest(tx, matched, { at, metered, leasedUntil: plus(at, SCORE_LEASE_MS) })
}

function newestOf(batch: Batch): Date | null {
  let newest: Date | null = null
  for (const event of batch.events) if (event.kind === 'post' && (!newest || event.post.publishedAt > newest)) newest = event.post.publishedAt
  return newest
}
