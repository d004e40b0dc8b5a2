import type { Uuid } from '../../kernel/ids.ts'
import { removeRejections } from '../../store/counts/rejections.ts'
import { lockCountersOfPosts, uncountMentions } from '../../store/counts/removed-mentions.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { cancelDeliveries } from '../../store/delivery/cancel-deliveries.ts'
import { markBlocksStale } from '../../store/filter/mention-blocks.ts'
import { awaitRemovals, removeAwaited } from '../../store/mention/awaited-matches.ts'
import { deletePosts, lockPosts } from '../../store/mention/posts.ts'
import { deleteMentionsOfPosts } from '../../store/mention/removed-mentions.ts'
import { keepRemoved } from '../../store/move/removed-meanwhile.ts'

/** Deletes posts gone from their platform with their mentions, and cancels waiting deliveries. */
export async function removePosts(tx: Transaction, ids: readonly Uuid[], at: Date): Promise<number> {
  if (ids.length === 0) return 0
  const [present] = await Promise.all([lockPosts(tx, ids), removeAwaited(tx, ids), keepRemoved(tx, ids)])
  if (present.length === 0) {
    await removeRejections(tx, ids)
    return 0
  }
  await lockCountersOfPosts(tx, present)
  await cancelDeliveries(
    tx,
    sql`(d.workspace_id, d.mention_id) in (select m.workspace_id, m.id from mention m
        where m.post_id = any(${present}::uuid[]))`,
    'the post was removed',
  )
  const gone = await deleteMentionsOfPosts(tx, present)
  if (gone.length > 0) await awaitRemovals(tx, gone)
  await uncountMentions(tx, gone, at)
  await markBlocksStale(
    tx,
    gone.map(({ workspace_id: workspaceId, id: mentionId }) => ({ workspaceId, mentionId })),
    at,
  )
  await deletePosts(tx, present)
  // After the mentions, as in deleting a keyword.
  await removeRejections(tx, ids)
  return present.length
}
