import type { MentionFilter } from '../domain/filter/fields.ts'
import { withoutIds } from '../domain/filter/without-ids.ts'
import type { Uuid } from '../kernel/ids.ts'
import { sql, type Transaction } from './database.ts'

/** Takes keywords or groups that are being removed out of the filters of the workspace's alert rules. */
export async function forgetInRules(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[]): Promise<void> {
  const patterns = ids.map((id) => `%"${id}"%`)
  const rules = await tx.query<{ id: Uuid; filter: MentionFilter }>(sql`
    select id, filter from alert where workspace_id = ${workspaceId} and filter::text like any(${patterns}::text[]) order by id for update`)
  const gone = new Set<string>(ids)
  for (const rule of rules) {
    const filter = JSON.stringify(withoutIds(rule.filter, gone))
    await tx.query(sql`update alert set version = version + 1, filter = ${filter}::jsonb where workspace_id = ${workspaceId} and id = ${rule.id}`)
  }
}
