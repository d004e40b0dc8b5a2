import type { AttentionKeyword, AttentionWindow } from '../../domain/attention/findings.ts'
import { ATTENTION_RULES } from '../../domain/attention/kinds.ts'
import { type HourlyBaseline, historyBefore, type SentimentCounts } from '../../domain/attention/spikes.ts'
import { RELEVANCE_THRESHOLD, SENTIMENTS } from '../../domain/mention/classification.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { GivenRows, GivenValues, given } from '../given-rows.ts'
import { type JudgedKeywordRow, KEYWORD_COLUMNS, keywordFrom } from './judged-keywords.ts'

export interface RecentHours {
  workspaceId: Uuid
  keywordId: Uuid
  /** Matches of the last full hour with new posts. */
  fresh: number
  freshRelevant: number
  /** The last 24 full hours. */
  day: SentimentCounts
}

const COUNTED = new GivenValues(['workspaceIds', 'firstId', 'endId', 'from', 'until', 'freshMs'])

/** Stores changed counts between two full hours. Reads only that span of the primary key. */
export async function countHours(
  tx: Transaction,
  workspaceIds: readonly Uuid[],
  { from, until }: AttentionWindow,
): Promise<void> {
  await tx.run(
    'attention-count-hours',
    `with counted as materialized (
       select w.id as workspace_id, m.* from unnest(${COUNTED.the.workspaceIds}::uuid[]) as w (id) cross join lateral (
         select keyword_id, date_trunc('hour', created_at, 'UTC') as hour,
           count(*) filter (where published_at >= created_at - ${COUNTED.the.freshMs}::int * interval '1 millisecond')
             as fresh,
           count(*) filter (where published_at >= created_at - ${COUNTED.the.freshMs}::int * interval '1 millisecond'
             and relevance >= ${RELEVANCE_THRESHOLD}) as fresh_relevant,
           count(relevance) as scored, count(*) filter (where relevance >= ${RELEVANCE_THRESHOLD}) as relevant,
           count(*) filter (where relevance >= ${RELEVANCE_THRESHOLD}
             and sentiment = ${SENTIMENTS.indexOf('negative')}) as negative
         from mention m where m.workspace_id = w.id and m.id >= ${COUNTED.the.firstId} and m.id < ${COUNTED.the.endId}
         group by 1, 2 offset 0) m),
     gone as (
       delete from attention_hour h where h.workspace_id = any(${COUNTED.the.workspaceIds}::uuid[])
         and h.hour >= ${COUNTED.the.from} and h.hour < ${COUNTED.the.until}
         and not exists (select from counted c where c.workspace_id = h.workspace_id and c.keyword_id = h.keyword_id
           and c.hour = h.hour))
     insert into attention_hour as h (workspace_id, keyword_id, hour, fresh, fresh_relevant, scored, relevant, negative)
     select workspace_id, keyword_id, hour, fresh, fresh_relevant, scored, relevant, negative from counted
     on conflict (workspace_id, keyword_id, hour) do update
       set fresh = excluded.fresh, fresh_relevant = excluded.fresh_relevant, scored = excluded.scored,
       relevant = excluded.relevant, negative = excluded.negative
     where (h.fresh, h.fresh_relevant, h.scored, h.relevant, h.negative)
       is distinct from (excluded.fresh, excluded.fresh_relevant, excluded.scored, excluded.relevant,
         excluded.negative)`,
    COUNTED.values({
      workspaceIds,
      firstId: firstUuidAt(from),
      endId: firstUuidAt(until),
      from,
      until,
      freshMs: ATTENTION_RULES.spike.freshMs,
    }),
  )
}

export async function readRecent(reader: Reader, workspaceIds: readonly Uuid[], until: Date): Promise<RecentHours[]> {
  const { spike, negativeSpike } = ATTENTION_RULES
  const rows = await reader.run<
    { workspace_id: Uuid; keyword_id: Uuid; fresh: number; fresh_relevant: number } & SentimentCounts
  >(
    'attention-recent',
    `select w.id as workspace_id, h.* from unnest($1::uuid[]) as w (id) cross join lateral (
       select keyword_id, coalesce(sum(fresh) filter (where hour >= $4), 0)::bigint as fresh,
         coalesce(sum(fresh_relevant) filter (where hour >= $4), 0)::bigint as fresh_relevant,
         sum(scored)::bigint as scored, sum(relevant)::bigint as relevant, sum(negative)::bigint as negative
       from attention_hour where workspace_id = w.id and hour >= $2 and hour < $3 group by 1 offset 0) h
     where fresh >= ${spike.matchesAtLeast} or (scored >= ${negativeSpike.scoredAtLeast}
       and negative >= ${negativeSpike.negativeAtLeast})`,
    [workspaceIds, plus(until, -negativeSpike.windowHours * HOUR_MS), until, plus(until, -HOUR_MS)],
  )
  return rows.map(({ workspace_id, keyword_id, fresh, fresh_relevant, ...day }) => ({
    workspaceId: workspace_id,
    keywordId: keyword_id,
    fresh,
    freshRelevant: fresh_relevant,
    day,
  }))
}

/** Only the part of the previous week in which the keyword collected, and for sentiment was scored, as it is now. */
export interface KeywordBaselines extends RecentHours {
  keyword: AttentionKeyword
  /** Before the last full hour. */
  hourly: HourlyBaseline
  /** Before the last day. */
  sentiment: SentimentCounts & { hours: number }
}

/**
 * A baseline starts when the keyword was created, unmuted, resumed after its cap or got new rules or platforms, or
 * collecting resumed after an outage; for scores also at the last change of context.
 */
