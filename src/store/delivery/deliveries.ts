import type { DigestMode } from '../../domain/alert/mode.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { ROOM_REASONS } from '../../domain/channel/room.ts'
import type { DeliveryState } from '../../domain/delivery/lifecycle.ts'
import type { DeliveryKind, DeliveryStatus } from '../../domain/delivery/status.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import { type Database, type Reader, type Statement, sql, type Transaction } from '../database.ts'
import { markBlocksStale } from '../filter/mention-blocks.ts'
import { type AttemptMade, attemptColumns, REQUESTS_KEPT } from './delivery-attempts.ts'
import { alongIndexes, throughIndexes } from './outbox.ts'

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

/** A rule that wants a delivery, by its present name. */
export interface DueAlert {
  id: Uuid
  name: string
}

/** A delivery with what it takes to send it, the mention apart. */
export interface DueDelivery extends ClaimedDelivery {
  kind: DeliveryKind
  event: string
  /** The rules that want it and are still there, most often one; none for account events. */
  alerts: readonly DueAlert[]
  mentionId: Uuid | null
  /** Null for mentions, which are read when they are sent. */
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
  more_alerts: DueAlert[] | null
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
  mode: DigestMode | null
  digest_due_at: Date | null
}

/** Of a delivery `d`, the further rules that want it; null for most, which is found without looking for any. */
export const MORE_ALERTS = `case when d.more_alerts is not null then (
         select jsonb_agg(jsonb_build_object('id', more.id, 'name', more.name)
           order by array_position(d.more_alerts, more.id))
         from alert more where more.workspace_id = d.workspace_id and more.id = any(d.more_alerts)) end`

/** The rules behind a delivery that are still there. */
export function alertsFromRow(row: {
  alert_id: Uuid | null
  alert_name: string | null
  more_alerts: readonly DueAlert[] | null
}): readonly DueAlert[] {
  const first = row.alert_id !== null && row.alert_name !== null ? [{ id: row.alert_id, name: row.alert_name }] : NONE
  return row.more_alerts === null ? first : [...first, ...row.more_alerts]
}

const NONE: readonly DueAlert[] = []

/**
 * Claimed deliveries, read whole; those that were removed meanwhile are left out. Each `offset 0` is there for the
 * reason that `changedSince` has.
 */
export async function readDue(reader: Reader, claimed: readonly ClaimedDelivery[]): Promise<DueDelivery[]> {
  const rows = await reader.run<DueRow>(
    'read-due',
    `select d.workspace_id, d.id, d.channel_id, d.kind, d.event, d.alert_id, a.name as alert_name,
        ${MORE_ALERTS} as more_alerts, d.mention_id, d.data, d.created_at, c.kind as channel_kind, c.enabled,
       c.config::text as settings, c.secret_sealed, d.status, d.attempts, d.attempt_limit, d.mode, d.digest_due_at
     from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
     cross join lateral (select * from delivery d where d.workspace_id = t.workspace_id and d.id = t.id offset 0) d
     cross join lateral (select * from channel c where c.workspace_id = d.workspace_id
       and c.id = d.channel_id offset 0) c
     left join lateral (select a.name from alert a where a.workspace_id = d.workspace_id
       and a.id = d.alert_id offset 0) a on true
     order by d.id`,
    [columns.uuids(claimed.map((one) => one.workspaceId)), columns.uuids(claimed.map((one) => one.deliveryId))],
  )
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    deliveryId: row.id,
    channelId: row.channel_id,
    kind: row.kind,
    event: row.event,
    alerts: alertsFromRow(row),
    mentionId: row.mention_id,
    data: row.data,
    createdAt: row.created_at,
    channel: { kind: row.channel_kind, enabled: row.enabled, settings: row.settings, secretSealed: row.secret_sealed },
    state:
      row.mode === null
        ? instantState(row)
        : { ...instantState(row), timing: { mode: row.mode, dueAt: row.digest_due_at! } },
  }))
}

/** A delivery that is in hand, as far as its own row tells. */
export function instantState({
  status,
  attempts,
  attempt_limit,
}: {
  status: DeliveryStatus
  attempts: number
  attempt_limit: number
}): DeliveryState {
  return {
    status,
    timing: { mode: 'instant' },
    attempts,
    attemptLimit: attempt_limit,
    nextAttemptAt: null,
    error: null,
    responseStatus: null,
    sentAt: null,
  }
}

