import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { RoomReason } from '../../domain/channel/room.ts'
import { MAX_ATTEMPTS } from '../../domain/delivery/lifecycle.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import type { Transaction } from '../database.ts'
import type { Score } from '../model/score.ts'
import { type DueAlert, type DueDelivery, instantState, type SendingChannel } from './deliveries.ts'
import type { Wanted, Wishes } from './rule-wishes.ts'
import { WaitingRoom } from './waiting-room.ts'

/** A delivery that was written down and waits to be sent, with all that sending it takes. */
export interface NewDelivery extends DueDelivery {
  score: Score
  /** Whether it stands in the queue under the lease of whoever admitted it; the others are claimed by turns. */
  admitted: boolean
}

/** Who sends deliveries right after they were written down. */
export interface Admission {
  leasedUntil: Date
  /** Whether there is room for one more of this channel; it then counts as taken. */
  admits(workspaceId: Uuid, channelId: Uuid): boolean
}

export interface Delivering {
  at: Date
  admission?: Admission
  /** Says which workspaces have too much waiting; that of the process unless told otherwise. */
  room?: WaitingRoom
}

const ROOM = new WaitingRoom()

/** For callers that leave everything to the queue. */
const ADMITS_NOTHING: Admission = { leasedUntil: new Date(0), admits: () => false }

export async function deliverToRules(
  tx: Transaction,
  scores: readonly Score[],
  wishes: Wishes,
  { at, admission = ADMITS_NOTHING, room = ROOM }: Delivering,
): Promise<NewDelivery[]> {
  const wanted = scores.filter(({ mention, person }) => mention.status === 'open' && !person?.muted).flatMap(wishes.of)
  if (wanted.length === 0) return []
  const [names, channels] = await Promise.all([holdRules(tx, wanted), holdChannels(tx, wanted)])
  const deliveries = wanted.flatMap((one): NewDelivery[] => {
    const alerts = one.rules.flatMap(({ id }) => (names.has(id) ? [{ id, name: names.get(id)! }] : []))
    const channel = channels.get(one.channelId)
    return alerts.length > 0 && channel?.enabled ? [newDelivery(one, alerts, channel, at, admission)] : []
  })
  if (deliveries.length === 0) return []
  const crowded = await room.crowded(tx, waitingOf(deliveries), at)
  const placed =
    crowded.size === 0
      ? deliveries
      : deliveries.map((one) => (one.admitted || !crowded.has(one.workspaceId) ? one : heldBack(one)))
  await writeDeliveries(tx, placed, at, admission.leasedUntil)
  return placed
}

/** How many deliveries each workspace leaves in the queue, to be claimed. */
function waitingOf(deliveries: readonly NewDelivery[]): Map<Uuid, number> {
  const waiting = new Map<Uuid, number>()
  for (const { workspaceId, admitted } of deliveries)
    if (!admitted) waiting.set(workspaceId, (waiting.get(workspaceId) ?? 0) + 1)
  return waiting
}

function heldBack(one: NewDelivery): NewDelivery {
  return { ...one, state: { ...one.state, status: 'held', error: NO_ROOM } }
}

const NO_ROOM = 'waiting_limit' satisfies RoomReason

/**
 * The names of the rules, held until the transaction ends. One that is removed meanwhile is waited for and then gets
 * nothing, as one that was switched off or sends digests by now does, instead of undoing the scores; one that is
 * removed afterwards finds the deliveries to cancel.
 */
