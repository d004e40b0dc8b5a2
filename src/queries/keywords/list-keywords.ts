import type { KeywordKind, KeywordStatus } from '../../domain/keyword/keyword.ts'
import { type Platform, SEARCH_PLATFORMS } from '../../domain/post/platform.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { foldTerm } from '../../matching/index.ts'
import { type Statement, sql } from '../../store/database.ts'
import type { Reading } from '../reading.ts'
import { KEYWORD_SELECT, type KeywordView, type KeywordViewRow, showKeywords } from './keyword-shape.ts'

export const KEYWORD_SORTS = ['newest', 'oldest', 'term', 'mentions', 'relevant', 'recent', 'lastMention'] as const
export type KeywordSort = (typeof KEYWORD_SORTS)[number]

export interface KeywordSearch {
  q: string | null
  groupIds: readonly Uuid[] | null
  kinds: readonly KeywordKind[] | null
  statuses: readonly KeywordStatus[] | null
  platforms: readonly Platform[] | null
  sort: KeywordSort
  /** Null returns all after `offset`. */
  limit: number | null
  offset: number
}

/** The keywords that a search finds, and how many there are before paging. */
export async function listKeywords(reading: Reading, search: KeywordSearch): Promise<{ data: KeywordView[]; total: number }> {
  const { db, workspaceId, clock, billing } = reading
  const at = clock.now()
  const condition = sql.join([sql`k.workspace_id = ${workspaceId}`, ...conditionsOf(search)], sql` and `)
  const [counted] = await db.query<{ total: number }>(sql`select count(*) as total from keyword k where ${condition}`)
  const rows = await db.query<KeywordViewRow>(
    sql`${KEYWORD_SELECT} where ${condition} order by ${orderOf(search.sort, workspaceId, at)} limit ${search.limit} offset ${search.offset}`,
  )
  return { data: await showKeywords(db, workspaceId, rows, { at, metered: billing === 'metered' }), total: counted?.total ?? 0 }
}

function conditionsOf({ q, groupIds, kinds, statuses, platforms }: KeywordSearch): Statement<unknown>[] {
  const conditions: Statement<unknown>[] = []
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

/** Terms are compared in their folded form, of which a text without visible characters has nothing. */
function textCondition(q: string): Statement<unknown> {
  const folded = foldTerm(q)
  const inTerm = folded === '' ? sql`false` : sql`strpos(k.term_folded, ${folded}) > 0`
  return sql`(${inTerm} or strpos(lower(coalesce(k.context, '')), lower(${q})) > 0)`
}

/** The same as `statusOf`, in SQL; a test holds them together. */
const STATUS_CONDITIONS: Readonly<Record<KeywordStatus, Statement<unknown>>> = {
  active: sql`(not k.muted and not k.paused_for_cap)`,
  capped: sql`(not k.muted and k.paused_for_cap)`,
  paused: sql`(k.muted and (k.paused_for_balance or k.paused_for_noise))`,
  muted: sql`(k.muted and not k.paused_for_balance and not k.paused_for_noise)`,
}

function runsOnCondition(platform: Platform): Statement<unknown> {
  const reviewed = sql`k.review_sources @> ${JSON.stringify([{ platform }])}::jsonb`
  const searched = (SEARCH_PLATFORMS as readonly string[]).includes(platform)
  return searched ? sql`(k.platforms is null or ${platform} = any(k.platforms))` : reviewed
}

function orderOf(sort: KeywordSort, workspaceId: Uuid, at: Date): Statement<unknown> {
  switch (sort) {
    case 'newest':
      return sql`k.id desc`
    case 'oldest':
      return sql`k.id`
    case 'term':
      return sql`k.term_folded, k.id`
    case 'mentions':
      return sql`c.mentions desc, k.id desc`
    case 'relevant':
      return sql`c.relevant desc, k.id desc`
    case 'recent': {
      const since = plus(at, -7 * DAY_MS)
      return sql`(select count(*) from mention m where m.workspace_id = ${workspaceId} and m.keyword_id = k.id and m.id >= ${firstUuidAt(since)} and m.published_at >= ${since}) desc, k.id desc`
    }
    case 'lastMention':
      return sql`c.last_mention_at desc nulls last, k.id desc`
  }
}
