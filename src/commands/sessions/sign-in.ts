import { foldEmail } from '../../domain/account/account.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { passwordMatches } from '../../kernel/passwords.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { sql } from '../../store/database.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import type { Services } from '../writing.ts'
import { openSession, type SignedIn } from './open-session.ts'

/** Signs somebody in by password. An address without account, or without password, is refused after the same work in the same words. */
export async function signIn({ db, clock }: Services, { email, password }: { email: string; password: string }): Promise<SignedIn | Refusal<'unauthorized'>> {
  const [found] = await db.query<{ id: Uuid; password_hash: string | null }>(
    sql`select id, password_hash from user_account where email_folded = ${foldEmail(email)}`,
  )
  const matches = await passwordMatches(found?.password_hash ?? null, password)
  if (found === undefined || !matches) return wrong()
  return db.transaction(async (tx) => {
    // While the password was checked it may have been changed, because somebody else knew it.
    const account = await lockAccount(tx, { id: found.id })
    return account?.passwordHash === found.password_hash ? openSession(tx, found.id, clock.now()) : wrong()
  })
}

function wrong(): Refusal<'unauthorized'> {
  return refuse('unauthorized', 'The e-mail address or the password is wrong.')
}
