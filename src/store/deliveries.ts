import type { ChannelKind } from '../domain/delivery/channel-kind.ts'
import type { DeliveryState } from '../domain/delivery/lifecycle.ts'
import type { DeliveryKind, DeliveryStatus } from '../domain/delivery/status.ts'
import { firstUuidAt, type Uuid } from '../kernel/ids.ts'
import { type Database, type Reader, type Statement, sql, type Transaction } from './database.ts'

export interface ClaimedDelivery {
  workspaceId: Uuid
  deliveryId: Uuid
  channelId: Uuid
}

export interface Claim {
  at: Date
  /** Until then the claimed deliveries are the caller's alone. */
  leasedUntil: Date
  limit: number
  /** Channels whose lanes are full: what waits for them stays for later and does not hold up the others. */
  exceptChannels: readonly Uuid[]
  /** At most this many of one channel, so that no backlog fills the claim. */
  perChannel: number
  /** The channel behind which this claim begins; null begins with the first one. */
  after: Uuid | null
}

export interface Claimed {
  deliveries: ClaimedDelivery[]
  /** Where the next claim goes on; null when all channels have had their turn. */
  next: Uuid | null
}

/** Channels that one claim looks at, with something due or not: it stays short however many have retries ahead. */
const TURNS = 1000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Takes deliveries that are due and that nobody is sending. Channels take turns in the order of their ids, each with its
 * own oldest first: how much waits for one, or for a thousand others, does not hold the next one up. The channels are
 * found by stepping from one to the next in the index, so that a long backlog costs no more than a short one.
 */
export async function claimDeliveries(db: Database, claim: Claim): Promise<Claimed> {
  const [row] = await db.run<{ looked: number; last: Uuid | null; taken: { workspaceId: Uuid; deliveryId: Uuid; channelId: Uuid }[] }>(
    'claim-deliveries',
    `with recursive lane (channel_id, place) as (
       (select channel_id, 1 from delivery_queue where channel_id > $6 order by channel_id limit 1)
       union all
       select next.channel_id, lane.place + 1 from lane cross join lateral (
         select q.channel_id from delivery_queue q where q.channel_id > lane.channel_id order by q.channel_id limit 1) next
       where lane.place < $7),
     chosen as materialized (
       select free.workspace_id, free.delivery_id from (select channel_id from lane where channel_id <> all($4::uuid[]) order by place) turn
       cross join lateral (
         select q.workspace_id, q.delivery_id from delivery_queue q
         where q.channel_id = turn.channel_id and q.due_at <= $1 and (q.leased_until is null or q.leased_until <= $1)
         order by q.channel_id, q.due_at limit $5 for update skip locked) free
       limit $3),
     taken as (
       update delivery_queue q set leased_until = $2 from chosen where q.workspace_id = chosen.workspace_id and q.delivery_id = chosen.delivery_id
       returning q.workspace_id, q.delivery_id, q.channel_id)
     select (select count(*) from lane) as looked, (select channel_id from lane order by place desc limit 1) as last,
       (select coalesce(jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'deliveryId', delivery_id, 'channelId', channel_id) order by channel_id), '[]') from taken) as taken`,
    [claim.at, claim.leasedUntil, claim.limit, claim.exceptChannels, claim.perChannel, claim.after ?? BEFORE_ALL, TURNS],
  )
  const { looked, last, taken } = row!
  if (taken.length === claim.limit) return { deliveries: taken, next: taken.at(-1)!.channelId }
  return { deliveries: taken, next: looked < TURNS ? null : last }
}

/** When the next delivery that nobody is sending becomes due, or has become; null when none waits. */
export async function nextDeliveryDue(reader: Reader, at: Date): Promise<Date | null> {
  // The first look ends at the first free row. Only when all that is due is being sent, which is little, is all of that looked at.
  const rows = await reader.run<{ due: Date | null }>(
    'next-delivery-due',
    `select coalesce(
       (select due_at from delivery_queue where due_at <= $1 and leased_until is null order by due_at limit 1),
       least((select min(due_at) from delivery_queue where due_at > $1), (select min(leased_until) from delivery_queue where due_at <= $1 and leased_until is not null))) as due`,
    [at],
  )
  return rows[0]?.due ?? null
}

