import type { Refusal } from '../../../domain/refusal/refusal.ts'
import { lockChannel } from '../../../store/channel/channels.ts'
import { optOut, workspaceNameOf } from '../../../store/channel/email-channels.ts'
import { assertHere } from '../../../store/frozen/moved.ts'
import type { Services } from '../../writing.ts'
import type { SubscriptionShown } from './confirm-recipient.ts'
import { doubt } from './doubt-recipient.ts'
import { noSuchLink, readUnsubscribe } from './links.ts'

/** Changes nothing. */
export async function showSubscription(
  services: Services,
  token: string,
): Promise<SubscriptionShown | Refusal<'invalid_token'>> {
  const subscription = readUnsubscribe(services, token)
  if (subscription === null) return noSuchLink()
  return {
    email: subscription.email,
    workspaceName: (await workspaceNameOf(services.db, subscription.workspaceId)) ?? '',
  }
}

/**
 * Ends mail of a channel until the address confirms again. It stays listed, for the channel's managers. The whole
 * workspace remembers it, even if the channel is gone: whoever adds the address again must ask first.
 */
export async function unsubscribe(
  services: Services,
  token: string,
): Promise<SubscriptionShown | Refusal<'invalid_token'>> {
  const { db, clock } = services
  const subscription = readUnsubscribe(services, token)
  if (subscription === null) return noSuchLink()
  const { workspaceId, channelId, email } = subscription
  return await db.transaction(async (tx) => {
    await assertHere(tx, workspaceId)
    const channel = await lockChannel(tx, workspaceId, channelId)
    if (channel?.kind === 'email') await doubt(tx, channel, email)
    await optOut(tx, workspaceId, email, clock.now())
    return { email, workspaceName: (await workspaceNameOf(tx, workspaceId)) ?? '' }
  })
}
