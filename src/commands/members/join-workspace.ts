import type { InvitationKey } from '../../domain/member/invitation.ts'
import type { Role } from '../../domain/member/member.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { type AuditMailer, recordAndNotify } from '../audit/record-and-notify.ts'
import { lockTeam } from './lock-team.ts'
import { noSuchInvitation } from './open-invitation-link.ts'

/**
 * A member keeps their role. The caller checks that the invitation is for this person. Writes nothing when it refuses.
 */
export async function joinWorkspace(
  tx: Transaction,
  telling: AuditMailer,
  { workspaceId, id }: InvitationKey,
  userId: Uuid,
  now: Date,
): Promise<undefined | Refusal<'invalid_token'>> {
  // Others see this person as invited or as a member, never as neither.
  await lockTeam(tx, workspaceId)
  const [used] = await tx.query<{ role: Role }>(
    sql`delete from invitation where workspace_id = ${workspaceId} and id = ${id} and expires_at > ${now}
        returning role`,
  )
  if (used === undefined) return noSuchInvitation()
  await addMember(tx, telling, { workspaceId, role: used.role }, userId, now)
  return undefined
}

export async function addMember(
  tx: Transaction,
  telling: AuditMailer,
  { workspaceId, role }: { workspaceId: Uuid; role: Role },
  userId: Uuid,
  now: Date,
): Promise<void> {
  const joined = await tx.query(sql`
    insert into membership (workspace_id, id, user_id, role, joined_at)
    values (${workspaceId}, ${newUuid(now)}, ${userId}, ${role}, ${now})
    on conflict (workspace_id, user_id) do nothing returning 1`)
  if (joined.length === 0) return
  // A new account is not signed in yet.
  const agent = { kind: 'person', id: userId, grantId: null } as const
  await recordAndNotify(tx, telling, { workspaceId, kind: 'member.joined', target: { userId }, data: { role } }, now, {
    agent,
  })
}
