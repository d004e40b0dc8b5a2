import { isRelevant } from '../../domain/mention/classification.ts'
import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'
import { COUNTED_MS } from './keyword-counts.ts'

export interface RemovedMention {
  workspace_id: Uuid
  id: Uuid
  keyword_id: Uuid
  platform: number
  created_at: Date
  published_at: Date
  scored_on: string | null
  relevance: number | null
  feedback_relevant: boolean | null
}

/** Call before any mention is changed. */
export async function lockCountersOfPosts(tx: Transaction, postIds: readonly Uuid[]): Promise<void> {
  await tx.run(
    'lock-counters-of-posts',
    `select from (select distinct workspace_id, keyword_id from mention where post_id = any($1::uuid[])
        order by 1, 2 offset 0) m
     cross join lateral (select from keyword_counter c where c.workspace_id = m.workspace_id
       and c.keyword_id = m.keyword_id offset 0 for no key update) c`,
    [postIds],
  )
}

const GONE = new GivenRows<RemovedMention>({
  workspace_id: given.uuid((mention) => mention.workspace_id),
  keyword_id: given.uuid((mention) => mention.keyword_id),
  created_at: given.instant((mention) => mention.created_at),
  published_at: given.instant((mention) => mention.published_at),
  scored: given.boolean((mention) => mention.relevance !== null),
  relevant: given.boolean((mention) => isRelevant(mention.relevance)),
  marked_relevant: given.boolean((mention) => mention.feedback_relevant === true),
  marked_not_relevant: given.boolean((mention) => mention.feedback_relevant === false),
})

/**
 * The month's matches and their cost stay: limits and bills do not depend on how long a post lives. Feedback must be
 * read anew, because some may be gone.
 */
export async function uncountMentions(tx: Transaction, gone: readonly RemovedMention[], at: Date): Promise<void> {
  if (gone.length === 0) return
  await tx.run(
    'uncount-mentions',
    `update keyword_counter c set mentions = c.mentions - t.mentions, relevant = c.relevant - t.relevant,
        feedback_relevant = c.feedback_relevant - t.marked_relevant,
       feedback_not_relevant = c.feedback_not_relevant - t.marked_not_relevant, marks_version = case
         when c.marks_version > 0 then c.marks_version + 1 else 0 end
     from (select workspace_id, keyword_id, count(*) as mentions, count(*) filter (where relevant) as relevant,
       count(*) filter (where marked_relevant) as marked_relevant,
       count(*) filter (where marked_not_relevant) as marked_not_relevant from ${GONE.unnested}
       group by 1, 2 order by 1, 2) t
     where c.workspace_id = t.workspace_id and c.keyword_id = t.keyword_id`,
    GONE.values(gone),
  )
  await uncountRecentDays(tx, gone)
  await reportGone(tx, gone)
  await findLastMentions(tx, gone, at)
}

/** Pruned days have no row. */
export async function uncountRecentDays(tx: Transaction, gone: readonly RemovedMention[]): Promise<void> {
  await tx.run(
    'uncount-recent',
    `update keyword_recent r set published_1 = r.published_1 - t.published_1, published_2 = r.published_2 -
        t.published_2, published_3 = r.published_3 - t.published_3,
       published_4 = r.published_4 - t.published_4, scored = r.scored - t.scored, relevant = r.relevant - t.relevant,
       judged_scored = r.judged_scored - t.judged_scored, judged_relevant = r.judged_relevant - t.judged_relevant
     from (
       select workspace_id, keyword_id, day, sum((quarter = 0)::int) as published_1, sum((quarter = 1)::int) as
         published_2, sum((quarter = 2)::int) as published_3,
         sum((quarter = 3)::int) as published_4, sum(scored) as scored, sum(relevant) as relevant,
           sum(judged * scored) as judged_scored, sum(judged * relevant) as judged_relevant
       from (
         select workspace_id, keyword_id, (published_at at time zone 'UTC')::date as day, extract(hour
           from published_at at time zone 'UTC')::int / 6 as quarter,
           0 as scored, 0 as relevant, 0 as judged from ${GONE.unnested}
         union all
         select t.workspace_id, t.keyword_id, (t.created_at at time zone 'UTC')::date, -1, t.scored::int,
           t.relevant::int, (t.created_at >= k.judged_since)::int
         from ${GONE.unnested} join keyword k on k.workspace_id = t.workspace_id and k.id = t.keyword_id) moves
       group by 1, 2, 3 order by 1, 2, 3) t
     where r.workspace_id = t.workspace_id and r.keyword_id = t.keyword_id and r.day = t.day`,
    GONE.values(gone),
  )
}

