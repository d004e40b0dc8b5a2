import type { FieldChange, TriageActor } from '../../domain/mention/triage.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { type Reader, type Statement, sql, type Transaction } from '../database.ts'
import { recordChanges } from './mention-history.ts'

/** Returns former members. */
export async function findLeftAssignees(reader: Reader, workspaceId: Uuid): Promise<Uuid[]> {
  // Skips along the index, so the cost grows with people, not mentions.
  const next = (after: Statement<unknown>) =>
    sql`(select assignee_id from mention where workspace_id = ${workspaceId} and assignee_id is not null ${after}
        order by assignee_id limit 1)`
  const rows = await reader.query<{ user_id: Uuid }>(sql`
    with recursive assignee (user_id) as (
      select ${next(sql``)} union all select ${next(sql`and assignee_id >
          a.user_id`)} from assignee a
        where a.user_id is not null)
    select user_id from assignee a
    where user_id is not null and not exists (select from membership m where m.workspace_id = ${workspaceId}
      and m.user_id = a.user_id)`)
  return rows.map((row) => row.user_id)
}

export const UNASSIGNED_AT_ONCE = 1000

/** In order of id; only members can be assigned meanwhile. Returns nothing when the person is a member again. */
export async function unassign(
  tx: Transaction,
  workspaceId: Uuid,
  { userId, after }: { userId: Uuid; after: Uuid | null },
  actor: TriageActor,
  at: Date,
): Promise<Uuid[]> {
  const held = await tx.query<{ id: Uuid }>(sql`
    select id from mention where workspace_id = ${workspaceId} and assignee_id = ${userId} and (${after}::uuid is null
      or id > ${after}::uuid)
      and not exists (select from membership where workspace_id = ${workspaceId} and user_id = ${userId})
    order by id limit ${UNASSIGNED_AT_ONCE} for no key update of mention`)
  const ids = held.map((row) => row.id)
  if (ids.length === 0) return ids
  await tx.query(
    sql`update mention set assignee_id = null where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  )
  const changes: FieldChange[] = [{ field: 'assignee', from: toId('user', userId), to: null }]
  await recordChanges(
    tx,
    workspaceId,
    ids.map((mentionId) => ({ mentionId, changes })),
    actor,
    at,
  )
  return ids
}
