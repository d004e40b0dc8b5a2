import { EMAIL_PROBLEM, foldEmail } from '../../../domain/account/account.ts'
import { type Refusal, refuse, refuseField } from '../../../domain/refusal/refusal.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import type { ChannelView } from '../../../queries/channels/channel-shape.ts'
import { getChannel, noSuchChannel } from '../../../queries/channels/get-channel.ts'
import { lockChannel } from '../../../store/channel/channels.ts'
import type { Recipient } from '../../../store/channel/email-channels.ts'
import { suppressedAmong } from '../../../store/channel/suppressions.ts'
import type { WritingContext } from '../../writing.ts'
import { type AdmissionRefusal, askingObjection, askRecipients, suppressedRefusal } from './admit-recipients.ts'

export async function createConfirmation(
  writing: WritingContext,
  id: Uuid,
  email: string,
): Promise<
  | ChannelView
  | Refusal<'not_found' | 'validation_error' | 'conflict' | 'email_transport_unavailable'>
  | AdmissionRefusal
> {
  const { db, clock, workspaceId, mail } = writing
  return await db.transaction(async (tx) => {
    const channel = await lockChannel(tx, workspaceId, id)
    if (channel === null) return noSuchChannel()
    if (channel.kind !== 'email') return refuse('conflict', 'Only e-mail channels have recipients to confirm.')
    if (mail === null) return mailUnavailable()
    const folded = foldEmail(email)
    if (folded === null) return refuseField('email', EMAIL_PROBLEM)
    const { recipients } = channel.config as unknown as { recipients: Recipient[] }
    const recipient = recipients.find((recipient) => foldEmail(recipient.email) === folded)
    if (recipient === undefined) return refuseField('email', 'is no recipient of this channel')
    // Checked first: confirmed recipients may be suppressed too.
    if ((await suppressedAmong(tx, [folded])).size > 0) return suppressedRefusal([recipient.email])
    if (recipient.confirmedAt !== null) return refuse('conflict', `${recipient.email} has already confirmed.`)
    const objection = await askingObjection(tx, workspaceId, [folded], clock.now())
    if (objection !== null) return objection
    await askRecipients(tx, writing, id, [recipient.email])
    return await getChannel({ ...writing, db: tx }, id)
  })
}

export function mailUnavailable(): Refusal<'email_transport_unavailable'> {
  return refuse('email_transport_unavailable', 'This installation sends no e-mail.')
}
