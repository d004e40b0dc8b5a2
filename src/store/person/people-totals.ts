import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'

// Every change of people holds the workspace's people.

export async function holdPeople(tx: Transaction, workspaceId: Uuid): Promise<void> {
  await beginTotals(tx, [workspaceId])
  await tx.query(sql`select from people_total where workspace_id = ${workspaceId} for update`)
}

/** Returns those that no other transaction holds. */
export async function holdPeopleOfSome(tx: Transaction, workspaceIds: readonly Uuid[]): Promise<Uuid[]> {
  await beginTotals(tx, workspaceIds)
  const rows = await tx.query<{ workspace_id: Uuid }>(
    sql`select workspace_id from people_total where workspace_id = any(${workspaceIds}::uuid[])
        order by workspace_id for update skip locked`,
  )
  return rows.map((row) => row.workspace_id)
}

async function beginTotals(tx: Transaction, workspaceIds: readonly Uuid[]): Promise<void> {
  await tx.query(sql`
    insert into people_total (workspace_id) select w.id from workspace w
    where w.id = any(${workspaceIds}::uuid[]) and not exists (select from people_total t where t.workspace_id = w.id)
      order by w.id on conflict do nothing`)
}

/** The caller holds the workspace's people. */
export async function countPeople(tx: Transaction, workspaceId: Uuid): Promise<void> {
  await tx.query(sql`
    update people_total set people = (select count(*) from person where workspace_id = ${workspaceId})
    where workspace_id = ${workspaceId}`)
}

export async function addToTotals(tx: Transaction, people: ReadonlyMap<Uuid, number>): Promise<void> {
  const moved = [...people].filter(([, count]) => count !== 0)
  if (moved.length === 0) return
  await tx.query(sql`
    update people_total p set people = p.people + t.people
      from unnest(${moved.map(([id]) => id)}::uuid[], ${moved.map(([, count]) => count)}::bigint[]) as t (workspace_id,
      people)
    where p.workspace_id = t.workspace_id`)
}