const MATCHED = new GivenRows<RemovedMention>({
  workspace_id: given.uuid((mention) => mention.workspace_id),
  keyword_id: given.uuid((mention) => mention.keyword_id),
  platform: given.smallint((mention) => mention.platform),
  created_at: given.instant((mention) => mention.created_at),
})
/** Parameters behind those of the removed mentions in one statement. */
const SCORED = new GivenRows<RemovedMention>(
  {
    workspace_id: given.uuid((mention) => mention.workspace_id),
    keyword_id: given.uuid((mention) => mention.keyword_id),
    platform: given.smallint((mention) => mention.platform),
    day: given.day((mention) => mention.scored_on),
    relevant: given.boolean((mention) => isRelevant(mention.relevance)),
  },
  {},
  MATCHED.after,
)

/**
 * Removals stay charged, and reports leave them out. Clocks differ, above all at the turn of a month, so a match may
 * count on another day than its own: then the nearest day that still has a match loses one.
 */
async function reportGone(tx: Transaction, gone: readonly RemovedMention[]): Promise<void> {
  const scored = gone.filter((mention) => mention.scored_on !== null)
  await tx.run(
    'report-gone',
    `with matched as (
       select t.workspace_id, t.keyword_id, t.platform, t.day, t.count, least(t.count,
         coalesce(u.matched - u.gone_matched, 0)) as of_day
       from (select workspace_id, keyword_id, platform, (created_at at time zone 'UTC')::date as day, count(*) as count
         from ${MATCHED.unnested} group by 1, 2, 3, 4) t
       left join usage_day u on u.workspace_id = t.workspace_id and u.keyword_id = t.keyword_id
         and u.platform = t.platform and u.day = t.day)
     update usage_day u set gone_matched = u.gone_matched + t.matched, gone_scored = u.gone_scored + t.scored,
       gone_relevant = u.gone_relevant + t.relevant
     from (
       select workspace_id, keyword_id, platform, day, sum(matched) as matched, sum(scored) as scored,
         sum(relevant) as relevant
       from (
         select workspace_id, keyword_id, platform, day, of_day as matched, 0 as scored, 0 as relevant from matched
         union all
         select t.workspace_id, t.keyword_id, t.platform, near.day, t.count - t.of_day, 0, 0
         from matched t cross join lateral (
           select u.day from usage_day u where u.workspace_id = t.workspace_id and u.keyword_id = t.keyword_id
             and u.platform = t.platform
             and u.day <> t.day and u.matched > u.gone_matched order by abs(u.day - t.day), u.day desc limit 1) near
         where t.count > t.of_day
         union all
         select workspace_id, keyword_id, platform, day, 0, 1, relevant::int
         from ${SCORED.unnested}) moves
       group by 1, 2, 3, 4 order by 1, 2, 3, 4) t
     where u.workspace_id = t.workspace_id and u.keyword_id = t.keyword_id and u.platform = t.platform
       and u.day = t.day`,
    [...MATCHED.values(gone), ...SCORED.values(scored)],
  )
}

/**
 * Recent counts narrow the search to six hours; only keywords without a match for two weeks search all their mentions.
 */
async function findLastMentions(tx: Transaction, gone: readonly RemovedMention[], at: Date): Promise<void> {
  await tx.run(
    'find-last-mentions',
    `update keyword_counter c set last_mention_at = greatest((select e.last_mention_at from keyword_expired e
         where e.workspace_id = c.workspace_id and e.keyword_id = c.keyword_id), coalesce(
       (select m.published_at from (
         select (day + make_interval(hours => case when published_4 > 0 then 18 when published_3 > 0 then 12
           when published_2 > 0 then 6 else 0 end)) at time zone 'UTC' as begins
         from keyword_recent r where r.workspace_id = c.workspace_id and r.keyword_id = c.keyword_id and day >= $4::date
           and published_1 + published_2 + published_3 + published_4 > 0
         order by day desc limit 1) r
         cross join lateral (
           select published_at from mention m where m.workspace_id = c.workspace_id and m.keyword_id = c.keyword_id
             and published_at >= r.begins and published_at < r.begins + interval '6 hours' order by published_at desc
               limit 1) m),
       (select max(published_at) from (select published_at from mention m where m.workspace_id = c.workspace_id
         and m.keyword_id = c.keyword_id offset 0) m)))
     from (select workspace_id, keyword_id, max(published_at) as latest
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as t (workspace_id, keyword_id, published_at)
       group by 1, 2 order by 1, 2) t
     where c.workspace_id = t.workspace_id and c.keyword_id = t.keyword_id and c.last_mention_at <= t.latest`,
    [
      columns.uuids(gone.map((mention) => mention.workspace_id)),
      columns.uuids(gone.map((mention) => mention.keyword_id)),
      columns.instants(gone.map((mention) => mention.published_at)),
      dayOf(plus(at, -(COUNTED_MS - DAY_MS))),
    ],
  )
}
