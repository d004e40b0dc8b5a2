import { type InvitationKey, invitationIn } from '../../domain/member/invitation.ts'
import type { Role } from '../../domain/member/member.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'

export { linkOf } from '../../domain/member/invitation.ts'

export interface OpenInvitation extends InvitationKey {
  workspaceName: string
  /** Only an account with this address may accept. */
  email: string
  role: Role
  /** A mailed link proves ownership of the address. */
  mailed: boolean
  /** Null for the operator and for deleted accounts. */
  invitedByName: string | null
}

export async function openInvitationLink(
  { db, clock, sealer }: Services,
  token: string,
): Promise<OpenInvitation | Refusal<'invalid_token'>> {
  const key = invitationIn(sealer, token)
  if (key === null) return noSuchInvitation()
  const [invitation] = await db.query<OpenInvitation>(sql`
    select i.workspace_id as "workspaceId", w.name as "workspaceName", i.id, i.email, i.role, i.mailed,
      u.name as "invitedByName"
      from invitation i
      join workspace w on w.id = i.workspace_id
      left join user_account u on u.id = i.invited_by
     where i.workspace_id = ${key.workspaceId} and i.id = ${key.id} and i.expires_at > ${clock.now()}`)
  return invitation ?? noSuchInvitation()
}

/** One answer for all causes, so that it reveals nothing. */
export function noSuchInvitation(): Refusal<'invalid_token'> {
  return refuse('invalid_token', 'This invitation no longer exists, or its link is incomplete.', {
    status: 404,
  })
}
