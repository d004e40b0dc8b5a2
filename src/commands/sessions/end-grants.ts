import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'

/** Ends what a person allowed programs, in every workspace, from their next request on. The caller holds the account. */
export async function endGrants(tx: Transaction, userId: Uuid, now: Date): Promise<void> {
  await tx.query(sql`update oauth_grant set revoked_at = ${now} where user_id = ${userId} and revoked_at is null`)
}
