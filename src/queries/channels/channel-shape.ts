import type { AccountEvent } from '../../domain/attention/account-events.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { maskedConfig, openConfig } from '../../store/channel/channel-config.ts'
import { type Statement, sql } from '../../store/database.ts'
import type { Reading } from '../reading.ts'

/** A channel as callers see it. */
export interface ChannelView {
  id: Id<'dest'>
  label: string
  kind: ChannelKind
  enabled: boolean
  createdAt: string
  stats: {
    /** Rules that name the channel, and those of them that are switched on. */
    alerts: number
    activeAlerts: number
    /** When a receiver last accepted something. */
    lastDeliveryAt: string | null
    /** Deliveries of the last seven days. */
    last7d: { total: number; failed: number }
  }
  config: ChannelConfigView
}

/** What is shown of a channel's settings, by its kind. */
export type ChannelConfigView = (WebhookConfigView | SlackConfigView | TelegramConfigView | EmailConfigView) & {
  events: AccountEvent[]
}

export interface WebhookConfigView {
  url: string
  headers: Record<string, string>
  /** Only in the answer that makes the secret. */
  secret?: string
}

export interface SlackConfigView {
  channelId: string
  channelName: string
}

export interface TelegramConfigView {
  /** Null until somebody has connected a chat. */
  chatId: string | null
  chatType: string | null
  /** Opens the chat that is to be connected; only while none is, and good for a quarter of an hour. */
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
  /** Of an e-mail channel: addresses that bounced or reported spam, folded. */
  suppressed: string[] | null
}

/** The channels of the workspace that fit, oldest first. */
export async function selectChannels(
  { db, workspaceId, clock, sealer }: Reading,
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

/** What is shown of the stored settings: whatever else a kind keeps there is for itself. */
const SHOWN = {
  webhook: ({ url, headers }: WebhookConfigView) => ({ url, headers }),
  slack: ({ channelId, channelName }: SlackConfigView) => ({ channelId, channelName }),
  telegram: ({ chatId, chatType }: TelegramConfigView) => ({ chatId, chatType }),
  // Who is not written to any more is shown as who has not confirmed.
  email: ({ recipients, suppressed }: EmailConfigView & { suppressed: readonly string[] }) => ({
    recipients: recipients.map(({ email, confirmedAt }) => ({
      email,
      confirmedAt: suppressed.includes(email.toLowerCase()) ? null : confirmedAt,
    })),
  }),
} as const satisfies Record<ChannelKind, (stored: never) => object>
