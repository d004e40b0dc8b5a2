import { isWholeFeed, type KeywordQuery } from '../../domain/keyword/queries.ts'
import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'

export const QUERY_CHANNEL = 'earshot_query'

/** Before every other time, so that new queries come first. */
const AT_ONCE = new Date(0)

export interface QueryChange {
  workspaceId: Uuid
  keywordId: Uuid
  queries: readonly KeywordQuery[]
  looksBack: (query: KeywordQuery) => boolean
  at: Date
}

/** Drops a query that no keyword uses when it is next due. Locks queries after counter and keyword. */
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
      delete from keyword_query q using unnest(${gone.map((item) => item.platform)}::smallint[],
        ${gone.map((item) => item.key)}::text[]) as t (platform, key)
      where q.workspace_id = ${workspaceId} and q.keyword_id = ${keywordId} and q.platform = t.platform
        and q.key = t.key`)
  // A whole feed is queried only for looking back.
  const joined = [...wanted]
    .filter(([name, query]) => !before.has(name) && (looksBack(query) || !isWholeFeed(query.platform)))
    .map(([, query]) => query)
  await joinQueries(
    tx,
    workspaceId,
    joined.map((query) => ({ keywordId, query, lookBack: looksBack(query), since: at })),
  )
}

interface Joining {
  keywordId: Uuid
  query: KeywordQuery
  lookBack: boolean
  since: Date
}

const JOINING = new GivenRows<Joining>({
  keyword_id: given.uuid(({ keywordId }) => keywordId),
  platform: given.smallint(({ query }) => platformNumber(query.platform)),
  key: given.text(({ query }) => query.key),
  term: given.text(({ query }) => query.term),
  since: given.instant(({ since }) => since),
  look_back: given.boolean(({ lookBack }) => lookBack),
})

/** Locks the queries in one order. */
export async function joinQueries(tx: Transaction, workspaceId: Uuid, joining: readonly Joining[]): Promise<void> {
  if (joining.length === 0) return
  // The update's lock prevents dropping the query as unused.
  await tx.query(sql`
    insert into source_query as q (platform, key, term, due_at, look_back)
    select platform, key, min(term), ${AT_ONCE}, bool_or(look_back)
    from ${JOINING.of(joining)}
    group by platform, key
    order by platform, key
    on conflict (platform, key) do update set look_back = q.look_back or excluded.look_back, empty_polls = 0,
      due_at = case when q.look_back or excluded.look_back then excluded.due_at else coalesce(q.turn_at,
        excluded.due_at) end`)
  await tx.query(sql`
    insert into keyword_query (workspace_id, keyword_id, platform, key, since, look_back)
    select ${workspaceId}::uuid, keyword_id, platform, key, since, look_back
    from ${JOINING.of(joining)}`)
  await announceQueries(tx)
}

/** The queries return to the interval after a find. */
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
