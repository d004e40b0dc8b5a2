import { isWholeFeed, type KeywordQuery } from '../../domain/keyword/queries.ts'
import { type Platform, platformFromNumber, platformNumber, REVIEW_PLATFORMS } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, sql, type Transaction, violatesForeignKey } from '../database.ts'

/** Notified when something is to be asked for at once. */
export const QUERY_CHANNEL = 'earshot_query'

/** A time before every other: what is due then comes before everything that only comes round again. */
const AT_ONCE = new Date(0)

const REVIEWED = REVIEW_PLATFORMS.map(platformNumber).join(', ')

export interface QueryChange {
  workspaceId: Uuid
  keywordId: Uuid
  /** All that the keyword asks platforms for by now. */
  queries: readonly KeywordQuery[]
  /** Which of those that it did not ask for before look back. */
  looksBack: (query: KeywordQuery) => boolean
  at: Date
}

/**
 * Makes a keyword ask for exactly these things. What it did not ask for before is polled at once; what nobody asks for
 * any more is dropped when its turn comes. Locks the queries, after the counter and the keyword.
 */
export async function setQueries(
  tx: Transaction,
  { workspaceId, keywordId, queries, looksBack, at }: QueryChange,
): Promise<void> {
  const known = await tx.query<{ platform: number; key: string }>(sql`
    select platform, key from keyword_query where workspace_id = ${workspaceId} and keyword_id = ${keywordId}`)
  const named = (platform: number, key: string) => `${platform} ${key}`
  const before = new Set(known.map(({ platform, key }) => named(platform, key)))
  const wanted = new Map(queries.map((query) => [named(platformNumber(query.platform), query.key), query]))
  const gone = known.filter(({ platform, key }) => !wanted.has(named(platform, key)))
  if (gone.length > 0)
    await tx.query(sql`
      delete from keyword_query q using unnest(${gone.map((one) => one.platform)}::smallint[],
        ${gone.map((one) => one.key)}::text[]) as t (platform, key)
      where q.workspace_id = ${workspaceId} and q.keyword_id = ${keywordId} and q.platform = t.platform
        and q.key = t.key`)
  // A feed is asked for nothing but what was there before.
  const joined = [...wanted]
    .filter(([name, query]) => !before.has(name) && (looksBack(query) || !isWholeFeed(query.platform)))
    .map(([, query]) => query)
  await joinQueries(
    tx,
    workspaceId,
    joined.map((query) => ({ keywordId, query, lookBack: looksBack(query), since: at })),
  )
}

/** What a keyword begins to ask for. */
interface Joining {
  keywordId: Uuid
  query: KeywordQuery
  lookBack: boolean
  since: Date
}

/**
 * Lets keywords ask for things that they did not ask for before; all of them are locked in one order, whoever else
 * joins them.
 */
export async function joinQueries(tx: Transaction, workspaceId: Uuid, joining: readonly Joining[]): Promise<void> {
  if (joining.length === 0) return
  const platforms = joining.map(({ query }) => platformNumber(query.platform))
  const keys = joining.map(({ query }) => query.key)
  const lookBacks = joining.map(({ lookBack }) => lookBack)
  // The update locks the row, so that nobody drops it as unwanted before this transaction is over.
  await tx.query(sql`
    insert into source_query as q (platform, key, term, due_at, look_back)
    select platform, key, min(term), ${AT_ONCE}, bool_or(look_back)
    from unnest(${platforms}::smallint[], ${keys}::text[], ${joining.map(({ query }) => query.term)}::text[],
      ${lookBacks}::boolean[]) as t (platform, key, term, look_back)
    group by platform, key
    order by platform, key
    on conflict (platform, key) do update set look_back = q.look_back or excluded.look_back, empty_polls = 0,
      due_at = case when q.look_back or excluded.look_back then excluded.due_at else coalesce(q.turn_at,
        excluded.due_at) end`)
  await tx.query(sql`
    insert into keyword_query (workspace_id, keyword_id, platform, key, since, look_back)
    select ${workspaceId}::uuid, keyword_id, platform, key, since, look_back
    from unnest(${joining.map(({ keywordId }) => keywordId)}::uuid[], ${platforms}::smallint[], ${keys}::text[],
      ${joining.map(({ since }) => since)}::timestamptz[], ${lookBacks}::boolean[]) as t (keyword_id, platform, key,
        since, look_back)`)
  await announceQueries(tx)
}

