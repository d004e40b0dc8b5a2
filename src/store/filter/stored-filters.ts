import type { MentionFilter } from '../../domain/filter/fields.ts'
import { withoutIds } from '../../domain/filter/without-ids.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'

/** For deleted keywords and groups. */
export async function forgetInFilters(
  tx: Transaction,
  workspaceId: Uuid,
  ids: readonly Uuid[],
  at: Date,
): Promise<void> {
  const patterns = ids.map((id) => `%"${id}"%`)
  const gone = new Set<string>(ids)
  const kinds = [
    { table: sql.table('alert'), changed: sql`` },
    { table: sql.table('saved_view'), changed: sql`, updated_at = ${at}` },
  ]
  for (const { table, changed } of kinds) {
    const kept = await tx.query<{ id: Uuid; filter: MentionFilter }>(sql`
      select id, filter from ${table} where workspace_id = ${workspaceId} and filter::text like any(${patterns}::text[])
        order by id for update`)
    for (const { id, filter } of kept) {
      await tx.query(sql`
        update ${table} set version = version + 1, filter = ${JSON.stringify(withoutIds(filter, gone))}::jsonb${changed}
          where workspace_id = ${workspaceId} and id = ${id}`)
    }
  }
}
