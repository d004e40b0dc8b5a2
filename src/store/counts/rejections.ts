import { REJECTIONS, type RejectionReason } from '../../domain/keyword/rejection.ts'
import { type Platform, platformNumber } from '../../domain/platform/platforms.ts'
import { inBatches } from '../../kernel/batches.ts'
import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, sql, type Transaction } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'

/** A post with a keyword's term that its rules dropped. */
export interface Rejection {
  workspaceId: Uuid
  id: Uuid
  keywordId: Uuid
  postId: Uuid
  platform: Platform
  /** For erasing an author. */
  authorId: string | null
  url: string
  excerpt: string
  reason: RejectionReason
  publishedAt: Date
}

const REJECTED = new GivenRows<Rejection>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  id: given.uuid(({ id }) => id),
  keyword_id: given.uuid(({ keywordId }) => keywordId),
  post_id: given.uuid(({ postId }) => postId),
  platform: given.smallint(({ platform }) => platformNumber(platform)),
  author_id: given.text(({ authorId }) => authorId),
  url: given.text(({ url }) => url),
  excerpt: given.text(({ excerpt }) => excerpt),
  reason: given.text(({ reason }) => reason),
  published_at: given.instant(({ publishedAt }) => publishedAt),
})

/** Each post once, with its first reason, up to the keyword's daily limit. */
export async function storeRejections(tx: Transaction, rejections: readonly Rejection[], at: Date): Promise<void> {
  if (rejections.length === 0) return
  await tx.query(sql`
    insert into rejected_post (workspace_id, id, keyword_id, post_id, platform, author_id, url, excerpt, reason,
      published_at, created_at)
    select t.workspace_id, t.id, t.keyword_id, t.post_id, t.platform, t.author_id, t.url, t.excerpt, t.reason,
      t.published_at, ${at}
    from (
      select t.*, row_number() over (partition by workspace_id, keyword_id order by id) as place
      from ${REJECTED.of(rejections)}) t
    join keyword k on k.workspace_id = t.workspace_id and k.id = t.keyword_id
    cross join lateral (
      select count(*) as kept from rejected_post r
      where r.workspace_id = t.workspace_id and r.keyword_id = t.keyword_id
        and r.created_at > ${plus(at, -REJECTIONS.keptMs)}) r
    where r.kept + t.place <= ${REJECTIONS.perDay}
    order by t.workspace_id, t.keyword_id, t.post_id for key share of k
    on conflict (workspace_id, keyword_id, post_id) do nothing`)
}

export async function removeRejections(tx: Transaction, postIds: readonly Uuid[]): Promise<void> {
  await tx.run('remove-rejections', 'delete from rejected_post where post_id = any($1::uuid[])', [postIds])
}

const PRUNED_AT_ONCE = 5000

export function pruneRejections(db: Database, before: Date): Promise<number> {
  return inBatches(PRUNED_AT_ONCE, async () => {
    const [row] = await db.query<{ count: number }>(sql`
      with old as (select workspace_id, id from rejected_post where created_at < ${before} order by created_at
        limit ${PRUNED_AT_ONCE}),
      gone as (delete from rejected_post r using old where r.workspace_id = old.workspace_id and r.id = old.id
        returning 1)
      select count(*) as count from gone`)
    return row!.count
  })
}
