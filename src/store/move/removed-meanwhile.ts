import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

/** From here on removals of posts are kept for the workspace. Repeats are safe. */
export async function beginArrival(tx: Transaction, workspaceId: Uuid): Promise<void> {
  await tx.query(sql`
    delete from removed_meanwhile r where not exists (select from arrival a where a.id = r.arrival_id)`)
  await tx.query(sql`insert into arrival (id) values (${workspaceId}) on conflict do nothing`)
}

export async function endArrival(tx: Transaction, workspaceId: Uuid): Promise<void> {
  await tx.query(sql`delete from arrival where id = ${workspaceId}`)
  await tx.query(sql`delete from removed_meanwhile where arrival_id = ${workspaceId}`)
}

/** Keeps the posts for every workspace that arrives; mostly there is none. */
export async function keepRemoved(tx: Transaction, postIds: readonly Uuid[]): Promise<void> {
  await tx.run(
    'keep-removed',
    `insert into removed_meanwhile (arrival_id, post_id)
     select a.id, t.id from arrival a cross join unnest($1::uuid[]) as t (id) on conflict do nothing`,
    [postIds],
  )
}

/** Posts that were brought although they are gone, in the order of their ids. */
export async function readBroughtBack(reader: Reader, workspaceId: Uuid, limit: number): Promise<Uuid[]> {
  const rows = await reader.query<{ id: Uuid }>(sql`
    select r.post_id as id from removed_meanwhile r join post p on p.id = r.post_id
    where r.arrival_id = ${workspaceId} order by 1 limit ${limit}`)
  return rows.map(({ id }) => id)
}
