import { ROOM_REASONS } from '../../domain/channel/room.ts'
import type { DeliveryState } from '../../domain/delivery/lifecycle.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { markBlocksStale } from '../filter/mention-blocks.ts'
import { GivenRows, GivenValues, given } from '../given-rows.ts'
import { type AttemptMade, REQUESTS_STORED, requestColumns } from './delivery-attempts.ts'
import { notifyOfDeliveries } from './notify-of-deliveries.ts'
import { alongIndexes } from './outbox.ts'

export interface Settled {
  workspaceId: Uuid
  deliveryId: Uuid
  mentionId: Uuid | null
  state: DeliveryState
  leasedUntil: Date
  /** Null when the delivery was put off, held or cancelled. */
  attempt: AttemptMade | null
}

/**
 * A delivery cancelled in flight stays cancelled unless it was accepted. A late failure, after another process made the
 * same attempt, changes nothing: the delivery may have been requested again. Everywhere the queue is locked before the
 * log, and queue rows in order of delivery id, except by claims, which skip locked rows.
 */
export async function settleDeliveries(tx: Transaction, settled: readonly Settled[]): Promise<void> {
  const rows = [...settled].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  const later = rows.filter(({ state }) => state.nextAttemptAt !== null)
  const values = settledColumns(rows)
  const [, , asLeft] = await Promise.all([
    alongIndexes(tx),
    later.length > 0 ? putOff(tx, later) : undefined,
    settleAsLeft(tx, values),
  ])
  // Rare, so all rows run again: settling twice changes nothing.
  if (asLeft < rows.length) await settleAnyhow(tx, rows, values)
  await Promise.all([
    dropUnreadRequests(tx, rows),
    listHeld(tx, rows),
    markDelivered(tx, settled),
    notifyOfDeliveries(tx, rows),
  ])
}

const ROWS = new GivenRows<Settled, 'request_from' | 'request_bytes'>(
  {
    workspace_id: given.uuid(({ workspaceId }) => workspaceId),
    id: given.uuid(({ deliveryId }) => deliveryId),
    status: given.text(({ state }) => state.status),
    attempts: given.smallint(({ state }) => state.attempts),
    error: given.text(({ state }) => state.error),
    response_status: given.smallint(({ state }) => state.responseStatus),
    sent_at: given.instant(({ state }) => state.sentAt),
    ends: given.boolean(({ state }) => state.nextAttemptAt === null),
    lease: given.instant(({ leasedUntil }) => leasedUntil),
    began_at: given.instant(({ attempt }) => attempt?.at ?? null),
    duration_ms: given.integer(({ attempt }) => attempt?.durationMs ?? null),
    outcome: given.text(({ attempt }) => attempt?.outcome ?? null),
    response_excerpt: given.text(({ attempt }) => attempt?.responseExcerpt ?? null),
  },
  // Ranges of the bytes of all requests.
  { request_from: 'int', request_bytes: 'int' },
)
const ONCE = new GivenValues(['requests'], ROWS.after)

function settledColumns(rows: readonly Settled[]): unknown[] {
  const { from, bytes, requests } = requestColumns(rows.map(({ attempt }) => attempt?.request ?? null))
  return [...ROWS.values(rows, { request_from: from, request_bytes: bytes }), ...ONCE.values({ requests })]
}

const SETTLED = `t as materialized (select * from ${ROWS.unnested})`

const ATTEMPT = `workspace_id, id, attempts, began_at, duration_ms, outcome, error,
         case when request_bytes > 0
           then substring(${ONCE.the.requests}::bytea from request_from for request_bytes) end,
         response_status, response_excerpt`

const ATTEMPTS_BEFORE = 't.attempts - (t.outcome is not null)::integer'

/**
 * Rows in the current partition with the attempts of their claim; returns how many. Nobody has logged such an attempt,
 * so no conflict is checked. A permanent failure leaves the queue only under its lease: the log is seen as of the
 * statement's start, but a queue row as last written, and one that another process must retry has to stay. Locks rows
 * in the given order.
 */
async function settleAsLeft(tx: Transaction, values: readonly unknown[]): Promise<number> {
  const [row] = await tx.run<{ count: number }>(
    'settle-deliveries',
    `with ${SETTLED},
     gone as (
       delete from delivery_queue q using t where t.ends and q.workspace_id = t.workspace_id and q.delivery_id = t.id
         and q.era = (select era from delivery_era where current)
         and (t.status = 'delivered' or (
           q.leased_until = t.lease and (select d.attempts from delivery d where d.workspace_id = t.workspace_id
             and d.id = t.id) <= ${ATTEMPTS_BEFORE}))
       returning t.*),
     changed as (
       update delivery d set status = t.status, attempts = t.attempts, error = t.error,
         response_status = t.response_status, sent_at = t.sent_at
       from (select * from gone union all select * from t where not ends) t
       where (select count(*) from gone) >= 0 and d.workspace_id = t.workspace_id and d.id = t.id
         and d.status = 'pending' and d.attempts <= ${ATTEMPTS_BEFORE}
       returning t.*),
     logged as (
       insert into delivery_attempt (workspace_id, delivery_id, number, at, duration_ms, outcome, error, request,
         response_status, response_excerpt)
       select ${ATTEMPT} from changed where outcome is not null)
     select count(*) from changed`,
    values,
  )
  return row!.count
}

