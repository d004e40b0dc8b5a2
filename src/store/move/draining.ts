import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

/** The time of the database server, as text with every digit. */
export async function serverTime(reader: Reader): Promise<string> {
  const [row] = await reader.query<{ at: string }>(sql`select clock_timestamp()::text as at`)
  return row!.at
}

/** How many transactions of this database began before, and go on. */
export async function openSince(reader: Reader, before: string): Promise<number> {
  const [row] = await reader.query<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and xact_start <= ${before}::timestamptz`)
  return row!.count
}

/** Leases without an end what waits to be sent or scored, so that no process takes it. */
export async function holdQueues(tx: Transaction, workspaceId: Uuid, at: Date): Promise<void> {
  await tx.query(sql`
    with free as (select delivery_id, era from delivery_queue where workspace_id = ${workspaceId}
      and (leased_until is null or leased_until <= ${at}) order by delivery_id for update)
    update delivery_queue q set leased_until = 'infinity' from free
    where q.workspace_id = ${workspaceId} and q.delivery_id = free.delivery_id and q.era = free.era`)
  await tx.query(sql`
    with free as (select mention_id from score_queue where workspace_id = ${workspaceId} and leased_until <= ${at}
      order by mention_id for update)
    update score_queue q set leased_until = 'infinity' from free
    where q.workspace_id = ${workspaceId} and q.mention_id = free.mention_id`)
}

/** Deliveries and mentions that a process has in hand. */
export async function inHand(reader: Reader, workspaceId: Uuid): Promise<number> {
  const [row] = await reader.query<{ count: number }>(sql`
    select (select count(*) from delivery_queue where workspace_id = ${workspaceId}
        and leased_until is distinct from 'infinity')
      + (select count(*) from score_queue where workspace_id = ${workspaceId} and leased_until <> 'infinity') as count`)
  return row!.count
}

/** Ends `holdQueues`. */
export async function releaseQueues(tx: Transaction, workspaceId: Uuid, at: Date): Promise<void> {
  await tx.query(sql`
    update delivery_queue set leased_until = null where workspace_id = ${workspaceId} and leased_until = 'infinity'`)
  await tx.query(sql`
    update score_queue set leased_until = ${at} where workspace_id = ${workspaceId} and leased_until = 'infinity'`)
}
