import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { removePosts } from '../../commands/mentions/remove-posts.ts'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Cursor } from '../../sources/contract.ts'
import type { Transaction } from '../../store/database.ts'
import { postsOfAuthors } from '../../store/mention/posts.ts'
import { holdLease, type SourceLease, shareLease } from '../../store/source/source-leases.ts'
import { saveCursor } from '../../store/source/source-state.ts'
import type { Brought } from '../read/read.ts'
import { type Changes, changeBatchesOf, isNothing, mergeChanges, type Size } from '../watch/changes.ts'
import { Repeats } from './repeats.ts'
import { countStored, GROUP_MENTIONS, type Storing, storePosts } from './store-posts.ts'

const REMOVED_POSTS = 500

export interface StoreEntry extends Brought {
  /** Number of the source's batch that it is a part of; 0 if the source is stored in one partition. */
  batch: number
  size: Size
  takenMs: number
}

/** One of the parts into which a source's posts are divided. The place of the source is then stored apart. */
export interface Partition {
  owns(id: Uuid): boolean
  /** Resolves when the group may be stored. */
  ready(group: readonly StoreEntry[]): Promise<void>
}

export interface GroupOptions extends Storing {
  platform: Platform
  lease: SourceLease
  /** Null if one intake stores all posts of the source. */
  partition: Partition | null
}

export function joined(before: StoreEntry, after: StoreEntry): StoreEntry {
  const stored = isNothing(before.changes) ? after : before
  return {
    batch: after.batch,
    changes: stored.changes,
    size: stored.size,
    takenMs: stored.takenMs,
    cursor: after.cursor,
    newestAt: newer(before.newestAt, after.newestAt),
    posts: before.posts + after.posts,
  }
}

/** With `apart`, what is stored and what removes it are in different groups. */
export function takeGroup(waiting: StoreEntry[], { apart }: { apart: boolean }): StoreEntry[] {
  const taken = new Repeats()
  let mentions = 0
  let count = 0
  for (const { changes, size } of waiting) {
    mentions += size.mentions
    if (count > 0 && (mentions > GROUP_MENTIONS || (apart && taken.last(changes) > 0))) break
    count += 1
    if (apart) taken.note(changes, count)
  }
  return waiting.splice(0, count)
}

export async function storeGroup(
  group: readonly StoreEntry[],
  newestAt: Date | null,
  options: GroupOptions,
): Promise<NewMention[]> {
  const { clock, platform } = options
  const beganMs = clock.monotonicMs()
  const changes = mergeChanges(group.map((entry) => entry.changes))
  await removeGone(platform, changes, options)
  const place = options.partition ? null : { cursor: group.at(-1)!.cursor, newestAt }
  // A batch may exceed a transaction. The cursor comes with the last portion, and a repeat makes no mention twice.
  const portions = changeBatchesOf(changes.matched.values(), GROUP_MENTIONS)
  const last = portions.pop() ?? []
  const made: NewMention[] = []
  for (const portion of portions) made.push(...(await store(portion, null, options)))
  if (place || last.length > 0) made.push(...(await store(last, place, options)))
  note(group, made, { ms: clock.monotonicMs() - beganMs, newestAt }, options)
  return made
}

/**
 * Removals first: a later post with the same id is new. In separate transactions: removal locks mentions and storing
 * locks counters, which all others lock before mentions. In portions: an author may have many posts. A failed batch
 * repeats them harmlessly.
 */
async function removeGone(platform: Platform, { goneIds, goneAuthors }: Changes, options: GroupOptions): Promise<void> {
  const { db, clock, partition } = options
  if (goneIds.size === 0 && goneAuthors.size === 0) return
  const ofAuthors =
    goneAuthors.size === 0 ? [] : await db.transaction((tx) => postsOfAuthors(tx, platform, [...goneAuthors]))
  const own = ofAuthors.filter((id) => partition?.owns(id) ?? true)
  const ids = [...new Set([...goneIds, ...own])].sort()
  for (let from = 0; from < ids.length; from += REMOVED_POSTS) {
    await db.transaction(async (tx) => {
      await removePosts(tx, ids.slice(from, from + REMOVED_POSTS), clock.now())
      await fence(tx, options)
    })
  }
}

/** Partitions store at the same time. */
function fence(tx: Transaction, { lease, partition }: GroupOptions): Promise<void> {
  return partition ? shareLease(tx, lease) : holdLease(tx, lease)
}

interface Place {
  cursor: Cursor
  newestAt: Date | null
}

async function store(
  matched: readonly MatchedPost[],
  place: Place | null,
  options: GroupOptions,
): Promise<NewMention[]> {
  const { db, clock, lease, platform } = options
  const made = await db.transaction(async (tx) => {
    const made = await storePosts(tx, matched, options)
    await Promise.all([
      fence(tx, options),
      place ? saveCursor(tx, lease.source, place.cursor, place.newestAt, clock.now()) : undefined,
    ])
    return made
  })
  countStored(platform, made, options)
  return made
}

function note(
  group: readonly StoreEntry[],
  made: readonly NewMention[],
  { ms, newestAt }: { ms: number; newestAt: Date | null },
  { platform, clock, log, metrics }: GroupOptions,
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
  if (made.length > 0) log.info({ event: 'post.stored', ...line }, 'Posts stored')
  else log.debug({ event: 'post.stored', ...line }, 'Posts stored')
}

export function newer(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b
  return a > b ? a : b
}
