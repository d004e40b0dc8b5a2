import type { FieldChange, KnownActor, TriageActor } from '../../domain/mention/triage.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql, type Transaction } from '../database.ts'
import { notifyFollowers } from '../follower/followers.ts'

/** Stores the actor's present name. */
export async function recordChanges(
  tx: Transaction,
  workspaceId: Uuid,
  lines: readonly { mentionId: Uuid; changes: readonly FieldChange[] }[],
  actor: TriageActor,
  at: Date,
): Promise<void> {
  const [id, name] =
    actor.kind === 'slack' ? [null, sql`select ${actor.name}::text`] : [actor.id, selectName(workspaceId, actor)]
  const changed = lines.map(({ mentionId, changes }) => ({ id: newUuid(at), workspaceId, mentionId, changes }))
  await tx.query(sql`
    insert into mention_change (workspace_id, mention_id, id, changed_at, actor_kind, actor_id, actor_name, changes)
    select ${workspaceId}, t.mention_id, t.id, ${at}, ${actor.kind}, ${id}, coalesce((${name}), ''), t.changes
    from unnest(${changed.map(({ mentionId }) => mentionId)}::uuid[], ${changed.map(({ id }) => id)}::uuid[],
      ${changed.map(({ changes }) => JSON.stringify(changes))}::jsonb[])
      as t (mention_id, id, changes)`)
  await notifyFollowers(tx, 'mention.triaged', changed)
}

export function selectName(workspaceId: Uuid, { kind, id }: KnownActor): Statement<unknown> {
  return kind === 'api_key'
    ? sql`select name from api_key where workspace_id = ${workspaceId} and id = ${id}`
    : sql`select name from user_account where id = ${id}`
}
