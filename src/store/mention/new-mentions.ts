import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { compareUuids, timeOfUuid, type Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'
import { type Findable, facetColumns, type Pause } from './mention-facets.ts'

export interface UnstoredMention extends Findable {
  keywordId: Uuid
  postId: Uuid
  post: Post
  free: boolean
}

const count = (value: (post: Post) => number | null | undefined) =>
  given.integer<UnstoredMention>(({ post }) => storedCount(value(post)))

const MENTIONS = new GivenRows(
  {
    workspace_id: given.uuid<UnstoredMention>(({ workspaceId }) => workspaceId),
    id: given.uuid<UnstoredMention>(({ mentionId }) => mentionId),
    keyword_id: given.uuid<UnstoredMention>(({ keywordId }) => keywordId),
    post_id: given.uuid<UnstoredMention>(({ postId }) => postId),
    // The id's time: concurrent batches may take ids in another order than they read the clock, and lists go by id.
    created_at: given.instant<UnstoredMention>(({ mentionId }) => timeOfUuid(mentionId)),
    published_at: given.instant<UnstoredMention>(({ post }) => post.publishedAt),
    platform: given.smallint<UnstoredMention>(({ post }) => platformNumber(post.platform)),
    is_reply: given.boolean<UnstoredMention>(({ post }) => post.replyTo !== null),
    rating: given.smallint<UnstoredMention>(({ post }) => post.review?.rating ?? null),
    followers: count((post) => post.author?.followers),
    likes: count((post) => post.engagement?.likes),
    reposts: count((post) => post.engagement?.reposts),
    replies: count((post) => post.engagement?.replies),
    quotes: count((post) => post.engagement?.quotes),
    views: count((post) => post.engagement?.views),
    bookmarks: count((post) => post.engagement?.bookmarks),
    free: given.boolean<UnstoredMention>(({ free }) => free),
    account_id: given.uuid<UnstoredMention>(({ accountId }) => accountId),
  },
  // Ranges of the array of all token hashes.
  { begins: 'int', ends: 'int', common_words: 'int' },
)

const INSERT = `with queued as (
       insert into score_queue (workspace_id, mention_id, leased_until) select workspace_id, id, $${MENTIONS.after + 1}
         from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id))
     insert into mention (${MENTIONS.names.replace('begins, ends', 'facets')})
     select ${MENTIONS.names.replace('begins, ends', `($${MENTIONS.after}::bigint[])[begins:ends]`)}
     from ${MENTIONS.unnested}`

/** Also queues the mentions for scoring. */
export async function insertMentions(tx: Transaction, values: readonly unknown[]): Promise<void> {
  await tx.run('ingest-mentions', INSERT, values)
}

export async function columnsOfMentions(
  admitted: readonly UnstoredMention[],
  leasedUntil: Date,
  pause: Pause,
): Promise<unknown[]> {
  // One partition after another, each in index order.
  const rows = [...admitted].sort((a, b) => compareUuids(a.workspaceId, b.workspaceId))
  const facets = await facetColumns(rows, pause)
  const { begins, ends, common, all } = facets
  return [...MENTIONS.values(rows, { begins, ends, common_words: common }), all, leasedUntil]
}

const COUNT_MAX = 2 ** 31 - 1

/** The post keeps the exact count. */
function storedCount(count: number | null | undefined): number | null {
  return count === null || count === undefined ? null : Math.max(-COUNT_MAX, Math.min(COUNT_MAX, count))
}
