import { readBeginning } from '../../queries/accounts/read-beginning.ts'
import { sql, type Transaction } from '../../store/database.ts'

/**
 * Whether whoever asks may be the first person. Until the transaction ends nobody else is told so, so that of several
 * who are first one is.
 */
export async function isFirst(tx: Transaction, atHome: boolean): Promise<boolean> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('first account', 0))`)
  return (await readBeginning(tx, atHome)) === 'first_come'
}
