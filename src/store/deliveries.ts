import type { ChannelKind } from '../domain/delivery/channel-kind.ts'
import type { DeliveryState } from '../domain/delivery/lifecycle.ts'
import type { DeliveryKind, DeliveryStatus } from '../domain/delivery/status.ts'
import { MENTION_STATUSES } from '../domain/filter/fields.ts'
import { firstUuidAt, type Uuid } from '../kernel/ids.ts'
import { type Database, type Reader, type Statement, sql, type Transaction } from './database.ts'
import { throughIndexes } from './outbox.ts'

export interface ClaimedDelivery {
  workspaceId: Uuid
  deliveryId: Uuid
  channelId: Uuid
}

/** Smaller than every id. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000' as Uuid

/** A channel as it is when something is sent through it. */
export interface SendingChannel {
  kind: ChannelKind
  enabled: boolean
  /** Its settings as JSON text: whoever has read the same text before need not read it again. */
  settings: string
  secretSealed: string | null
}

/** A delivery with what it takes to send it, the mention apart. */
export interface DueDelivery extends ClaimedDelivery {
  kind: DeliveryKind
  event: string
  alert: { id: Uuid; name: string } | null
  mentionId: Uuid | null
  data: Record<string, unknown> | null
  createdAt: Date
  channel: SendingChannel
  state: DeliveryState
}

interface DueRow {
  workspace_id: Uuid
  id: Uuid
  channel_id: Uuid
  kind: DeliveryKind
  event: string
  alert_id: Uuid | null
  alert_name: string | null
  mention_id: Uuid | null
  data: Record<string, unknown> | null
  created_at: Date
  channel_kind: ChannelKind
  enabled: boolean
  settings: string
  secret_sealed: string | null
  status: DeliveryStatus
  attempts: number
  attempt_limit: number
}

/** Claimed deliveries, read whole; those that were removed meanwhile are left out. */
export async function readDue(reader: Reader, claimed: readonly ClaimedDelivery[]): Promise<DueDelivery[]> {
  const rows = await reader.run<DueRow>(
    'read-due',
    `select d.workspace_id, d.id, d.channel_id, d.kind, d.event, d.alert_id, a.name as alert_name, d.mention_id, d.data, d.created_at, c.kind as channel_kind, c.enabled,
       c.config::text as settings, c.secret_sealed, d.status, d.attempts, d.attempt_limit
     from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
     join delivery d on d.workspace_id = t.workspace_id and d.id = t.id
     join channel c on c.workspace_id = d.workspace_id and c.id = d.channel_id
     left join alert a on a.workspace_id = d.workspace_id and a.id = d.alert_id
     order by d.id`,
    [claimed.map((one) => one.workspaceId), claimed.map((one) => one.deliveryId)],
  )
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    deliveryId: row.id,
    channelId: row.channel_id,
    kind: row.kind,
    event: row.event,
    alert: row.alert_id && row.alert_name !== null ? { id: row.alert_id, name: row.alert_name } : null,
    mentionId: row.mention_id,
    data: row.data,
    createdAt: row.created_at,
    channel: { kind: row.channel_kind, enabled: row.enabled, settings: row.settings, secretSealed: row.secret_sealed },
    state: instantState(row),
  }))
}

/** A delivery that is in hand, as far as its own row tells. */
export function instantState({ status, attempts, attempt_limit }: { status: DeliveryStatus; attempts: number; attempt_limit: number }): DeliveryState {
  return { status, timing: { mode: 'instant' }, attempts, attemptLimit: attempt_limit, nextAttemptAt: null, error: null, responseStatus: null, sentAt: null }
}

/** Of these mentions those that are still open: what waited to be sent may have been closed or removed meanwhile. */
export async function openMentions(reader: Reader, wanted: readonly { workspaceId: Uuid; mentionId: Uuid }[]): Promise<Set<Uuid>> {
  if (wanted.length === 0) return new Set()
  const rows = await reader.run<{ id: Uuid }>(
    'open-mentions',
    `select m.id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id) join mention m on m.workspace_id = t.workspace_id and m.id = t.id where m.status = $3`,
    [wanted.map((one) => one.workspaceId), wanted.map((one) => one.mentionId), MENTION_STATUSES.indexOf('open')],
  )
  return new Set(rows.map((row) => row.id))
}

/** A delivery and the state that its attempt led to. */
export interface Settled {
  workspaceId: Uuid
  deliveryId: Uuid
  mentionId: Uuid | null
  state: DeliveryState
}

/**
 * Writes the results of attempts down, in the caller's transaction. What was cancelled while its request was on the wire
 * stays cancelled unless it was accepted. Everybody touches the queue before the log, and rows in the order of their ids.
 */
export async function settleDeliveries(tx: Transaction, settled: readonly Settled[]): Promise<void> {
  const rows = [...settled].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  await throughIndexes(tx)
  const later = rows.filter(({ state }) => state.nextAttemptAt !== null)
  if (later.length > 0) await putOff(tx, later)
  await tx.run(
    'settle-deliveries',
    `with t as materialized (
       select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::smallint[], $5::text[], $6::smallint[], $7::timestamptz[], $8::boolean[])
         as t (workspace_id, id, status, attempts, error, response_status, sent_at, ends)),
     held as materialized (
       select q.workspace_id, q.delivery_id, q.era from t join delivery_queue q on q.workspace_id = t.workspace_id and q.delivery_id = t.id
       where t.ends order by q.delivery_id for update of q),
     gone as (delete from delivery_queue q using held where q.workspace_id = held.workspace_id and q.delivery_id = held.delivery_id and q.era = held.era)
     update delivery d set status = t.status, attempts = t.attempts, error = t.error, response_status = t.response_status, sent_at = t.sent_at
     from t where (select count(*) from held) >= 0 and d.workspace_id = t.workspace_id and d.id = t.id and (d.status = 'pending' or t.status = 'delivered')`,
    [
      rows.map((one) => one.workspaceId),
      rows.map((one) => one.deliveryId),
      rows.map(({ state }) => state.status),
      rows.map(({ state }) => state.attempts),
      rows.map(({ state }) => state.error),
      rows.map(({ state }) => state.responseStatus),
      rows.map(({ state }) => state.sentAt),
      rows.map(({ state }) => state.nextAttemptAt === null),
    ],
  )
  await markDelivered(tx, settled)
}

