import { listedName } from '../../domain/delivery/name.ts'
import type { DeliveryStatus } from '../../domain/delivery/status.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import type { Change } from './change.ts'

export interface TriageRow {
  id: Uuid
  mention_id: Uuid
  changed_at: Date
  actor_kind: 'api_key' | 'person' | 'slack'
  /** Null for a button in Slack. */
  actor_id: Uuid | null
}

export function triageChangeOf({ id, mention_id, changed_at, actor_kind, actor_id }: TriageRow): Change {
  const by = { kind: actor_kind, id: actor_id && toId(actor_kind === 'api_key' ? 'key' : 'user', actor_id) }
  return { kind: 'mention.triaged', id: toId('mtn', mention_id), about: { by }, at: changed_at, key: id }
}

export interface DeliveryRow {
  id: Uuid
  channel_id: Uuid
  status: DeliveryStatus
  alert_id: Uuid | null
  period: string | null
  replay_of: Uuid | null
}

export function deliveryChangeOf(row: DeliveryRow, at: Date): Change {
  const { id, channel_id, status, alert_id, period, replay_of } = row
  return {
    kind: 'delivery.changed',
    id: listedName(id, { alertId: alert_id, period, replayOf: replay_of }),
    about: { channelId: toId('dest', channel_id), status },
    at,
    key: null,
  }
}
