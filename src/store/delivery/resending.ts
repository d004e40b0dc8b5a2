import type { DigestMode } from '../../domain/alert/mode.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { DeliveryState } from '../../domain/delivery/lifecycle.ts'
import type { DeliveryKind, DeliveryStatus } from '../../domain/delivery/status.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { announceWork } from '../announcements.ts'
import { sql, type Transaction } from '../database.ts'
import {
  alertsFromRow,
  type ClaimedDelivery,
  type DueAlert,
  type DueDelivery,
  instantState,
  MORE_ALERTS,
} from './due-deliveries.ts'
import { notifyOfDeliveries } from './notify-of-deliveries.ts'

export interface ResendingChannel {
  kind: ChannelKind
  enabled: boolean
}

export interface Resendable extends Omit<DueDelivery, 'channel'> {
  /** The original delivery, also of a repeated replay. */
  replayOf: Uuid | null
  /** A newer replay exists. */
  hasReplay: boolean
}

/**
 * Locks the channel against changes until the transaction ends. Everything that records deliveries does so, before it
 * touches the queue.
 */
export async function holdChannel(
  tx: Transaction,
  workspaceId: Uuid,
  channelId: Uuid,
): Promise<ResendingChannel | null> {
  const [row] = await tx.query<ResendingChannel>(sql`
    select kind, enabled from channel where workspace_id = ${workspaceId} and id = ${channelId} for key share`)
  return row ?? null
}

interface Row {
  channel_id: Uuid
  kind: DeliveryKind
  event: string
  alert_id: Uuid | null
  alert_name: string | null
  more_alerts: DueAlert[] | null
  mention_id: Uuid | null
  data: Record<string, unknown> | null
  created_at: Date
  status: DeliveryStatus
  attempts: number
  attempt_limit: number
  error: string | null
  mode: DigestMode | null
  digest_due_at: Date | null
  replay_of: Uuid | null
  has_replay: boolean
}

/** Locks the delivery and its original until the transaction ends. The caller holds the channel. */
export async function lockResendable(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<Resendable | null> {
  await tx.query(sql`
    select from delivery where workspace_id = ${workspaceId} and (id = ${id} or id = (select replay_of from delivery
      where workspace_id = ${workspaceId} and id = ${id}))
    order by id for update`)
  // A separate statement, to see what the former lock holder wrote. The log may have one attempt more than the delivery
  // counts, which failed after a hold: the next attempt must not reuse its number.
  const [row] = await tx.query<Row>(sql`
    select d.channel_id, d.kind, d.event, d.alert_id, a.name as alert_name, ${sql.raw(MORE_ALERTS)} as more_alerts,
      d.mention_id, d.data, d.created_at, d.status, d.attempt_limit, d.error, d.mode,
      d.digest_due_at, d.replay_of,
      greatest(d.attempts, (select max(made.number) from delivery_attempt made where made.workspace_id = d.workspace_id
        and made.delivery_id = d.id)) as attempts,
      exists (select from delivery r where r.workspace_id = d.workspace_id and r.replay_of = coalesce(d.replay_of, d.id)
        and r.id > d.id) as has_replay
    from delivery d left join alert a on a.workspace_id = d.workspace_id and a.id = d.alert_id
    where d.workspace_id = ${workspaceId} and d.id = ${id}`)
  if (row === undefined) return null
  const state = { ...instantState(row), error: row.error }
  return {
    workspaceId,
    deliveryId: id,
    channelId: row.channel_id,
    kind: row.kind,
    event: row.event,
    alerts: alertsFromRow(row),
    mentionId: row.mention_id,
    data: row.data,
    createdAt: row.created_at,
    state: row.mode === null ? state : { ...state, timing: { mode: row.mode, dueAt: row.digest_due_at! } },
    replayOf: row.replay_of,
    hasReplay: row.has_replay,
  }
}

export async function queueAgain(
  tx: Transaction,
  { workspaceId, channelId, deliveryId }: ClaimedDelivery,
  state: DeliveryState,
): Promise<void> {
  await tx.query(sql`
    update delivery set status = ${state.status}, attempts = ${state.attempts}, attempt_limit = ${state.attemptLimit},
      error = ${state.error}, response_status = ${state.responseStatus}
    where workspace_id = ${workspaceId} and id = ${deliveryId}`)
  await tx.query(
    sql`delete from delivery_held where workspace_id = ${workspaceId} and channel_id = ${channelId}
        and delivery_id = ${deliveryId}`,
  )
  await queue(tx, { workspaceId, channelId, deliveryId }, state)
}

export async function insertReplay(
  tx: Transaction,
  { workspaceId, channelId, deliveryId, replayOf }: Resendable,
  id: Uuid,
  state: DeliveryState,
  at: Date,
): Promise<void> {
  const dueAt = state.timing.mode === 'instant' ? null : state.timing.dueAt
  await tx.query(sql`
    insert into delivery (workspace_id, id, channel_id, kind, event, alert_id, more_alerts, mention_id, data, status,
      attempt_limit, created_at, mode,
      digest_due_at, period, replay_of)
    select workspace_id, ${id}, channel_id, kind, event, alert_id, more_alerts, mention_id, data, ${state.status},
      ${state.attemptLimit}, ${at}, mode, ${dueAt}, period, ${replayOf ?? deliveryId}
    from delivery where workspace_id = ${workspaceId} and id = ${deliveryId}`)
  await queue(tx, { workspaceId, channelId, deliveryId: id }, state)
}

async function queue(
  tx: Transaction,
  { workspaceId, channelId, deliveryId }: ClaimedDelivery,
  { nextAttemptAt }: DeliveryState,
): Promise<void> {
  await tx.query(sql`
    insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at)
      values (${workspaceId}, ${deliveryId}, ${channelId}, ${nextAttemptAt})`)
  await announceWork(tx, 'deliveries')
  await notifyOfDeliveries(tx, [{ workspaceId, deliveryId }])
}
