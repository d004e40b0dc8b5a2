import { type Platform, platformNumber } from '../../domain/platform/platforms.ts'
import { type Database, sql, type Transaction, violatesForeignKey } from '../database.ts'
import { GivenRows, GivenValues, given } from '../given-rows.ts'
import { type ClaimRef, RUNNING } from './query-claims.ts'

export interface DueQuery {
  key: string
  term: string | null
  readUntil: Date | null
  emptyPolls: number
  failures: number
  lookBack: boolean
  /** When the first running keyword of the query began to collect. */
  since: Date | null
}

/** Longest due first, by an index. */
export async function readDueQueries(
  db: Database,
  { platform, at, except, limit }: { platform: Platform; at: Date; except: readonly string[]; limit: number },
): Promise<DueQuery[]> {
  const rows = await db.run<{
    key: string
    term: string | null
    read_until: Date | null
    empty_polls: number
    failures: number
    look_back: boolean
    since: Date | null
  }>(
    'due-queries',
    `select q.key, q.term, q.read_until, q.empty_polls, q.failures, q.look_back,
       (select min(w.since) from keyword_query w join keyword k on k.workspace_id = w.workspace_id
         and k.id = w.keyword_id
         where w.platform = q.platform and w.key = q.key and ${RUNNING}) as since
     from source_query q where q.platform = $1 and q.due_at <= $2 and q.key <> all($3::text[]) order by q.due_at
       limit $4`,
    [platformNumber(platform), at, except, limit],
  )
  return rows.map((row) => ({
    key: row.key,
    term: row.term,
    readUntil: row.read_until,
    emptyPolls: row.empty_polls,
    failures: row.failures,
    lookBack: row.look_back,
    since: row.since,
  }))
}

export async function readNextDue(db: Database, platform: Platform, except: readonly string[]): Promise<Date | null> {
  const [row] = await db.run<{ due_at: Date }>(
    'next-due-query',
    'select due_at from source_query where platform = $1 and due_at is not null and key <> all($2::text[]) order ' +
      'by due_at limit 1',
    [platformNumber(platform), except],
  )
  return row?.due_at ?? null
}

/** Joining and resuming lock these rows until their transaction ends, so the check under locks is valid. */
export async function setAside(db: Database, platform: Platform, keys: readonly string[], until: Date): Promise<void> {
  const number = platformNumber(platform)
  await db.transaction(async (tx) => {
    await lockQueries(tx, number, keys)
    await tx.run(
      'set-queries-aside',
      `update source_query q set due_at = $3 where q.platform = $1 and q.key = any($2::text[])
         and not exists (select from keyword_query w join keyword k on k.workspace_id = w.workspace_id
           and k.id = w.keyword_id
           where w.platform = q.platform and w.key = q.key and ${RUNNING})`,
      [number, keys, until],
    )
  })
  await dropUnasked(db, number, keys)
}

async function lockQueries(tx: Transaction, platform: number, keys: readonly string[]): Promise<void> {
  await tx.run(
    'lock-queries',
    'select from source_query where platform = $1 and key = any($2::text[]) order by key for update',
    [platform, keys],
  )
}

async function dropUnasked(db: Database, platform: number, keys: readonly string[]): Promise<number> {
  try {
    const rows = await db.run(
      'drop-queries',
      `delete from source_query q where q.platform = $1 and q.key = any($2::text[])
         and not exists (select from keyword_query w where w.platform = q.platform and w.key = q.key) returning 1`,
      [platform, keys],
    )
    return rows.length
  } catch (error) {
    // A keyword joined after the check: all stay and are due again later.
    if (!violatesForeignKey(error)) throw error
    return 0
  }
}

const DROPPED_AT_ONCE = 1000

