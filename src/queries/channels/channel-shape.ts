import type { AccountEvent } from '../../domain/attention/account-events.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { maskedConfig, openConfig } from '../../store/channel/channel-config.ts'
import { type Statement, sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'

export interface ChannelView {
  id: Id<'dest'>
  label: string
  kind: ChannelKind
  enabled: boolean
  createdAt: string
  stats: {
    /** Rules that use the channel, and the enabled ones. */
    alerts: number
    activeAlerts: number
    lastDeliveryAt: string | null
    last7d: { total: number; failed: number }
  }
  config: ChannelConfigView
}

export type ChannelConfigView = (WebhookConfigView | SlackConfigView | TelegramConfigView | EmailConfigView) & {
  events: AccountEvent[]
}

export interface WebhookConfigView {
  url: string
  headers: Record<string, string>
  /** Returned only when the secret is created. */
  secret?: string
}

export interface SlackConfigView {
  channelId: string
  channelName: string
}

export interface TelegramConfigView {
  /** Null until a chat is connected. */
  chatId: string | null
  chatType: string | null
  /** Connects a chat; valid for 15 minutes and absent once connected. */
  connectUrl?: string
}

export interface EmailConfigView {
  recipients: { email: string; confirmedAt: string | null }[]
}

interface Row {
  id: Uuid
  label: string
  kind: ChannelKind
  enabled: boolean
  created_at: Date
  config: Record<string, unknown>
  events: AccountEvent[]
  alerts: number
  active_alerts: number
  last_delivery_at: Date | null
  total: number
  failed: number
  /** E-mail only: folded addresses that bounced or reported spam. */
  suppressed: string[] | null
}

/** Oldest first. */
export async function selectChannels(
  { db, workspaceId, clock, sealer }: QueryContext,
  condition: Statement<unknown>,
): Promise<ChannelView[]> {
  const since = firstUuidAt(plus(clock.now(), -7 * DAY_MS))
  const rows = await db.query<Row>(sql`
    select c.id, c.label, c.kind, c.enabled, c.created_at, c.config, c.events, r.alerts, r.active_alerts,
      d.last_delivery_at, d.total, d.failed, s.suppressed
    from channel c
    cross join lateral (
      select count(*) as alerts, count(*) filter (where a.enabled) as active_alerts
      from alert_channel ac join alert a on a.workspace_id = ac.workspace_id and a.id = ac.alert_id
      where ac.workspace_id = c.workspace_id and ac.channel_id = c.id) r
    cross join lateral (
      select max(sent_at) as last_delivery_at, count(*) filter (where id >= ${since}) as total,
        count(*) filter (where id >= ${since} and status = 'failed') as failed
      from delivery where workspace_id = c.workspace_id and channel_id = c.id) d
    cross join lateral (
      select array_agg(one.email) as suppressed from jsonb_array_elements(c.config -> 'recipients') r
        join email_suppression one on one.email = lower(r ->> 'email')) s
    where c.workspace_id = ${workspaceId} and ${condition}
    order by c.id`)
  return rows.map((row) =>
    channelFromRow(row, openConfig(sealer, { workspaceId, id: row.id }, row.config) ?? maskedConfig(row.config)),
  )
}

function channelFromRow(row: Row, config: Record<string, unknown>): ChannelView {
  return {
    id: toId('dest', row.id),
    label: row.label,
    kind: row.kind,
    enabled: row.enabled,
    createdAt: row.created_at.toISOString(),
    stats: {
      alerts: row.alerts,
      activeAlerts: row.active_alerts,
      lastDeliveryAt: row.last_delivery_at?.toISOString() ?? null,
      last7d: { total: row.total, failed: row.failed },
    },
    config: { ...SHOWN[row.kind]({ ...config, suppressed: row.suppressed ?? [] } as never), events: row.events },
  }
}

/** Stored fields that are safe to show. */
const SHOWN = {
  webhook: ({ url, headers }: WebhookConfigView) => ({ url, headers }),
  slack: ({ channelId, channelName }: SlackConfigView) => ({ channelId, channelName }),
  telegram: ({ chatId, chatType }: TelegramConfigView) => ({ chatId, chatType }),
  // A suppressed recipient is shown as unconfirmed.
  email: ({ recipients, suppressed }: EmailConfigView & { suppressed: readonly string[] }) => ({
    recipients: recipients.map(({ email, confirmedAt }) => ({
      email,
      confirmedAt: suppressed.includes(email.toLowerCase()) ? null : confirmedAt,
    })),
  }),
} as const satisfies Record<ChannelKind, (stored: never) => object>
