import { type CheckedAccount, checkAccount } from '../../domain/account/account.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { hashPassword } from '../../kernel/passwords.ts'
import { sql, type Transaction } from '../../store/database.ts'
import type { Services } from '../writing.ts'
import { hasAccountAlready, insertAccount } from './insert-account.ts'
import { openSession, type SignedIn } from './open-session.ts'
import { linkHashOf, peekLink } from './peek-link.ts'
import { signUpIsClosed } from './request-sign-up.ts'
import { noSuchLink } from './use-link.ts'

/**
 * Creates the account that a mailed link is for, once. The link confirms the address. The person has no workspace yet.
 */
export async function completeSignUp(
  { db, clock, signUp }: Services,
  secret: string,
  { name, password }: { name: string; password: string },
): Promise<SignedIn | Refusal<'conflict' | 'forbidden' | 'invalid_token' | 'validation_error'>> {
  if (signUp !== 'open') return signUpIsClosed()
  const link = await peekLink(db, secret, 'sign_up', clock.now())
  if (link === null) return noSuchLink()
  const account = checkAccount({ email: link.email, name, password })
  if (isRefusal(account)) return account
  const passwordHash = await hashPassword(password)
  return db.transaction(async (tx) => {
    const now = clock.now()
    if (!(await useSignUpLink(tx, secret, account, now))) return noSuchLink()
    const userId = await insertAccount(tx, { ...account, passwordHash, confirmed: true }, now)
    return userId === null ? hasAccountAlready() : openSession(tx, userId, now, { method: 'sign_up' })
  })
}

/** Deletes all other sign-up links of the address too. */
async function useSignUpLink(
  tx: Transaction,
  secret: string,
  { emailFolded }: CheckedAccount,
  now: Date,
): Promise<boolean> {
  const used = await tx.query(
    sql`delete from email_link where hash = ${linkHashOf(secret)} and purpose = 'sign_up' and expires_at > ${now}
        returning 1`,
  )
  await tx.query(sql`delete from email_link where lower(email) = ${emailFolded} and purpose = 'sign_up'`)
  return used.length === 1
}
