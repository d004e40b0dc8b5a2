import type { OwnRetention } from '../../domain/workspace/retention.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'

/** Holds the workspace. */
export async function readOwnRetention(tx: Transaction, workspaceId: Uuid): Promise<OwnRetention & { name: string }> {
  const [row] = await tx.query<OwnRetention & { name: string }>(sql`
    select name, mentions_kept_days as "mentionDays", deliveries_kept_days as "deliveryDays" from workspace
    where id = ${workspaceId} for no key update`)
  if (row === undefined) throw new Error(`workspace ${workspaceId} is gone`)
  return row
}

export async function storeOwnRetention(
  tx: Transaction,
  workspaceId: Uuid,
  { mentionDays, deliveryDays }: OwnRetention,
): Promise<void> {
  await tx.query(sql`
    update workspace set mentions_kept_days = ${mentionDays}, deliveries_kept_days = ${deliveryDays}
    where id = ${workspaceId}`)
}
