import { FIRST_PASSWORD_MS, passwordProblem } from '../../domain/account/account.ts'
import { type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { hashPassword, passwordMatches } from '../../kernel/passwords.ts'
import { sql } from '../../store/database.ts'
import { recordAndNotify } from '../audit/record-and-notify.ts'
import { endGrants } from '../oauth/end-grants.ts'
import type { Services } from '../writing.ts'
import { lockAccount } from './lock-account.ts'

export interface PasswordChange {
  current: string
  next: string
  /** Whether to revoke the access of programs too. */
  disconnect: boolean
}

/**
 * Changes a password or sets the first, which needs a recent sign-in: a stolen cookie or an open browser must not
 * create a lasting way in. Ends all sessions but `keepHash`, and mailed links.
 */
export async function changePassword(
  services: Services,
  userId: Uuid,
  { current, next, disconnect }: PasswordChange,
  keepHash: Buffer,
): Promise<undefined | Refusal<'conflict' | 'forbidden' | 'validation_error'>> {
  const { db, clock } = services
  const [found] = await db.query<{ email: string; password_hash: string | null }>(
    sql`select email, password_hash from user_account where id = ${userId}`,
  )
  if (found === undefined) throw new Error('the account of a person who is signed in is gone')
  if (found.password_hash !== null && !(await passwordMatches(found.password_hash, current)))
    return refuseField('current', 'is not your password')
  const problem = passwordProblem(next, found.email)
  if (problem !== null) return refuseField('next', problem)
  const passwordHash = await hashPassword(next)
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, { id: userId })
    const [asking] = await tx.query<{ created_at: Date }>(
      sql`select created_at from user_session where hash = ${keepHash} and user_id = ${userId}`,
    )
    // The owner may have ended this session meanwhile.
    if (account?.passwordHash !== found.password_hash || asking === undefined)
      return refuse('conflict', 'The password was changed in the meantime. Try again.')
    const now = clock.now()
    if (account.passwordHash === null && asking.created_at <= plus(now, -FIRST_PASSWORD_MS)) return signInAnew()
    await tx.query(sql`update user_account set password_hash = ${passwordHash} where id = ${userId}`)
    await tx.query(sql`delete from user_session where user_id = ${userId} and hash <> ${keepHash}`)
    await tx.query(sql`delete from email_link where user_id = ${userId}`)
    await recordAndNotify(
      tx,
      services,
      { ofPerson: userId, kind: 'password.changed', target: { userId }, data: { by: 'person' } },
      now,
    )
    if (disconnect) await endGrants(tx, { userId }, 'password', now)
    return undefined
  })
}

function signInAnew(): Refusal<'forbidden'> {
  return refuse('forbidden', 'You signed in too long ago. Sign in again to set a password.')
}