/** Rows that others changed meanwhile, or in another partition. */
async function settleAnyhow(tx: Transaction, rows: readonly Settled[], values: readonly unknown[]): Promise<void> {
  await lockPlaces(tx, rows)
  await tx.run(
    'settle-deliveries-anyhow',
    `with ${SETTLED},
     held as materialized (
       select q.workspace_id, q.delivery_id, q.era from t join delivery_queue q on q.workspace_id = t.workspace_id
         and q.delivery_id = t.id
       where t.ends and (t.status = 'delivered' or (
         select d.attempts from delivery d where d.workspace_id = t.workspace_id and d.id = t.id) <= ${ATTEMPTS_BEFORE})
       order by q.delivery_id for update of q),
     gone as (delete from delivery_queue q using held where q.workspace_id = held.workspace_id
       and q.delivery_id = held.delivery_id and q.era = held.era),
     logged as (
       insert into delivery_attempt as made (workspace_id, delivery_id, number, at, duration_ms, outcome, error,
         request, response_status, response_excerpt)
       select ${ATTEMPT}
       from t where outcome is not null and (select count(*) from held) >= 0
         and exists (select from delivery d where d.workspace_id = t.workspace_id and d.id = t.id)
       on conflict (workspace_id, delivery_id, number) do update
         set at = excluded.at, duration_ms = excluded.duration_ms, outcome = excluded.outcome,
         error = excluded.error, request = excluded.request, response_status = excluded.response_status,
           response_excerpt = excluded.response_excerpt
       where excluded.outcome = 'delivered' and made.outcome <> 'delivered')
     update delivery d set status = t.status, attempts = t.attempts, error = t.error,
       response_status = t.response_status, sent_at = t.sent_at
     from t where (select count(*) from held) >= 0 and d.workspace_id = t.workspace_id and d.id = t.id
       and (t.status = 'delivered' or (d.status = 'pending' and d.attempts <= ${ATTEMPTS_BEFORE}))`,
    values,
  )
}

/** A separate statement, because only the next sees what changed while locks were awaited. */
async function lockPlaces(tx: Transaction, rows: readonly Settled[]): Promise<void> {
  await tx.run(
    'settle-lock-places',
    `select from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
        join delivery_queue q on q.workspace_id = t.workspace_id and q.delivery_id = t.id
     order by q.delivery_id for update of q`,
    [columns.uuids(rows.map((row) => row.workspaceId)), columns.uuids(rows.map((row) => row.deliveryId))],
  )
}

/** Keeps only the newest requests, because a digest may be large. */
async function dropUnreadRequests(tx: Transaction, rows: readonly Settled[]): Promise<void> {
  const often = rows.filter(({ state, attempt }) => attempt !== null && state.attempts > REQUESTS_STORED)
  if (often.length === 0) return
  await tx.run(
    'settle-unread-requests',
    `update delivery_attempt a set request = null
        from unnest($1::uuid[], $2::uuid[], $3::smallint[]) as t (workspace_id, id, number)
     where a.workspace_id = t.workspace_id and a.delivery_id = t.id and a.number = t.number`,
    [
      often.map((item) => item.workspaceId),
      often.map((item) => item.deliveryId),
      often.map(({ state }) => state.attempts - REQUESTS_STORED),
    ],
  )
}

const LATER = new GivenRows<Settled>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  id: given.uuid(({ deliveryId }) => deliveryId),
  next_at: given.instant(({ state }) => state.nextAttemptAt),
  lease: given.instant(({ leasedUntil }) => leasedUntil),
})

/** Rows that others claimed after the lease ended stay theirs. */
async function putOff(tx: Transaction, rows: readonly Settled[]): Promise<void> {
  await tx.run(
    'settle-later',
    `with held as materialized (
       select q.workspace_id, q.delivery_id, q.era, t.next_at from ${LATER.unnested}
       join delivery_queue q on q.workspace_id = t.workspace_id and q.delivery_id = t.id and (q.leased_until = t.lease
         or q.leased_until is null) order by q.delivery_id for update of q)
     update delivery_queue q set due_at = held.next_at, leased_until = null
     from held where q.workspace_id = held.workspace_id and q.delivery_id = held.delivery_id and q.era = held.era`,
    LATER.values(rows),
  )
}

/** Held deliveries are rare, and an index by status would make every result touch the log's indexes. */
async function listHeld(tx: Transaction, rows: readonly Settled[]): Promise<void> {
  const held = rows.filter(({ state }) => state.status === 'held')
  if (held.length === 0) return
  await tx.run(
    'settle-held',
    `insert into delivery_held (workspace_id, channel_id, delivery_id, waits_for)
     select d.workspace_id, d.channel_id, d.id, case when d.error = any($3::text[]) then d.error end
       from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
     join delivery d on d.workspace_id = t.workspace_id and d.id = t.id where d.status = 'held' on conflict do nothing`,
    [held.map((item) => item.workspaceId), held.map((item) => item.deliveryId), ROOM_REASONS],
  )
}

/** Updates a mention once for several channels. */
async function markDelivered(tx: Transaction, settled: readonly Settled[]): Promise<void> {
  const delivered = new Map<Uuid, Uuid>()
  let lastMs = 0
  for (const { workspaceId, mentionId, state } of settled) {
    if (mentionId === null || state.status !== 'delivered') continue
    delivered.set(mentionId, workspaceId)
    lastMs = Math.max(lastMs, state.sentAt?.getTime() ?? 0)
  }
  if (delivered.size === 0) return
  const rows = [...delivered].sort(([a], [b]) => (a < b ? -1 : 1))
  await tx.run(
    'settle-mentions',
    `update mention m set delivered = true from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
        where m.workspace_id = t.workspace_id and m.id = t.id and not m.delivered`,
    [columns.uuids(rows.map(([, workspaceId]) => workspaceId)), columns.uuids(rows.map(([mentionId]) => mentionId))],
  )
  await markBlocksStale(
    tx,
    rows.map(([mentionId, workspaceId]) => ({ workspaceId, mentionId })),
    new Date(lastMs),
  )
}
