import { sql, type Transaction } from './database.ts'

/**
 * Notified when there is work that any process may take: `mentions` without a score, `deliveries` that are due, or
 * `mails` about accounts.
 */
export const WORK_CHANNEL = 'earshot_work'
export type WorkKind = 'mentions' | 'deliveries' | 'mails'

/**
 * Tells the processes that work, once the transaction commits, that there is something for them. However often it is
 * called in one transaction, they hear it once.
 */
export async function announceWork(tx: Transaction, kind: WorkKind): Promise<void> {
  await tx.query(sql`select pg_notify(${WORK_CHANNEL}, ${kind})`)
}
