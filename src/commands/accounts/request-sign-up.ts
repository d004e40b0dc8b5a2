import { EMAIL_PROBLEM, foldEmail } from '../../domain/account/account.ts'
import { type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { readBeginning } from '../../queries/accounts/read-beginning.ts'
import { accountExistsText, signUpText } from '../mail/texts.ts'
import type { Visited } from '../writing.ts'
import { lockAccount } from './lock-account.ts'
import { queueLink } from './queue-link.ts'

/** Mails a sign-up link, or tells an existing account to sign in: the answer does not reveal which. */
export async function requestSignUp(
  services: Visited,
  email: string,
): Promise<undefined | Refusal<'email_transport_unavailable' | 'forbidden' | 'validation_error'>> {
  if (services.signUp !== 'open' || (await readBeginning(services.db, services.atHome ?? false)) === 'first_come')
    return signUpIsClosed()
  if (services.mail === null) return refuse('email_transport_unavailable', 'This installation sends no e-mail.')
  const emailFolded = foldEmail(email)
  if (emailFolded === null) return refuseField('email', EMAIL_PROBLEM)
  await services.db.transaction(async (tx) => {
    const account = await lockAccount(tx, { emailFolded })
    await queueLink(tx, services, {
      purpose: 'sign_up',
      email: account?.email ?? email.trim(),
      userId: null,
      // Storing an unused link keeps both paths alike and counts against the limit.
      mail: (secret) =>
        account === null
          ? signUpText(`${services.publicUrl}/sign-up/${secret}`)
          : accountExistsText(`${services.publicUrl}/sign-in`),
      wanted: true,
    })
  })
  return undefined
}

export function signUpIsClosed(): Refusal<'forbidden'> {
  return refuse('forbidden', 'New accounts on this installation require an invitation.')
}
