import { keptDays, keptSince } from '../../domain/workspace/retention.ts'
import { inBatches } from '../../kernel/batches.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { type Database, sql } from '../database.ts'

/** Smaller than every id. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000' as Uuid

const PRUNE_PORTION = 5000

/**
 * Deletes ended deliveries beyond the period of their workspace, and those without a channel, by workspace along the
 * primary key. `installationDays` is the longest period. Returns how many deliveries went.
 */
export async function pruneDeliveries(db: Database, installationDays: number, at: Date): Promise<number> {
  let after = BEFORE_ALL
  let removed = 0
  for (;;) {
    const [workspace] = await db.query<{ workspace_id: Uuid; days: number | null }>(sql`
      select d.workspace_id, w.deliveries_kept_days as days
      from (select workspace_id from delivery where workspace_id > ${after} order by workspace_id limit 1) d
      left join workspace w on w.id = d.workspace_id`)
    if (workspace === undefined) return removed
    after = workspace.workspace_id
    const before = keptSince(keptDays(workspace.days, installationDays), at)
    removed += await inBatches(PRUNE_PORTION, () => pruneOld(db, workspace.workspace_id, before))
    await db.query(
      sql`delete from delivery_held where workspace_id = ${after} and delivery_id < ${firstUuidAt(before)}`,
    )
    await db.query(sql`
      delete from delivery_unaccepted where workspace_id = ${after} and status in ('failed', 'cancelled')
        and delivery_id < ${firstUuidAt(before)}`)
    for (const channelId of await goneChannels(db, after)) {
      await db.query(sql`delete from delivery_held where workspace_id = ${after} and channel_id = ${channelId}`)
      removed += await inBatches(PRUNE_PORTION, () => pruneChannel(db, workspace.workspace_id, channelId))
    }
  }
}

async function pruneOld(db: Database, workspaceId: Uuid, before: Date): Promise<number> {
  const removed = await db.query(sql`
    with old as materialized (
      select id, more_alerts from delivery where workspace_id = ${workspaceId} and id < ${firstUuidAt(before)}
        and status <> 'pending' order by id limit ${PRUNE_PORTION}),
    attempts as (delete from delivery_attempt made using old where made.workspace_id = ${workspaceId}
      and made.delivery_id = old.id),
    shared as (
      delete from delivery_by_more_alerts named using old where named.workspace_id = ${workspaceId}
        and named.alert_id = any(old.more_alerts) and named.delivery_id = old.id)
    delete from delivery d using old where d.workspace_id = ${workspaceId} and d.id = old.id returning 1`)
  return removed.length
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
        and named.alert_id = any(old.more_alerts) and named.delivery_id = old.id)
    delete from delivery d using old where d.workspace_id = ${workspaceId} and d.id = old.id returning 1`)
  return removed.length
}
