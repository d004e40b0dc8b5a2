import { INVITATION_MS } from '../../domain/member/invitation.ts'
import type { Role } from '../../domain/member/member.ts'
import { TEAM_LIMITS } from '../../domain/member/team.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { plus } from '../../kernel/clock.ts'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import type { InvitationRow } from '../../queries/members/invitation-shape.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import { dropInvitations } from '../invitations/drop-invitations.ts'

export interface InvitationToWrite {
  email: string
  emailFolded: string
  role: Role
  /** Null for the operator. */
  by: Uuid | null
  mailed: boolean
  /** The grant of the app that invites for the person. */
  grantId?: Uuid | null
}

/** The caller holds the team lock. */
export async function invitationObjection(
  tx: Transaction,
  workspaceId: Uuid,
  emailFolded: string,
  now: Date,
): Promise<Refusal<'already_member'> | Refusal<'conflict'> | null> {
  const [team] = await tx.query<{ belongs: boolean; members: number; others: number }>(sql`
    select exists (select from membership m join user_account u on u.id = m.user_id
                    where m.workspace_id = ${workspaceId} and u.email_folded = ${emailFolded}) as belongs,
           (select count(*) from membership where workspace_id = ${workspaceId}) as members,
           (select count(*) from invitation where workspace_id = ${workspaceId} and expires_at > ${now}
             and email_folded <> ${emailFolded}) as others`)
  const { belongs, members, others } = team!
  if (belongs) return refuse('already_member', 'A member with this address already exists.')
  if (others >= TEAM_LIMITS.openInvitations)
    return refuse('conflict', `The workspace has ${TEAM_LIMITS.openInvitations} open invitations.`)
  if (members + others >= TEAM_LIMITS.people)
    return refuse('conflict', `The workspace has ${TEAM_LIMITS.people} members and invitations.`)
  return null
}

/** Replaces any other invitation of the address. */
export async function writeInvitation(
  tx: Transaction,
  workspaceId: Uuid,
  { email, emailFolded, role, by, mailed, grantId = null }: InvitationToWrite,
  now: Date,
): Promise<InvitationRow> {
  // An expired invitation still holds the unique address.
  await dropInvitations(tx, workspaceId, { emailFolded }, null)
  const [row] = await tx.query<InvitationRow>(sql`
    insert into invitation (workspace_id, id, email, email_folded, role, mailed, invited_by, grant_id, created_at,
      expires_at)
    values (${workspaceId}, ${newUuid(now)}, ${email}, ${emailFolded}, ${role}, ${mailed}, ${by}, ${grantId}, ${now},
      ${plus(now, INVITATION_MS)})
    returning id, email, role, mailed, invited_by, expires_at, created_at`)
  const target = { id: toId('inv', row!.id), name: email }
  await recordAudit(tx, { workspaceId, kind: 'member.invited', target, data: { role } }, now)
  return row!
}
