import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { compareUuids, timeOfUuid, type Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { type Findable, facetColumns, type Pause } from './mention-facets.ts'

/** A mention that is to be stored. */
export interface UnstoredMention extends Findable {
  keywordId: Uuid
  postId: Uuid
  post: Post
  free: boolean
}

const INSERT = `with queued as (
       insert into score_queue (workspace_id, mention_id, leased_until) select workspace_id, id, $20
         from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id))
     insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, rating,
       followers, likes, reposts, replies, quotes, views, bookmarks, facets, free, account_id, common_words)
     select workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, rating, followers,
       likes, reposts, replies, quotes, views, bookmarks, ($19::bigint[])[begins:ends], free, account_id, common_words
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[], $7::smallint[],
       $8::boolean[], $9::smallint[], $10::int[], $11::int[], $12::int[],
       $13::int[], $14::int[], $15::int[], $16::int[], $17::int[], $18::int[], $21::boolean[], $22::uuid[], $23::int[])
       as t (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, rating, followers,
         likes, reposts, replies, quotes, views, bookmarks, begins, ends, free, account_id, common_words)`

/** Stores mentions, of `columnsOfMentions`, and their places in the queue for scores. */
export async function insertMentions(tx: Transaction, values: readonly unknown[]): Promise<void> {
  await tx.run('ingest-mentions', INSERT, values)
}

export async function columnsOfMentions(
  admitted: readonly UnstoredMention[],
  leasedUntil: Date,
  pause: Pause,
): Promise<unknown[]> {
  // A partition after the other, and each in the order of its indexes.
  const rows = [...admitted].sort((a, b) => compareUuids(a.workspaceId, b.workspaceId))
  const facets = await facetColumns(rows, pause)
  const counts = (value: (post: Post) => number | null | undefined) =>
    columns.integers(rows.map(({ post }) => storedCount(value(post))))
  return [
    columns.uuids(rows.map((one) => one.workspaceId)),
    columns.uuids(rows.map((one) => one.mentionId)),
    columns.uuids(rows.map((one) => one.keywordId)),
    columns.uuids(rows.map((one) => one.postId)),
    // The time of the id, not the batch's: two batches at once may take ids in another order than they read the clock,
    // and lists are walked by id.
    columns.instants(rows.map((one) => timeOfUuid(one.mentionId))),
    columns.instants(rows.map((one) => one.post.publishedAt)),
    columns.smallints(rows.map((one) => platformNumber(one.post.platform))),
    columns.booleans(rows.map((one) => one.post.replyTo !== null)),
    columns.smallints(rows.map((one) => one.post.review?.rating ?? null)),
    counts((post) => post.author?.followers),
    counts((post) => post.engagement?.likes),
    counts((post) => post.engagement?.reposts),
    counts((post) => post.engagement?.replies),
    counts((post) => post.engagement?.quotes),
    counts((post) => post.engagement?.views),
    counts((post) => post.engagement?.bookmarks),
    facets.begins,
    facets.ends,
    facets.all,
    leasedUntil,
    columns.booleans(rows.map((one) => one.free)),
    columns.uuids(rows.map((one) => one.accountId)),
    facets.common,
  ]
}

const COUNT_MAX = 2 ** 31 - 1

/** A count as lists filter by it: beyond what the column holds all are alike. The post keeps the exact one. */
function storedCount(count: number | null | undefined): number | null {
  return count === null || count === undefined ? null : Math.max(-COUNT_MAX, Math.min(COUNT_MAX, count))
}