/** A channel and the name of a rule by now; the name is null when there is no such rule. */
export interface Way {
  channel: SendingChannel
  alertName: string | null
}

/** Which way deliveries go by now, in the order of `wanted`; null where the channel is gone. */
export async function readWays(
  reader: Reader,
  wanted: readonly Pick<DueDelivery, 'workspaceId' | 'channelId' | 'alerts'>[],
): Promise<(Way | null)[]> {
  const rows = await reader.run<{
    place: number
    kind: ChannelKind
    enabled: boolean
    settings: string
    secret_sealed: string | null
    name: string | null
  }>(
    'due-ways',
    `select t.place, c.kind, c.enabled, c.config::text as settings, c.secret_sealed, a.name
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as t (workspace_id, channel_id, alert_id, place)
     join channel c on c.workspace_id = t.workspace_id and c.id = t.channel_id
     left join alert a on a.workspace_id = t.workspace_id and a.id = t.alert_id`,
    [
      columns.uuids(wanted.map((one) => one.workspaceId)),
      columns.uuids(wanted.map((one) => one.channelId)),
      columns.uuids(wanted.map((one) => one.alerts[0]?.id ?? null)),
    ],
  )
  const ways: (Way | null)[] = wanted.map(() => null)
  for (const { place, kind, enabled, settings, secret_sealed: secretSealed, name } of rows)
    ways[place - 1] = { channel: { kind, enabled, settings, secretSealed }, alertName: name }
  return ways
}

/**
 * The places of those that are no longer to be sent, or not as they were read: nearly always none, and so next to
 * nothing is answered. The statement is planned once a connection, and each `offset 0` keeps a plan from the first
 * minutes, when there is little to read, from reading the whole log of deliveries ever after.
 */
export async function changedSince(reader: Reader, read: readonly DueDelivery[]): Promise<Set<number>> {
  const rows = await reader.run<{ place: number }>(
    'due-changed',
    `select t.place from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::smallint[], $5::smallint[])
       with ordinality as t (workspace_id, id, mention_id, attempts, attempt_limit, place)
     where not exists (
       select from delivery d where d.workspace_id = t.workspace_id and d.id = t.id and d.status = 'pending'
         and d.attempts = t.attempts and d.attempt_limit = t.attempt_limit
       offset 0)
     or (t.mention_id is not null and not exists (
       select from mention m where m.workspace_id = t.workspace_id and m.id = t.mention_id and m.status = $6
         and not exists (select from account a join person p on p.workspace_id = a.workspace_id and p.id = a.person_id
           where a.workspace_id = m.workspace_id and a.id = m.account_id and p.muted)
       offset 0))`,
    [
      columns.uuids(read.map((one) => one.workspaceId)),
      columns.uuids(read.map((one) => one.deliveryId)),
      columns.uuids(read.map((one) => one.mentionId)),
      columns.smallints(read.map(({ state }) => state.attempts)),
      columns.smallints(read.map(({ state }) => state.attemptLimit)),
      MENTION_STATUSES.indexOf('open'),
    ],
  )
  return new Set(rows.map(({ place }) => place - 1))
}

/**
 * Of these mentions those that are still open, and not by somebody who is muted: what waited to be sent may have been
 * closed or removed meanwhile. Each `offset 0` is there for the reason that `changedSince` has.
 */
export async function openMentions(
  reader: Reader,
  wanted: readonly { workspaceId: Uuid; mentionId: Uuid }[],
): Promise<Set<Uuid>> {
  if (wanted.length === 0) return new Set()
  const once = [...new Map(wanted.map((one) => [one.mentionId, one])).values()]
  const rows = await reader.run<{ id: Uuid }>(
    'open-mentions',
    `select m.id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
     cross join lateral (select m.id from mention m where m.workspace_id = t.workspace_id and m.id = t.id
       and m.status = $3
       and not exists (select from account a join person p on p.workspace_id = a.workspace_id and p.id = a.person_id
         where a.workspace_id = m.workspace_id and a.id = m.account_id and p.muted)
       offset 0) m`,
    [
      columns.uuids(once.map((one) => one.workspaceId)),
      columns.uuids(once.map((one) => one.mentionId)),
      MENTION_STATUSES.indexOf('open'),
    ],
  )
  return new Set(rows.map((row) => row.id))
}

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

