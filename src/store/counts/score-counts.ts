import { type Platform, platformNumber } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../database.ts'
import { GivenRows, GivenValues, given } from '../given-rows.ts'

export interface CountedScore {
  workspaceId: Uuid
  keywordId: Uuid
  platform: Platform
  /** False when scoring failed for good. */
  scored: boolean
  relevant: boolean
  billable: boolean
}

const SCORES = new GivenRows<CountedScore>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  keyword_id: given.uuid(({ keywordId }) => keywordId),
  platform: given.smallint(({ platform }) => platformNumber(platform)),
  scored: given.boolean(({ scored }) => scored),
  relevant: given.boolean(({ relevant }) => relevant),
  billable: given.boolean(({ billable }) => billable),
})

/** Shared by both statements. */
export const columnsOfScores = (scores: readonly CountedScore[]): readonly unknown[] => SCORES.values(scores)

/** Price in units of a billable score. */
export interface ScoreTerms {
  day: string
  price: number
}

const TERMS = new GivenValues<keyof ScoreTerms>(['day', 'price'], SCORES.after)

// A score of a settled day counts for the first unsettled day, which its mention records for later feedback. Settling
// locks the counters too, so the day is settled before or with these scores.

export async function addToCounters(tx: Transaction, counted: readonly unknown[], terms: ScoreTerms): Promise<void> {
  await tx.run(
    'score-counters',
    `update keyword_counter c set relevant = c.relevant + t.relevant, cost_month = greatest(c.cost_month, t.month),
       month_billable = case when c.cost_month > t.month then c.month_billable when c.cost_month = t.month then
         c.month_billable + t.billable else t.billable end,
       month_units = case when c.cost_month > t.month then c.month_units when c.cost_month = t.month then c.month_units
         + t.billable * ${TERMS.the.price}::bigint else t.billable * ${TERMS.the.price}::bigint end
     from (select t.workspace_id, keyword_id,
         date_trunc('month', greatest(${TERMS.the.day}::date, w.settled_through + 1))::date as month,
         count(*) filter (where relevant) as relevant,
         count(*) filter (where billable) as billable
       from ${SCORES.unnested} join workspace w on w.id = t.workspace_id
       group by t.workspace_id, keyword_id, w.settled_through order by 1, 2) t
     where c.workspace_id = t.workspace_id and c.keyword_id = t.keyword_id and (t.relevant > 0 or t.billable > 0)`,
    [...counted, ...TERMS.values(terms)],
  )
}

/** Also marks the charged workspaces for billing. */
export async function addToUsage(tx: Transaction, counted: readonly unknown[], terms: ScoreTerms): Promise<void> {
  await tx.run(
    'score-usage',
    `with t as materialized (select * from ${SCORES.unnested}),
     spent as (insert into wallet_spent (workspace_id) select distinct workspace_id from t
       where billable and ${TERMS.the.price}::bigint > 0)
     insert into usage_day as u (workspace_id, day, keyword_id, platform, scored, relevant, billable, failed,
       mention_units)
     select t.workspace_id, greatest(${TERMS.the.day}::date, w.settled_through + 1), keyword_id, platform,
       count(*) filter (where scored), count(*) filter (where relevant),
       count(*) filter (where billable), count(*) filter (where not scored), count(*) filter (where billable) *
         ${TERMS.the.price}::bigint
     from t join workspace w on w.id = t.workspace_id
     group by t.workspace_id, w.settled_through, keyword_id, platform order by t.workspace_id, keyword_id, platform
     on conflict (workspace_id, day, keyword_id, platform) do update
       set scored = u.scored + excluded.scored, relevant = u.relevant + excluded.relevant,
       billable = u.billable + excluded.billable, failed = u.failed + excluded.failed, mention_units = u.mention_units +
         excluded.mention_units`,
    [...counted, ...TERMS.values(terms)],
  )
}
