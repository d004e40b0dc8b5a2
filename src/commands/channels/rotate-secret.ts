import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import type { ChannelView } from '../../queries/channels/channel-shape.ts'
import { getChannel, noSuchChannel } from '../../queries/channels/get-channel.ts'
import { lockChannel, secretBinding, updateChannel } from '../../store/channel/channels.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { WritingContext } from '../writing.ts'
import { withSecret } from './create-channel.ts'

/** Only this answer holds the new secret, which signs every request from now on. */
export async function rotateSecret(
  writing: WritingContext,
  id: Uuid,
): Promise<ChannelView | Refusal<'not_found' | 'conflict'>> {
  const { db, clock, workspaceId, channels, sealer } = writing
  return await db.transaction(async (tx) => {
    const channel = await lockChannel(tx, workspaceId, id)
    if (channel === null) return noSuchChannel()
    const secret = channels.setupOf(channel.kind).newSecret()
    if (secret === null)
      return refuse('conflict', `Only webhook channels have a secret. This is a ${channel.kind} channel.`)
    await updateChannel(tx, { ...channel, secretSealed: sealer.seal(secret, secretBinding(workspaceId, id)) })
    const target = { id: toId('dest', id), name: channel.label }
    await recordAudit(tx, { workspaceId, kind: 'channel.secret_rotated', target, data: {} }, clock.now())
    return withSecret(await getChannel({ ...writing, db: tx }, id), secret)
  })
}
