import { ATTENTION_RULES } from '../../domain/attention/kinds.ts'
import { type RoomReason, WAITING_DELIVERIES_MAX } from '../../domain/channel/room.ts'
import { trimOldest } from '../../kernel/concurrency/bounded-cache.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { announceWork } from '../announcements.ts'
import { columns } from '../columns.ts'
import { type Database, type Reader, sql, type Transaction } from '../database.ts'
import { isFrozen } from '../frozen/frozen.ts'
import { notifyOfChannels } from './notify-of-deliveries.ts'

/** Other processes add to the queue too. */
const COUNTED_FOR_MS = 30_000
/** While a workspace is full. */
const COUNTED_AGAIN_MS = 1000
const REMEMBERED_MAX = 10_000

interface Counted {
  /** At the last count, with this process's additions since. */
  waiting: number
  atMs: number
}

/** Which workspaces have a full queue. Counts now and then, not in every transaction, so the limit is approximate. */
export class WaitingRoom {
  private readonly counts = new Map<Uuid, Counted>()
  private readonly most: number

  constructor(most: number = WAITING_DELIVERIES_MAX) {
    this.most = most
  }

  async crowded(reader: Reader, added: ReadonlyMap<Uuid, number>, at: Date): Promise<ReadonlySet<Uuid>> {
    const unknown = [...added.keys()].filter((id) => !this.isKnown(id, at))
    if (unknown.length > 0) await this.count(reader, unknown, at)
    const crowded = new Set<Uuid>()
    for (const [id, more] of added) {
      const counted = this.counts.get(id)!
      if (counted.waiting >= this.most) crowded.add(id)
      else counted.waiting += more
    }
    // Only now, for all that were just asked about are needed until here.
    trimOldest(this.counts, REMEMBERED_MAX)
    return crowded
  }

  private isKnown(id: Uuid, at: Date): boolean {
    const counted = this.counts.get(id)
    if (counted === undefined) return false
    const ageMs = at.getTime() - counted.atMs
    return ageMs >= 0 && ageMs < (counted.waiting >= this.most ? COUNTED_AGAIN_MS : COUNTED_FOR_MS)
  }

  /** Held deliveries go first: while there are any, there is no room. */
  private async count(reader: Reader, ids: readonly Uuid[], at: Date): Promise<void> {
    const rows = await reader.run<{ id: Uuid; waiting: number }>(
      'waiting-count',
      `select t.id, case when exists (select from delivery_held h where h.waits_for = 'waiting_limit'
          and h.workspace_id = t.id) then $2::bigint
         else (select count(*) from (select from delivery_queue q where q.workspace_id = t.id
           limit $2) queued) end as waiting
       from unnest($1::uuid[]) as t (id)`,
      [columns.uuids(ids), this.most],
    )
    for (const { id, waiting } of rows) this.counts.set(id, { waiting, atMs: at.getTime() })
  }
}

const PORTION = 1000

/** Queues deliveries held for room, oldest first, as far as there is room; returns how many. */
export async function releaseWaiting(db: Database, at: Date, most: number = WAITING_DELIVERIES_MAX): Promise<number> {
  let released = 0
  for (const workspaceId of await workspacesHolding(db, 'waiting_limit')) {
    for (let more = PORTION; more === PORTION; ) {
      more = await db.transaction((tx) => releaseOf(tx, workspaceId, at, most))
      released += more
    }
  }
  return released
}

async function releaseOf(tx: Transaction, workspaceId: Uuid, at: Date, most: number): Promise<number> {
  const [row] = await tx.query<{ waiting: number }>(
    sql`select count(*) as waiting from (select from delivery_queue where workspace_id = ${workspaceId}
        limit ${most}) queued`,
  )
  const room = Math.min(PORTION, most - row!.waiting)
  if (room <= 0) return 0
  const held = await tx.query<HeldRow>(sql`
    select channel_id as "channelId", delivery_id as "deliveryId" from delivery_held
    where waits_for = 'waiting_limit' and workspace_id = ${workspaceId} order by delivery_id limit ${room}`)
  return await queueHeld(tx, workspaceId, held, at)
}