/** Also on platforms that are never polled. */
export async function pruneQueries(db: Database): Promise<number> {
  let sum = 0
  for (const { platform, keys } of await db.query<{ platform: number; keys: string[] }>(sql`
    select platform, array_agg(key) as keys from (
      select platform, key from source_query q where not exists (select from keyword_query w
        where w.platform = q.platform and w.key = q.key) limit ${DROPPED_AT_ONCE}) unasked
    group by platform order by platform`))
    sum += await dropUnasked(db, platform, keys)
  return sum
}

export interface Polled {
  key: string
  /** Null when more was left and the query must be repeated. */
  readUntil: Date | null
  found: boolean
  dueAt: Date | null
  /** After a find. */
  turnAt: Date | null
}

/** When a keyword joined during the poll. */
const JOINED_LATER = "interval '1 second'"

const POLLED = new GivenRows<Polled>({
  key: given.text(({ key }) => key),
  read_until: given.instant(({ readUntil }) => readUntil),
  found: given.boolean(({ found }) => found),
  due_at: given.instant(({ dueAt }) => dueAt),
  turn_at: given.instant(({ turnAt }) => turnAt),
})
const ASKED = new GivenValues(['platform', 'at'], POLLED.after)

/** `lookedBack` are finished look-backs; with another open one the query is due again at once. */
export async function notePolled(
  tx: Transaction,
  platform: Platform,
  { polled, lookedBack, at }: { polled: readonly Polled[]; lookedBack: readonly ClaimRef[]; at: Date },
): Promise<void> {
  const number = platformNumber(platform)
  const keys = polled.map(({ key }) => key)
  // Nobody joins under these locks, and the next statements see all who have.
  await lockQueries(tx, number, keys)
  if (lookedBack.length > 0)
    await tx.run(
      'close-look-backs',
      `update keyword_query w set look_back = false from unnest($2::uuid[], $3::uuid[], $4::text[]) as t (workspace_id,
          keyword_id, key)
       where w.workspace_id = t.workspace_id and w.keyword_id = t.keyword_id and w.platform = $1 and w.key = t.key`,
      [
        number,
        lookedBack.map((claimRef) => claimRef.workspaceId),
        lookedBack.map((claimRef) => claimRef.keywordId),
        lookedBack.map((claimRef) => claimRef.key),
      ],
    )
  await tx.run(
    'note-polled',
    `update source_query q set last_polled_at = ${ASKED.the.at}, read_until = greatest(q.read_until, t.read_until),
        turn_at = t.turn_at, last_error = null,
       empty_polls = case when t.found then 0 else q.empty_polls + 1 end, failures = case when t.read_until is null then
         q.failures + 1 else 0 end,
       look_back = w.open,
       due_at = case when w.open or t.read_until is null then ${ASKED.the.at}::timestamptz + ${JOINED_LATER}
         else t.due_at end
     from ${POLLED.unnested}
     cross join lateral (select exists (select from keyword_query o join keyword k on k.workspace_id = o.workspace_id
       and k.id = o.keyword_id
       where o.platform = ${ASKED.the.platform} and o.key = t.key and o.look_back and ${RUNNING}) as open) w
     where q.platform = ${ASKED.the.platform} and q.key = t.key`,
    [...POLLED.values(polled), ...ASKED.values({ platform: number, at })],
  )
}

const UNPOLLED = new GivenValues(['platform', 'keys', 'error', 'dueAt', 'failures'])

/** A failing query shares requests with fewer others. */
export async function noteUnpolled(
  tx: Transaction,
  platform: Platform,
  { keys, error, dueAt, failures }: { keys: readonly string[]; error: string; dueAt: Date; failures: number },
): Promise<void> {
  await tx.run(
    'note-unpolled',
    `update source_query set failures = least(failures + ${UNPOLLED.the.failures}, 100),
        last_error = ${UNPOLLED.the.error}, due_at = ${UNPOLLED.the.dueAt}
     where platform = ${UNPOLLED.the.platform} and key = any(${UNPOLLED.the.keys}::text[])`,
    UNPOLLED.values({ platform: platformNumber(platform), keys, error, dueAt, failures }),
  )
}
