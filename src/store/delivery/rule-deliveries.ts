import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { MAX_ATTEMPTS } from '../../domain/delivery/lifecycle.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { GivenRows, GivenValues, given } from '../given-rows.ts'
import type { Score } from '../model/score.ts'
import type { DueDelivery, SendingChannel } from './due-deliveries.ts'
import { notifyOfDeliveries } from './notify-of-deliveries.ts'

export interface NewDelivery extends DueDelivery {
  score: Score
  /** Queued under the admitting process's lease; others are claimed round-robin. */
  admitted: boolean
}

export interface DeliveryAdmission {
  leasedUntil: Date
  /** Takes capacity of the channel when there is some. */
  admits(workspaceId: Uuid, channelId: Uuid): boolean
}

/**
 * Locks channels until the transaction ends. A removal under way is awaited, and its channel gets nothing; a later one
 * sees the deliveries to cancel.
 */
export async function holdChannels(
  tx: Transaction,
  owners: ReadonlyMap<Uuid, Uuid>,
): Promise<Map<Uuid, SendingChannel>> {
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

const DELIVERIES = new GivenRows<NewDelivery>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  id: given.uuid(({ deliveryId }) => deliveryId),
  channel_id: given.uuid(({ channelId }) => channelId),
  event: given.text(({ event }) => event),
  alert_id: given.uuid(({ alerts }) => alerts[0]!.id),
  mention_id: given.uuid(({ mentionId }) => mentionId),
  admitted: given.boolean(({ admitted }) => admitted),
  more_alerts: given.text(({ alerts }) => (alerts.length > 1 ? `{${alerts.slice(1).map(({ id }) => id)}}` : null)),
  error: given.text(({ state }) => state.error),
})
const ONCE = new GivenValues(['at', 'leasedUntil', 'attemptLimit'], DELIVERIES.after)

export async function writeDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  at: Date,
  leasedUntil: Date,
): Promise<void> {
  await tx.run(
    'score-deliveries',
    `with t as materialized (select * from ${DELIVERIES.unnested}),
     made as (
       insert into delivery (workspace_id, id, channel_id, kind, event, alert_id, more_alerts, mention_id, status,
         error, attempt_limit, created_at)
       select workspace_id, id, channel_id, 'mention', event, alert_id, more_alerts::uuid[], mention_id, case
         when error is null then 'pending' else 'held' end, error, ${ONCE.the.attemptLimit}, ${ONCE.the.at} from t),
     held as (
       insert into delivery_held (workspace_id, channel_id, delivery_id, waits_for)
         select workspace_id, channel_id, id, error from t where error is not null)
     insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at, leased_until, era)
     select workspace_id, id, channel_id, ${ONCE.the.at}, case when admitted then ${ONCE.the.leasedUntil}::timestamptz
       end, (select era from delivery_era where current) from t where error is null`,
    [...DELIVERIES.values(deliveries), ...ONCE.values({ at, leasedUntil, attemptLimit: MAX_ATTEMPTS })],
  )
  await Promise.all([listShared(tx, deliveries), notifyOfDeliveries(tx, deliveries)])
}

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
