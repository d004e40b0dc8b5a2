import type { ChannelKind } from '../../domain/delivery/channel-kind.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import { filterToApi } from '../filters/filter-shape.ts'
import type { Reading } from '../reading.ts'

/** An alert rule as callers see it. */
export interface AlertView {
  id: Id<'feed'>
  name: string
  enabled: boolean
  mode: 'instant'
  event: string
  filter: MentionFilter
  /** Only rules that send digests have one. */
  schedule: null
  channelIds: Id<'dest'>[]
  channels: { id: Id<'dest'>; kind: ChannelKind; label: string }[]
  version: number
  stats: { sentLast7d: number; lastSentAt: string | null; nextRunAt: null }
  createdAt: string
}

interface Row {
  id: Uuid
  name: string
  enabled: boolean
  mode: 'instant'
  event: string
  filter: MentionFilter
  version: number
  created_at: Date
  channels: { id: Uuid; kind: ChannelKind; label: string }[]
}

interface Sent {
  alert_id: Uuid
  recent: number
  last_at: Date | null
}

/** The rules of the workspace that fit, oldest first. */
export async function selectAlerts({ db, workspaceId, clock }: Reading, condition: Statement<unknown>): Promise<AlertView[]> {
  const rows = await db.query<Row>(sql`
    select a.id, a.name, a.enabled, a.mode, a.event, a.filter, a.version, a.created_at, coalesce(c.channels, '[]') as channels
    from alert a
    cross join lateral (
      select jsonb_agg(jsonb_build_object('id', c.id, 'kind', c.kind, 'label', c.label) order by ac.position) as channels
      from alert_channel ac join channel c on c.workspace_id = ac.workspace_id and c.id = ac.channel_id
      where ac.workspace_id = a.workspace_id and ac.alert_id = a.id) c
    where a.workspace_id = ${workspaceId} and ${condition}
    order by a.id`)
  const sent = await db.query<Sent>(sql`
    select alert_id, count(*) filter (where sent_at >= ${plus(clock.now(), -7 * DAY_MS)}) as recent, max(sent_at) as last_at
    from delivery where workspace_id = ${workspaceId} and alert_id = any(${rows.map((row) => row.id)}::uuid[])
    group by alert_id`)
  const sentBy = new Map(sent.map((one) => [one.alert_id, one]))
  return rows.map((row) => alertFromRow(row, sentBy.get(row.id)))
}

function alertFromRow(row: Row, sent: Sent | undefined): AlertView {
  const channels = row.channels.map(({ id, kind, label }) => ({ id: toId('dest', id), kind, label }))
  return {
    id: toId('feed', row.id),
    name: row.name,
    enabled: row.enabled,
    mode: row.mode,
    event: row.event,
    filter: filterToApi(row.filter),
    schedule: null,
    channelIds: channels.map((channel) => channel.id),
    channels,
    version: row.version,
    stats: { sentLast7d: sent?.recent ?? 0, lastSentAt: sent?.last_at?.toISOString() ?? null, nextRunAt: null },
    createdAt: row.created_at.toISOString(),
  }
}
