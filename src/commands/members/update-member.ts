import type { Role } from '../../domain/member/member.ts'
import { managesTeam, roleObjection } from '../../domain/member/team.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Member, readMembers } from '../../queries/members/member-shape.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { recordAndNotify } from '../audit/record-and-notify.ts'
import { dropInvitations } from '../invitations/drop-invitations.ts'
import { forgetPayer } from '../payments/forget-payer.ts'
import type { WritingContext } from '../writing.ts'
import { lockTeam, roleOf } from './lock-team.ts'

/**
 * Changes a role within the actor's own current role. A person who no longer manages the team loses their invitations
 * and their payment method.
 */
export async function updateMember(
  writing: WritingContext,
  by: Uuid,
  id: Uuid,
  { role }: { role: Role },
): Promise<Member | Refusal<'not_found'> | Refusal<'forbidden'>> {
  const { db, clock, workspaceId } = writing
  return db.transaction(async (tx) => {
    await lockTeam(tx, workspaceId)
    const member = await findMember(tx, workspaceId, id)
    if (member === null) return noSuchMember()
    const objection = roleObjection(await roleOf(tx, workspaceId, by), { from: member.role, to: role })
    if (objection !== null) return objection
    const at = clock.now()
    if (role !== member.role) {
      await tx.query(sql`update membership set role = ${role} where workspace_id = ${workspaceId} and id = ${id}`)
      const data = { from: member.role, to: role }
      await recordAndNotify(
        tx,
        writing,
        { workspaceId, kind: 'member.role_changed', target: { userId: member.userId }, data },
        at,
      )
    }
    if (managesTeam(member.role) && !managesTeam(role)) {
      await dropInvitations(tx, workspaceId, { invitedBy: member.userId }, { because: 'inviter_left', at })
      await forgetPayer(tx, writing, workspaceId, member.userId)
    }
    const [updated] = await readMembers(tx, workspaceId, id)
    return updated!
  })
}

export async function findMember(
  tx: Transaction,
  workspaceId: Uuid,
  id: Uuid,
): Promise<{ userId: Uuid; role: Role } | null> {
  const [member] = await tx.query<{ userId: Uuid; role: Role }>(
    sql`select user_id as "userId", role from membership where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return member ?? null
}

export function noSuchMember(): Refusal<'not_found'> {
  return refuse('not_found', 'This workspace has no such member.')
}
