import { foldEmail } from '../../../domain/account/account.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import { lockChannelsOf, type StoredChannel, updateChannel } from '../../../store/channel/channels.ts'
import type { Transaction } from '../../../store/database.ts'
import { recipientsOf } from './confirm-recipient.ts'

/** Requires a new confirmation of the address in every channel of the workspace. */
export async function doubtRecipient(tx: Transaction, workspaceId: Uuid, email: string): Promise<void> {
  for (const channel of await lockChannelsOf(tx, workspaceId, 'email')) {
    if (
      recipientsOf(channel).some((recipient) => foldEmail(recipient.email) === email && recipient.confirmedAt !== null)
    )
      await doubt(tx, channel, email)
  }
}

/** For one e-mail channel, which the caller holds. The address stays listed. */
export async function doubt(tx: Transaction, channel: StoredChannel, email: string): Promise<void> {
  const recipients = recipientsOf(channel).map((recipient) =>
    foldEmail(recipient.email) === email ? { ...recipient, confirmedAt: null } : recipient,
  )
  await updateChannel(tx, { ...channel, config: { ...channel.config, recipients } })
}
