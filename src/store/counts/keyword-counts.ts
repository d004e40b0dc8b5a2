import { NOISE_RULE } from '../../domain/keyword/keyword.ts'
import { isRelevant } from '../../domain/mention/classification.ts'
import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import { type Reader, type Statement, sql, type Transaction } from '../database.ts'
import { DELETE_BATCH, deleteInBatches } from '../delete-in-batches.ts'
import { GivenRows, given } from '../given-rows.ts'

/** Counts of recent days. Callers hold the keywords' counters and run the functions in the transaction of the event. */

/** Two weeks are shown, and machines' clocks differ. */
const KEPT_DAYS = 15

const KEPT_MS = KEPT_DAYS * DAY_MS

export const COUNTED_MS = KEPT_MS - DAY_MS

export function noiseSince(at: Date): string {
  return dayOf(plus(at, -(NOISE_RULE.windowDays - 1) * DAY_MS))
}

export function keyColumns(keywords: readonly { workspaceId: Uuid; keywordId: Uuid }[]): Buffer[] {
  return [
    columns.uuids(keywords.map((keyword) => keyword.workspaceId)),
    columns.uuids(keywords.map((keyword) => keyword.keywordId)),
  ]
}

export interface MovedRelevance {
  workspaceId: Uuid
  keywordId: Uuid
  createdAt: Date
  before: number | null
  after: number | null
}

const MOVES = new GivenRows<Omit<MovedRelevance, 'before' | 'after'> & { scored: number; relevant: number }>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  keyword_id: given.uuid(({ keywordId }) => keywordId),
  created_at: given.instant(({ createdAt }) => createdAt),
  scored: given.integer(({ scored }) => scored),
  relevant: given.integer(({ relevant }) => relevant),
})

export async function countRelevance(tx: Transaction, moves: readonly MovedRelevance[], at: Date): Promise<void> {
  const since = plus(at, -COUNTED_MS)
  const counted = moves.flatMap(({ before, after, ...one }) => {
    const scored = Number(after !== null) - Number(before !== null)
    const relevant = Number(isRelevant(after)) - Number(isRelevant(before))
    return one.createdAt >= since && (scored !== 0 || relevant !== 0) ? [{ ...one, scored, relevant }] : []
  })
  if (counted.length === 0) return
  // Only matches since the keyword's last change are judged.
  await tx.run(
    'count-relevance',
    `insert into keyword_recent as r (workspace_id, keyword_id, day, scored, relevant, judged_scored, judged_relevant)
     select t.workspace_id, t.keyword_id, (t.created_at at time zone 'UTC')::date, sum(t.scored), sum(t.relevant),
       coalesce(sum(t.scored) filter (where t.created_at >= k.judged_since), 0), coalesce(sum(t.relevant) filter (where
         t.created_at >= k.judged_since), 0)
     from ${MOVES.unnested}
     cross join lateral (select judged_since from keyword k where k.workspace_id = t.workspace_id
       and k.id = t.keyword_id offset 0) k
     group by 1, 2, 3 order by 1, 2, 3
     on conflict (workspace_id, keyword_id, day) do update
       set scored = r.scored + excluded.scored, relevant = r.relevant + excluded.relevant,
       judged_scored = r.judged_scored + excluded.judged_scored, judged_relevant = r.judged_relevant +
         excluded.judged_relevant`,
    MOVES.values(counted),
  )
}

/**
 * Restarts the judgement at `since`, which keywords have stored already. Recounts matches whose ids a fast clock put
 * ahead.
 */
