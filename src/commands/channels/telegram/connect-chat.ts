import { isRefusal } from '../../../domain/refusal/refusal.ts'
import { toId } from '../../../kernel/ids.ts'
import { secretOf } from '../../../kernel/secrets.ts'
import { lockChannel, updateChannel } from '../../../store/channel/channels.ts'
import { findLink, useLink } from '../../../store/channel/telegram.ts'
import type { Transaction } from '../../../store/database.ts'
import { cancelUnsent } from '../../../store/delivery/cancel-deliveries.ts'
import { assertHere, assertNotMoved } from '../../../store/frozen/moved.ts'
import { recordAudit } from '../../../store/workspace/audit.ts'
import type { Services } from '../../writing.ts'
import type { Chat } from './update.ts'

/** Enables the channel and cancels deliveries for a previous chat; false for an invalid link. */
export async function connectChat(
  tx: Transaction,
  { clock, channels }: Pick<Services, 'clock' | 'channels'>,
  chat: Chat,
  token: string,
): Promise<boolean> {
  const secret = secretOf(token)
  const place = secret?.kind === 'lnk' ? await findLink(tx, secret.hash) : null
  const setup = channels.get('telegram')?.setup
  if (secret !== null && place === null) await assertNotMoved(tx, secret.hash)
  if (place !== null) await assertHere(tx, place.workspaceId)
  if (secret === null || place === null || setup === undefined) return false
  const channel = await lockChannel(tx, place.workspaceId, place.channelId)
  if (channel?.kind !== 'telegram' || !(await useLink(tx, place, secret.hash, clock.now()))) return false
  const { config, events } = channel
  const [before, after] = [setup.create({ ...config, events }), setup.create({ ...config, ...chat, events })]
  if (isRefusal(before) || isRefusal(after)) throw new Error('the settings of a Telegram channel cannot be read')
  // Keeps a label that somebody chose.
  const label = channel.label === before.label ? after.label : channel.label
  await updateChannel(tx, { ...channel, enabled: true, label, config: after.config as Record<string, unknown> })
  const target = { id: toId('dest', place.channelId), name: label }
  await recordAudit(
    tx,
    { workspaceId: place.workspaceId, kind: 'telegram.connected', target, data: { chatType: chat.chatType } },
    clock.now(),
  )
  const isElsewhere = typeof config['chatId'] === 'string' && config['chatId'] !== chat.chatId
  if (isElsewhere) await cancelUnsent(tx, place.workspaceId, place.channelId, 'the channel was changed')
  return true
}
