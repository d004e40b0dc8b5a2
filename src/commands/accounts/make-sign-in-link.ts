import { EMAIL_PROBLEM, foldEmail, OPERATOR_LINK_MS } from '../../domain/account/account.ts'
import { type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { plus } from '../../kernel/clock.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'
import { lockAccount } from './lock-account.ts'

/** The operator's help for people who are locked out. Unlike a mailed link, it does not confirm the address. */
export async function makeSignInLink(
  { db, clock, publicUrl }: Services,
  email: string,
): Promise<string | Refusal<'not_found' | 'validation_error'>> {
  const emailFolded = foldEmail(email)
  if (emailFolded === null) return refuseField('email', EMAIL_PROBLEM)
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, { emailFolded })
    if (account === null) return refuse('not_found', `Nobody has an account with the address ${emailFolded}.`)
    const now = clock.now()
    const { text: secret, hash } = newSecret('lnk')
    await tx.query(sql`
      insert into email_link (hash, purpose, email, user_id, mailed, created_at, expires_at)
      values (${hash}, 'reset', ${account.email}, ${account.id}, false, ${now}, ${plus(now, OPERATOR_LINK_MS)})`)
    return `${publicUrl}/reset/${secret}`
  })
}
