import { ingestPosts, type NewMention } from '../../commands/mentions/ingest-posts.ts'
import { removePosts } from '../../commands/mentions/remove-posts.ts'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import { Semaphore } from '../../kernel/concurrency/semaphore.ts'
import type { Log } from '../../kernel/log.ts'
import { watchQueue } from '../../kernel/metrics.ts'
import type { Cursor } from '../../sources/contract.ts'
import { announceWork } from '../../store/announcements.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { KnownWords } from '../../store/filter/search-words.ts'
import { postsOfAuthors } from '../../store/mention/posts.ts'
import { holdLease, type SourceLease } from '../../store/source/source-leases.ts'
import { saveCursor } from '../../store/source/source-state.ts'
import type { Brought } from '../read/read.ts'
import { type Changes, isNothing, mergeChanges, NOTHING, portionsOf, type Size, sizeOf } from '../watch/changes.ts'
import type { StoreStageMetrics } from './metrics.ts'

export interface StoreOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: StoreStageMetrics
  metered: boolean
  /**
   * Takes new mentions on to be scored in this process. Resolves when there is room for more. Null when other processes
   * score: mentions are then left to whoever takes them, and announced.
   */
  onMentions: ((mentions: readonly NewMention[]) => Promise<void>) | null
}

/** The way of one source into the store: a group gathers while the one before is being stored. One caller at a time. */
export interface Intake {
  /**
   * Takes a batch on. Resolves when there is room for the next one; rejects with the reason once a group could not be
   * stored.
   */
  put(brought: Brought): Promise<void>
  /** Resolves when everything is stored, the cursor too; rejects with the reason when it could not be. */
  finish(): Promise<void>
  /**
   * Aborted when a group could not be stored: nothing that follows may be, and the source goes back to its stored
   * place.
   */
  readonly failed: AbortSignal
}

export interface StoreStage {
  /** `onStored` is told whenever something was written down. */
  open(platform: Platform, lease: SourceLease, onStored: () => void): Intake
  /**
   * Stores what one poll brought and answers how many mentions were made. `write` adds what belongs to it in each of
   * the transactions, of which there is one unless the poll brought a great deal; `last` is true in the last. Nothing
   * is stored when the lease is another process's.
   */
  storePoll(platform: Platform, lease: SourceLease, matched: readonly MatchedPost[], write: WritePoll): Promise<number>
}

export type WritePoll = (tx: Transaction, made: readonly NewMention[], last: boolean) => Promise<void>

/** The owner of a new mention for this long; whoever finds it unscored afterwards may score it. */
export const SCORE_LEASE_MS = 20 * SECOND_MS
/**
 * Mentions that nobody owns look as if they had been given back this long ago: the clocks of machines differ a little.
 */
const FREE_SINCE_MS = 30 * SECOND_MS
/** A cursor behind which nothing was stored is written down this often at most. */
const CURSOR_EVERY_MS = SECOND_MS
/** Mentions of one transaction, as far as whole batches allow. */
export const GROUP_MENTIONS = 500
/** Posts that one transaction removes at most. */
const REMOVED_POSTS = 500
/** What one source may have waiting here; the batch that passes it is still taken, the next one is not pulled. */
export const PENDING_MAX: Size = { posts: 2000, mentions: 2000, bytes: 8 * 1024 * 1024 }
/** Transactions at once; sources get their turns in the order in which they ask. */
export const STORES_AT_ONCE = 6

/**
 * Stores what sources bring, in groups: whatever has gathered while the transaction before was under way goes into one,
 * together with the newest cursor. A lone post is stored at once, and a flood in large groups, without any timer.
 */
export function createStoreStage(options: StoreOptions): StoreStage {
  const transactions = new Semaphore(STORES_AT_ONCE)
  const knownWords = new KnownWords()
  const pending = new Map<Platform, { size: Size }>()
  const pendingOf = (platform: Platform) => {
    const known = pending.get(platform)
    if (known) return known
    const made = { size: NOTHING }
    pending.set(platform, made)
    for (const what of ['posts', 'mentions', 'bytes'] as const)
      watchQueue(options.metrics, `store_${platform}_${what}`, PENDING_MAX[what], () => made.size[what])
    return made
  }
  return {
    open(platform, lease, onStored) {
      const gauge = pendingOf(platform)
      return createIntake({
        ...options,
        knownWords,
        platform,
        lease,
        onStored,
        transactions,
        resized(size) {
          gauge.size = size
        },
      })
    },
    async storePoll(platform, lease, matched, write) {
      const portions = [...portionsOf(matched, GROUP_MENTIONS)]
      if (portions.length === 0) portions.push([])
      let count = 0
      for (const [place, portion] of portions.entries()) {
        const made = await transactions.run(() =>
          storePortion(
            { platform, lease, portion, write: (tx, made) => write(tx, made, place === portions.length - 1) },
            { ...options, knownWords },
          ),
        )
        count += made.length
        if (made.length > 0) await options.onMentions?.(made)
      }
      return count
    },
  }
}

