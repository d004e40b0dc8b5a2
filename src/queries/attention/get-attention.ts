import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { ATTENTION_COLUMNS, type AttentionItem, type AttentionRow, attentionFromRow } from './attention-shape.ts'

export async function getAttention(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
  id: Uuid,
): Promise<AttentionItem | Refusal<'not_found'>> {
  const [row] = await db.query<AttentionRow>(
    sql`select ${ATTENTION_COLUMNS} from attention_item where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return row === undefined ? refuse('not_found', 'There is no attention item with this id') : attentionFromRow(row)
}
