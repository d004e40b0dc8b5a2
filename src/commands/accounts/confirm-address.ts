import { type Reader, sql, type Transaction } from '../../store/database.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import { endAccess } from './end-access.ts'
import type { LockedAccount } from './lock-account.ts'

/**
 * A stranger may have created an unconfirmed account to wait for its owner, so all earlier access ends, unless
 * `presentHash` is an open session of it. Returns whether the password was removed.
 */
export async function confirmAddress(
  tx: Transaction,
  { id, emailConfirmedAt, passwordHash }: LockedAccount,
  presentHash: Buffer | null,
  now: Date,
): Promise<boolean> {
  if (emailConfirmedAt !== null) return false
  const isIn = presentHash !== null && (await isSessionOf(tx, presentHash, id, now))
  if (!isIn) await endAccess(tx, id, 'address_confirmed', now)
  await tx.query(
    sql`update user_account set password_hash = ${isIn ? passwordHash : null}, email_confirmed_at = ${now}
        where id = ${id}`,
  )
  const lost = !isIn && passwordHash !== null
  if (lost) await recordAudit(tx, { ofPerson: id, kind: 'password.removed', target: { userId: id }, data: {} }, now)
  return lost
}

async function isSessionOf(db: Reader, hash: Buffer, userId: LockedAccount['id'], now: Date): Promise<boolean> {
  const open = await db.query(
    sql`select 1 from user_session where hash = ${hash} and user_id = ${userId} and expires_at > ${now}`,
  )
  return open.length === 1
}
