import { EMAIL_PROBLEM, foldEmail } from '../../domain/account/account.ts'
import { linkOf } from '../../domain/member/invitation.ts'
import type { Role } from '../../domain/member/member.ts'
import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { sql, type Transaction } from '../../store/database.ts'
import type { WritingContext } from '../writing.ts'
import { lockTeam } from './lock-team.ts'
import { invitationObjection, writeInvitation } from './write-invitation.ts'

export interface OperatorInvitation {
  link: string
  role: Role
}

/**
 * Invites by link without a mail, and replaces an open invitation. May create the first owner. The default role is
 * owner where there is none, else member.
 */
export async function inviteAsOperator(
  writing: WritingContext,
  email: string,
  role: Role | null,
): Promise<OperatorInvitation | Refusal<'validation_error'> | Refusal<'already_member'> | Refusal<'conflict'>> {
  const { db, clock, workspaceId } = writing
  const emailFolded = foldEmail(email)
  if (emailFolded === null) return refuseField('email', EMAIL_PROBLEM)
  const now = clock.now()
  return db.transaction(async (tx) => {
    await lockTeam(tx, workspaceId)
    const objection = await invitationObjection(tx, workspaceId, emailFolded, now)
    if (objection !== null) return objection
    const given = role ?? ((await hasOwner(tx, writing)) ? 'member' : 'owner')
    const { id } = await writeInvitation(
      tx,
      workspaceId,
      { email: email.trim(), emailFolded, role: given, by: null, mailed: false },
      now,
    )
    return { link: linkOf(writing, { workspaceId, id }), role: given }
  })
}

async function hasOwner(tx: Transaction, { workspaceId }: WritingContext): Promise<boolean> {
  const owners = await tx.query(
    sql`select 1 from membership where workspace_id = ${workspaceId} and role = 'owner' limit 1`,
  )
  return owners.length > 0
}
