import { foldEmail } from '../../../domain/account/account.ts'
import { isRefusal, type Refusal } from '../../../domain/refusal/refusal.ts'
import { plus } from '../../../kernel/clock.ts'
import { lockChannel, readChannels, type StoredChannel, updateChannel } from '../../../store/channel/channels.ts'
import { leftAt, optIn, type Recipient, workspaceNameOf } from '../../../store/channel/email-channels.ts'
import type { Reader } from '../../../store/database.ts'
import { assertHere } from '../../../store/frozen/moved.ts'
import type { Services } from '../../writing.ts'
import { CONFIRMATION_MS } from './limits.ts'
import { noSuchLink, readConfirm, type Subscription } from './links.ts'

export interface SubscriptionShown {
  email: string
  workspaceName: string
}

/** Changes nothing. */
export async function showConfirmation(
  services: Services,
  token: string,
): Promise<SubscriptionShown | Refusal<'invalid_token'>> {
  const { db } = services
  const subscription = await openConfirm(db, services, token)
  if (isRefusal(subscription)) return subscription
  const { workspaceId, channelId, email } = subscription
  const [channel] = await readChannels(db, workspaceId, [channelId])
  const recipient = recipientOf(channel ?? null, email)
  return recipient === null
    ? noSuchLink()
    : { email: recipient.email, workspaceName: (await workspaceNameOf(db, workspaceId)) ?? '' }
}

/** Repeats are safe. */
export async function confirmRecipient(
  services: Services,
  token: string,
): Promise<SubscriptionShown | Refusal<'invalid_token'>> {
  const { db, clock } = services
  return await db.transaction(async (tx) => {
    const opened = readConfirm(services, token)
    if (opened !== null) await assertHere(tx, opened.workspaceId)
    const channel = opened === null ? null : await lockChannel(tx, opened.workspaceId, opened.channelId)
    // Checked under the channel's lock, which unsubscribing holds too.
    const subscription = await openConfirm(tx, services, token)
    if (isRefusal(subscription)) return subscription
    const recipient = recipientOf(channel, subscription.email)
    if (channel === null || recipient === null) return noSuchLink()
    if (recipient.confirmedAt === null) await storeConfirmed(channel, recipient)
    await optIn(tx, subscription.workspaceId, subscription.email, clock.now())
    return { email: recipient.email, workspaceName: (await workspaceNameOf(tx, subscription.workspaceId)) ?? '' }

    async function storeConfirmed(held: StoredChannel, confirmed: Recipient): Promise<void> {
      const recipients = recipientsOf(held).map((recipient) =>
        recipient === confirmed ? { ...recipient, confirmedAt: clock.now().toISOString() } : recipient,
      )
      await updateChannel(tx, { ...held, config: { ...held.config, recipients } })
    }
  })
}

/** Links from before an unsubscription are invalid: somebody else may open old mail. */
async function openConfirm(
  reader: Reader,
  services: Services,
  token: string,
): Promise<Subscription | Refusal<'invalid_token'>> {
  const opened = readConfirm(services, token)
  if (opened === null || services.clock.now() >= plus(opened.madeAt, CONFIRMATION_MS)) return noSuchLink()
  const left = await leftAt(reader, opened.workspaceId, opened.email)
  return left !== null && opened.madeAt <= left ? noSuchLink() : opened
}

export function recipientsOf({ config }: StoredChannel): Recipient[] {
  return (config as unknown as { recipients: Recipient[] }).recipients
}

function recipientOf(channel: StoredChannel | null, email: string): Recipient | null {
  if (channel?.kind !== 'email') return null
  return recipientsOf(channel).find((recipient) => foldEmail(recipient.email) === email) ?? null
}
