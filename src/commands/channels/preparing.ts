import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { prepareEmail } from './email/prepare-email.ts'
import type { Preparing, PreparingOutside } from './prepared.ts'
import { prepareSlack } from './slack/prepare-slack.ts'
import { prepareTelegram } from './telegram/prepare-telegram.ts'

/** Of kinds whose settings are all that there is to them. */
const fromSettings: Preparing = async (_tx, _writing, { setup }, input) => {
  const settings = setup.create(input)
  return isRefusal(settings) ? settings : { settings, secret: setup.newSecret(), isShown: true }
}

/** Of kinds for which nobody outside has to be asked. */
const within =
  (prepare: Preparing): PreparingOutside =>
  async () =>
    prepare

/** How a channel of each kind comes about. */
export const PREPARING: Readonly<Record<ChannelKind, PreparingOutside>> = {
  webhook: within(fromSettings),
  slack: within(prepareSlack),
  telegram: prepareTelegram,
  email: within(prepareEmail),
}
