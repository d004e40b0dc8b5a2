import type { Uuid } from '../../kernel/ids.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { sql } from '../../store/database.ts'
import type { Reading } from '../reading.ts'
import { KEYWORD_SELECT, type KeywordView, type KeywordViewRow, showKeywords } from './keyword-shape.ts'

export async function getKeyword(reading: Reading, id: Uuid): Promise<KeywordView | Refusal<'not_found'>> {
  const { db, workspaceId, clock, billing } = reading
  const rows = await db.query<KeywordViewRow>(sql`${KEYWORD_SELECT} where k.workspace_id = ${workspaceId} and k.id = ${id}`)
  const [keyword] = await showKeywords(db, workspaceId, rows, { at: clock.now(), metered: billing === 'metered', recent: null })
  return keyword ?? refuse('not_found', 'There is no keyword with this id')
}