export async function readBaselines(
  reader: Reader,
  recent: readonly RecentHours[],
  until: Date,
  collectingSince: Date | null,
): Promise<KeywordBaselines[]> {
  if (recent.length === 0) return []
  const keywords = await reader.query<JudgedKeywordRow & { since: Date; judged_since: Date }>(sql`
    select ${KEYWORD_COLUMNS}, k.judged_since,
      greatest(k.created_at, k.collects_since, ${collectingSince}::timestamptz, case when p.seen < ${until} then p.seen
        when p.seen_before < ${until} then p.seen_before end + interval '1 hour') as since
    from unnest(${recent.map((hours) => hours.workspaceId)}::uuid[], ${recent.map((hours) => hours.keywordId)}::uuid[])
      as t (workspace_id, keyword_id)
    join keyword k on k.workspace_id = t.workspace_id and k.id = t.keyword_id
    join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
    left join attention_gap p on p.workspace_id = k.workspace_id and p.keyword_id = k.id`)
  const hourFrom = plus(until, -HOUR_MS)
  const dayFrom = plus(until, -ATTENTION_RULES.negativeSpike.windowHours * HOUR_MS)
  const histories = new Map(
    keywords.map(({ id, since, judged_since }) => [
      id,
      { hourly: historyBefore(hourFrom, since), sentiment: historyBefore(dayFrom, latest(since, judged_since)) },
    ]),
  )
  const sums = await readSums(reader, keywords, { hourFrom, dayFrom, histories })
  const rows = new Map(keywords.map((row) => [row.id, row]))
  return recent.flatMap((hours) => {
    const row = rows.get(hours.keywordId)
    if (row === undefined) return []
    const { hourly, sentiment } = histories.get(row.id)!
    const { matches, squares, ...counts } = sums.get(row.id)!
    return [
      {
        ...hours,
        keyword: keywordFrom(row),
        hourly: { hours: hourly.hours, matches, squares },
        sentiment: { hours: sentiment.hours, ...counts },
      },
    ]
  })
}

function latest(first: Date, second: Date): Date {
  return first > second ? first : second
}

interface Histories {
  hourFrom: Date
  dayFrom: Date
  histories: ReadonlyMap<Uuid, { hourly: { from: Date }; sentiment: { from: Date } }>
}

const SPANS = new GivenRows<{ row: JudgedKeywordRow; hourly: { from: Date }; sentiment: { from: Date } }>({
  workspace_id: given.uuid(({ row }) => row.workspace_id),
  keyword_id: given.uuid(({ row }) => row.id),
  hourly_from: given.instant(({ hourly }) => hourly.from),
  sentiment_from: given.instant(({ sentiment }) => sentiment.from),
})
const ONCE = new GivenValues(['hourFrom', 'dayFrom'], SPANS.after)

async function readSums(
  reader: Reader,
  keywords: readonly JudgedKeywordRow[],
  { hourFrom, dayFrom, histories }: Histories,
): Promise<Map<Uuid, SentimentCounts & { matches: number; squares: number }>> {
  const rows = await reader.run<SentimentCounts & { keyword_id: Uuid; matches: number; squares: number }>(
    'attention-baselines',
    `select t.keyword_id, b.* from ${SPANS.unnested}
     cross join lateral (
       select coalesce(sum(fresh) filter (where hour >= t.hourly_from), 0)::bigint as matches,
         coalesce(sum(fresh::bigint * fresh) filter (where hour >= t.hourly_from), 0)::bigint as squares,
         coalesce(sum(scored) filter (where hour >= t.sentiment_from and hour < ${ONCE.the.dayFrom}), 0)::bigint
           as scored,
         coalesce(sum(relevant) filter (where hour >= t.sentiment_from and hour < ${ONCE.the.dayFrom}), 0)::bigint
           as relevant,
         coalesce(sum(negative) filter (where hour >= t.sentiment_from and hour < ${ONCE.the.dayFrom}), 0)::bigint
           as negative
       from attention_hour h where h.workspace_id = t.workspace_id and h.keyword_id = t.keyword_id
         and h.hour >= least(t.hourly_from, t.sentiment_from) and h.hour < ${ONCE.the.hourFrom}) b`,
    [
      ...SPANS.values(keywords.map((row) => ({ row, ...histories.get(row.id)! }))),
      ...ONCE.values({ hourFrom, dayFrom }),
    ],
  )
  return new Map(rows.map(({ keyword_id, ...sums }) => [keyword_id, sums]))
}

/** Records keywords stopped by their cap, for later baselines, and drops hours outside COUNTED_HOURS. */
export async function tidyHours(tx: Transaction, workspaceIds: readonly Uuid[], until: Date): Promise<void> {
  const before = plus(until, -COUNTED_HOURS * HOUR_MS)
  await tx.query(sql`
    insert into attention_gap as g (workspace_id, keyword_id, seen)
    select workspace_id, id, ${until} from keyword where workspace_id = any(${workspaceIds}::uuid[]) and paused_for_cap
    on conflict (workspace_id, keyword_id) do update set seen = excluded.seen, seen_before = g.seen
      where g.seen < excluded.seen`)
  await tx.query(sql`delete from attention_gap where workspace_id = any(${workspaceIds}::uuid[]) and seen < ${before}`)
  await tx.query(sql`delete from attention_hour where workspace_id = any(${workspaceIds}::uuid[]) and hour < ${before}`)
}

export const COUNTED_HOURS = ATTENTION_RULES.negativeSpike.windowHours + ATTENTION_RULES.baselineHours
