import type { Post } from '../../domain/post/post.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'

/** A post that matched a keyword of a workspace on its way to another cell, or was removed meanwhile. */
export interface AwaitedMatch {
  workspaceId: Uuid
  keywordId: Uuid
  postId: Uuid
  /** Null if it was removed. */
  post: Post | null
  free: boolean
}

const AWAITED = new GivenRows<AwaitedMatch>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  keyword_id: given.uuid(({ keywordId }) => keywordId),
  post_id: given.uuid(({ postId }) => postId),
  post: given.json(({ post }) => post),
  free: given.boolean(({ free }) => free),
})

const KEEP = `insert into awaited_match (${AWAITED.names}) select ${AWAITED.selected} from ${AWAITED.unnested}
  on conflict (workspace_id, keyword_id, post_id) do update set post = excluded.post, free = excluded.free,
    handed = false`

export async function keepAwaited(tx: Transaction, matches: readonly AwaitedMatch[]): Promise<void> {
  await tx.run('keep-awaited', KEEP, AWAITED.values(matches))
}

/** At most `limit` that were not handed over: removals, then the oldest posts. */
export async function readAwaited(reader: Reader, workspaceId: Uuid, limit: number): Promise<AwaitedMatch[]> {
  const rows = await reader.query<AwaitedMatch>(sql`
    select workspace_id as "workspaceId", keyword_id as "keywordId", post_id as "postId", post, free
    from awaited_match where workspace_id = ${workspaceId} and not handed
    order by post is not null, post ->> 'publishedAt', post_id, keyword_id limit ${limit}`)
  return rows.map((row) => ({ ...row, post: row.post && withDates(row.post) }))
}

/** Leaves those that were removed since they were read. */
export async function noteHanded(tx: Transaction, matches: readonly AwaitedMatch[]): Promise<void> {
  await tx.query(sql`
    update awaited_match a set handed = true from ${AWAITED.of(matches)}
    where a.workspace_id = t.workspace_id and a.keyword_id = t.keyword_id and a.post_id = t.post_id
      and (a.post is null) = (t.post is null)`)
}

/** As `noteHanded`. */
export async function dropAwaited(tx: Transaction, matches: readonly AwaitedMatch[]): Promise<void> {
  await tx.query(sql`
    delete from awaited_match a using ${AWAITED.of(matches)}
    where a.workspace_id = t.workspace_id and a.keyword_id = t.keyword_id and a.post_id = t.post_id
      and (a.post is null) = (t.post is null)`)
}

/** Posts that are awaited and were removed. */
export async function removeAwaited(tx: Transaction, postIds: readonly Uuid[]): Promise<void> {
  await tx.run(
    'remove-awaited',
    'update awaited_match set post = null, handed = false where post_id = any($1::uuid[]) and post is not null',
    [postIds],
  )
}

/** Notes removals of mentions of frozen workspaces, whose copies elsewhere go later. */
export async function awaitRemovals(
  tx: Transaction,
  gone: readonly { workspace_id: Uuid; keyword_id: Uuid; post_id: Uuid }[],
): Promise<void> {
  await tx.run(
    'await-removals',
    `insert into awaited_match (workspace_id, keyword_id, post_id, free)
     select t.workspace_id, t.keyword_id, t.post_id, false from unnest($1::uuid[], $2::uuid[], $3::uuid[])
       as t (workspace_id, keyword_id, post_id) join workspace w on w.id = t.workspace_id and w.frozen
     on conflict (workspace_id, keyword_id, post_id) do update set post = null, handed = false`,
    [gone.map((row) => row.workspace_id), gone.map((row) => row.keyword_id), gone.map((row) => row.post_id)],
  )
}

/** JSON has times as texts. */
function withDates(post: Post): Post {
  const { publishedAt, review } = post
  return {
    ...post,
    publishedAt: new Date(publishedAt),
    review: review && { ...review, responseAt: review.responseAt && new Date(review.responseAt) },
  }
}
