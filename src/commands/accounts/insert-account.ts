import type { CheckedAccount } from '../../domain/account/account.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'

export interface NewAccount extends CheckedAccount {
  /** Null for people who sign in through a provider. */
  passwordHash: string | null
  confirmed: boolean
}

/** Null when the address has an account, also one of the same moment. */
export async function insertAccount(
  tx: Transaction,
  { email, emailFolded, name, passwordHash, confirmed }: NewAccount,
  now: Date,
): Promise<Uuid | null> {
  const [made] = await tx.query<{ id: Uuid }>(sql`
    insert into user_account (id, email, email_folded, name, password_hash, email_confirmed_at, created_at)
    values (${newUuid(now)}, ${email}, ${emailFolded}, ${name}, ${passwordHash}, ${confirmed ? now : null}, ${now})
    on conflict (email_folded) do nothing returning id`)
  return made?.id ?? null
}

/** Only for callers who may know that the account exists. */
export function hasAccountAlready(): Refusal<'conflict'> {
  return refuse('conflict', 'This address already has an account. Sign in instead.')
}
