import type { DigestMode } from '../../domain/alert/mode.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { NewDigest } from '../../store/alert/digests.ts'
import type { Transaction } from '../../store/database.ts'
import { coverHeldMails, mentionsOfHeldMails } from '../channels/email/cover-held-mails.ts'

/** Mentions that wait, at channels of a rule, for a digest of this mode. */
export async function coveredIfCounted(
  tx: Transaction,
  workspaceId: Uuid,
  channels: ReadonlyMap<Uuid, ChannelKind>,
  mode: DigestMode,
): Promise<Uuid[]> {
  if (mode !== 'daily') return []
  const mailed = [...channels].filter(([, kind]) => kind === 'email').map(([id]) => id)
  return mailed.length === 0 ? [] : mentionsOfHeldMails(tx, workspaceId, mailed)
}

/** Releases the waiting mentions that a digest counts, in the transaction that stores it. */
export async function coverWaiting(
  tx: Transaction,
  { workspaceId, channelId, mode }: NewDigest,
  kind: ChannelKind,
  counted: readonly Uuid[],
): Promise<void> {
  if (kind === 'email' && mode === 'daily') await coverHeldMails(tx, { workspaceId, channelId, counted })
}
