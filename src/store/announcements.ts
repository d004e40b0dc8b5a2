import { sql, type Transaction } from './database.ts'

/** Announces work for any process: unscored `mentions`, due `deliveries` or account `mails`. */
export const WORK_CHANNEL = 'earshot_work'
export type WorkKind = 'mentions' | 'deliveries' | 'mails'

/** Notifies once, when the transaction commits. */
export async function announceWork(tx: Transaction, kind: WorkKind): Promise<void> {
  await tx.query(sql`select pg_notify(${WORK_CHANNEL}, ${kind})`)
}
