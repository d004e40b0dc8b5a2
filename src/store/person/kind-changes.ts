import type { KeywordKind } from '../../domain/keyword/keyword.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, sql, type Transaction } from '../database.ts'
import { thawed } from '../frozen/frozen.ts'

/** The caller holds the counter. `spreadKindChange` moves the mentions. */
export async function noteKindChange(
  tx: Transaction,
  workspaceId: Uuid,
  keywordId: Uuid,
  { from, to }: { from: KeywordKind; to: KeywordKind },
): Promise<void> {
  await tx.query(
    sql`insert into kind_change (workspace_id, keyword_id, from_kind, to_kind)
        values (${workspaceId}, ${keywordId}, ${from}, ${to})`,
  )
}

export async function findChangedKinds(db: Database, limit: number): Promise<{ workspaceId: Uuid; keywordId: Uuid }[]> {
  return await db.query<{ workspaceId: Uuid; keywordId: Uuid }>(
    sql`select workspace_id as "workspaceId", keyword_id as "keywordId" from kind_change
        where ${thawed(sql`workspace_id`)} group by 1, 2 order by min(id)
        limit ${limit}`,
  )
}

/** Returns whether mentions remain; false also while another transaction holds the counter. */
export async function spreadKindChange(
  tx: Transaction,
  workspaceId: Uuid,
  keywordId: Uuid,
  limit: number,
): Promise<boolean> {
  const held = await tx.query(
    sql`select 1 from keyword_counter where workspace_id = ${workspaceId} and keyword_id = ${keywordId} for update skip
        locked`,
  )
  if (held.length === 0) return false
  const [change] = await tx.query<{ id: number; from: KeywordKind; to: KeywordKind; through: Uuid }>(sql`
    select id, from_kind as "from", to_kind as "to", through from kind_change where workspace_id = ${workspaceId}
      and keyword_id = ${keywordId} order by id limit 1`)
  if (change === undefined) return false
  // Additions first, so that no account seems to be without mentions.
  const [next] = await tx.query<{ last: Uuid | null }>(sql`
    with portion as materialized (
      select m.post_id, m.account_id, m.platform, m.scored_at from mention m
      where m.workspace_id = ${workspaceId} and m.keyword_id = ${keywordId} and m.post_id > ${change.through}
        order by m.post_id limit ${limit}),
    noted as (
      insert into account_change (workspace_id, account_id, platform, kind, mentions, relevant, positive, neutral,
        negative, intents)
      select ${workspaceId}, m.account_id, m.platform, change.kind, change.sign * m.mentions, 0, 0, 0, 0, 0
      from (values (1, ${change.to}), (-1, ${change.from})) as change (sign, kind)
      cross join (select account_id, min(platform) as platform, count(*) as mentions from portion
        where account_id is not null and scored_at is not null group by account_id) m
      order by change.sign desc)
    select case when count(*) = ${limit} then (array_agg(post_id order by post_id desc))[1] end as last from portion`)
  const { last } = next!
  if (last === null)
    await tx.query(
      sql`delete from kind_change where workspace_id = ${workspaceId} and keyword_id = ${keywordId}
          and id = ${change.id}`,
    )
  else
    await tx.query(
      sql`update kind_change set through = ${last} where workspace_id = ${workspaceId} and keyword_id = ${keywordId}
          and id = ${change.id}`,
    )
  if (last !== null) return true
  const [further] = await tx.query(
    sql`select 1 from kind_change where workspace_id = ${workspaceId} and keyword_id = ${keywordId} limit 1`,
  )
  return further !== undefined
}
