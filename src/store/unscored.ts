import { type Filterable, MENTION_STATUSES } from '../domain/filter/fields.ts'
import type { KeywordKind } from '../domain/keyword/keyword.ts'
import { platformFromNumber } from '../domain/post/platform.ts'
import type { Author, Post, Review } from '../domain/post/post.ts'
import type { Uuid } from '../kernel/ids.ts'
import type { Database, Reader } from './database.ts'

/** A mention as it waits for its score, with all that scorers and rules may ask of it. */
export interface Unscored {
  workspaceId: Uuid
  mentionId: Uuid
  keywordId: Uuid
  keywordTerm: string
  keywordKind: KeywordKind
  keywordContext: string | null
  groupId: Uuid
  groupContext: string | null
  post: Post
  status: Filterable['status']
}

/** A mention that waits, and how often it has been taken up before without a score, whatever the reason. */
export interface ClaimedMention {
  workspaceId: Uuid
  mentionId: Uuid
  attempts: number
}

/** Takes mentions that wait and that nobody works on, oldest first; they are the caller's until `leasedUntil`. */
export async function claimUnscored(db: Database, { at, leasedUntil, limit }: { at: Date; leasedUntil: Date; limit: number }): Promise<ClaimedMention[]> {
  const rows = await db.run<{ workspace_id: Uuid; mention_id: Uuid; attempts: number }>(
    'claim-unscored',
    `with due as (select workspace_id, mention_id from score_queue where leased_until <= $1 order by leased_until limit $3 for update skip locked)
     update score_queue q set leased_until = $2, attempts = least(attempts + 1, 32000) from due where q.workspace_id = due.workspace_id and q.mention_id = due.mention_id
     returning q.workspace_id, q.mention_id, q.attempts`,
    [at, leasedUntil, limit],
  )
  return rows.map((row) => ({ workspaceId: row.workspace_id, mentionId: row.mention_id, attempts: row.attempts }))
}

interface UnscoredRow {
  workspace_id: Uuid
  id: Uuid
  keyword_id: Uuid
  term: string
  kind: KeywordKind
  context: string | null
  group_id: Uuid
  group_context: string
  status: number
  platform: number
  native_id: string
  url: string
  title: string | null
  body: string
  image_url: string | null
  links: string[]
  published_at: Date
  language_hint: string | null
  author: Author | null
  engagement: Post['engagement']
  reply_to: Post['replyTo']
  review: (Omit<Review, 'responseAt'> & { responseAt: string | null }) | null
}

/**
 * What waits, read whole; mentions that were removed or scored meanwhile are left out. Each row is looked up by its key
 * (`offset 0` keeps the planner from thinking of anything else, which it would on tables without statistics).
 */
export async function readUnscored(reader: Reader, wanted: readonly { workspaceId: Uuid; mentionId: Uuid }[]): Promise<Unscored[]> {
  const rows = await reader.run<UnscoredRow>(
    'read-unscored',
    `select m.workspace_id, m.id, m.keyword_id, k.term, k.kind, k.context, k.group_id, g.context as group_context, m.status, p.platform, p.native_id, p.url, p.title, p.body, p.image_url,
       p.links, p.published_at, p.language_hint, p.author, p.engagement, p.reply_to, p.review
     from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
     cross join lateral (select * from mention m where m.workspace_id = t.workspace_id and m.id = t.id offset 0) m
     cross join lateral (select * from post p where p.id = m.post_id offset 0) p
     cross join lateral (select * from keyword k where k.workspace_id = m.workspace_id and k.id = m.keyword_id offset 0) k
     cross join lateral (select * from keyword_group g where g.workspace_id = k.workspace_id and g.id = k.group_id offset 0) g
     where m.scored_at is null order by m.id`,
    [wanted.map((one) => one.workspaceId), wanted.map((one) => one.mentionId)],
  )
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    mentionId: row.id,
    keywordId: row.keyword_id,
    keywordTerm: row.term,
    keywordKind: row.kind,
    keywordContext: row.context,
    groupId: row.group_id,
    groupContext: row.group_context || null,
    status: MENTION_STATUSES[row.status]!,
    post: postFromRow(row),
  }))
}

function postFromRow(row: UnscoredRow): Post {
  return {
    platform: platformFromNumber(row.platform),
    nativeId: row.native_id,
    url: row.url,
    title: row.title,
    text: row.body,
    imageUrl: row.image_url,
    links: row.links,
    publishedAt: row.published_at,
    languageHint: row.language_hint,
    author: row.author,
    engagement: row.engagement,
    replyTo: row.reply_to,
    review: row.review && { ...row.review, responseAt: row.review.responseAt ? new Date(row.review.responseAt) : null },
  }
}
