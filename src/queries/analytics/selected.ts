import { INTENTS, RELEVANCE_THRESHOLD, SENTIMENTS, type Sentiment } from '../../domain/mention/classification.ts'
import { PLATFORMS, platformNumber } from '../../domain/platform/platforms.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import { ENGAGEMENT } from '../../store/filter/block-figures.ts'
import { keywordJoin, type ResolvedSearch } from '../mentions/search.ts'
import { searchCondition } from '../mentions/search-condition.ts'
import type { QueryContext } from '../reading.ts'
import type { Windows } from './window.ts'

export const DIMENSIONS = ['keyword', 'group', 'platform', 'sentiment', 'intent', 'language'] as const
export type Dimension = (typeof DIMENSIONS)[number]

const COUNTED = sql`m.platform, m.relevance, m.sentiment, m.followers::bigint as followers, ${ENGAGEMENT} as engagement`

/**
 * The mentions of the windows that a search finds, each with `current`, the counted columns and `more`. Muted and
 * snoozed mentions are hidden as in lists.
 */
export function selectedIn(
  reading: QueryContext,
  search: ResolvedSearch,
  { current, previous }: Windows,
  {
    more,
    joins = sql``,
    also = sql`true`,
    asksKeyword = false,
  }: {
    more: Statement<unknown>
    joins?: Statement<unknown>
    also?: Statement<unknown>
    /** Whether the others name keyword `k`. */
    asksKeyword?: boolean
  },
): Statement<unknown> {
  return sql`
    select m.published_at >= ${current.begin} as current, ${COUNTED}, ${more}
    from mention m ${asksKeyword ? KEYWORD : keywordJoin(search)} ${joins}
    where ${searchCondition(reading.workspaceId, search, reading.clock.now())}
      and m.published_at >= ${(previous ?? current).begin} and m.published_at < ${current.end} and ${also}`
}

const KEYWORD = sql`join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id`

export const SUMS = sql`
  count(*) as mentions, count(*) filter (where relevance >= ${RELEVANCE_THRESHOLD}) as relevant,
  ${sql.join(SENTIMENTS.map((name, place) => sql`count(*) filter (where sentiment = ${place}) as ${sql.ref(name)}`))},
  coalesce(sum(followers) filter (where followers > 0), 0)::float8 as reach, coalesce(sum(engagement),
    0)::float8 as engagement`

/** SUMS over rows that hold SUMS of parts. */
export const SUMS_OF_PARTS = sql.join(
  ['mentions', 'relevant', ...SENTIMENTS]
    .map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`)
    .concat(['reach', 'engagement'].map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`)),
)

export interface SumsRow extends Record<Sentiment, number> {
  mentions: number
  relevant: number
  reach: number
  engagement: number
}

export interface Figures {
  mentions: number
  /** Relevance of at least RELEVANCE_THRESHOLD. */
  relevant: number
  /** Unscored mentions have no sentiment. */
  sentiment: Record<Sentiment, number>
  /** 0 to 1; null without any sentiment. */
  sentimentShare: Record<Sentiment, number | null>
  /** Known followers, summed over mentions. */
  reach: number
  /** All known engagement counts. */
  engagement: number
}

export function figuresOf(row: SumsRow | undefined): Figures {
  const sentiment = { positive: row?.positive ?? 0, neutral: row?.neutral ?? 0, negative: row?.negative ?? 0 }
  const judged = sentiment.positive + sentiment.neutral + sentiment.negative
  return {
    mentions: row?.mentions ?? 0,
    relevant: row?.relevant ?? 0,
    sentiment,
    sentimentShare: {
      positive: shareOf(sentiment.positive, judged),
      neutral: shareOf(sentiment.neutral, judged),
      negative: shareOf(sentiment.negative, judged),
    },
    reach: row?.reach ?? 0,
    engagement: row?.engagement ?? 0,
  }
}

/** 0 to 1; null when `whole` is 0. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

/**
 * The SQL of a dimension: its value (null is unknown), joins, whether these name keyword `k`, and whether a row is the
 * first of its mention.
 */
export function dimensionOf(dimension: Dimension): {
  value: Statement<unknown>
  joins: Statement<unknown>
  asksKeyword: boolean
  first: Statement<unknown>
} {
  const plain = (value: Statement<unknown>) => ({ value, joins: sql``, asksKeyword: false, first: sql`true` })
  switch (dimension) {
    case 'keyword':
      return plain(sql`m.keyword_id`)
    case 'group':
      return { ...plain(sql`k.group_id`), asksKeyword: true }
    case 'platform':
      return plain(sql`m.platform`)
    case 'sentiment':
      return plain(sql`m.sentiment`)
    case 'language':
      return plain(sql`m.language`)
    case 'intent':
      // A mention counts once per intent, and as unknown without intents.
      return {
        value: sql`i.place`,
        joins: sql`left join generate_series(0, ${INTENTS.length - 1}) i (place) on (coalesce(m.intents,
            0) & (1 << i.place)) <> 0`,
        asksKeyword: false,
        first: sql`(i.place is null or (m.intents & ((1 << i.place) - 1)) = 0)`,
      }
  }
}

export interface Value {
  /** Null for unknown. */
  key: string | null
  label: string
}

const UNKNOWN: Readonly<Record<Dimension, string>> = {
  keyword: 'No keyword',
  group: 'No group',
  platform: 'No platform',
  sentiment: 'Not scored',
  intent: 'No intent',
  language: 'Unknown language',
}

export async function namesOf(
  reading: QueryContext,
  dimension: Dimension,
  stored: readonly (string | null)[],
): Promise<(value: string | null) => Value> {
  const named = await namedValues(reading, dimension, [...new Set(stored.filter((value) => value !== null))])
  return (value) =>
    value === null ? { key: null, label: UNKNOWN[dimension] } : (named.get(value) ?? { key: value, label: value })
}

async function namedValues(
  { db, workspaceId }: QueryContext,
  dimension: Dimension,
  stored: readonly string[],
): Promise<Map<string, Value>> {
  switch (dimension) {
    case 'keyword': {
      const rows = await db.query<{ id: Uuid; name: string }>(
        sql`select id, term as name from keyword where workspace_id = ${workspaceId} and id = any(${stored}::uuid[])`,
      )
      return new Map(rows.map(({ id, name }) => [id, { key: toId('kw', id), label: name }]))
    }
    case 'group': {
      const rows = await db.query<{ id: Uuid; name: string }>(
        sql`select id, name from keyword_group where workspace_id = ${workspaceId} and id = any(${stored}::uuid[])`,
      )
      return new Map(rows.map(({ id, name }) => [id, { key: toId('grp', id), label: name }]))
    }
    case 'platform':
      return new Map(PLATFORMS.map((name) => [String(platformNumber(name)), { key: name, label: name }]))
    case 'sentiment':
      return coded(SENTIMENTS)
    case 'intent':
      return coded(INTENTS)
    case 'language':
      return new Map()
  }
}

/** Values stored as positions in a list. */
function coded(list: readonly string[]): Map<string, Value> {
  return new Map(list.map((name, place) => [String(place), { key: name, label: name }]))
}
