import { toId, type Uuid } from '../../src/kernel/ids.ts'
import { type Database, sql } from '../../src/store/database.ts'
import { type Finding, findingOf } from './finding.ts'

/**
 * Keywords whose counters, and whose matches, scores and charges of the days, are not those of their mentions. A run
 * lies within one month. Removed ones keep their charges and have no mentions.
 */
export async function miscounted(db: Database): Promise<Finding> {
  const rows = await db.query<{ keyword_id: Uuid; kept: string; found: string }>(sql`
    with found as (
        select workspace_id, keyword_id, count(*) as matched, count(scored_at) filter (where not failed) as scored,
          count(*) filter (where failed) as failed,
          count(*) filter (where relevance >= 40) as relevant
        from mention group by 1, 2),
      kept as (
        select workspace_id, keyword_id, sum(matched) as matched, sum(scored) as scored, sum(failed) as failed,
          sum(relevant) as relevant, sum(billable) as billable, sum(mention_units) as units
        from usage_day group by 1, 2)
    select k.id as keyword_id,
      concat_ws(' ', c.mentions, c.relevant, c.month_mentions, coalesce(kept.matched, 0), coalesce(kept.scored, 0),
        coalesce(kept.failed, 0), coalesce(kept.relevant, 0), coalesce(kept.billable, 0), coalesce(kept.units,
        0)) as kept,
      concat_ws(' ', coalesce(found.matched, 0), coalesce(found.relevant, 0), coalesce(found.matched, 0),
        coalesce(found.matched, 0), coalesce(found.scored, 0), coalesce(found.failed, 0), coalesce(found.relevant, 0),
        coalesce(found.scored, 0), coalesce(found.scored, 0) * 24) as found
    from keyword k join keyword_counter c on c.workspace_id = k.workspace_id and c.keyword_id = k.id
      left join found on found.workspace_id = k.workspace_id and found.keyword_id = k.id
      left join kept on kept.workspace_id = k.workspace_id and kept.keyword_id = k.id`)
  const wrong = rows.filter(({ kept, found }) => kept !== found)
  return findingOf(wrong.map(({ keyword_id: id, kept, found }) => `keyword ${id}: counted ${kept}, there are ${found}`))
}

/** Deliveries of mentions that are there which the log, or the mention, does not call delivered. */
export async function unrecorded(db: Database): Promise<Finding> {
  const rows = await db.query<{ id: Uuid; status: string; error: string | null; delivered: boolean }>(sql`
    select d.id, d.status, d.error, m.delivered from delivery d join mention m on m.workspace_id = d.workspace_id
      and m.id = d.mention_id
    where d.status <> 'delivered' or not m.delivered`)
  return findingOf(
    rows.map(
      ({ id, status, error, delivered }) =>
        `${toId('dlv', id)} is ${status} (${error}), its mention ${delivered ? 'delivered' : 'not delivered'}`,
    ),
  )
}
