import type { Uuid } from '../../../kernel/ids.ts'
import { cancelHeld, mentionsHeld } from '../../../store/channel/email-channels.ts'
import type { Transaction } from '../../../store/database.ts'
import { MENTION_LIMIT_REASON } from './limits.ts'

/** Mentions held by the hourly limit; none for other kinds of channels. */
export function mentionsOfHeldMails(tx: Transaction, workspaceId: Uuid, channelIds: readonly Uuid[]): Promise<Uuid[]> {
  return mentionsHeld(tx, workspaceId, channelIds, MENTION_LIMIT_REASON)
}

/**
 * Call for each daily digest, in its transaction: held mentions that the digest counts wait no longer. Returns how
 * many.
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
