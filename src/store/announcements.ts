import { sql, type Transaction } from './database.ts'

/** The channel that announces work for any process: unscored `mentions`, due `deliveries` or account `mails`. */
export const WORK_CHANNEL = 'earshot_work'
export type WorkKind = 'mentions' | 'deliveries' | 'mails'

/** Sends the notification when the transaction commits, once however often it is called in the transaction. */
export async function announceWork(tx: Transaction, kind: WorkKind): Promise<void> {
  await tx.query(sql`select pg_notify(${WORK_CHANNEL}, ${kind})`)
}