/** A delivery with what it takes to send it. */
export interface DueDelivery extends ClaimedDelivery {
  kind: DeliveryKind
  event: string
  alert: { id: Uuid; name: string } | null
  mentionId: Uuid | null
  data: Record<string, unknown> | null
  channelKind: ChannelKind
  channelEnabled: boolean
  channelConfig: Record<string, unknown>
  secretSealed: string | null
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
  channel_kind: ChannelKind
  enabled: boolean
  config: Record<string, unknown>
  secret_sealed: string | null
  status: DeliveryStatus
  attempts: number
  attempt_limit: number
}

/** Claimed deliveries, read whole; those that were removed meanwhile are left out. */
export async function readDue(reader: Reader, claimed: readonly ClaimedDelivery[]): Promise<DueDelivery[]> {
  const rows = await reader.run<DueRow>(
    'read-due',
    `select d.workspace_id, d.id, d.channel_id, d.kind, d.event, d.alert_id, a.name as alert_name, d.mention_id, d.data, c.kind as channel_kind, c.enabled, c.config, c.secret_sealed,
       d.status, d.attempts, d.attempt_limit
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
    channelKind: row.channel_kind,
    channelEnabled: row.enabled,
    channelConfig: row.config,
    secretSealed: row.secret_sealed,
    state: {
      status: row.status,
      timing: { mode: 'instant' },
      attempts: row.attempts,
      attemptLimit: row.attempt_limit,
      nextAttemptAt: null,
      error: null,
      responseStatus: null,
      sentAt: null,
    },
  }))
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
  const rows = [...settled]
    .sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
    .map(({ workspaceId, deliveryId, state }) => ({
      workspace_id: workspaceId,
      id: deliveryId,
      status: state.status,
      attempts: state.attempts,
      error: state.error,
      response_status: state.responseStatus,
      sent_at: state.sentAt,
      next_at: state.nextAttemptAt,
    }))
  const recordset =
    'jsonb_to_recordset($1::jsonb) as t (workspace_id uuid, id uuid, status text, attempts smallint, error text, response_status smallint, sent_at timestamptz, next_at timestamptz)'
  const values = [JSON.stringify(rows)]
  await tx.run(
    'settle-lock',
    `select from delivery_queue q join ${recordset} on q.workspace_id = t.workspace_id and q.delivery_id = t.id order by q.delivery_id for update of q`,
    values,
  )
  await tx.run(
    'settle-queue-done',
    `delete from delivery_queue q using ${recordset} where q.workspace_id = t.workspace_id and q.delivery_id = t.id and t.next_at is null`,
    values,
  )
  await tx.run(
    'settle-queue-later',
    `update delivery_queue q set due_at = t.next_at, leased_until = null from ${recordset} where q.workspace_id = t.workspace_id and q.delivery_id = t.id and t.next_at is not null`,
    values,
  )
  await tx.run(
    'settle-deliveries',
    `update delivery d set status = t.status, attempts = t.attempts, error = t.error, response_status = t.response_status, sent_at = t.sent_at
     from ${recordset} where d.workspace_id = t.workspace_id and d.id = t.id and (d.status = 'pending' or t.status = 'delivered')`,
    values,
  )
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

/** Gives claimed deliveries back untouched, to be taken again at once. */
export async function releaseDeliveries(db: Database, claimed: readonly ClaimedDelivery[]): Promise<void> {
  if (claimed.length === 0) return
  await db.run(
    'release-deliveries',
    'update delivery_queue q set leased_until = null from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id) where q.workspace_id = t.workspace_id and q.delivery_id = t.id',
    [claimed.map((one) => one.workspaceId), claimed.map((one) => one.deliveryId)],
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

/**
 * Ends every lease. Only for a process that knows itself to be the only one: what its predecessor held when it died is
 * then free at once instead of after the lease.
 */
export async function releaseAllLeases(db: Database, at: Date): Promise<void> {
  await db.run('release-delivery-leases', 'update delivery_queue set leased_until = null where leased_until is not null', [])
  await db.run('release-score-leases', 'update score_queue set leased_until = $1 where leased_until > $1', [at])
}

const PRUNE_PORTION = 5000

/** Removes finished deliveries that are older than `before` from the log, in portions. */
export async function pruneDeliveries(db: Database, before: Date): Promise<void> {
  for (;;) {
    const removed = await db.query(sql`
      delete from delivery d using (
        select workspace_id, id from delivery where id < ${firstUuidAt(before)} and status in ('delivered', 'failed', 'cancelled') limit ${PRUNE_PORTION}) old
      where d.workspace_id = old.workspace_id and d.id = old.id returning 1`)
    if (removed.length < PRUNE_PORTION) return
  }
}
