import type { AttentionKind, AttentionStatus } from '../../domain/attention/kinds.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { pageOf, readCursorText } from '../cursor.ts'
import type { QueryContext } from '../reading.ts'
import { ATTENTION_COLUMNS, type AttentionItem, type AttentionRow, attentionFromRow } from './attention-shape.ts'

export interface AttentionPage {
  data: AttentionItem[]
  nextCursor: string | null
}

export interface AttentionListing {
  statuses: readonly (AttentionStatus | 'all')[]
  kinds: readonly AttentionKind[] | null
  limit: number
  cursor: string | null
}

const SORT = 'attention'

const CONDITIONS = {
  open: sql`resolved_at is null and dismissed_at is null`,
  resolved: sql`resolved_at is not null and dismissed_at is null`,
  dismissed: sql`dismissed_at is not null`,
  all: sql`true`,
}

/** Latest opened first. */
export async function listAttention(
  reading: Pick<QueryContext, 'db' | 'workspaceId'>,
  { statuses, kinds, limit, cursor }: AttentionListing,
): Promise<AttentionPage | Refusal<'invalid_cursor' | 'not_found'>> {
  const { db, workspaceId } = reading
  const after = cursor === null ? null : await placeOf(reading, cursor)
  if (isRefusal(after)) return after
  const rows = await db.query<AttentionRow>(sql`
    select ${ATTENTION_COLUMNS} from attention_item
    where workspace_id = ${workspaceId} and (${sql.join(
      statuses.map((status) => CONDITIONS[status]),
      sql` or `,
    )}) and ${after === null ? sql`true` : sql`id < ${after}`}
      and ${kinds === null ? sql`true` : sql`kind = any(${kinds}::text[])`}
    order by id desc limit ${limit + 1}`)
  const { shown, nextCursor } = pageOf(rows, limit, SORT)
  return { data: shown.map(attentionFromRow), nextCursor }
}

async function placeOf(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
  cursor: string,
): Promise<Uuid | Refusal<'invalid_cursor' | 'not_found'>> {
  const id = readCursorText(SORT, cursor)
  if (id === null) return refuse('invalid_cursor', 'The cursor cannot be read or belongs to another sort')
  const rows = await db.query(sql`select id from attention_item where workspace_id = ${workspaceId} and id = ${id}`)
  return rows.length > 0 ? id : refuse('not_found', 'The item at this cursor is gone; start again without a cursor')
}
