import { passwordProblem } from '../../domain/account/account.ts'
import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { hashPassword } from '../../kernel/passwords.ts'
import { sql } from '../../store/database.ts'
import { recordAndNotify } from '../audit/record-and-notify.ts'
import type { Services } from '../writing.ts'
import { endAccess } from './end-access.ts'
import { openSession, type SignedIn } from './open-session.ts'
import { peekLink } from './peek-link.ts'
import { noSuchLink, useLink } from './use-link.ts'

/**
 * Sets a password by a link and signs in. People reset for fear of an intruder, so all other access ends. A mailed link
 * confirms the address, an operator's does not.
 */
export async function resetPassword(
  services: Services,
  secret: string,
  password: string,
): Promise<SignedIn | Refusal<'invalid_token' | 'validation_error'>> {
  const { db, clock } = services
  // A refused password must not use up the link, nor an invalid link cost a hash.
  const link = await peekLink(db, secret, 'reset', clock.now())
  if (link === null) return noSuchLink()
  const problem = passwordProblem(password, link.email)
  if (problem !== null) return refuseField('password', problem)
  const passwordHash = await hashPassword(password)
  return db.transaction(async (tx) => {
    const now = clock.now()
    const used = await useLink(tx, secret, 'reset', now)
    if (used === null) return noSuchLink()
    const { account, mailed } = used
    await endAccess(tx, account.id, 'password', now)
    const confirmedAt = account.emailConfirmedAt ?? (mailed ? now : null)
    await tx.query(
      sql`update user_account set password_hash = ${passwordHash}, email_confirmed_at = ${confirmedAt}
          where id = ${account.id}`,
    )
    const agent = { kind: 'person', id: account.id, grantId: null } as const
    const changed = {
      ofPerson: account.id,
      kind: 'password.changed',
      target: { userId: account.id },
      data: { by: 'reset_link' },
    } as const
    await recordAndNotify(tx, services, changed, now, { agent })
    return openSession(tx, account.id, now, { method: 'reset_link' })
  })
}
