import type { Keyword } from '../../domain/keyword/keyword.ts'
import { REJECTIONS, type RejectionReason } from '../../domain/keyword/rejection.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import { parseAuthorEntry } from '../../domain/post/author-entry.ts'
import type { Post } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { nativeIdInLink } from '../../domain/post/post-link.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { dayOf, monthStart, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { type KeywordRow, keywordFromRow } from '../../store/keyword/keywords.ts'
import { type PostRow, postFromRow } from '../../store/model/unscored.ts'
import type { QueryContext } from '../reading.ts'

/** A keyword and whether it reached this month's limit; null when unknown. */
export async function findExplainedKeyword(
  { db, workspaceId, clock }: QueryContext,
  id: Uuid,
): Promise<{ keyword: Keyword; capped: boolean } | null> {
  const [row] = await db.query<KeywordRow & { month: string }>(sql`
    select k.*, c.month from keyword k join keyword_counter c on c.workspace_id = k.workspace_id and c.keyword_id = k.id
    where k.workspace_id = ${workspaceId} and k.id = ${id}`)
  return row
    ? { keyword: keywordFromRow(row), capped: row.paused_for_cap && row.month >= dayOf(monthStart(clock.now())) }
    : null
}

/** A post of any mention of the workspace, and this keyword's mention of it. */
export interface FoundPost {
  post: Post
  mentionId: Uuid | null
}

/** The post at an address, only if the workspace itself has it. */
export async function findOwnPost(
  { db, workspaceId }: QueryContext,
  keywordId: Uuid,
  url: string,
): Promise<FoundPost | null> {
  const [row] = await db.query<PostRow & { mention_id: Uuid | null }>(sql`
    select * from (select p.*, (select m.id from mention m where m.workspace_id = ${workspaceId}
      and m.keyword_id = ${keywordId} and m.post_id = p.id) as mention_id
    from (
      select p.id from unnest(${addressesOf(url)}::text[]) as t (url) cross join lateral (select id from post
        where post.url = t.url offset 0) p
      union select unnest(${idsOf(url)}::uuid[])) known
    join post p on p.id = known.id
    where exists (select from mention m where m.workspace_id = ${workspaceId} and m.post_id = p.id)
    ) found order by mention_id is null limit 1`)
  return row ? { post: postFromRow(row), mentionId: row.mention_id } : null
}

/** A post rejected within the last day. */
export interface FoundRejection {
  url: string
  reason: RejectionReason
  at: Date
}

export async function findRejection(
  { db, workspaceId, clock }: QueryContext,
  keywordId: Uuid,
  url: string,
): Promise<FoundRejection | null> {
  const [row] = await db.query<FoundRejection>(sql`
    select url, reason, created_at as at from rejected_post
    where workspace_id = ${workspaceId} and keyword_id = ${keywordId}
      and created_at > ${plus(clock.now(), -REJECTIONS.keptMs)}
      and (url = any(${addressesOf(url)}::text[]) or post_id = any(${idsOf(url)}::uuid[]))
    order by id limit 1`)
  return row ?? null
}

/** Possible stored forms of an address: unchanged, normalised, and without query or fragment. */
function addressesOf(url: string): string[] {
  if (!canParse(url)) return [url]
  const { href, origin, pathname, search } = new URL(url)
  return [
    ...new Set([
      url,
      href,
      `${origin}${pathname}${search}`,
      `${origin}${pathname}`,
      `${origin}${pathname.replace(/\/+$/, '')}`,
    ]),
  ]
}

/** Post ids derived from the link. */
function idsOf(url: string): Uuid[] {
  const parsed = parseAuthorEntry(url)
  const platform: Platform | null = 'platform' in parsed ? parsed.platform : null
  const nativeId = platform === null ? null : nativeIdInLink(platform, url)
  return platform === null || nativeId === null ? [] : [postId(platform, nativeId)]
}
