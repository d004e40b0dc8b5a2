import { foldEmail } from '../../domain/account/account.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { joinWorkspace } from '../members/join-workspace.ts'
import { openInvitationLink } from '../members/open-invitation-link.ts'
import type { Services } from '../writing.ts'
import { lockAccount } from './lock-account.ts'

/** Joins an existing account to the workspace that invited its address. An existing member keeps their role. */
export async function acceptInvitation(
  services: Services,
  invitationToken: string,
  userId: Uuid,
): Promise<{ workspaceId: Uuid } | Refusal<'forbidden' | 'invalid_token'>> {
  const invitation = await openInvitationLink(services, invitationToken)
  if (isRefusal(invitation)) return invitation
  return services.db.transaction(async (tx) => {
    const account = await lockAccount(tx, { id: userId })
    if (account?.emailFolded !== foldEmail(invitation.email))
      return refuse('forbidden', 'This invitation is for another address. Sign in with the invited address.')
    return (
      (await joinWorkspace(tx, services, invitation, userId, services.clock.now())) ?? {
        workspaceId: invitation.workspaceId,
      }
    )
  })
}
