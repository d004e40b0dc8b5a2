import { isRefusal, type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import type { ChannelView } from '../../../queries/channels/channel-shape.ts'
import { getChannel, noSuchChannel } from '../../../queries/channels/get-channel.ts'
import { lockChannel } from '../../../store/channel/channels.ts'
import type { WritingContext } from '../../writing.ts'
import { makeConnectLink } from './connect-link.ts'

/** The current chat stays until the new link is used. */
export async function connectChannel(
  writing: WritingContext,
  id: Uuid,
): Promise<ChannelView | Refusal<'not_found' | 'conflict' | 'telegram_not_configured' | 'upstream_unavailable'>> {
  const { db, workspaceId } = writing
  const found = await getChannel(writing, id)
  if (isRefusal(found)) return found
  if (found.kind !== 'telegram') return refuse('conflict', 'Only Telegram channels are connected to a chat by a link')
  const link = await makeConnectLink(writing)
  if (isRefusal(link)) return link
  return await db.transaction(async (tx) => {
    if ((await lockChannel(tx, workspaceId, id)) === null) return noSuchChannel()
    await link.keep(tx, { workspaceId, channelId: id })
    const shown = await getChannel({ ...writing, db: tx }, id)
    return isRefusal(shown) ? shown : { ...shown, config: { ...shown.config, connectUrl: link.url } }
  })
}
