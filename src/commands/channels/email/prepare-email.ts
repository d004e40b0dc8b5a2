import { isRefusal } from '../../../domain/refusal/refusal.ts'
import type { Recipient } from '../../../store/channel/email-channels.ts'
import type { Preparing } from '../prepared.ts'
import { admitRecipients, askRecipients } from './admit-recipients.ts'

/** Non-members are asked by mail after the channel is stored. */
export const prepareEmail: Preparing = async (tx, writing, { setup }, input) => {
  const settings = setup.create(input)
  if (isRefusal(settings)) return settings
  const admitted = await admitRecipients(tx, writing, (settings.config as { recipients: Recipient[] }).recipients)
  if (isRefusal(admitted)) return admitted
  const { recipients, toAsk } = admitted
  return {
    settings: { ...settings, config: { recipients } },
    secret: null,
    isShown: false,
    afterwards: (id) => askRecipients(tx, writing, id, toAsk),
  }
}