export async function judgeAnew(
  tx: Transaction,
  workspaceId: Uuid,
  keywordIds: readonly Uuid[],
  since: Date,
): Promise<void> {
  if (keywordIds.length === 0) return
  await tx.query(sql`
    with later as (
      select keyword_id, (created_at at time zone 'UTC')::date as day, count(*) as scored,
        count(*) filter (where relevance >= 40) as relevant from mention
      where workspace_id = ${workspaceId} and id >= ${firstUuidAt(since)} and created_at >= ${since}
        and keyword_id = any(${keywordIds}::uuid[]) and relevance is not null
      group by 1, 2),
    judged as (
      select r.keyword_id, r.day, coalesce(l.scored, 0) as scored, coalesce(l.relevant, 0) as relevant
      from keyword_recent r left join later l on l.keyword_id = r.keyword_id and l.day = r.day
      where r.workspace_id = ${workspaceId} and r.keyword_id = any(${keywordIds}::uuid[]))
    update keyword_recent r set judged_scored = j.scored, judged_relevant = j.relevant from judged j
    where r.workspace_id = ${workspaceId} and r.keyword_id = j.keyword_id and r.day = j.day and (r.judged_scored,
      r.judged_relevant) is distinct from (j.scored, j.relevant)`)
}

export async function forgetRecent(tx: Transaction, workspaceId: Uuid, keywordIds: readonly Uuid[]): Promise<void> {
  await tx.query(
    sql`delete from keyword_recent where workspace_id = ${workspaceId} and keyword_id = any(${keywordIds}::uuid[])`,
  )
}

export function pruneRecent(db: Reader, at: Date): Promise<number> {
  const before = dayOf(plus(at, -KEPT_MS))
  return deleteInBatches(
    db,
    sql`delete from keyword_recent r using (select workspace_id, keyword_id, day from keyword_recent
        where day < ${before}::date limit ${DELETE_BATCH}::int for update skip locked) old
      where r.workspace_id = old.workspace_id and r.keyword_id = old.keyword_id and r.day = old.day returning r.day`,
  )
}

export const LAST_7D_MS = 7 * DAY_MS

const QUARTER_MS = DAY_MS / 4

export interface Recent {
  keyword_id: Uuid
  last7d: number
  /** Of the last two weeks; `judged_` since the keyword's last change. */
  scored: number
  relevant: number
  judged_scored: number
  judged_relevant: number
}

/**
 * Omits keywords without counts. Reads whole quarters of days from the counts, and only the edges of the seven days
 * from the publication index.
 */
export function recentOf(workspaceId: Uuid, at: Date, keywordIds: readonly Uuid[] | null): Statement<Recent> {
  const since = plus(at, -LAST_7D_MS)
  const firstWhole = new Date(Math.ceil(since.getTime() / QUARTER_MS) * QUARTER_MS)
  const lastEnds = new Date((Math.floor(at.getTime() / QUARTER_MS) + 1) * QUARTER_MS)
  const own = keywordIds === null ? sql`` : sql`and keyword_id = any(${keywordIds}::uuid[])`
  const [from, to] = [quarterOf(firstWhole), quarterOf(at)]
  const inWindow = (
    quarter: number,
  ) => sql`case when (day, ${quarter}::int) between (${from.day}::date, ${from.quarter}::int) and (${to.day}::date,
      ${to.quarter}::int)
    then ${sql.ref(`published_${quarter}`)} else 0 end`
  const published = sql.join([1, 2, 3, 4].map(inWindow), sql` + `)
  // The last quarter counts whole, less posts with a later publication time.
  return sql<Recent>`
    select keyword_id, sum(published)::bigint as last7d, sum(scored)::bigint as scored, sum(relevant)::bigint as
      relevant, sum(judged_scored)::bigint as judged_scored,
      sum(judged_relevant)::bigint as judged_relevant
    from (
      select keyword_id, ${published} as published, scored, relevant, judged_scored, judged_relevant from keyword_recent
      where workspace_id = ${workspaceId} and day >= ${noiseSince(at)}::date ${own}
      union all
      select keyword_id, 1, 0, 0, 0, 0 from mention where workspace_id = ${workspaceId} and published_at >= ${since}
        and published_at < ${firstWhole} ${own}
      union all
      select keyword_id, -1, 0, 0, 0, 0 from mention where workspace_id = ${workspaceId} and published_at > ${at}
        and published_at < ${lastEnds} ${own}) parts
    group by keyword_id`
}

function quarterOf(at: Date): { day: string; quarter: number } {
  return { day: dayOf(at), quarter: Math.floor(at.getUTCHours() / 6) + 1 }
}
