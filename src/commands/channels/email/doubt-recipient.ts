import { foldEmail } from '../../../domain/account/account.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import { lockChannelsOf, type StoredChannel, updateChannel } from '../../../store/channel/channels.ts'
import type { Transaction } from '../../../store/database.ts'
import { recipientsOf } from './confirm-recipient.ts'

/** Has a folded address confirm anew, in every channel of a workspace that names it, before one writes to it again. */
export async function doubtRecipient(tx: Transaction, workspaceId: Uuid, email: string): Promise<void> {
  for (const channel of await lockChannelsOf(tx, workspaceId, 'email')) {
    if (
      recipientsOf(channel).some((recipient) => foldEmail(recipient.email) === email && recipient.confirmedAt !== null)
    )
      await doubt(tx, channel, email)
  }
}

/**
 * The same in one channel of the kind, which the caller holds. The address stays listed, for whoever looks after the
 * channel.
 */
export async function doubt(tx: Transaction, channel: StoredChannel, email: string): Promise<void> {
  const recipients = recipientsOf(channel).map((recipient) =>
    foldEmail(recipient.email) === email ? { ...recipient, confirmedAt: null } : recipient,
  )
  await updateChannel(tx, { ...channel, config: { ...channel.config, recipients } })
}
