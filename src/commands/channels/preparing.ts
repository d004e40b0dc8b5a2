import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { prepareEmail } from './email/prepare-email.ts'
import type { Preparing, PreparingOutside } from './prepared.ts'
import { prepareSlack } from './slack/prepare-slack.ts'
import { prepareTelegram } from './telegram/prepare-telegram.ts'

/** For kinds defined by their settings alone. */
const fromSettings: Preparing = async (_tx, _writing, { setup }, input) => {
  const settings = setup.create(input)
  return isRefusal(settings) ? settings : { settings, secret: setup.newSecret(), isShown: true }
}

/** For kinds that call no outside service. */
const within =
  (prepare: Preparing): PreparingOutside =>
  async () =>
    prepare

export const PREPARING: Readonly<Record<ChannelKind, PreparingOutside>> = {
  webhook: within(fromSettings),
  slack: within(prepareSlack),
  telegram: prepareTelegram,
  email: within(prepareEmail),
}
