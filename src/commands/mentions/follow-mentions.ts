import { DAY_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { firstUuidAt, timeOfUuid, type Uuid } from '../../kernel/ids.ts'
import { type FoundRow, MENTION_COLUMNS, type MentionRow, readShown } from '../../queries/mentions/mention-rows.ts'
import { type Mention, mentionFromRow } from '../../queries/mentions/mention-shape.ts'
import { asksBeginnings, goingThrough, type ResolvedSearch } from '../../queries/mentions/search.ts'
import { selectFound } from '../../queries/mentions/select-newest.ts'
import type { QueryContext } from '../../queries/reading.ts'
import { DatabaseUnavailable, sql } from '../../store/database.ts'
import { createAsking } from '../live/asking.ts'
import type { Follower } from '../live/follower.ts'

export type FollowedMentions = { mention: Mention } | { mention: null }

export interface MentionFollower extends Pick<QueryContext, 'db' | 'clock' | 'workspaceId'> {
  follower: Follower
  /** Asked for repeatedly, since following may last weeks; null ends following. */
  search: () => Promise<ResolvedSearch | null>
  /** Null starts now. */
  lastSeen: Uuid | null
  /** A quiet stream yields null after this time. */
  quietMs: number
  signal: AbortSignal
}

/** By the time of the match. */
const RESUMED_MS = DAY_MS
/**
 * Transactions begun before the first follower send no notifications. They end within this time, and a query finds
 * their scores.
 */
const UNNOTIFIED_MS = 10 * SECOND_MS
const BATCH = 500
/** Only ids and times stay in memory. */
const LOOKED_AT_MAX = 10_000

/**
 * Yields each mention once, as it is scored. Notifications bring new mentions; queries by scoring time bring earlier
 * and missed ones. Waits out short outages of the database.
 */
export async function* followMentions(following: MentionFollower): AsyncIterable<FollowedMentions> {
  const { clock, follower, signal, lastSeen, quietMs } = following
  const begunAt = clock.now()
  const wanted = createAsking({
    ...{ clock, follower, signal },
    ask: following.search,
    // Prefixes are resolved anew, since a mention may add a word.
    lasts: (search) => !asksBeginnings(search),
  })
  const seen = new Seen(lastSeen === null ? begunAt : await placeOf(following, lastSeen), lastSeen)
  // The second query repeats from the start. Without `lastSeen`, nothing before the start is wanted.
  const queryFrom = (last: Date) =>
    lastSeen === null && plus(last, -UNNOTIFIED_MS) < begunAt ? begunAt : plus(last, -UNNOTIFIED_MS)
  let from = queryFrom(seen.last)
  let yieldedAt = begunAt
  let queryAgainAt = plus(begunAt, UNNOTIFIED_MS).getTime()
  let mustQuery = lastSeen !== null
  while ((await wanted()) !== null) {
    const news = follower.take()
    try {
      for await (const item of mustQuery || news.missed
        ? missed(following, wanted, seen, from)
        : named(following, wanted, seen, news.idsOf('mention.scored'))) {
        yield item
        yieldedAt = clock.now()
      }
      mustQuery = false
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      mustQuery = true
      await clock.wait(SECOND_MS, signal)
      continue
    }
    if (clock.now().getTime() - yieldedAt.getTime() >= quietMs) {
      yield { mention: null }
      yieldedAt = clock.now()
    }
    await follower.wait(
      Math.max(0, Math.min(yieldedAt.getTime() + quietMs, queryAgainAt) - clock.now().getTime()),
      signal,
    )
    from = queryFrom(seen.last)
    if (clock.now().getTime() < queryAgainAt) continue
    mustQuery = true
    queryAgainAt = Number.POSITIVE_INFINITY
    if (begunAt < seen.last) from = queryFrom(begunAt)
  }
}

type Wanted = () => Promise<ResolvedSearch | null>

/** Mentions already yielded that may come again. */
class Seen {
  last: Date
  private readonly ids = new Map<Uuid, Date>()

  constructor(last: Date, id: Uuid | null) {
    this.last = last
    if (id !== null) this.ids.set(id, last)
  }

  /** Forgets entries too old to come again. */
  isNew(id: Uuid, scoredAt: Date): boolean {
    if (this.ids.has(id)) return false
    this.ids.set(id, scoredAt)
    if (scoredAt > this.last) this.last = scoredAt
    for (const [old, at] of this.ids) {
      if (at >= plus(this.last, -2 * UNNOTIFIED_MS)) break
      this.ids.delete(old)
    }
    return true
  }
}

/** For a deleted mention its creation, which is earlier and so misses nothing. */
async function placeOf({ db, workspaceId }: MentionFollower, id: Uuid): Promise<Date> {
  const [row] = await db.query<{ scored_at: Date | null }>(
    sql`select scored_at from mention where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return row?.scored_at ?? timeOfUuid(id)
}

async function* named(
  following: MentionFollower,
  wanted: Wanted,
  seen: Seen,
  ids: readonly Uuid[],
): AsyncIterable<FollowedMentions> {
  for (let from = 0; from < ids.length; from += BATCH) {
    const search = await wanted()
    if (search === null) return
    yield* unseen(following, await read(following, search, ids.slice(from, from + BATCH)), seen)
  }
}

/** Transactions do not commit in order, so `from` lies a little before the last one. */
async function* missed(
  following: MentionFollower,
  wanted: Wanted,
  seen: Seen,
  from: Date,
): AsyncIterable<FollowedMentions> {
  for (let after: ScoredRow | null = null; ; ) {
    const search = await wanted()
    if (search === null) return
    // Only positions stay in memory: each query covers a whole day.
    const found: ScoredRow[] = await queryScored(following, search, from, after)
    yield* named(
      following,
      wanted,
      seen,
      found.map((row) => row.id),
    )
    if (found.length < LOOKED_AT_MAX) return
    after = found.at(-1)!
  }
}

interface ScoredRow {
  id: Uuid
  scored_at: Date
}

async function queryScored(
  { db, workspaceId, clock }: MentionFollower,
  search: ResolvedSearch,
  from: Date,
  after: ScoredRow | null,
): Promise<ScoredRow[]> {
  const oldest = firstUuidAt(plus(clock.now(), -RESUMED_MS))
  const behind =
    after === null ? sql`m.scored_at >= ${from}` : sql`(m.scored_at, m.id) > (${after.scored_at}, ${after.id})`
  return db.query<ScoredRow>(
    sql`${selectFound(
      sql`m.id,
        m.scored_at`,
      workspaceId,
      search,
      clock.now(),
    )} and m.id >= ${oldest} and ${behind}
        order by m.scored_at, m.id limit ${LOOKED_AT_MAX}`,
  )
}

async function* unseen(
  { clock }: MentionFollower,
  rows: readonly MentionRow[],
  seen: Seen,
): AsyncIterable<FollowedMentions> {
  for (const row of rows)
    if (seen.isNew(row.own.id, row.own.scored_at!)) yield { mention: mentionFromRow(row, clock.now()) }
}

async function read(
  { db, workspaceId, clock }: MentionFollower,
  search: ResolvedSearch,
  ids: readonly Uuid[],
): Promise<MentionRow[]> {
  const found = await db.query<FoundRow>(
    sql`${selectFound(
      MENTION_COLUMNS,
      workspaceId,
      goingThrough(search, () => true),
      clock.now(),
    )} and m.id = any(${ids}::uuid[]) and m.scored_at is not null`,
  )
  const rows = await readShown(db, found)
  return rows.sort(
    ({ own: a }, { own: b }) => a.scored_at!.getTime() - b.scored_at!.getTime() || (a.id < b.id ? -1 : 1),
  )
}