export async function workspacesHolding(reader: Reader, waitsFor: RoomReason): Promise<Uuid[]> {
  const rows = await reader.query<{ id: Uuid }>(sql`
    with recursive holding (id) as (
      (select workspace_id from delivery_held where waits_for = ${waitsFor} order by workspace_id limit 1)
      union all
      select next.workspace_id from holding cross join lateral (
        select h.workspace_id from delivery_held h where h.waits_for = ${waitsFor} and h.workspace_id > holding.id
          order by h.workspace_id limit 1) next)
    select id from holding`)
  return rows.map(({ id }) => id)
}

export interface HeldRow {
  channelId: Uuid
  deliveryId: Uuid
}

/**
 * Locks the channels first, as everything does that records deliveries, so that disabling one sees them. Skips
 * deliveries that are being retried or cancelled. Returns how many it queued.
 */
export async function queueHeld(
  tx: Transaction,
  workspaceId: Uuid,
  found: readonly HeldRow[],
  at: Date,
): Promise<number> {
  if (found.length === 0 || (await isFrozen(tx, workspaceId))) return 0
  const channelIds = [...new Set(found.map((heldRow) => heldRow.channelId))]
  await tx.query(
    sql`select from channel where workspace_id = ${workspaceId} and id = any(${channelIds}::uuid[])
        order by id for key share`,
  )
  const held = await tx.query<HeldRow>(sql`
    select h.channel_id as "channelId", h.delivery_id as "deliveryId" from delivery_held h
      join delivery d on d.workspace_id = h.workspace_id and d.id = h.delivery_id
    where h.workspace_id = ${workspaceId} and h.channel_id = any(${channelIds}::uuid[])
      and h.delivery_id = any(${found.map((heldRow) => heldRow.deliveryId)}::uuid[])
    for update of h, d skip locked`)
  const rows = await tx.query(sql`
    with t as materialized (
      select * from unnest(${held.map((heldRow) => heldRow.channelId)}::uuid[],
        ${held.map((heldRow) => heldRow.deliveryId)}::uuid[]) as t (channel_id, id)),
    gone as (delete from delivery_held h using t where h.workspace_id = ${workspaceId} and h.channel_id = t.channel_id
      and h.delivery_id = t.id),
    freed as (
      update delivery d set status = 'pending', error = null from t where d.workspace_id = ${workspaceId}
        and d.id = t.id and d.status = 'held' returning d.id, d.channel_id)
    insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at)
    select ${workspaceId}, id, channel_id, ${at}::timestamptz - (row_number() over (order by id desc) - 1) * interval
      '1 microsecond' from freed returning 1`)
  if (rows.length === 0) return 0
  await announceWork(tx, 'deliveries')
  await notifyOfChannels(
    tx,
    channelIds.map((channelId) => ({ workspaceId, channelId })),
  )
  return rows.length
}

export interface WaitingDeliveries {
  workspaceId: Uuid
  held: number
  since: Date
}

export function readWaiting(reader: Reader, workspaceIds: readonly Uuid[]): Promise<WaitingDeliveries[]> {
  return reader.run<WaitingDeliveries>(
    'attention-waiting',
    `select w.id as "workspaceId", counted.held, oldest.since
     from unnest($1::uuid[]) as w (id)
     cross join lateral (
       select count(*) as held from (
         select from delivery_held h where h.waits_for = 'waiting_limit' and h.workspace_id = w.id
           limit ${ATTENTION_RULES.waiting.countedMax}) held) counted
     cross join lateral (
       select min(d.created_at) as since from channel c
       cross join lateral (
         select h.delivery_id from delivery_held h where h.waits_for = 'waiting_limit' and h.workspace_id = w.id
           and h.channel_id = c.id
         order by h.delivery_id limit 1) first
       join delivery d on d.workspace_id = w.id and d.id = first.delivery_id
       where counted.held > 0 and c.workspace_id = w.id) oldest
     where oldest.since is not null order by w.id`,
    [workspaceIds],
  )
}
