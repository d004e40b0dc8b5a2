import type { Post } from '../../domain/post/post.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'
import { type PostRow, postFromRow } from '../model/unscored.ts'

export interface WordsToRenew {
  workspaceId: Uuid
  mentions: { workspaceId: Uuid; mentionId: Uuid; accountId: Uuid | null; post: Post }[]
}

/** Null when none are left, or other transactions hold all. */
export async function takeWordsToRenew(tx: Transaction, limit: number): Promise<WordsToRenew | null> {
  const [due] = await tx.query<{ workspace_id: Uuid; before_id: Uuid }>(
    sql`select workspace_id, before_id from words_to_renew order by workspace_id limit 1 for update skip locked`,
  )
  if (due === undefined) return null
  const workspaceId = due.workspace_id
  const next = await tx.query<{ id: Uuid }>(
    sql`select id from mention where workspace_id = ${workspaceId} and id < ${due.before_id} order by id desc
        limit ${limit}`,
  )
  await tx.query(
    next.length < limit
      ? sql`delete from words_to_renew where workspace_id = ${workspaceId}`
      : sql`update words_to_renew set before_id = ${next.at(-1)!.id} where workspace_id = ${workspaceId}`,
  )
  // Posts are locked as by storing, so that no edit comes in between.
  const rows = await tx.query<PostRow & { mention_id: Uuid; account_id: Uuid | null }>(sql`
    select m.id as mention_id, m.account_id, p.platform, p.native_id, p.url, p.title, p.body, p.image_url, p.links,
      p.published_at, p.language_hint, p.author,
      p.engagement, p.reply_to, p.review
    from mention m join post p on p.id = m.post_id
    where m.workspace_id = ${workspaceId} and m.id = any(${next.map(({ id }) => id)}::uuid[])
      order by p.id for share of p`)
  return {
    workspaceId,
    mentions: rows.map((row) => ({
      workspaceId,
      mentionId: row.mention_id,
      accountId: row.account_id,
      post: postFromRow(row),
    })),
  }
}
