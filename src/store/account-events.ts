import type { AccountEvent } from '../domain/attention/account-events.ts'
import { groupBy } from '../kernel/group.ts'
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
 * Writes account events down for every channel that subscribes to them, in the transaction of the change that they tell
 * of. They are sent later, at least once; each channel's begin to be sent in the order in which they are given, as long as
 * none has to be tried again.
 */
export async function recordAccountEvents(tx: Transaction, events: readonly RecordedEvent[]): Promise<void> {
  if (events.length === 0) return
  const channels = await tx.query<{ workspace_id: Uuid; id: Uuid; events: string[] }>(
    // Held, because a channel that is removed before the delivery is written down would undo the change that this tells of.
    sql`select workspace_id, id, events from channel where workspace_id = any(${[...new Set(events.map(({ workspaceId }) => workspaceId))]}::uuid[]) and enabled
      and events && ${[...new Set(events.map(({ event }) => event))]}::text[] order by workspace_id, id for key share`,
  )
  const byWorkspace = groupBy(channels, (channel) => channel.workspace_id)
  const deliveries = events.flatMap((one) =>
    (byWorkspace.get(one.workspaceId) ?? [])
      .filter((channel) => channel.events.includes(one.event))
      .map(({ id }) => ({ ...one, id: newUuid(one.at), channelId: id })),
  )
  if (deliveries.length === 0) return
  const workspaces = deliveries.map(({ workspaceId }) => workspaceId)
  const ids = deliveries.map(({ id }) => id)
  const channelIds = deliveries.map(({ channelId }) => channelId)
  const times = deliveries.map(({ at }) => at)
  await tx.query(sql`
    insert into delivery (workspace_id, id, channel_id, kind, event, data, status, created_at)
    select workspace_id, id, channel_id, 'event', event, data, 'pending', at
    from unnest(${workspaces}::uuid[], ${ids}::uuid[], ${channelIds}::uuid[], ${deliveries.map(({ event }) => event)}::text[],
      ${deliveries.map(({ data }) => JSON.stringify(data))}::jsonb[], ${times}::timestamptz[]) as t (workspace_id, id, channel_id, event, data, at)`)
  // What happens at once is due a microsecond apart, up to the moment itself: whatever waits is taken by when it is due.
  await tx.query(sql`
    insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at)
    select workspace_id, id, channel_id, at - (row_number() over (partition by channel_id order by place desc) - 1) * interval '1 microsecond'
    from unnest(${workspaces}::uuid[], ${ids}::uuid[], ${channelIds}::uuid[], ${times}::timestamptz[]) with ordinality as t (workspace_id, id, channel_id, at, place)`)
  await announceWork(tx, 'deliveries')
}
