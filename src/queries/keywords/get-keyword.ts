import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { KEYWORD_SELECT, type KeywordView, type KeywordViewRow, showKeywords } from './keyword-shape.ts'

export async function getKeyword(reading: QueryContext, id: Uuid): Promise<KeywordView | Refusal<'not_found'>> {
  return (
    (await getKeywords(reading, [id])).get(id) ?? refuse('not_found', 'This workspace has no keyword with this id.')
  )
}

/** Unknown ids are left out. */
export async function getKeywords(
  { db, workspaceId, clock, billing }: QueryContext,
  ids: readonly Uuid[],
): Promise<Map<Uuid, KeywordView>> {
  const rows = await db.query<KeywordViewRow>(
    sql`${KEYWORD_SELECT} where k.workspace_id = ${workspaceId} and k.id = any(${ids}::uuid[])`,
  )
  const shown = await showKeywords(db, workspaceId, rows, {
    at: clock.now(),
    metered: billing === 'metered',
    recent: null,
  })
  return new Map(rows.map(({ id }, place) => [id, shown[place]!]))
}
