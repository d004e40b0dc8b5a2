import type { DueWorkspace } from '../../domain/workspace/retention.ts'
import { compareUuids, type Uuid } from '../../kernel/ids.ts'
import { type Database, sql, type Transaction } from '../database.ts'
import { cancelDeliveries } from '../delivery/cancel-deliveries.ts'
import { dropBlocksThrough } from '../filter/mention-blocks.ts'
import { holdCounters } from '../mention/locked-mentions.ts'
import { deleteUnmentionedPosts, lockPosts } from '../mention/posts.ts'
import { deleteMentions } from '../mention/removed-mentions.ts'
import { countExpired } from './expired-counts.ts'

/** Mentions a transaction, which holds their counters. */
export const EXPIRED_AT_ONCE = 500

export interface ExpiredPortion {
  /** Fewer than EXPIRED_AT_ONCE for the last portion. */
  found: number
  mentions: number
  posts: number
}

/**
 * Removes the oldest expired mentions of a workspace, one portion in one transaction, and posts that nobody mentions
 * any more. Counters of keywords, usage and money stay.
 */
export function expirePortion(db: Database, { workspaceId, before }: DueWorkspace): Promise<ExpiredPortion> {
  return db.transaction(async (tx) => {
    const old = await tx.query<{ id: Uuid; postId: Uuid }>(sql`
      select id, post_id as "postId" from mention where workspace_id = ${workspaceId} and id < ${before}
      order by id limit ${EXPIRED_AT_ONCE}`)
    if (old.length === 0) return { found: 0, mentions: 0, posts: 0 }
    const posts = await lockPosts(tx, [...new Set(old.map(({ postId }) => postId))].sort(compareUuids))
    const ids = old.map(({ id }) => id)
    const mentions = await expire(tx, workspaceId, ids)
    return { found: old.length, mentions, posts: await deleteUnmentionedPosts(tx, posts) }
  })
}

/** In the order of the removal of posts, which prevents deadlocks. */
async function expire(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[]): Promise<number> {
  await holdCounters(tx, workspaceId, ids)
  await cancelDeliveries(
    tx,
    sql`d.workspace_id = ${workspaceId} and d.mention_id = any(${ids}::uuid[])`,
    'the mention is older than the workspace keeps mentions',
  )
  const gone = await deleteMentions(tx, workspaceId, ids)
  await countExpired(tx, workspaceId, gone)
  await tx.query(sql`delete from compat_number where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`)
  await dropBlocksThrough(tx, workspaceId, ids.at(-1)!)
  return gone.length
}
