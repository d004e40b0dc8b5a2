import { type DigestId, listedName } from '../../domain/delivery/name.ts'
import type { DeliveryKind, DeliveryStatus } from '../../domain/delivery/status.ts'
import { shownPostText } from '../../domain/post/post.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { excerpt } from '../../kernel/text.ts'
import { type Reader, type Statement, sql } from '../../store/database.ts'
import { alertsFromRow, type DueAlert, MORE_ALERTS } from '../../store/delivery/due-deliveries.ts'

export interface DeliveryView {
  id: Id<'dlv'> | DigestId
  channelId: Id<'dest'>
  kind: DeliveryKind
  event: string
  status: DeliveryStatus
  attempts: number
  error: string | null
  sentAt: string | null
  createdAt: string
  alert: { name: string } | null
  /** Every rule that still exists. */
  alerts: { name: string }[]
  mention: { id: Id<'mtn'>; url: string; text: string } | null
}

/** Characters of a mention's text in the log. */
export const MENTION_TEXT_MAX = 160

export interface DeliveryRow {
  id: Uuid
  channel_id: Uuid
  kind: DeliveryKind
  event: string
  status: DeliveryStatus
  attempts: number
  error: string | null
  sent_at: Date | null
  created_at: Date
  alert_id: Uuid | null
  period: string | null
  replay_of: Uuid | null
  alert_name: string | null
  more_alerts: DueAlert[] | null
  mention_id: Uuid | null
  url: string | null
  title: string | null
  body: string | null
}

/** `deliveries` selects whole rows. Deleted rules and mentions are null. */
export async function selectDeliveries(
  reader: Reader,
  deliveries: Statement<unknown>,
  order: 'asc' | 'desc',
): Promise<DeliveryRow[]> {
  return await reader.query<DeliveryRow>(sql`
    select d.id, d.channel_id, d.kind, d.event, d.status, d.attempts, d.error, d.sent_at, d.created_at, d.alert_id,
      d.period, d.replay_of,
      a.name as alert_name, ${sql.raw(MORE_ALERTS)} as more_alerts, m.id as mention_id, p.url, p.title, p.body
    from (${deliveries}) d
    left join alert a on a.workspace_id = d.workspace_id and a.id = d.alert_id
    left join mention m on m.workspace_id = d.workspace_id and m.id = d.mention_id
    left join post p on p.id = m.post_id
    order by d.id ${sql.raw(order)}`)
}

export function deliveryFromRow(row: DeliveryRow): DeliveryView {
  const alerts = alertsFromRow(row).map(({ name }) => ({ name }))
  return {
    id: listedName(row.id, { alertId: row.alert_id, period: row.period, replayOf: row.replay_of }),
    channelId: toId('dest', row.channel_id),
    kind: row.kind,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    sentAt: row.sent_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    alert: alerts[0] ?? null,
    alerts,
    mention:
      row.mention_id === null || row.url === null || row.body === null
        ? null
        : {
            id: toId('mtn', row.mention_id),
            url: row.url,
            text: excerpt(shownPostText({ title: row.title, text: row.body }), MENTION_TEXT_MAX),
          },
  }
}