/**
 * Keywords that run again, or whose limit is lifted: they collect from now on, and what they ask for has its turn as if
 * every poll had brought something.
 */
export async function resumeQueries(
  tx: Transaction,
  workspaceId: Uuid,
  keywordIds: readonly Uuid[],
  at: Date,
): Promise<void> {
  await tx.query(sql`
    with resumed as (
      update keyword_query set since = ${at} where workspace_id = ${workspaceId}
        and keyword_id = any(${keywordIds}::uuid[]) returning platform, key),
    locked as (
      select q.platform, q.key from source_query q join (select distinct platform, key
        from resumed) r on r.platform = q.platform and r.key = q.key
      order by q.platform, q.key for update of q)
    update source_query q set empty_polls = 0, due_at = case when q.look_back then ${AT_ONCE}::timestamptz
      else coalesce(q.turn_at, ${AT_ONCE}::timestamptz) end
    from locked where q.platform = locked.platform and q.key = locked.key and q.due_at is not null`)
  await announceQueries(tx)
}

async function announceQueries(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_notify(${QUERY_CHANNEL}, '')`)
}

/** Something that a platform is to be asked for. */
export interface DueQuery {
  key: string
  term: string | null
  readUntil: Date | null
  emptyPolls: number
  failures: number
  lookBack: boolean
  /** Since when the first of the keywords collects that ask for it and run; null when none does. */
  since: Date | null
}

/** Keywords that are neither muted nor at their limit. */
const RUNNING = 'not k.muted and not k.paused_for_cap'

/** What is due on a platform, longest due first; an index holds it, however many queries there are. */
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

/** When the next query of a platform is due; null when none is. */
export async function readNextDue(db: Database, platform: Platform, except: readonly string[]): Promise<Date | null> {
  const [row] = await db.run<{ due_at: Date }>(
    'next-due-query',
    'select due_at from source_query where platform = $1 and due_at is not null and key <> all($2::text[]) order ' +
      'by due_at limit 1',
    [platformNumber(platform), except],
  )
  return row?.due_at ?? null
}

/**
 * Puts off what no running keyword asks for, and drops what nobody asks for. Whoever joins or runs again holds the row
 * until the end of the transaction: what is found with the rows locked is so for everybody.
 */
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
    // Somebody has asked for one of them between the look and the removal: all stay, and come round again.
    if (!violatesForeignKey(error)) throw error
    return 0
  }
}

/** So many queries are dropped at once. */
const DROPPED_AT_ONCE = 1000

/** Drops what nobody asks for any more, on platforms too whose turn never comes; answers how many there were. */
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

/** What names the claim of a keyword on what a platform brings. */
export interface ClaimRef {
  workspaceId: Uuid
  keywordId: Uuid
  key: string
}

/** How far a keyword's claim goes. */
export interface Claim extends ClaimRef {
  since: Date
  lookBack: boolean
  /** Mentions made by looking back: on this platform, and on all search platforms. */
  lookedBack: number
  lookedBackInAll: number
}

/** The claims of these keywords on a platform. */
export async function readClaims(
  tx: Reader,
  platform: Platform,
  keywords: readonly { workspaceId: Uuid; keywordId: Uuid }[],
): Promise<Claim[]> {
  const rows = await tx.run<ClaimRow>(
    'query-claims',
    `${CLAIMS} from unnest($2::uuid[], $3::uuid[]) as t (workspace_id, keyword_id)
     join keyword_query w on w.workspace_id = t.workspace_id and w.keyword_id = t.keyword_id and w.platform = $1`,
    [platformNumber(platform), keywords.map((one) => one.workspaceId), keywords.map((one) => one.keywordId)],
  )
  return rows.map(claimFromRow)
}

/** The claims on one page of the keywords that are not muted. */
export async function readPageClaims(tx: Reader, platform: Platform, key: string): Promise<Claim[]> {
  const rows = await tx.run<ClaimRow>(
    'page-claims',
    `${CLAIMS} from keyword_query w join keyword k on k.workspace_id = w.workspace_id and k.id = w.keyword_id
        where w.platform = $1 and w.key = $2 and ${RUNNING}`,
    [platformNumber(platform), key],
  )
  return rows.map(claimFromRow)
}

interface ClaimRow {
  workspace_id: Uuid
  keyword_id: Uuid
  key: string
  since: Date
  look_back: boolean
  looked_back: number
  in_all: number
}

/** The running keywords whose looking back these queries have to do, at this moment. */
export async function readOpenLookBacks(
  reader: Reader,
  platform: Platform,
  keys: readonly string[],
): Promise<ClaimRef[]> {
  const rows = await reader.run<{ workspace_id: Uuid; keyword_id: Uuid; key: string }>(
    'open-look-backs',
    `select w.workspace_id, w.keyword_id, w.key from keyword_query w join keyword k on k.workspace_id = w.workspace_id
        and k.id = w.keyword_id
     where w.platform = $1 and w.key = any($2::text[]) and w.look_back and ${RUNNING}`,
    [platformNumber(platform), keys],
  )
  return rows.map((row) => ({ workspaceId: row.workspace_id, keywordId: row.keyword_id, key: row.key }))
}

/** Looking back on review pages has no limit in number. */
const CLAIMS = `select w.workspace_id, w.keyword_id, w.key, w.since, w.look_back, w.looked_back,
  (select coalesce(sum(o.looked_back), 0)::int from keyword_query o where o.workspace_id = w.workspace_id
    and o.keyword_id = w.keyword_id and o.platform not in (${REVIEWED})) as in_all`

function claimFromRow(row: ClaimRow): Claim {
  return {
    workspaceId: row.workspace_id,
    keywordId: row.keyword_id,
    key: row.key,
    since: row.since,
    lookBack: row.look_back,
    lookedBack: row.looked_back,
    lookedBackInAll: row.in_all,
  }
}

/**
 * Counts mentions that looking back has made. The counters of the keywords are locked already, so nobody else counts
 * meanwhile.
 */
export async function countLookedBack(
  tx: Transaction,
  platform: Platform,
  counts: readonly { workspaceId: Uuid; keywordId: Uuid; key: string; made: number }[],
): Promise<void> {
  await tx.run(
    'count-looked-back',
    `update keyword_query w set looked_back = w.looked_back + t.made
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::int[]) as t (workspace_id, keyword_id, key, made)
     where w.workspace_id = t.workspace_id and w.keyword_id = t.keyword_id and w.platform = $1 and w.key = t.key`,
    [
      platformNumber(platform),
      counts.map((one) => one.workspaceId),
      counts.map((one) => one.keywordId),
      counts.map((one) => one.key),
      counts.map((one) => one.made),
    ],
  )
}

/** What became of a query that was asked. */
export interface Polled {
  key: string
  /**
   * Up to where the platform has been read by now; null when there was more than was read, and it has to be asked
   * again.
   */
  readUntil: Date | null
  /** Whether it brought something new. */
  found: boolean
  /** Null when it is not asked again by itself. */
  dueAt: Date | null
  /** When its turn would be after a find. */
  turnAt: Date | null
}

/** After somebody has joined during a poll the next one comes this much later. */
const JOINED_LATER = "interval '1 second'"

/**
 * Notes that queries were asked and when they are due again. `lookedBack` are the claims for which looking back is
 * over; where one is open still, because its keyword joined meanwhile, the query is due again right away.
 */
export async function notePolled(
  tx: Transaction,
  platform: Platform,
  { polled, lookedBack, at }: { polled: readonly Polled[]; lookedBack: readonly ClaimRef[]; at: Date },
): Promise<void> {
  const number = platformNumber(platform)
  const keys = polled.map(({ key }) => key)
  // With the rows locked nobody joins, and the statements that follow see everybody who has.
  await lockQueries(tx, number, keys)
  if (lookedBack.length > 0)
    await tx.run(
      'close-look-backs',
      `update keyword_query w set look_back = false from unnest($2::uuid[], $3::uuid[], $4::text[]) as t (workspace_id,
          keyword_id, key)
       where w.workspace_id = t.workspace_id and w.keyword_id = t.keyword_id and w.platform = $1 and w.key = t.key`,
      [
        number,
        lookedBack.map((one) => one.workspaceId),
        lookedBack.map((one) => one.keywordId),
        lookedBack.map((one) => one.key),
      ],
    )
  await tx.run(
    'note-polled',
    `update source_query q set last_polled_at = $2, read_until = greatest(q.read_until, t.read_until),
        turn_at = t.turn_at, last_error = null,
       empty_polls = case when t.found then 0 else q.empty_polls + 1 end, failures = case when t.read_until is null then
         q.failures + 1 else 0 end,
       look_back = w.open, due_at = case when w.open or t.read_until is null then $2::timestamptz + ${JOINED_LATER}
         else t.due_at end
     from unnest($3::text[], $4::timestamptz[], $5::boolean[], $6::timestamptz[], $7::timestamptz[]) as t (key,
       read_until, found, due_at, turn_at)
     cross join lateral (select exists (select from keyword_query o join keyword k on k.workspace_id = o.workspace_id
       and k.id = o.keyword_id
       where o.platform = $1 and o.key = t.key and o.look_back and ${RUNNING}) as open) w
     where q.platform = $1 and q.key = t.key`,
    [
      number,
      at,
      keys,
      polled.map(({ readUntil }) => readUntil),
      polled.map(({ found }) => found),
      polled.map(({ dueAt }) => dueAt),
      polled.map(({ turnAt }) => turnAt),
    ],
  )
}

/**
 * Notes that queries could not be asked, and when they are tried again. With more failures a query is asked with fewer
 * others.
 */
export async function noteUnpolled(
  tx: Transaction,
  platform: Platform,
  { keys, error, dueAt, failures }: { keys: readonly string[]; error: string; dueAt: Date; failures: number },
): Promise<void> {
  await tx.run(
    'note-unpolled',
    'update source_query set failures = least(failures + $5, 100), last_error = $3, due_at = $4 where platform = ' +
      '$1 and key = any($2::text[])',
    [platformNumber(platform), keys, error, dueAt, failures],
  )
}

/** The mentions that these keywords have of these posts already. */
export async function readKnownPairs(
  reader: Reader,
  pairs: readonly { workspaceId: Uuid; keywordId: Uuid; postId: Uuid }[],
): Promise<Set<string>> {
  const rows = await reader.run<{ keyword_id: Uuid; post_id: Uuid }>(
    'known-pairs',
    `select t.keyword_id, t.post_id from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as t (workspace_id, keyword_id,
        post_id)
     cross join lateral (select from mention m where m.workspace_id = t.workspace_id and m.keyword_id = t.keyword_id
       and m.post_id = t.post_id offset 0) m`,
    [pairs.map((one) => one.workspaceId), pairs.map((one) => one.keywordId), pairs.map((one) => one.postId)],
  )
  return new Set(rows.map((row) => `${row.keyword_id} ${row.post_id}`))
}

/**
 * When a keyword was last asked for on a platform, the newest where it is several pages, and how many polls in a row
 * brought nothing.
 */
export interface KeywordPolling {
  platform: Platform
  /** In the form of `toISOString`, which compares like the time. */
  lastPolledAt: string
  emptyPolls: number
}

/**
 * Where keywords of a workspace have been asked for since they collect. Hundreds of keywords on a dozen platforms are
 * thousands of facts: as a text for each keyword they cost a fraction of what as many rows with times in them would.
 */
export async function readPolling(
  reader: Reader,
  workspaceId: Uuid,
  keywordIds: readonly Uuid[],
): Promise<Map<Uuid, KeywordPolling[]>> {
  const rows = await reader.query<{ keyword_id: Uuid; polls: string }>(sql`
    select keyword_id, string_agg(concat_ws(' ', platform, to_char(last_polled_at at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), empty_polls), ',') as polls
    from (
      select w.keyword_id, w.platform, max(q.last_polled_at) as last_polled_at, min(q.empty_polls) as empty_polls
      from keyword_query w join source_query q on q.platform = w.platform and q.key = w.key
      where w.workspace_id = ${workspaceId} and w.keyword_id = any(${keywordIds}::uuid[])
        and q.last_polled_at >= w.since group by w.keyword_id, w.platform) polled
    group by keyword_id`)
  return new Map(rows.map((row) => [row.keyword_id, row.polls.split(',').map(pollingFromText)]))
}

function pollingFromText(text: string): KeywordPolling {
  const [platform, lastPolledAt, emptyPolls] = text.split(' ') as [string, string, string]
  return { platform: platformFromNumber(Number(platform)), lastPolledAt, emptyPolls: Number(emptyPolls) }
}
