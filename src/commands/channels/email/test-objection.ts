import { type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import type { StoredChannel } from '../../../store/channel/channels.ts'
import type { WritingContext } from '../../writing.ts'
import { recipientsOf } from './confirm-recipient.ts'
import { mailUnavailable } from './create-confirmation.ts'

/** Why a test would reach nobody whatever the mail server said; null when it may be tried. */
export function testObjection(
  { mail }: Pick<WritingContext, 'mail'>,
  channel: StoredChannel,
): Refusal<'email_transport_unavailable'> | Refusal<'no_recipients'> | null {
  if (channel.kind !== 'email') return null
  if (mail === null) return mailUnavailable()
  if (recipientsOf(channel).some(({ confirmedAt }) => confirmedAt !== null)) return null
  return refuse('no_recipients', 'No recipient of the channel has confirmed.')
}
