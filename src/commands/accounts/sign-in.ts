import { foldEmail } from '../../domain/account/account.ts'
import { FAILURES_APART_MS } from '../../domain/audit/kinds.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { passwordMatches } from '../../kernel/passwords.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { Services } from '../writing.ts'
import { lockAccount } from './lock-account.ts'
import { openSession, type SignedIn } from './open-session.ts'

/**
 * Signs somebody in by password. An address without account, or without password, is refused after the same work in the
 * same words.
 */
export async function signIn(
  { db, clock }: Services,
  { email, password }: { email: string; password: string },
): Promise<SignedIn | Refusal<'unauthorized'>> {
  const [found] = await db.query<{ id: Uuid; password_hash: string | null }>(
    sql`select id, password_hash from user_account where email_folded = ${foldEmail(email)}`,
  )
  const matches = await passwordMatches(found?.password_hash ?? null, password)
  const now = clock.now()
  if (found === undefined || !matches) {
    await db.transaction((tx) => noteFailure(tx, found?.id ?? null, now))
    return wrong()
  }
  return db.transaction(async (tx) => {
    // While the password was checked it may have been changed, because somebody else knew it.
    const account = await lockAccount(tx, { id: found.id })
    return account?.passwordHash === found.password_hash
      ? openSession(tx, found.id, now, { method: 'password' })
      : wrong()
  })
}

/**
 * Writes a failure down, in the log of every workspace of the person. For an address without account the same
 * statements find nobody, and none waits for a disk, so that the time it takes does not tell whether there is one.
 */
async function noteFailure(tx: Transaction, known: Uuid | null, at: Date): Promise<void> {
  const userId = known ?? newUuid(at)
  await tx.query(sql`set local synchronous_commit = off`)
  await recordAudit(
    tx,
    { ofPerson: userId, kind: 'sign_in.failed', target: { userId }, data: { method: 'password' } },
    at,
    { apartMs: FAILURES_APART_MS },
  )
}

function wrong(): Refusal<'unauthorized'> {
  return refuse('unauthorized', 'The e-mail address or the password is wrong.')
}
