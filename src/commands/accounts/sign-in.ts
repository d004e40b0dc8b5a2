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

/** An unknown address costs the same work and gets the same refusal. */
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
    const account = await lockAccount(tx, { id: found.id })
    return account?.passwordHash === found.password_hash
      ? openSession(tx, found.id, now, { method: 'password' })
      : wrong()
  })
}

/** An unknown address runs the same statements, without waiting for the disk, so the duration reveals nothing. */
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
