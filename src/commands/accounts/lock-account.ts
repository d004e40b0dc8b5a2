import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'

/** An account as its owner may change it. */
export interface Account {
  id: Uuid
  email: string
  emailFolded: string
  passwordHash: string | null
  emailConfirmedAt: Date | null
  creditedAt: Date | null
}

/**
 * Holds an account until the transaction ends, as everybody does who opens a session, ends all of them or changes how
 * the person proves who they are: none of that can fall between the look and the deed of another. Null when there is
 * none.
 */
export async function lockAccount(
  tx: Transaction,
  { id = null, emailFolded = null }: { id?: Uuid | null; emailFolded?: string | null },
): Promise<Account | null> {
  const [account] = await tx.query<Account>(sql`
    select id, email, email_folded as "emailFolded", password_hash as "passwordHash",
      email_confirmed_at as "emailConfirmedAt", credited_at as "creditedAt"
      from user_account where id = ${id} or email_folded = ${emailFolded} for no key update`)
  return account ?? null
}
