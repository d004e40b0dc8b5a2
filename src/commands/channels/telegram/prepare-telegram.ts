import { isRefusal } from '../../../domain/refusal/refusal.ts'
import type { PreparingOutside } from '../prepared.ts'
import { makeConnectLink } from './connect-link.ts'

/** A new channel has no chat, only a link to connect one. */
export const prepareTelegram: PreparingOutside = async (writing, { setup }, input) => {
  const settings = setup.create(input)
  if (isRefusal(settings)) return settings
  const link = await makeConnectLink(writing)
  if (isRefusal(link)) return link
  return async (tx) => ({
    settings,
    secret: null,
    isShown: false,
    shown: { connectUrl: link.url },
    afterwards: (channelId) => link.keep(tx, { workspaceId: writing.workspaceId, channelId }),
  })
}
