import type { LinkPurpose } from '../../domain/account/account.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { type LockedAccount, lockAccount } from './lock-account.ts'
import { linkHashOf } from './peek-link.ts'

/** Locks the account; null when the link is invalid. */
export async function useLink(
  tx: Transaction,
  secret: string,
  purpose: Exclude<LinkPurpose, 'sign_up'>,
  now: Date,
): Promise<{ account: LockedAccount; mailed: boolean } | null> {
  const hash = linkHashOf(secret)
  if (hash === null) return null
  const [known] = await tx.query<{ user_id: Uuid }>(
    sql`select user_id from email_link where hash = ${hash} and purpose = ${purpose}`,
  )
  // The account is locked before its links, as everywhere.
  const account = known === undefined ? null : await lockAccount(tx, { id: known.user_id })
  if (account === null) return null
  const [used] = await tx.query<{ mailed: boolean }>(
    sql`delete from email_link where hash = ${hash} and expires_at > ${now} returning mailed`,
  )
  return used === undefined ? null : { account, mailed: used.mailed }
}

export function noSuchLink(): Refusal<'invalid_token'> {
  return refuse('invalid_token', 'This link was used or has expired. Ask for a new one.')
}