function settledColumns(rows: readonly Settled[]): unknown[] {
  return [
    columns.uuids(rows.map((one) => one.workspaceId)),
    columns.uuids(rows.map((one) => one.deliveryId)),
    columns.texts(rows.map(({ state }) => state.status)),
    columns.smallints(rows.map(({ state }) => state.attempts)),
    columns.texts(rows.map(({ state }) => state.error)),
    columns.smallints(rows.map(({ state }) => state.responseStatus)),
    columns.instants(rows.map(({ state }) => state.sentAt)),
    columns.booleans(rows.map(({ state }) => state.nextAttemptAt === null)),
    columns.instants(rows.map((one) => one.leasedUntil)),
    ...attemptColumns(rows.map((one) => one.attempt)),
  ]
}

const SETTLED = `t as materialized (
       select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::smallint[], $5::text[], $6::smallint[],
         $7::timestamptz[], $8::boolean[],
         $9::timestamptz[], $10::timestamptz[], $11::integer[], $12::text[], $13::integer[], $14::integer[],
           $15::text[])
         as t (workspace_id, id, status, attempts, error, response_status, sent_at, ends, lease, began_at, duration_ms,
           outcome, request_from, request_bytes, response_excerpt))`
const ATTEMPT = `workspace_id, id, attempts, began_at, duration_ms, outcome, error,
         case when request_bytes > 0 then substring($16::bytea from request_from for request_bytes) end, response_status, response_excerpt`
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
    [columns.uuids(rows.map((one) => one.workspaceId)), columns.uuids(rows.map((one) => one.deliveryId))],
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
      often.map((one) => one.workspaceId),
      often.map((one) => one.deliveryId),
      often.map(({ state }) => state.attempts - REQUESTS_KEPT),
    ],
  )
}

/**
 * Makes deliveries due again, free for everybody. Those whose lease has ended and that somebody else has claimed since
 * stay theirs.
 */
