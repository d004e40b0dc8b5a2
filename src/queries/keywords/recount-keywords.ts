import { dayOf, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { LAST_7D_MS, noiseSince } from '../../store/counts/keyword-counts.ts'
import { type Database, type Reader, type Statement, sql } from '../../store/database.ts'

/** A stored count that disagrees with its mentions. */
export interface CountDifference {
  workspaceId: Uuid
  workspace: string
  keywordId: Uuid
  term: string
  count: CountName
  /** UTC; null for a count not stored by day. */
  day: string | null
  kept: number
  counted: number
}

/** `reported` counts are sums over days of usage; `published` and later ones are stored by day. */
export const COUNT_NAMES = [
  'mentions',
  'relevant',
  'feedback_relevant',
  'feedback_not_relevant',
  'last_mention_ms',
  'month_mentions',
  'month_billable',
  'month_units',
  'reported_matched',
  'reported_scored',
  'reported_relevant',
  'published_1',
  'published_2',
  'published_3',
  'published_4',
  'scored',
  'relevant_of_day',
  'judged_scored',
  'judged_relevant',
] as const
export type CountName = (typeof COUNT_NAMES)[number]

/** Keywords per statement. One snapshot per statement, so concurrent changes are never reported as differences. */
const PORTION = 50

/** Differences reported in detail: a bug may affect every keyword. */
const DIFFERENCES_KEPT = 200

export interface Recount {
  keywords: number
  /** By workspace and keyword. */
  differences: CountDifference[]
  /** Number of wrong counts, including those not listed. */
  off: number
}

/**
 * Recounts all stored keyword counts from mentions and the sums of expired ones, and this month's from days of usage,
 * in batches. Reads only.
 */
export async function recountKeywords(db: Database, at: Date): Promise<Recount> {
  const differences: CountDifference[] = []
  let [keywords, off] = [0, 0]
  let last: { workspace_id: Uuid; id: Uuid } | null = null
  for (;;) {
    const next: { workspace_id: Uuid; id: Uuid }[] = await db.query(sql`
      select workspace_id, id from keyword
        where ${
          last === null
            ? sql`true`
            : sql`(workspace_id,
          id) > (${last.workspace_id}, ${last.id})`
        }
          and not exists (select from workspace w where w.id = keyword.workspace_id and w.importing)
        order by workspace_id, id limit ${PORTION}`)
    if (next.length === 0) return { keywords, differences, off }
    const found = await differencesOf(db, next, at)
    differences.push(...found.slice(0, DIFFERENCES_KEPT - differences.length))
    off += found.length
    keywords += next.length
    last = next.at(-1)!
  }
}

interface DifferenceRow {
  workspace_id: Uuid
  workspace: string
  keyword_id: Uuid
  term: string
  count: CountName
  day: string | null
  kept: number
  counted: number
}

/** Milliseconds since 1970; 0 for null. */
function milliseconds(time: Statement<unknown>): Statement<unknown> {
  return sql`coalesce(extract(epoch from ${time}) * 1000, 0)::bigint`
}

async function differencesOf(
  reader: Reader,
  keywords: readonly { workspace_id: Uuid; id: Uuid }[],
  at: Date,
): Promise<CountDifference[]> {
  const since = { published: dayOf(plus(at, -LAST_7D_MS)), matched: noiseSince(at) }
  const rows = await reader.query<DifferenceRow>(sql`
    with ${pickedKeywords(keywords)}, ${mentionCells(since)}, ${EXPIRED},
    both_sides as (
      ${keptCounts()}
      union all ${keptByDay(since)}
      union all ${countedFromCells()}
      union all ${countedFromUsage()})
    select b.workspace_id, p.workspace, b.keyword_id, p.term, b.count, b.day::text as day, sum(b.kept)::bigint as kept,
      sum(b.counted)::bigint as counted
    from both_sides b join picked p on p.workspace_id = b.workspace_id and p.id = b.keyword_id
    group by b.workspace_id, p.workspace, b.keyword_id, p.term, b.count, b.day having sum(b.kept) <> sum(b.counted)
    order by b.workspace_id, b.keyword_id, b.count, b.day`)
  return rows.map(({ workspace_id, keyword_id, ...row }) => ({
    workspaceId: workspace_id,
    keywordId: keyword_id,
    ...row,
  }))
}

/** First days of the counts stored by day. */
interface Since {
  published: string
  matched: string
}

function pickedKeywords(keywords: readonly { workspace_id: Uuid; id: Uuid }[]): Statement<unknown> {
  const [workspaces, ids] = [keywords.map(({ workspace_id }) => workspace_id), keywords.map(({ id }) => id)]
  return sql`
    picked as materialized (
      select k.workspace_id, k.id, k.term, k.judged_since, w.name as workspace
      from unnest(${workspaces}::uuid[], ${ids}::uuid[]) as t (workspace_id, id)
      join keyword k on k.workspace_id = t.workspace_id and k.id = t.id join workspace w on w.id = k.workspace_id)`
}

/** Reads mentions once, grouped by what the counts distinguish; older days form one group. */
function mentionCells(since: Since): Statement<unknown> {
  return sql`
    cell as materialized (
      select p.workspace_id, p.id, m.*
      from picked p cross join lateral (
        select case when published_at >= (${since.published}::date::timestamp at time zone 'UTC') then (published_at at
          time zone 'UTC')::date end as published,
          extract(hour from published_at at time zone 'UTC')::int / 6 + 1 as quarter,
          case when created_at >= (${since.matched}::date::timestamp at time zone 'UTC') then (created_at at time zone
            'UTC')::date end as matched, created_at >= p.judged_since as judged,
          count(*) as mentions, max(published_at) as latest, count(relevance) as scored,
            count(*) filter (where relevance >= 40) as relevant,
          count(*) filter (where scored_at is not null and not failed) as reported_scored,
          count(*) filter (where scored_at is not null and not failed and relevance >= 40) as reported_relevant,
          count(*) filter (where feedback_relevant) as feedback_relevant, count(*) filter (where not
            feedback_relevant) as feedback_not_relevant
        from mention where workspace_id = p.workspace_id and keyword_id = p.id group by 1, 2, 3, 4) m)`
}

/** What retention removed, which counts still contain. */
const EXPIRED = sql`
    expired as materialized (
      select e.* from picked p join keyword_expired e on e.workspace_id = p.workspace_id and e.keyword_id = p.id)`

/** Stored counts per keyword. */
function keptCounts(): Statement<unknown> {
  return sql`
      select c.workspace_id, c.keyword_id, v.count, null::date as day, v.n as kept, 0 as counted
      from picked p join keyword_counter c on c.workspace_id = p.workspace_id and c.keyword_id = p.id
      cross join lateral (values ('mentions', c.mentions), ('relevant', c.relevant), ('feedback_relevant',
        c.feedback_relevant), ('feedback_not_relevant', c.feedback_not_relevant),
        ('month_mentions', c.month_mentions), ('month_billable', c.month_billable), ('month_units', c.month_units),
        ('last_mention_ms', ${milliseconds(sql`c.last_mention_at`)})) v (count, n)
      union all
      select p.workspace_id, p.id, v.count, null, v.n, 0
      from picked p join usage_day u on u.workspace_id = p.workspace_id and u.keyword_id = p.id
      cross join lateral (values ('reported_matched', u.matched - u.gone_matched), ('reported_scored',
        u.scored - u.gone_scored),
        ('reported_relevant', u.relevant - u.gone_relevant)) v (count, n)`
}

/** Stored counts per day. */
function keptByDay(since: Since): Statement<unknown> {
  return sql`
      select r.workspace_id, r.keyword_id, v.count, r.day, v.n, 0
      from picked p join keyword_recent r on r.workspace_id = p.workspace_id and r.keyword_id = p.id
      cross join lateral (values
        ('published_1', r.published_1, ${since.published}::date),
        ('published_2', r.published_2, ${since.published}::date),
        ('published_3', r.published_3, ${since.published}::date),
        ('published_4', r.published_4, ${since.published}::date),
        ('scored', r.scored, ${since.matched}::date),
        ('relevant_of_day', r.relevant, ${since.matched}::date),
        ('judged_scored', r.judged_scored, ${since.matched}::date),
        ('judged_relevant', r.judged_relevant, ${since.matched}::date)) v (count, n, since)
      where r.day >= v.since`
}

function countedFromCells(): Statement<unknown> {
  return sql`
      select c.workspace_id, c.id, v.count, null, 0, v.n
      from cell c cross join lateral (values ('mentions', c.mentions), ('relevant', c.relevant), ('feedback_relevant',
        c.feedback_relevant), ('feedback_not_relevant', c.feedback_not_relevant),
        ('reported_matched', c.mentions), ('reported_scored', c.reported_scored), ('reported_relevant',
          c.reported_relevant)) v (count, n)
      union all
      select l.workspace_id, l.id, 'last_mention_ms', null, 0, ${milliseconds(sql`max(l.latest)`)}
      from (select workspace_id, id, latest from cell
        union all select workspace_id, keyword_id, last_mention_at from expired) l
      group by l.workspace_id, l.id
      union all
      select e.workspace_id, e.keyword_id, v.count, null, 0, v.n
      from expired e cross join lateral (values ('mentions', e.mentions), ('relevant', e.relevant),
        ('feedback_relevant', e.feedback_relevant), ('feedback_not_relevant', e.feedback_not_relevant),
        ('reported_matched', e.mentions), ('reported_scored', e.scored),
        ('reported_relevant', e.scored_relevant)) v (count, n)
      union all
      select c.workspace_id, c.id, 'published_' || c.quarter, c.published, 0, c.mentions from cell c
        where c.published is not null
      union all
      select c.workspace_id, c.id, v.count, c.matched, 0, v.n
      from cell c cross join lateral (values ('scored', c.scored), ('relevant_of_day', c.relevant), ('judged_scored',
        c.scored * c.judged::int),
        ('judged_relevant', c.relevant * c.judged::int)) v (count, n)
      where c.matched is not null`
}

function countedFromUsage(): Statement<unknown> {
  return sql`
      select p.workspace_id, p.id, 'month_mentions', null, 0, u.matched
      from picked p join keyword_counter c on c.workspace_id = p.workspace_id and c.keyword_id = p.id
      join usage_day u on u.workspace_id = p.workspace_id and u.keyword_id = p.id and u.day >= c.month
        and u.day < c.month + interval '1 month'
      union all
      select p.workspace_id, p.id, v.count, null, 0, v.n
      from picked p join keyword_counter c on c.workspace_id = p.workspace_id and c.keyword_id = p.id
      join usage_day u on u.workspace_id = p.workspace_id and u.keyword_id = p.id and u.day >= c.cost_month
        and u.day < c.cost_month + interval '1 month'
      cross join lateral (values ('month_billable', u.billable), ('month_units', u.mention_units)) v (count, n)`
}
