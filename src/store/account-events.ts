import type { AccountEvent } from '../domain/attention/account-events.ts'
import { newUuid, type Uuid } from '../kernel/ids.ts'
import { announceWork } from './announcements.ts'
import { sql, type Transaction } from './database.ts'

export interface RecordedEvent {
  workspaceId: Uuid
  event: AccountEvent
  at: Date
  /** As it is sent: plain JSON in the form of the public interface. */
  data: Record<string, unknown>
}

/**
 * Writes an account event down for every channel that subscribes to it, in the transaction of the change that it tells
 * of. It is sent later, at least once.
 */
export async function recordAccountEvent(tx: Transaction, { workspaceId, event, at, data }: RecordedEvent): Promise<void> {
  const channels = await tx.query<{ id: Uuid }>(
    // Held, because a channel that is removed before the delivery is written down would undo the change that this tells of.
    sql`select id from channel where workspace_id = ${workspaceId} and enabled and ${event} = any(events) order by id for key share`,
  )
  for (const channel of channels) {
    const id = newUuid(at)
    await tx.query(sql`
      insert into delivery (workspace_id, id, channel_id, kind, event, data, status, created_at)
      values (${workspaceId}, ${id}, ${channel.id}, 'event', ${event}, ${JSON.stringify(data)}::jsonb, 'pending', ${at})`)
    await tx.query(sql`insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at) values (${workspaceId}, ${id}, ${channel.id}, ${at})`)
  }
  if (channels.length > 0) await announceWork(tx, 'deliveries')
}
