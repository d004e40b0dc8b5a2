import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'

/** The team's verdicts in force, from counters; of all keywords when `id` is null. */
export async function countVerdicts(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
  id: Uuid | null,
): Promise<{ relevant: number; notRelevant: number }> {
  const [row] = await db.query<{ relevant: number; notRelevant: number }>(sql`
    select coalesce(sum(feedback_relevant), 0)::bigint as relevant,
      coalesce(sum(feedback_not_relevant), 0)::bigint as "notRelevant"
    from keyword_counter where workspace_id = ${workspaceId} and (${id}::uuid is null or keyword_id = ${id})`)
  return row!
}
