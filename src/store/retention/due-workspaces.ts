import { type DueWorkspace, keptDays, keptSince } from '../../domain/workspace/retention.ts'
import { firstUuidAt } from '../../kernel/ids.ts'
import { type Reader, sql } from '../database.ts'

const WORKSPACES_AT_ONCE = 200

/** `which` of the table's rows `t` may go. */
const KEPT = {
  mention: { period: sql`mentions_kept_days`, which: sql`true` },
  delivery: { period: sql`deliveries_kept_days`, which: sql`t.status <> 'pending'` },
}

/** Workspaces with rows beyond their period, the oldest row first. `installation` is the longest period in days. */
export async function findDue(
  reader: Reader,
  table: keyof typeof KEPT,
  { installation, at }: { installation: number | null; at: Date },
): Promise<DueWorkspace[]> {
  const { period, which } = KEPT[table]
  const periods = await reader.query<Record<keyof typeof KEPT, number | null>>(sql`
    select distinct mentions_kept_days as mention, deliveries_kept_days as delivery from workspace where not importing`)
  const bounds = [...new Set(periods.map((row) => row[table]))].flatMap((days) => {
    const since = keptSince(keptDays(days, installation), at)
    return since === null ? [] : [{ days, before: firstUuidAt(since) }]
  })
  if (bounds.length === 0) return []
  return reader.query<DueWorkspace>(sql`
    select w.id as "workspaceId", b.before from unnest(${bounds.map(({ days }) => days)}::int[],
      ${bounds.map(({ before }) => before)}::uuid[]) as b (days, before)
    join workspace w on w.${period} is not distinct from b.days and not w.importing
    cross join lateral (select t.id from ${sql.table(table)} t where t.workspace_id = w.id and t.id < b.before
      and ${which} order by t.id limit 1) oldest
    order by oldest.id limit ${WORKSPACES_AT_ONCE}`)
}
