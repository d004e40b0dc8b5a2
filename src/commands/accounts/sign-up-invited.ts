import { checkAccount } from '../../domain/account/account.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { hashPassword } from '../../kernel/passwords.ts'
import { joinWorkspace } from '../members/join-workspace.ts'
import { noSuchInvitation, openInvitationLink } from '../members/open-invitation-link.ts'
import type { Services } from '../writing.ts'
import { holdInvitation } from './hold-invitation.ts'
import { hasAccountAlready, insertAccount } from './insert-account.ts'
import { openSession, type SignedIn } from './open-session.ts'

/** Only a mailed link confirms the address. */
export async function signUpInvited(
  services: Services,
  invitationToken: string,
  { name, password }: { name: string; password: string },
): Promise<SignedIn | Refusal<'conflict' | 'invalid_token' | 'validation_error'>> {
  const { db, clock } = services
  const invitation = await openInvitationLink(services, invitationToken)
  if (isRefusal(invitation)) return invitation
  const account = checkAccount({ email: invitation.email, name, password })
  if (isRefusal(account)) return account
  const passwordHash = await hashPassword(password)
  return db.transaction(async (tx) => {
    const now = clock.now()
    // Locked first and used last: a concurrent account must not use up the invitation, nor a withdrawn one leave an
    // account.
    if (!(await holdInvitation(tx, invitation, now))) return noSuchInvitation()
    const userId = await insertAccount(tx, { ...account, passwordHash, confirmed: invitation.mailed }, now)
    if (userId === null) return hasAccountAlready()
    await joinWorkspace(tx, services, invitation, userId, now)
    return openSession(tx, userId, now, { method: 'sign_up' })
  })
}
