import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../database.ts'
import { notifyFollowers } from '../follower/followers.ts'

export async function notifyOfDeliveries(
  tx: Transaction,
  deliveries: readonly { workspaceId: Uuid; deliveryId: Uuid }[],
): Promise<void> {
  await notifyFollowers(
    tx,
    'delivery.changed',
    deliveries.map(({ workspaceId, deliveryId }) => ({ workspaceId, id: deliveryId })),
  )
}

/** For changes of many deliveries at once, which are named by their channels. */
export async function notifyOfChannels(
  tx: Transaction,
  changed: readonly { workspaceId: Uuid; channelId: Uuid }[],
): Promise<void> {
  const channels = new Map(changed.map(({ workspaceId, channelId }) => [channelId, workspaceId]))
  await notifyFollowers(
    tx,
    'channel.changed',
    [...channels].map(([id, workspaceId]) => ({ workspaceId, id })),
  )
}
