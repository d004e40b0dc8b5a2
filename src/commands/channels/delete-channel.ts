import type { Refusal } from '../../domain/refusal/refusal.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { noSuchChannel } from '../../queries/channels/get-channel.ts'
import { readChannels, deleteChannel as removeChannel } from '../../store/channel/channels.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { WritingContext } from '../writing.ts'

/** Removes the channel from all rules and cancels its waiting deliveries. Its log is no longer readable. */
export async function deleteChannel(
  { db, clock, workspaceId }: WritingContext,
  id: Uuid,
): Promise<undefined | Refusal<'not_found'>> {
  return await db.transaction(async (tx) => {
    const [channel] = await readChannels(tx, workspaceId, [id])
    if (channel === undefined || !(await removeChannel(tx, workspaceId, id))) return noSuchChannel()
    const { kind, label } = channel
    await recordAudit(
      tx,
      { workspaceId, kind: 'channel.deleted', target: { id: toId('dest', id), name: label }, data: { kind } },
      clock.now(),
    )
    return undefined
  })
}
