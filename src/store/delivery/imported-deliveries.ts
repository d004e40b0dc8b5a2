import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'

/** Lists these deliveries of an imported workspace where the log looks for them by status and by rule. */
export async function listImported(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await tx.query(sql`
    insert into delivery_unaccepted (workspace_id, status, delivery_id)
    select workspace_id, status, id from delivery
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and status in ('failed', 'cancelled')`)
  await tx.query(sql`
    insert into delivery_by_more_alerts (workspace_id, alert_id, delivery_id)
    select distinct d.workspace_id, named.alert_id, d.id
    from delivery d cross join unnest(d.more_alerts) named (alert_id)
    where d.workspace_id = ${workspaceId} and d.id = any(${ids}::uuid[])`)
}