interface Portion {
  platform: Platform
  lease: SourceLease
  portion: readonly MatchedPost[]
  write: (tx: Transaction, made: readonly NewMention[]) => Promise<void>
}

async function storePortion({ platform, lease, portion, write }: Portion, options: Storing): Promise<NewMention[]> {
  const beganMs = options.clock.monotonicMs()
  const made = await options.db.transaction(async (tx) => {
    const made = await ingestFor(tx, portion, options)
    await write(tx, made)
    await holdLease(tx, lease)
    return made
  })
  if (portion.length > 0) options.metrics.storeSeconds.observe((options.clock.monotonicMs() - beganMs) / 1000)
  countStored(platform, made, options)
  return made
}

/** Counted with each commit: what follows may fail, and this is there all the same. */
function countStored(platform: Platform, made: readonly NewMention[], { metrics }: StoreOptions): void {
  metrics.storeBatch.observe(made.length)
  metrics.mentionsStored.inc({ platform }, made.length)
}

interface Storing extends StoreOptions {
  knownWords: KnownWords
}

interface IntakeOptions extends Storing {
  platform: Platform
  lease: SourceLease
  onStored: () => void
  transactions: Semaphore
  resized: (size: Size) => void
}

/** A batch that has something to store, or the place of one that has nothing. */
interface Entry extends Brought {
  size: Size
  /** When it was handed over. */
  takenMs: number
}

function createIntake(options: IntakeOptions): Intake {
  const { clock, transactions, resized, onStored } = options
  const waiting: Entry[] = []
  let size = NOTHING
  let savedAtMs = Number.NEGATIVE_INFINITY
  let newestAt: Date | null = null
  let running: Promise<void> | null = null
  /** Nothing follows any more: a place alone is due as well, however lately one was written down. */
  let finishing = false
  const failed = new AbortController()
  let letIn: () => void = () => undefined

  const resize = (next: Size) => {
    size = next
    resized(next)
    letIn()
  }
  const add = (entry: Entry) => {
    const last = waiting.at(-1)
    // A place alone needs no transaction of its own: it belongs to what was read before it.
    if (last && (isNothing(entry.changes) || isNothing(last.changes))) waiting[waiting.length - 1] = joined(last, entry)
    else waiting.push(entry)
    resize(sum(size, entry.size))
  }
  const due = () =>
    waiting.length > 0 &&
    (finishing || !isNothing(waiting[0]!.changes) || clock.monotonicMs() - savedAtMs >= CURSOR_EVERY_MS)
  const storeNext = async () => {
    const group = takeGroup(waiting)
    // One post with an old date says nothing about how far behind the source is.
    newestAt = group.reduce((newest, entry) => newer(newest, entry.newestAt), newestAt)
    const made = await transactions.run(() => storeGroup(group, newestAt, options))
    savedAtMs = clock.monotonicMs()
    resize(group.reduce((left, entry) => minus(left, entry.size), size))
    onStored()
    if (made.length > 0) await options.onMentions?.(made)
  }
  const run = async () => {
    try {
      while (due()) await storeNext()
    } catch (error) {
      failed.abort(error)
      waiting.length = 0
      resize(NOTHING)
    } finally {
      running = null
    }
  }
  const isFull = () =>
    size.posts >= PENDING_MAX.posts || size.mentions >= PENDING_MAX.mentions || size.bytes >= PENDING_MAX.bytes
  const room = () =>
    new Promise<void>((resolve) => {
      letIn = resolve
    })
  return {
    failed: failed.signal,
    async put(brought) {
      failed.signal.throwIfAborted()
      add({ ...brought, size: sizeOf(brought.changes), takenMs: clock.monotonicMs() })
      if (due()) running ??= run()
      while (isFull()) await room()
      failed.signal.throwIfAborted()
    },
    async finish() {
      finishing = true
      while (running !== null || due()) {
        running ??= run()
        await running
      }
      failed.signal.throwIfAborted()
    },
  }
}

/** One place stands for both when at most one of them has something to store. */
function joined(before: Entry, after: Entry): Entry {
  const stored = isNothing(before.changes) ? after : before
  return {
    changes: stored.changes,
    size: stored.size,
    takenMs: stored.takenMs,
    cursor: after.cursor,
    newestAt: newer(before.newestAt, after.newestAt),
    posts: before.posts + after.posts,
  }
}

/** Whole batches from the front, as many as one transaction takes. */
function takeGroup(waiting: Entry[]): Entry[] {
  let mentions = waiting[0]?.size.mentions ?? 0
  let count = 1
  for (; count < waiting.length; count += 1) {
    mentions += waiting[count]!.size.mentions
    if (mentions > GROUP_MENTIONS) break
  }
  return waiting.splice(0, count)
}

