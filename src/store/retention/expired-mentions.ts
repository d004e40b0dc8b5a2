import { keptDays, keptSince } from '../../domain/workspace/retention.ts'
import { compareUuids, firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, sql, type Transaction } from '../database.ts'
import { cancelDeliveries } from '../delivery/cancel-deliveries.ts'
import { dropBlocksThrough } from '../filter/mention-blocks.ts'
import { holdCounters } from '../mention/locked-mentions.ts'
import { deleteUnmentionedPosts, lockPosts } from '../mention/posts.ts'
import { deleteMentions } from '../mention/removed-mentions.ts'
import { countExpired } from './expired-counts.ts'

export interface ExpiringWorkspace {
  workspaceId: Uuid
  /** Mentions with a smaller id have expired. */
  before: Uuid
}

const WORKSPACES_AT_ONCE = 200

/** Workspaces with expired mentions, the oldest mention first. */
export async function findExpiring(
  reader: Reader,
  installation: number | null,
  at: Date,
): Promise<ExpiringWorkspace[]> {
  const periods = await reader.query<{ days: number | null }>(
    sql`select distinct mentions_kept_days as days from workspace where not importing`,
  )
  const bounds = periods.flatMap(({ days }) => {
    const since = keptSince(keptDays(days, installation), at)
    return since === null ? [] : [{ days, before: firstUuidAt(since) }]
  })
  if (bounds.length === 0) return []
  return reader.query<ExpiringWorkspace>(sql`
    select w.id as "workspaceId", b.before from unnest(${bounds.map(({ days }) => days)}::int[],
      ${bounds.map(({ before }) => before)}::uuid[]) as b (days, before)
    join workspace w on w.mentions_kept_days is not distinct from b.days and not w.importing
    cross join lateral (select m.id from mention m where m.workspace_id = w.id and m.id < b.before
      order by m.id limit 1) oldest
    order by oldest.id limit ${WORKSPACES_AT_ONCE}`)
}

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
export function expirePortion(db: Database, { workspaceId, before }: ExpiringWorkspace): Promise<ExpiredPortion> {
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
