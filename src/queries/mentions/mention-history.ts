import type { FieldChange } from '../../domain/mention/triage.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { pageOf, readCursorText } from '../cursor.ts'
import type { QueryContext } from '../reading.ts'

export interface MentionChangeView {
  at: string
  by: { kind: 'api_key' | 'person' | 'slack'; id: Id<'key'> | Id<'user'> | null; name: string }
  changes: FieldChange[]
}

export interface MentionHistory {
  data: MentionChangeView[]
  nextCursor: string | null
}

const SORT = 'changes'

interface Row {
  id: Uuid
  changed_at: Date
  actor_kind: 'api_key' | 'person' | 'slack'
  /** Null for a button in Slack. */
  actor_id: Uuid | null
  actor_name: string
  changes: FieldChange[]
}

/** Latest change first. */
export async function listMentionChanges(
  reading: QueryContext,
  mentionId: Uuid,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<MentionHistory | Refusal<'not_found' | 'invalid_cursor'>> {
  const { db, workspaceId } = reading
  const known = await db.query(sql`select 1 from mention where workspace_id = ${workspaceId} and id = ${mentionId}`)
  if (known.length === 0) return refuse('not_found', 'This workspace has no mention with this id.')
  const after = cursor === null ? null : await placeOf(reading, mentionId, cursor)
  if (isRefusal(after)) return after
  const rows = await db.query<Row>(sql`
    select id, changed_at, actor_kind, actor_id, actor_name, changes from mention_change
    where workspace_id = ${workspaceId} and mention_id = ${mentionId}
      and ${
        after === null
          ? sql`true`
          : sql`id <
        ${after}`
      } order by id desc limit ${limit + 1}`)
  const { shown, nextCursor } = pageOf(rows, limit, SORT)
  return { data: shown.map(changeFromRow), nextCursor }
}

function changeFromRow(row: Row): MentionChangeView {
  return {
    at: row.changed_at.toISOString(),
    by: {
      kind: row.actor_kind,
      id: row.actor_id && toId(row.actor_kind === 'api_key' ? 'key' : 'user', row.actor_id),
      name: row.actor_name,
    },
    // Field by field: jsonb has its own key order.
    changes: row.changes.map(({ field, from, to }) => ({ field, from, to })),
  }
}

async function placeOf(
  { db, workspaceId }: QueryContext,
  mentionId: Uuid,
  cursor: string,
): Promise<Uuid | Refusal<'invalid_cursor' | 'not_found'>> {
  const id = readCursorText(SORT, cursor)
  if (id === null) return refuse('invalid_cursor', 'The cursor cannot be read or belongs to another sort')
  const rows = await db.query(
    sql`select 1 from mention_change where workspace_id = ${workspaceId} and mention_id = ${mentionId} and id = ${id}`,
  )
  return rows.length > 0 ? id : refuse('not_found', 'The change at this cursor is gone; start again without a cursor')
}
