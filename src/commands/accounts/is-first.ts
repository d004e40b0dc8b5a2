import { readBeginning } from '../../queries/accounts/read-beginning.ts'
import { sql, type Transaction } from '../../store/database.ts'

/**
 * Whether the caller may become the first person. The lock lasts until the transaction ends, so only one of several
 * first callers does.
 */
export async function isFirst(tx: Transaction, atHome: boolean): Promise<boolean> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('first account', 0))`)
  return (await readBeginning(tx, atHome)) === 'first_come'
}
