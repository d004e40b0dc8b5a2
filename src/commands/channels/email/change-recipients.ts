import type { ChannelSettings } from '../../../channels/contract.ts'
import { isRefusal } from '../../../domain/refusal/refusal.ts'
import type { StoredChannel } from '../../../store/channel/channels.ts'
import type { Recipient } from '../../../store/channel/email-channels.ts'
import type { Transaction } from '../../../store/database.ts'
import type { WritingContext } from '../../writing.ts'
import { type AdmissionRefusal, admitRecipients, askRecipients } from './admit-recipients.ts'

/** Admits new recipients and asks them if needed. The caller holds the channel. */
export async function changeRecipients(
  tx: Transaction,
  writing: WritingContext,
  current: StoredChannel,
  settings: ChannelSettings,
): Promise<ChannelSettings | AdmissionRefusal> {
  const { recipients } = settings.config as { recipients: Recipient[] }
  const admitted = await admitRecipients(
    tx,
    writing,
    recipients,
    (current.config as unknown as { recipients: Recipient[] }).recipients,
  )
  if (isRefusal(admitted)) return admitted
  await askRecipients(tx, writing, current.id, admitted.toAsk)
  return { ...settings, config: { recipients: admitted.recipients } }
}
