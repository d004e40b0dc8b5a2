import { ROOM_REASONS } from '../../domain/channel/room.ts'
import type { DeliveryState } from '../../domain/delivery/lifecycle.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { markBlocksStale } from '../filter/mention-blocks.ts'
import { GivenRows, GivenValues, given } from '../given-rows.ts'
import { type AttemptMade, REQUESTS_KEPT, requestColumns } from './delivery-attempts.ts'
import { alongIndexes } from './outbox.ts'

/** A delivery and the state that its attempt led to. */
export interface Settled {
  workspaceId: Uuid
  deliveryId: Uuid
  mentionId: Uuid | null
  state: DeliveryState
  /** The lease that the attempt was made under. */
  leasedUntil: Date
  /**
   * What the log keeps of the attempt; null when none was counted, because the delivery was put off, held or cancelled.
   */
  attempt: AttemptMade | null
}

/**
 * Writes the results of attempts down, in the caller's transaction. What was cancelled while its request was on the
 * wire stays cancelled unless it was accepted. A failure that comes late, after somebody else has made the same
 * attempt, changes nothing any more: the delivery may have been asked for again meanwhile. Everybody touches the queue
 * before the log. Places that somebody may have in hand are locked in the order of the deliveries' ids, except by
 * claims, which pass over what is locked.
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
  // Those that are not as they were left, which is rare, are not picked out: what is written down stays as it is when
  // it is written again.
  if (asLeft < rows.length) await settleAnyhow(tx, rows, values)
  await Promise.all([dropUnreadRequests(tx, rows), listHeld(tx, rows), markDelivered(tx, settled)])
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
  // Of the bytes of all requests.
  { request_from: 'int', request_bytes: 'int' },
)
const ONCE = new GivenValues(['requests'], ROWS.after)

function settledColumns(rows: readonly Settled[]): unknown[] {
  const { from, bytes, requests } = requestColumns(rows.map(({ attempt }) => attempt?.request ?? null))
  return [...ROWS.values(rows, { request_from: from, request_bytes: bytes }), ...ONCE.values({ requests })]
}

const SETTLED = `t as materialized (select * from ${ROWS.unnested})`

const ATTEMPT = `workspace_id, id, attempts, began_at, duration_ms, outcome, error,
         case when request_bytes > 0 then substring(${ONCE.the.requests}::bytea from request_from for request_bytes) end,
         response_status, response_excerpt`

/** How many attempts were counted before this one. */
const ATTEMPTS_BEFORE = 't.attempts - (t.outcome is not null)::integer'

/**
 * Settles what has its place in the part of the queue in use, and in the log the attempts that it had when it was
 * taken; answers how many those were. Nobody has written such an attempt down yet, so it is not looked for. What fails
 * for good leaves the queue only while its place is under the lease of the attempt: the log is seen as it was when the
 * statement began, but a place as whoever had it last has left it, and what they are to try again must keep it. Each
 * place is looked for in the order in which it is given, and so they are locked.
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

/**
 * Settles what somebody else has taken, settled or cancelled meanwhile, and what has its place elsewhere in the queue.
 */
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

/** A statement of its own, because whoever is waited for here may have changed the log: only the next one sees that. */
async function lockPlaces(tx: Transaction, rows: readonly Settled[]): Promise<void> {
  await tx.run(
    'settle-lock-places',
    `select from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
        join delivery_queue q on q.workspace_id = t.workspace_id and q.delivery_id = t.id
     order by q.delivery_id for update of q`,
    [columns.uuids(rows.map((row) => row.workspaceId)), columns.uuids(rows.map((row) => row.deliveryId))],
  )
}

/** Of a delivery that was tried very often the log shows the newest requests only, and a digest may be large. */
async function dropUnreadRequests(tx: Transaction, rows: readonly Settled[]): Promise<void> {
  const often = rows.filter(({ state, attempt }) => attempt !== null && state.attempts > REQUESTS_KEPT)
  if (often.length === 0) return
  await tx.run(
    'settle-unread-requests',
    `update delivery_attempt a set request = null
        from unnest($1::uuid[], $2::uuid[], $3::smallint[]) as t (workspace_id, id, number)
     where a.workspace_id = t.workspace_id and a.delivery_id = t.id and a.number = t.number`,
    [
      often.map((item) => item.workspaceId),
      often.map((item) => item.deliveryId),
      often.map(({ state }) => state.attempts - REQUESTS_KEPT),
    ],
  )
}

const LATER = new GivenRows<Settled>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  id: given.uuid(({ deliveryId }) => deliveryId),
  next_at: given.instant(({ state }) => state.nextAttemptAt),
  lease: given.instant(({ leasedUntil }) => leasedUntil),
})

/**
 * Makes deliveries due again, free for everybody. Those whose lease has ended and that somebody else has claimed since
 * stay theirs.
 */
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

/**
 * What is held waits for its channel to be put right. It is listed apart, because it is rare and an index by status
 * would cost every result its shortcut past the indexes.
 */
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

/** A mention goes through several channels at about the same time: it is looked for once. */
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