async function storeGroup(
  group: readonly Entry[],
  newestAt: Date | null,
  options: IntakeOptions,
): Promise<NewMention[]> {
  const { clock, platform } = options
  const beganMs = clock.monotonicMs()
  const changes = mergeChanges(group.map((entry) => entry.changes))
  await removeGone(platform, changes, options)
  const place = { cursor: group.at(-1)!.cursor, newestAt }
  // One batch may be more than a transaction should hold; the cursor comes with the last of it, and what is there
  // already is not made twice should the others have to be read again.
  const portions = portionsOf(changes.matched.values(), GROUP_MENTIONS)
  const last = portions.pop() ?? []
  const made: NewMention[] = []
  for (const portion of portions) made.push(...(await store(portion, null, options)))
  made.push(...(await store(last, place, options)))
  note(group, made, { ms: clock.monotonicMs() - beganMs, newestAt }, options)
  return made
}

/**
 * What went goes first: what comes after it under the same id is new. In transactions of their own, because removal
 * locks mentions and storing locks counters, which everybody else locks before mentions; and in portions, because one
 * author may have written a great deal. It comes again with its batch, and finds only what is left, when the batch
 * cannot be stored.
 */
async function removeGone(
  platform: Platform,
  { goneIds, goneAuthors }: Changes,
  { db, clock, lease }: IntakeOptions,
): Promise<void> {
  if (goneIds.size === 0 && goneAuthors.size === 0) return
  const ofAuthors =
    goneAuthors.size === 0 ? [] : await db.transaction((tx) => postsOfAuthors(tx, platform, [...goneAuthors]))
  const ids = [...new Set([...goneIds, ...ofAuthors])].sort()
  for (let from = 0; from < ids.length; from += REMOVED_POSTS) {
    await db.transaction(async (tx) => {
      await removePosts(tx, ids.slice(from, from + REMOVED_POSTS), clock.now())
      await holdLease(tx, lease)
    })
  }
}

interface Place {
  cursor: Cursor
  newestAt: Date | null
}

async function store(
  matched: readonly MatchedPost[],
  place: Place | null,
  options: IntakeOptions,
): Promise<NewMention[]> {
  const { db, clock, lease, platform } = options
  const made = await db.transaction(async (tx) => {
    const made = await ingestFor(tx, matched, options)
    await Promise.all([
      holdLease(tx, lease),
      place ? saveCursor(tx, lease.source, place.cursor, place.newestAt, clock.now()) : undefined,
    ])
    return made
  })
  countStored(platform, made, options)
  return made
}

async function ingestFor(
  tx: Transaction,
  matched: readonly MatchedPost[],
  { clock, metered, onMentions, knownWords }: Storing,
): Promise<NewMention[]> {
  const at = clock.now()
  const leasedUntil = plus(at, onMentions ? SCORE_LEASE_MS : -FREE_SINCE_MS)
  const made = await ingestPosts(tx, matched, { at, now: () => clock.now(), metered, leasedUntil, knownWords })
  if (made.length > 0 && !onMentions) await announceWork(tx, 'mentions')
  return made
}

/** One line a group, and what Prometheus reads of it. */
function note(
  group: readonly Entry[],
  made: readonly NewMention[],
  { ms, newestAt }: { ms: number; newestAt: Date | null },
  { platform, clock, log, metrics }: IntakeOptions,
): void {
  const nowMs = clock.monotonicMs()
  const matched = group.reduce((sum, entry) => sum + entry.changes.matched.size, 0)
  metrics.storeSeconds.observe(ms / 1000)
  for (const { changes, takenMs } of group) {
    for (let post = 0; post < changes.matched.size; post += 1)
      metrics.postVisibleSeconds.observe({ platform }, (nowMs - takenMs) / 1000)
  }
  const line = {
    platform,
    posts: group.reduce((sum, entry) => sum + entry.posts, 0),
    matched,
    mentions: made.length,
    ms: Math.round(ms * 10) / 10,
    lagSeconds: newestAt && Math.round((clock.now().getTime() - newestAt.getTime()) / 100) / 10,
  }
  if (made.length > 0) log.info(line, 'stored')
  else log.debug(line, 'stored')
}

function newer(a: Date | null, b: Date | null): Date | null {
  return a && b ? (a > b ? a : b) : (a ?? b)
}

function sum(a: Size, b: Size): Size {
  return { posts: a.posts + b.posts, mentions: a.mentions + b.mentions, bytes: a.bytes + b.bytes }
}

function minus(a: Size, b: Size): Size {
  return { posts: a.posts - b.posts, mentions: a.mentions - b.mentions, bytes: a.bytes - b.bytes }
}