async function putOff(tx: Transaction, rows: readonly Settled[]): Promise<void> {
  await tx.run(
    'settle-later',
    `with held as materialized (
       select q.workspace_id, q.delivery_id, q.era, t.next_at from unnest($1::uuid[], $2::uuid[], $3::timestamptz[],
         $4::timestamptz[]) as t (workspace_id, id, next_at, lease)
       join delivery_queue q on q.workspace_id = t.workspace_id and q.delivery_id = t.id and (q.leased_until = t.lease
         or q.leased_until is null) order by q.delivery_id for update of q)
     update delivery_queue q set due_at = held.next_at, leased_until = null
     from held where q.workspace_id = held.workspace_id and q.delivery_id = held.delivery_id and q.era = held.era`,
    [
      rows.map((one) => one.workspaceId),
      rows.map((one) => one.deliveryId),
      rows.map(({ state }) => state.nextAttemptAt),
      rows.map((one) => one.leasedUntil),
    ],
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
    [held.map((one) => one.workspaceId), held.map((one) => one.deliveryId), ROOM_REASONS],
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

const CANCEL_PORTION = 10_000

/**
 * Cancels what a channel has not sent yet. Whoever calls this holds the channel, so that nothing more is written for
 * it. The log of a channel may be millions of rows, so it is not searched: what is pending has a place in the queue,
 * and what is held is listed apart.
 */
export async function cancelUnsent(tx: Transaction, workspaceId: Uuid, channelId: Uuid, reason: string): Promise<void> {
  await throughIndexes(tx)
  while ((await cancelPending(tx, workspaceId, channelId, reason)) === CANCEL_PORTION);
  await tx.run(
    'cancel-held',
    `with gone as (delete from delivery_held where workspace_id = $1 and channel_id = $2 returning delivery_id)
     update delivery d set status = 'cancelled', error = $3 from gone
       where d.workspace_id = $1 and d.id = gone.delivery_id and d.status = 'held'`,
    [workspaceId, channelId, reason],
  )
}

/**
 * Cancels some; answers how many places it found. Those in hand are few, and read whole (`offset 0`) rather than looked
 * for among all places of the workspace. Those that wait and those in hand are found in one look, because a place may
 * change from the one to the other between two. What was settled while its place was waited for is left alone.
 */
async function cancelPending(tx: Transaction, workspaceId: Uuid, channelId: Uuid, reason: string): Promise<number> {
  const [row] = await tx.run<{ found: number }>(
    'cancel-pending',
    `with place as materialized (
       (select workspace_id, delivery_id, era from (
          select workspace_id, channel_id, delivery_id, era from delivery_queue where leased_until is not null
            and leased_until > '-infinity' offset 0) leased
        where workspace_id = $1 and channel_id = $2 limit $4)
       union all
       (select workspace_id, delivery_id, era from delivery_queue where leased_until is null and workspace_id = $1
         and channel_id = $2 order by channel_id, due_at limit $4)
       limit $4),
     held as materialized (
       select q.workspace_id, q.delivery_id, q.era from place
         join delivery_queue q on q.workspace_id = place.workspace_id and q.delivery_id = place.delivery_id
         and q.era = place.era
       order by q.delivery_id for update of q),
     gone as (delete from delivery_queue q using held where q.workspace_id = held.workspace_id
       and q.delivery_id = held.delivery_id and q.era = held.era),
     cancelled as (
       update delivery d set status = 'cancelled', error = $3 from held where d.workspace_id = held.workspace_id
         and d.id = held.delivery_id and d.status = 'pending')
     select count(*) as found from place`,
    [workspaceId, channelId, reason, CANCEL_PORTION],
  )
  return row!.found
}

/** Cancels deliveries that are not sent yet; `which` is a condition over delivery `d`. */
export async function cancelDeliveries(tx: Transaction, which: Statement<unknown>, reason: string): Promise<void> {
  const unsent = sql`d.status in ('pending', 'held') and ${which}`
  // In the order that results of attempts are written down in, so that the two never wait for each other in a ring.
  await tx.query(sql`
    select from delivery_queue q join delivery d on d.workspace_id = q.workspace_id and d.id = q.delivery_id
      where ${unsent} order by q.delivery_id for update of q`)
  await tx.query(
    sql`delete from delivery_queue q using delivery d where d.workspace_id = q.workspace_id and d.id = q.delivery_id
        and ${unsent}`,
  )
  await tx.query(sql`update delivery d set status = 'cancelled', error = ${reason} where ${unsent}`)
}

/**
 * Ends every lease. Only for a process that knows itself to be the only one: what its predecessor held when it died is
 * then free at once instead of after the lease.
 */
export async function releaseAllLeases(db: Database, at: Date): Promise<void> {
  await db.transaction((tx) =>
    tx.run(
      'release-delivery-leases',
      'update delivery_queue set leased_until = null where leased_until is not null',
      [],
    ),
  )
  await db.run('release-score-leases', 'update score_queue set leased_until = $1 where leased_until > $1', [at])
}

const PRUNE_PORTION = 5000

/**
 * Removes deliveries from the log that are not to be sent any more and are older than `before`, or whose channel is
 * gone: workspace by workspace along the primary key, and in portions.
 */
export async function pruneDeliveries(db: Database, before: Date): Promise<void> {
  let after = BEFORE_ALL
  for (;;) {
    const [workspace] = await db.query<{ workspace_id: Uuid }>(
      sql`select workspace_id from delivery where workspace_id > ${after} order by workspace_id limit 1`,
    )
    if (workspace === undefined) return
    after = workspace.workspace_id
    while ((await pruneOld(db, after, before)) === PRUNE_PORTION);
    await db.query(
      sql`delete from delivery_held where workspace_id = ${after} and delivery_id < ${firstUuidAt(before)}`,
    )
    for (const channelId of await goneChannels(db, after)) {
      await db.query(sql`delete from delivery_held where workspace_id = ${after} and channel_id = ${channelId}`)
      while ((await pruneChannel(db, after, channelId)) === PRUNE_PORTION);
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

/**
 * The channels that the log names and that are no more, found by stepping through the index from one channel to the
 * next.
 */
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
