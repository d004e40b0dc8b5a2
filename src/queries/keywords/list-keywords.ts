import { SETTLING_MS } from '../../domain/keyword/health.ts'
import { type KeywordHealth, type KeywordKind, type KeywordStatus, NOISE_RULE } from '../../domain/keyword/keyword.ts'
import { isSearchPlatform, type Platform } from '../../domain/platform/platforms.ts'
import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { foldTerm } from '../../matching/index.ts'
import { recentOf } from '../../store/counts/keyword-counts.ts'
import { type Reader, type Statement, sql } from '../../store/database.ts'
import { readTogether } from '../read-together.ts'
import type { QueryContext } from '../reading.ts'
import {
  KEYWORD_SELECT,
  type KeywordView,
  type KeywordViewRow,
  type RecentByKeyword,
  readRecent,
  showKeywords,
} from './keyword-shape.ts'

export const KEYWORD_SORTS = ['newest', 'oldest', 'term', 'mentions', 'relevant', 'recent', 'lastMention'] as const
export type KeywordSort = (typeof KEYWORD_SORTS)[number]

export interface KeywordSearch {
  q: string | null
  /** The whole term; any form equal to the matcher. */
  term: string | null
  groupExternalId: string | null
  healths: readonly KeywordHealth[] | null
  groupIds: readonly Uuid[] | null
  kinds: readonly KeywordKind[] | null
  statuses: readonly KeywordStatus[] | null
  platforms: readonly Platform[] | null
  sort: KeywordSort
  /** Null means all. */
  limit: number | null
  offset: number
}

/** `total` is counted before paging. */
export async function listKeywords(
  reading: QueryContext,
  search: KeywordSearch,
): Promise<{ data: KeywordView[]; total: number }> {
  const { db, workspaceId, clock, billing } = reading
  const at = clock.now()
  const condition = sql.join(
    [sql`k.workspace_id = ${workspaceId}`, ...conditionsOf(search, workspaceId, at)],
    sql` and `,
  )
  const [total, { rows, recent }] = await readTogether(db, [
    () => countKeywords(db, condition),
    () => readPage(reading, condition, search, at),
  ])
  return { data: await showKeywords(db, workspaceId, rows, { at, metered: billing === 'metered', recent }), total }
}

async function countKeywords(db: Reader, condition: Statement<unknown>): Promise<number> {
  const [counted] = await db.query<{ total: number }>(sql`select count(*) as total from keyword k where ${condition}`)
  return counted!.total
}

interface Page {
  rows: KeywordViewRow[]
  /** Null unless the sort needs them. */
  recent: RecentByKeyword | null
}

async function readPage(
  { db, workspaceId }: QueryContext,
  condition: Statement<unknown>,
  { sort, limit, offset }: KeywordSearch,
  at: Date,
): Promise<Page> {
  // Read once, so that the order agrees with the shown counts.
  const recent = sort === 'recent' ? await readRecent(db, workspaceId, at, null) : null
  const brought = [...(recent?.values() ?? [])]
  const ranked = recent
    ? sql`left join unnest(${brought.map((recent) => recent.keyword_id)}::uuid[],
        ${brought.map((recent) => recent.last7d)}::bigint[]) as recent (keyword_id, last7d) on recent.keyword_id = k.id`
    : sql``
  const rows = await db.query<KeywordViewRow>(
    sql`${KEYWORD_SELECT} ${ranked} where ${condition} order by ${ORDERS[sort]} limit ${limit} offset ${offset}`,
  )
  return { rows, recent }
}

function conditionsOf(
  { q, term, groupIds, groupExternalId, healths, kinds, statuses, platforms }: KeywordSearch,
  workspaceId: Uuid,
  at: Date,
): Statement<unknown>[] {
  const conditions: Statement<unknown>[] = []
  if (term !== null) conditions.push(sql`k.term_folded = ${foldTerm(term)}`)
  if (groupExternalId !== null)
    conditions.push(
      sql`k.group_id = (select id from keyword_group where workspace_id = ${workspaceId}
          and external_id = ${groupExternalId})`,
    )
  if (healths) conditions.push(healthCondition(healths, workspaceId, at))
  if (q !== null) conditions.push(textCondition(q))
  if (groupIds) conditions.push(sql`k.group_id = any(${groupIds}::uuid[])`)
  if (kinds) conditions.push(sql`k.kind = any(${kinds}::text[])`)
  if (statuses)
    conditions.push(
      sql`(${sql.join(
        statuses.map((status) => STATUS_CONDITIONS[status]),
        sql` or `,
      )})`,
    )
  if (platforms) conditions.push(sql`(${sql.join(platforms.map(runsOnCondition), sql` or `)})`)
  return conditions
}

/** Terms compare folded; a text without visible characters folds to nothing. */
function textCondition(q: string): Statement<unknown> {
  const folded = foldTerm(q)
  const inTerm = folded === '' ? sql`false` : sql`strpos(k.term_folded, ${folded}) > 0`
  return sql`(${inTerm} or strpos(lower(coalesce(k.context, '')), lower(${q})) > 0)`
}

/** `statusOf` in SQL; a test compares both. */
const STATUS_CONDITIONS: Readonly<Record<KeywordStatus, Statement<unknown>>> = {
  active: sql`(not k.muted and not k.paused_for_cap)`,
  capped: sql`(not k.muted and k.paused_for_cap)`,
  paused: sql`(k.muted and (k.paused_for_balance or k.paused_for_noise))`,
  muted: sql`(k.muted and not k.paused_for_balance and not k.paused_for_noise)`,
}

/** `healthOf` in SQL; a test compares both. Recent counts are summed once for all keywords. */
function healthCondition(healths: readonly KeywordHealth[], workspaceId: Uuid, at: Date): Statement<unknown> {
  const settled = plus(at, -SETTLING_MS)
  const { scoredAtLeast, relevantShareBelow } = NOISE_RULE
  return sql`k.id in (
    select judged.id from (
      select j.id, case
        when j.muted then 'paused'
        when j.paused_for_cap then 'capped'
        when r.judged_scored >= ${scoredAtLeast} and r.judged_relevant < ${relevantShareBelow}::float8 * r.judged_scored
          then 'noisy'
        when j.created_at > ${settled} or (j.judged_since > ${settled} and coalesce(r.judged_scored,
          0) < ${scoredAtLeast}) then 'new'
        when coalesce(r.judged_relevant, 0) = 0 then 'quiet'
        else 'healthy' end as health
      from keyword j left join (${recentOf(workspaceId, at, null)}) r on r.keyword_id = j.id
        where j.workspace_id = ${workspaceId}) judged
    where judged.health = any(${healths}::text[]))`
}

function runsOnCondition(platform: Platform): Statement<unknown> {
  const reviewed = sql`k.review_sources @> ${JSON.stringify([{ platform }])}::jsonb`
  return isSearchPlatform(platform) ? sql`(k.platforms is null or ${platform} = any(k.platforms))` : reviewed
}

const ORDERS: Readonly<Record<KeywordSort, Statement<unknown>>> = {
  newest: sql`k.id desc`,
  oldest: sql`k.id`,
  term: sql`k.term_folded, k.id`,
  mentions: sql`c.mentions desc, k.id desc`,
  relevant: sql`c.relevant desc, k.id desc`,
  recent: sql`coalesce(recent.last7d, 0) desc, k.id desc`,
  lastMention: sql`c.last_mention_at desc nulls last, k.id desc`,
}
