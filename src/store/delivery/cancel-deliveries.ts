import type { Uuid } from '../../kernel/ids.ts'
import { type Statement, sql, type Transaction } from '../database.ts'
import { notifyOfChannels } from './notify-of-deliveries.ts'
import { throughIndexes } from './outbox.ts'

const CANCEL_PORTION = 10_000

/**
 * The caller holds the channel, so that no delivery can follow. Unsent deliveries are queued or listed as held, so the
 * log, perhaps millions of rows, is not searched.
 */
export async function cancelUnsent(tx: Transaction, workspaceId: Uuid, channelId: Uuid, reason: string): Promise<void> {
  await throughIndexes(tx)
  while ((await cancelPending(tx, workspaceId, channelId, reason)) === CANCEL_PORTION);
  await tx.run(
    'cancel-held',
    `with gone as (delete from delivery_held where workspace_id = $1 and channel_id = $2 returning delivery_id)
     update delivery d set status = 'cancelled', error = $3 from gone
       where d.workspace_id = $1 and d.id = gone.delivery_id and d.status = 'held'`,
    [workspaceId, channelId, reason],
  )
  await notifyOfChannels(tx, [{ workspaceId, channelId }])
}

/**
 * Returns how many queue rows it found. Rows in flight are few and read whole (`offset 0`). One statement finds waiting
 * rows and those in flight, because a row may change between two. Skips rows that were settled while their lock was
 * awaited.
 */
async function cancelPending(tx: Transaction, workspaceId: Uuid, channelId: Uuid, reason: string): Promise<number> {
  const [row] = await tx.run<{ found: number }>(
    'cancel-pending',
    `with place as materialized (
       (select workspace_id, delivery_id, era from (
          select workspace_id, channel_id, delivery_id, era from delivery_queue where leased_until is not null
            and leased_until > '-infinity' offset 0) leased
        where workspace_id = $1 and channel_id = $2 limit $4)
       union all
       (select workspace_id, delivery_id, era from delivery_queue where leased_until is null and workspace_id = $1
         and channel_id = $2 order by channel_id, due_at limit $4)
       limit $4),
     held as materialized (
       select q.workspace_id, q.delivery_id, q.era from place
         join delivery_queue q on q.workspace_id = place.workspace_id and q.delivery_id = place.delivery_id
         and q.era = place.era
       order by q.delivery_id for update of q),
     gone as (delete from delivery_queue q using held where q.workspace_id = held.workspace_id
       and q.delivery_id = held.delivery_id and q.era = held.era),
     cancelled as (
       update delivery d set status = 'cancelled', error = $3 from held where d.workspace_id = held.workspace_id
         and d.id = held.delivery_id and d.status = 'pending')
     select count(*) as found from place`,
    [workspaceId, channelId, reason, CANCEL_PORTION],
  )
  return row!.found
}

export async function cancelDeliveries(tx: Transaction, which: Statement<unknown>, reason: string): Promise<void> {
  const unsent = sql`d.status in ('pending', 'held') and ${which}`
  // In the order of settling, which prevents deadlocks.
  await tx.query(sql`
    select from delivery_queue q join delivery d on d.workspace_id = q.workspace_id and d.id = q.delivery_id
      where ${unsent} order by q.delivery_id for update of q`)
  await tx.query(
    sql`delete from delivery_queue q using delivery d where d.workspace_id = q.workspace_id and d.id = q.delivery_id
        and ${unsent}`,
  )
  const channels = await tx.query<{ workspaceId: Uuid; channelId: Uuid }>(sql`
    with cancelled as (update delivery d set status = 'cancelled', error = ${reason} where ${unsent}
      returning d.workspace_id, d.channel_id)
    select distinct workspace_id as "workspaceId", channel_id as "channelId" from cancelled`)
  await notifyOfChannels(tx, channels)
}
