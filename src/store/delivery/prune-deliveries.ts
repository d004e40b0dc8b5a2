import type { DueWorkspace } from '../../domain/workspace/retention.ts'
import { inBatches } from '../../kernel/batches.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, sql } from '../database.ts'

/** Smaller than every id. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000' as Uuid

const PRUNE_PORTION = 5000

/** Deletes the oldest ended deliveries before an id. Returns how many, and whether there may be more to delete. */
export async function prunePortion(db: Database, due: DueWorkspace): Promise<{ removed: number; more: boolean }> {
  const removed = await pruneOld(db, due)
  const listed = await pruneUnaccepted(db, due)
  return { removed, more: removed === PRUNE_PORTION || listed === PRUNE_PORTION }
}

async function pruneOld(db: Database, { workspaceId, before }: DueWorkspace): Promise<number> {
  const removed = await db.query(sql`
    with old as materialized (
      select id, channel_id, more_alerts from delivery where workspace_id = ${workspaceId} and id < ${before}
        and status <> 'pending' order by id limit ${PRUNE_PORTION}),
    attempts as (delete from delivery_attempt made using old where made.workspace_id = ${workspaceId}
      and made.delivery_id = old.id),
    shared as (
      delete from delivery_by_more_alerts named using old where named.workspace_id = ${workspaceId}
        and named.alert_id = any(old.more_alerts) and named.delivery_id = old.id),
    unheld as (delete from delivery_held held using old where held.workspace_id = ${workspaceId}
      and held.channel_id = old.channel_id and held.delivery_id = old.id)
    delete from delivery d using old where d.workspace_id = ${workspaceId} and d.id = old.id returning 1`)
  return removed.length
}

async function pruneUnaccepted(db: Database, { workspaceId, before }: DueWorkspace): Promise<number> {
  const removed = await db.query(sql`
    delete from delivery_unaccepted listed using (
      select status, delivery_id from delivery_unaccepted where workspace_id = ${workspaceId}
        and status in ('failed', 'cancelled') and delivery_id < ${before} limit ${PRUNE_PORTION}) old
    where listed.workspace_id = ${workspaceId} and listed.status = old.status and listed.delivery_id = old.delivery_id
    returning 1`)
  return removed.length
}

/** Deletes deliveries without a channel, by workspace along the primary key. Returns how many went. */
export async function pruneGoneChannels(db: Database): Promise<number> {
  let after = BEFORE_ALL
  let removed = 0
  for (;;) {
    const [row] = await db.query<{ workspaceId: Uuid }>(sql`
      select workspace_id as "workspaceId" from delivery where workspace_id > ${after} order by workspace_id limit 1`)
    if (row === undefined) return removed
    after = row.workspaceId
    for (const channelId of await goneChannels(db, after))
      removed += await inBatches(PRUNE_PORTION, () => pruneChannel(db, row.workspaceId, channelId))
  }
}

/** Skips along the index from channel to channel. */
async function goneChannels(db: Database, workspaceId: Uuid): Promise<Uuid[]> {
  const rows = await db.query<{ id: Uuid }>(sql`
    with recursive named (id) as (
      (select channel_id from delivery where workspace_id = ${workspaceId} order by channel_id limit 1)
      union all
      select next.channel_id from named cross join lateral (
        select d.channel_id from delivery d where d.workspace_id = ${workspaceId} and d.channel_id > named.id
          order by d.channel_id limit 1) next)
    select id from named where not exists (select from channel c where c.workspace_id = ${workspaceId}
      and c.id = named.id)`)
  return rows.map((row) => row.id)
}

async function pruneChannel(db: Database, workspaceId: Uuid, channelId: Uuid): Promise<number> {
  const removed = await db.query(sql`
    with old as materialized (
      select id, more_alerts from delivery where workspace_id = ${workspaceId} and channel_id = ${channelId}
        order by id desc limit ${PRUNE_PORTION}),
    attempts as (delete from delivery_attempt made using old where made.workspace_id = ${workspaceId}
      and made.delivery_id = old.id),
    shared as (
      delete from delivery_by_more_alerts named using old where named.workspace_id = ${workspaceId}
        and named.alert_id = any(old.more_alerts) and named.delivery_id = old.id),
    unheld as (delete from delivery_held held using old where held.workspace_id = ${workspaceId}
      and held.channel_id = ${channelId} and held.delivery_id = old.id)
    delete from delivery d using old where d.workspace_id = ${workspaceId} and d.id = old.id returning 1`)
  return removed.length
}
