import { EMAIL_PROBLEM, foldEmail } from '../../domain/account/account.ts'
import { type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { resetText, signInLinkText } from '../mail/texts.ts'
import type { Services } from '../writing.ts'
import { lockAccount } from './lock-account.ts'
import { queueLink } from './queue-link.ts'

/** The answer does not reveal whether the account exists. */
export async function requestLink(
  services: Services,
  purpose: 'sign_in' | 'reset',
  email: string,
): Promise<undefined | Refusal<'email_transport_unavailable' | 'validation_error'>> {
  if (services.mail === null)
    return refuse(
      'email_transport_unavailable',
      'This installation sends no e-mail. Ask its operator for a sign-in link.',
    )
  const emailFolded = foldEmail(email)
  if (emailFolded === null) return refuseField('email', EMAIL_PROBLEM)
  await services.db.transaction(async (tx) => {
    const account = await lockAccount(tx, { emailFolded })
    await queueLink(tx, services, {
      purpose,
      // The stored address of the account, in its own spelling.
      email: account?.email ?? emailFolded,
      userId: account?.id ?? null,
      mail: (secret) =>
        purpose === 'sign_in'
          ? signInLinkText(`${services.publicUrl}/sign-in/link/${secret}`)
          : resetText(`${services.publicUrl}/reset/${secret}`),
      wanted: account !== null,
    })
  })
  return undefined
}
