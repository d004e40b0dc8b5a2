import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

/** The keywords that are capped now. */
export async function stillCapped(
  reader: Reader,
  keywords: readonly { workspaceId: Uuid; keywordId: Uuid }[],
): Promise<Set<Uuid>> {
  if (keywords.length === 0) return new Set()
  const rows = await reader.query<{ id: Uuid }>(sql`
    select k.id from unnest(${keywords.map((keyword) => keyword.workspaceId)}::uuid[],
      ${keywords.map((keyword) => keyword.keywordId)}::uuid[]) as t (workspace_id, id)
    join keyword k on k.workspace_id = t.workspace_id and k.id = t.id where k.paused_for_cap`)
  return new Set(rows.map((row) => row.id))
}
