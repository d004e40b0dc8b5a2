import type { Uuid } from '../../../kernel/ids.ts'
import {
  forgetConnection as forget,
  lockSlackChannels,
  type SlackConnection,
  takeTokens,
} from '../../../store/channel/slack.ts'
import { recordAudit } from '../../../store/workspace/audit.ts'
import type { Services } from '../../writing.ts'

/** Deletes a connection made until `madeBy`, with its channels' waiting deliveries; returns it. */
export async function forgetConnection(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  workspaceId: Uuid,
  madeBy: Date,
): Promise<SlackConnection | null> {
  return await db.transaction(async (tx) => {
    const gone = await forget(tx, workspaceId, madeBy)
    if (gone === null) return null
    await recordAudit(
      tx,
      { workspaceId, kind: 'slack.disconnected', target: { id: gone.teamId, name: gone.teamName }, data: {} },
      clock.now(),
    )
    const channels = await lockSlackChannels(tx, workspaceId)
    await takeTokens(
      tx,
      workspaceId,
      channels.map(({ id }) => id),
      'Slack was disconnected',
    )
    return gone
  })
}
