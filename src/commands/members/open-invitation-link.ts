import { type InvitationKey, invitationIn } from '../../domain/member/invitation.ts'
import type { Role } from '../../domain/member/member.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'

export { linkOf } from '../../domain/member/invitation.ts'

/** An invitation that can be accepted now, as the page behind its link shows it. */
export interface OpenInvitation extends InvitationKey {
  workspaceName: string
  /** As it was written by who invited: only an account with this address may accept. */
  email: string
  role: Role
  /** Whether the link was mailed, so that whoever has it has shown that the address is theirs. */
  mailed: boolean
  /** Null when the operator invited, or the account of who did is gone. */
  invitedByName: string | null
}

/**
 * Finds the invitation behind a link; refuses one that was altered, accepted, withdrawn or replaced, or that has
 * expired.
 */
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

/** What every door answers to a link that opens nothing any more; why it does not is nobody's business. */
export function noSuchInvitation(): Refusal<'invalid_token'> {
  return refuse('invalid_token', 'This invitation does not exist any more, or its link is not complete.', {
    status: 404,
  })
}
