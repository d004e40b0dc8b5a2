import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'

export interface LockedAccount {
  id: Uuid
  email: string
  emailFolded: string
  passwordHash: string | null
  emailConfirmedAt: Date | null
  creditedAt: Date | null
}

/**
 * Locks an account until the transaction ends. Whoever changes sessions or credentials holds this lock, so a check and
 * its change cannot interleave.
 */
export async function lockAccount(
  tx: Transaction,
  { id = null, emailFolded = null }: { id?: Uuid | null; emailFolded?: string | null },
): Promise<LockedAccount | null> {
  const [account] = await tx.query<LockedAccount>(sql`
    select id, email, email_folded as "emailFolded", password_hash as "passwordHash",
      email_confirmed_at as "emailConfirmedAt", credited_at as "creditedAt"
      from user_account where id = ${id} or email_folded = ${emailFolded} for no key update`)
  return account ?? null
}
