import { lockChannel, type StoredChannel, updateChannel } from '../../../store/channel/channels.ts'
import { channelsOfChat } from '../../../store/channel/telegram.ts'
import type { Transaction } from '../../../store/database.ts'
import { cancelUnsent } from '../../../store/delivery/cancel-deliveries.ts'

/** For a removed bot: disables the channels and cancels their deliveries. Returns how many. */
export async function leaveChat(tx: Transaction, chatId: string): Promise<number> {
  const channels = (await lockChannels(tx, chatId)).filter(({ enabled }) => enabled)
  for (const channel of channels) {
    await updateChannel(tx, { ...channel, enabled: false })
    await cancelUnsent(tx, channel.workspaceId, channel.id, 'the bot was blocked or removed from the chat')
  }
  return channels.length
}

/** A group got a new id. */
export async function moveChat(tx: Transaction, from: string, to: string): Promise<number> {
  const channels = await lockChannels(tx, from)
  for (const channel of channels)
    await updateChannel(tx, { ...channel, config: { ...channel.config, chatId: to, chatType: 'supergroup' } })
  return channels.length
}

/** Skips channels that were connected to another chat meanwhile. */
async function lockChannels(tx: Transaction, chatId: string): Promise<StoredChannel[]> {
  const locked: StoredChannel[] = []
  for (const { workspaceId, channelId } of await channelsOfChat(tx, chatId)) {
    const channel = await lockChannel(tx, workspaceId, channelId)
    if (channel !== null && channel.config['chatId'] === chatId) locked.push(channel)
  }
  return locked
}
