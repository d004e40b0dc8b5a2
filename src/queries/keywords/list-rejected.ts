import { REJECTIONS, type RejectionReason } from '../../domain/keyword/rejection.ts'
import { type Platform, platformFromNumber } from '../../domain/platform/platforms.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { pageOf, readCursorText } from '../cursor.ts'
import type { QueryContext } from '../reading.ts'

export interface RejectedPost {
  platform: Platform
  url: string
  /** The beginning of title and text. */
  excerpt: string
  reason: RejectionReason
  publishedAt: string
  /** Time of the rejection. */
  at: string
}

export interface RejectedPage {
  data: RejectedPost[]
  nextCursor: string | null
}

const SORT = 'rejected'

interface Row {
  id: Uuid
  platform: number
  url: string
  excerpt: string
  reason: RejectionReason
  published_at: Date
  created_at: Date
}

/** Rejected posts of the last day, newest first. */
export async function listRejected(
  reading: QueryContext,
  keywordId: Uuid,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<RejectedPage | Refusal<'not_found' | 'invalid_cursor'>> {
  const { db, workspaceId, clock } = reading
  const known = await db.query(sql`select 1 from keyword where workspace_id = ${workspaceId} and id = ${keywordId}`)
  if (known.length === 0) return refuse('not_found', 'This workspace has no keyword with this id.')
  const after = cursor === null ? null : await placeOf(reading, keywordId, cursor)
  if (isRefusal(after)) return after
  const rows = await db.query<Row>(sql`
    select id, platform, url, excerpt, reason, published_at, created_at from rejected_post
    where workspace_id = ${workspaceId} and keyword_id = ${keywordId}
      and created_at > ${plus(clock.now(), -REJECTIONS.keptMs)}
      and ${after === null ? sql`true` : sql`id < ${after}`}
    order by id desc limit ${limit + 1}`)
  const { shown, nextCursor } = pageOf(rows, limit, SORT)
  return {
    data: shown.map((row) => ({
      platform: platformFromNumber(row.platform),
      url: row.url,
      excerpt: row.excerpt,
      reason: row.reason,
      publishedAt: row.published_at.toISOString(),
      at: row.created_at.toISOString(),
    })),
    nextCursor,
  }
}

async function placeOf(
  { db, workspaceId }: QueryContext,
  keywordId: Uuid,
  cursor: string,
): Promise<Uuid | Refusal<'invalid_cursor' | 'not_found'>> {
  const id = readCursorText(SORT, cursor)
  if (id === null) return refuse('invalid_cursor', 'The cursor cannot be read or belongs to another sort')
  const rows = await db.query(
    sql`select 1 from rejected_post where workspace_id = ${workspaceId} and keyword_id = ${keywordId} and id = ${id}`,
  )
  return rows.length > 0 ? id : refuse('not_found', 'The post at this cursor is gone; start again without a cursor')
}
