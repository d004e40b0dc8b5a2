import type { Uuid } from '../../../kernel/ids.ts'
import { cancelHeld, mentionsHeld } from '../../../store/channel/email-channels.ts'
import type { Transaction } from '../../../store/database.ts'
import { MENTION_LIMIT_REASON } from './limits.ts'

/** The mentions that the hourly limit of e-mail keeps back at these channels; channels of other kinds have none. */
export function mentionsOfHeldMails(tx: Transaction, workspaceId: Uuid, channelIds: readonly Uuid[]): Promise<Uuid[]> {
  return mentionsHeld(tx, workspaceId, channelIds, MENTION_LIMIT_REASON)
}

/**
 * To be called with each daily digest that is written down for a channel, in the same transaction: mentions that the
 * hourly limit of e-mail kept back and that the digest counts wait no longer, because the digest is what they waited
 * for. All others stay held. Answers how many they were; a channel of another kind has none.
 */
export function coverHeldMails(
  tx: Transaction,
  { workspaceId, channelId, counted }: { workspaceId: Uuid; channelId: Uuid; counted: readonly Uuid[] },
): Promise<number> {
  return cancelHeld(tx, {
    workspaceId,
    channelId,
    mentionIds: counted,
    heldFor: MENTION_LIMIT_REASON,
    reason: 'the mention is covered by the daily digest of the channel',
  })
}