/** Makes deliveries due again, free for everybody. */
async function putOff(tx: Transaction, rows: readonly Settled[]): Promise<void> {
  await tx.run(
    'settle-later',
    `with held as materialized (
       select q.workspace_id, q.delivery_id, q.era, t.next_at from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as t (workspace_id, id, next_at)
       join delivery_queue q on q.workspace_id = t.workspace_id and q.delivery_id = t.id order by q.delivery_id for update of q)
     update delivery_queue q set due_at = held.next_at, leased_until = null
     from held where q.workspace_id = held.workspace_id and q.delivery_id = held.delivery_id and q.era = held.era`,
    [rows.map((one) => one.workspaceId), rows.map((one) => one.deliveryId), rows.map(({ state }) => state.nextAttemptAt)],
  )
}

async function markDelivered(tx: Transaction, settled: readonly Settled[]): Promise<void> {
  const delivered = settled
    .filter(({ state, mentionId }) => mentionId !== null && state.status === 'delivered')
    .sort((a, b) => (a.mentionId! < b.mentionId! ? -1 : 1))
  if (delivered.length === 0) return
  await tx.run(
    'settle-mentions',
    `update mention m set delivered = true from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id) where m.workspace_id = t.workspace_id and m.id = t.id and not m.delivered`,
    [delivered.map((one) => one.workspaceId), delivered.map((one) => one.mentionId)],
  )
}

/** Cancels what a channel has not sent yet. */
export async function cancelUnsent(tx: Transaction, workspaceId: Uuid, channelId: Uuid, reason: string): Promise<void> {
  await cancelDeliveries(tx, sql`d.workspace_id = ${workspaceId} and d.channel_id = ${channelId}`, reason)
}

/** Cancels deliveries that are not sent yet; `which` is a condition over delivery `d`. */
export async function cancelDeliveries(tx: Transaction, which: Statement<unknown>, reason: string): Promise<void> {
  const unsent = sql`d.status in ('pending', 'held') and ${which}`
  // In the order that results of attempts are written down in, so that the two never wait for each other in a ring.
  await tx.query(sql`
    select from delivery_queue q join delivery d on d.workspace_id = q.workspace_id and d.id = q.delivery_id where ${unsent} order by q.delivery_id for update of q`)
  await tx.query(sql`delete from delivery_queue q using delivery d where d.workspace_id = q.workspace_id and d.id = q.delivery_id and ${unsent}`)
  await tx.query(sql`update delivery d set status = 'cancelled', error = ${reason} where ${unsent}`)
}

/** Removes the log of a channel that is gone, and what was still to be sent through it. */
export async function removeDeliveries(tx: Transaction, workspaceId: Uuid, channelId: Uuid): Promise<void> {
  await tx.query(sql`
    select from delivery_queue q join delivery d on d.workspace_id = q.workspace_id and d.id = q.delivery_id
    where d.workspace_id = ${workspaceId} and d.channel_id = ${channelId} and d.status = 'pending' order by q.delivery_id for update of q`)
  await tx.query(sql`
    delete from delivery_queue q using delivery d
    where d.workspace_id = q.workspace_id and d.id = q.delivery_id and d.workspace_id = ${workspaceId} and d.channel_id = ${channelId} and d.status = 'pending'`)
  await tx.query(sql`delete from delivery where workspace_id = ${workspaceId} and channel_id = ${channelId}`)
}

/**
 * Ends every lease. Only for a process that knows itself to be the only one: what its predecessor held when it died is
 * then free at once instead of after the lease.
 */
export async function releaseAllLeases(db: Database, at: Date): Promise<void> {
  await db.transaction((tx) => tx.run('release-delivery-leases', 'update delivery_queue set leased_until = null where leased_until is not null', []))
  await db.run('release-score-leases', 'update score_queue set leased_until = $1 where leased_until > $1', [at])
}

const PRUNE_PORTION = 5000

/**
 * Removes finished deliveries that are older than `before` from the log, workspace by workspace along the primary key, and
 * in portions.
 */
export async function pruneDeliveries(db: Database, before: Date): Promise<void> {
  let after = BEFORE_ALL
  for (;;) {
    const [workspace] = await db.query<{ workspace_id: Uuid }>(
      sql`select workspace_id from delivery where workspace_id > ${after} order by workspace_id limit 1`,
    )
    if (workspace === undefined) return
    after = workspace.workspace_id
    while ((await prunePortion(db, after, before)) === PRUNE_PORTION);
  }
}

async function prunePortion(db: Database, workspaceId: Uuid, before: Date): Promise<number> {
  const removed = await db.query(sql`
    delete from delivery d using (
      select id from delivery where workspace_id = ${workspaceId} and id < ${firstUuidAt(before)} and status in ('delivered', 'failed', 'cancelled') order by id limit ${PRUNE_PORTION}) old
    where d.workspace_id = ${workspaceId} and d.id = old.id returning 1`)
  return removed.length
}
