import type { Uuid } from '../../kernel/ids.ts'
import { forgetConnection as forget, lockSlackChannels, type SlackConnection, takeTokens } from '../../store/slack.ts'
import type { Services } from '../writing.ts'

/** Forgets the connection of a workspace that was made by `madeBy`, and what waits for its channels; answers the one that is gone. */
export async function forgetConnection({ db }: Pick<Services, 'db'>, workspaceId: Uuid, madeBy: Date): Promise<SlackConnection | null> {
  return await db.transaction(async (tx) => {
    const gone = await forget(tx, workspaceId, madeBy)
    if (gone === null) return null
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
