import type { Filterable } from '../../domain/filter/field.ts'
import type { KeywordKind } from '../../domain/keyword/keyword.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import { platformFromNumber } from '../../domain/platform/platforms.ts'
import type { Author, Post, Review } from '../../domain/post/post.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Database, Reader } from '../database.ts'

export interface MentionRef {
  workspaceId: Uuid
  mentionId: Uuid
}

export interface UnscoredGroup {
  id: Uuid
  name: string
  externalId: string | null
  isDefault: boolean
  context: string | null
}

export interface Unscored extends MentionRef {
  keywordId: Uuid
  keywordTerm: string
  keywordKind: KeywordKind
  keywordContext: string | null
  /** The context of the group, else of the company. */
  companyContext: string | null
  group: UnscoredGroup
  /** Rises with every change of the keyword's feedback; 0 for none ever. */
  marksVersion: number
  post: Post
  /** Scoring is not charged. */
  free: boolean
  status: Filterable['status']
  /** The time of the match. */
  createdAt: Date
}

/** `attempts` counts former attempts without a score. */
export interface ClaimedMention extends MentionRef {
  attempts: number
}

export interface ScoreClaim {
  at: Date
  leasedUntil: Date
  limit: number
  /** The claim itself counts as an attempt up to this many. */
  together: number
}

/** Oldest first; leased to the caller. */
export async function claimUnscored(
  db: Database,
  { at, leasedUntil, limit, together }: ScoreClaim,
): Promise<ClaimedMention[]> {
  const rows = await db.run<{ workspace_id: Uuid; mention_id: Uuid; attempts: number }>(
    'claim-unscored',
    `with due as (select workspace_id, mention_id from score_queue where leased_until <= $1 order by leased_until
        limit $3 for update skip locked)
     update score_queue q set leased_until = $2, attempts = greatest(attempts, least(attempts + 1, $4::int)) from due
       where q.workspace_id = due.workspace_id and q.mention_id = due.mention_id
     returning q.workspace_id, q.mention_id, q.attempts`,
    [at, leasedUntil, limit, together],
  )
  return rows.map((row) => ({ workspaceId: row.workspace_id, mentionId: row.mention_id, attempts: row.attempts }))
}

/** Counts an attempt to score the mention alone. Returns how many came before; null if it is scored or gone. */
export async function countAttemptAlone(db: Database, { workspaceId, mentionId }: MentionRef): Promise<number | null> {
  const [row] = await db.run<{ earlier: number }>(
    'count-attempt-alone',
    `update score_queue set attempts = attempts + 1 where workspace_id = $1 and mention_id = $2 and attempts < 32000
     returning attempts - 1 as earlier`,
    [workspaceId, mentionId],
  )
  return row?.earlier ?? null
}

/** Skips mentions that are being scored. */
export async function renewScoreLeases(
  db: Database,
  mentions: readonly MentionRef[],
  leasedUntil: Date,
): Promise<void> {
  await db.run(
    'renew-score-leases',
    `with own as (select q.workspace_id, q.mention_id from score_queue q
        join unnest($1::uuid[], $2::uuid[]) as t (workspace_id, mention_id)
       on q.workspace_id = t.workspace_id and q.mention_id = t.mention_id for update of q skip locked)
     update score_queue q set leased_until = greatest(q.leased_until, $3) from own
       where q.workspace_id = own.workspace_id and q.mention_id = own.mention_id`,
    [mentions.map((mention) => mention.workspaceId), mentions.map((mention) => mention.mentionId), leasedUntil],
  )
}

/** Columns of `keyword k`, `keyword_counter c`, `keyword_group g` and `company o`. */
export interface UnscoredKeywordRow {
  term: string
  kind: KeywordKind
  context: string | null
  group_id: Uuid
  group_name: string
  external_id: string | null
  is_default: boolean
  group_context: string
  /** Null without a company. */
  company_context: string | null
  marks_version: number
}

export const UNSCORED_KEYWORD_COLUMNS =
  'k.term, k.kind, k.context, k.group_id, g.name as group_name, g.external_id, g.is_default, g.context as ' +
  'group_context, o.context as company_context, c.marks_version'
export const UNSCORED_COMPANY =
  'left join lateral (select context from company o where o.workspace_id = k.workspace_id offset 0) o on true'

/** The same for every mention of its keyword. */
export type UnscoredKeyword = Pick<
  Unscored,
  'keywordTerm' | 'keywordKind' | 'keywordContext' | 'companyContext' | 'group' | 'marksVersion'
>

export function unscoredKeyword(row: UnscoredKeywordRow): UnscoredKeyword {
  return {
    keywordTerm: row.term,
    keywordKind: row.kind,
    keywordContext: row.context,
    companyContext: row.group_context || row.company_context || null,
    group: {
      id: row.group_id,
      name: row.group_name,
      externalId: row.external_id,
      isDefault: row.is_default,
      context: row.group_context || null,
    },
    marksVersion: row.marks_version,
  }
}

interface UnscoredRow extends UnscoredKeywordRow, PostRow {
  workspace_id: Uuid
  id: Uuid
  keyword_id: Uuid
  created_at: Date
  free: boolean
  status: number
}

export interface PostRow {
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
 * Skips mentions that were removed or scored. `offset 0` forces key lookups, which the planner would not choose without
 * statistics.
 */
export async function readUnscored(reader: Reader, wanted: readonly MentionRef[]): Promise<Unscored[]> {
  const rows = await reader.run<UnscoredRow>(
    'read-unscored',
    `select m.workspace_id, m.id, m.keyword_id, m.created_at, m.free, m.status, ${UNSCORED_KEYWORD_COLUMNS}, p.platform,
        p.native_id, p.url, p.title, p.body, p.image_url,
       p.links, p.published_at, p.language_hint, p.author, p.engagement, p.reply_to, p.review
     from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
     cross join lateral (select * from mention m where m.workspace_id = t.workspace_id and m.id = t.id offset 0) m
     cross join lateral (select * from post p where p.id = m.post_id offset 0) p
     cross join lateral (select * from keyword k where k.workspace_id = m.workspace_id
       and k.id = m.keyword_id offset 0) k
     cross join lateral (select * from keyword_counter c where c.workspace_id = m.workspace_id
       and c.keyword_id = m.keyword_id offset 0) c
     cross join lateral (select * from keyword_group g where g.workspace_id = k.workspace_id
       and g.id = k.group_id offset 0) g
     ${UNSCORED_COMPANY}
     where m.scored_at is null order by m.id`,
    [wanted.map((mentionRef) => mentionRef.workspaceId), wanted.map((mentionRef) => mentionRef.mentionId)],
  )
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    mentionId: row.id,
    keywordId: row.keyword_id,
    ...unscoredKeyword(row),
    status: MENTION_STATUSES[row.status]!,
    free: row.free,
    createdAt: row.created_at,
    post: postFromRow(row),
  }))
}

export function postFromRow(row: PostRow): Post {
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