async function holdRules(tx: Transaction, wanted: readonly Wanted[]): Promise<Map<Uuid, string>> {
  const rules = [...new Set(wanted.flatMap(({ rules }) => rules))]
  const rows = await tx.run<{ id: Uuid; name: string }>(
    'score-hold-rules',
    `select a.id, a.name from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
        join alert a on a.workspace_id = t.workspace_id and a.id = t.id
     where a.enabled and a.mode = 'instant' order by a.workspace_id, a.id for key share of a`,
    [columns.uuids(rules.map((rule) => rule.workspace_id)), columns.uuids(rules.map((rule) => rule.id))],
  )
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** The channels, held in the same way. */
async function holdChannels(tx: Transaction, wanted: readonly Wanted[]): Promise<Map<Uuid, SendingChannel>> {
  const owners = new Map(wanted.map(({ score, channelId }) => [channelId, score.mention.workspaceId]))
  const rows = await tx.run<{
    id: Uuid
    kind: ChannelKind
    enabled: boolean
    settings: string
    secret_sealed: string | null
  }>(
    'score-hold-channels',
    `select c.id, c.kind, c.enabled, c.config::text as settings, c.secret_sealed
     from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id) join channel c on c.workspace_id = t.workspace_id
       and c.id = t.id
     order by c.workspace_id, c.id for key share of c`,
    [columns.uuids([...owners.values()]), columns.uuids([...owners.keys()])],
  )
  return new Map(
    rows.map((row) => [
      row.id,
      { kind: row.kind, enabled: row.enabled, settings: row.settings, secretSealed: row.secret_sealed },
    ]),
  )
}

function newDelivery(
  { score, rules, channelId }: Wanted,
  alerts: readonly DueAlert[],
  channel: SendingChannel,
  at: Date,
  admission: Admission,
): NewDelivery {
  const { workspaceId, mentionId } = score.mention
  return {
    workspaceId,
    deliveryId: newUuid(at),
    channelId,
    kind: 'mention',
    event: rules.find(({ id }) => id === alerts[0]!.id)!.event,
    alerts,
    mentionId,
    data: null,
    createdAt: at,
    channel,
    state: instantState({ status: 'pending', attempts: 0, attempt_limit: MAX_ATTEMPTS }),
    score,
    admitted: admission.admits(workspaceId, channelId),
  }
}

async function writeDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  at: Date,
  leasedUntil: Date,
): Promise<void> {
  await tx.run(
    'score-deliveries',
    `with t as materialized (
       select * from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::uuid[], $9::boolean[],
         $11::text[], $12::text[])
         as t (workspace_id, id, channel_id, event, alert_id, mention_id, admitted, more_alerts, error)),
     made as (
       insert into delivery (workspace_id, id, channel_id, kind, event, alert_id, more_alerts, mention_id, status,
         error, attempt_limit, created_at)
       select workspace_id, id, channel_id, 'mention', event, alert_id, more_alerts::uuid[], mention_id, case
         when error is null then 'pending' else 'held' end, error, $10, $1 from t),
     held as (
       insert into delivery_held (workspace_id, channel_id, delivery_id, waits_for)
         select workspace_id, channel_id, id, error from t where error is not null)
     insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at, leased_until, era)
     select workspace_id, id, channel_id, $1, case when admitted then $2::timestamptz end, (select era from delivery_era
       where current) from t where error is null`,
    [
      at,
      leasedUntil,
      columns.uuids(deliveries.map((one) => one.workspaceId)),
      columns.uuids(deliveries.map((one) => one.deliveryId)),
      columns.uuids(deliveries.map((one) => one.channelId)),
      columns.texts(deliveries.map((one) => one.event)),
      columns.uuids(deliveries.map((one) => one.alerts[0]!.id)),
      columns.uuids(deliveries.map((one) => one.mentionId)),
      columns.booleans(deliveries.map((one) => one.admitted)),
      MAX_ATTEMPTS,
      columns.texts(
        deliveries.map(({ alerts }) => (alerts.length > 1 ? `{${alerts.slice(1).map(({ id }) => id)}}` : null)),
      ),
      columns.texts(deliveries.map(({ state }) => state.error)),
    ],
  )
  await listShared(tx, deliveries)
}

/** Has those that several rules wanted found by each of them. */
async function listShared(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  const pairs = deliveries.flatMap(({ workspaceId, deliveryId, alerts }) =>
    alerts.slice(1).map(({ id }) => ({ workspaceId, id, deliveryId })),
  )
  if (pairs.length === 0) return
  await tx.run(
    'score-shared-deliveries',
    'insert into delivery_by_more_alerts (workspace_id, alert_id, delivery_id) select * from unnest($1::uuid[], ' +
      '$2::uuid[], $3::uuid[])',
    [
      columns.uuids(pairs.map((pair) => pair.workspaceId)),
      columns.uuids(pairs.map((pair) => pair.id)),
      columns.uuids(pairs.map((pair) => pair.deliveryId)),
    ],
  )
}
