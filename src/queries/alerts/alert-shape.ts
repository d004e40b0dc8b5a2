import type { AlertMode, Schedule } from '../../domain/alert/mode.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import { filterToApi } from '../filters/filter-shape.ts'
import type { QueryContext } from '../reading.ts'

export interface AlertView {
  id: Id<'feed'>
  name: string
  enabled: boolean
  mode: AlertMode
  event: string
  filter: MentionFilter
  /** Null for instant and hourly rules. */
  schedule: Schedule | null
  channelIds: Id<'dest'>[]
  channels: { id: Id<'dest'>; kind: ChannelKind; label: string }[]
  version: number
  stats: { sentLast7d: number; lastSentAt: string | null; nextRunAt: string | null }
  createdAt: string
}

interface Row {
  id: Uuid
  name: string
  enabled: boolean
  mode: AlertMode
  event: string
  filter: MentionFilter
  schedule: Schedule | null
  next_run_at: Date | null
  version: number
  created_at: Date
  channels: { id: Uuid; kind: ChannelKind; label: string }[]
}

interface Sent {
  alert_id: Uuid
  recent: number
  last_at: Date | null
}

/** Oldest first. */
export async function selectAlerts(
  { db, workspaceId, clock }: QueryContext,
  condition: Statement<unknown>,
): Promise<AlertView[]> {
  const rows = await db.query<Row>(sql`
    select a.id, a.name, a.enabled, a.mode, a.event, a.filter, a.schedule, a.next_run_at, a.version, a.created_at,
      coalesce(c.channels, '[]') as channels
    from alert a
    cross join lateral (
      select jsonb_agg(jsonb_build_object('id', c.id, 'kind', c.kind, 'label', c.label)
        order by ac.position) as channels
      from alert_channel ac join channel c on c.workspace_id = ac.workspace_id and c.id = ac.channel_id
      where ac.workspace_id = a.workspace_id and ac.alert_id = a.id) c
    where a.workspace_id = ${workspaceId} and ${condition}
    order by a.id`)
  const since = plus(clock.now(), -7 * DAY_MS)
  // A rule's log may have millions of rows, so only the last week and the last sent row are read.
  const sent = await db.query<Sent>(sql`
    select a.alert_id, recent.count as recent, last.sent_at as last_at
      from unnest(${rows.map((row) => row.id)}::uuid[]) as a (alert_id)
    cross join lateral (
      select count(*) as count from (${sentOf(workspaceId)} and d.id >= ${firstUuidAt(since)} and d.sent_at >= ${since}
        union all ${sentBesides(workspaceId)} and d.id >= ${firstUuidAt(since)} and d.sent_at >= ${since}) sent) recent
    cross join lateral (
      select greatest((${sentOf(workspaceId)} and d.sent_at is not null order by d.id desc limit 1),
        (${sentBesides(workspaceId)} and d.sent_at is not null order by named.delivery_id desc
          limit 1)) as sent_at) last`)
  const sentBy = new Map(sent.map((sent) => [sent.alert_id, sent]))
  return rows.map((row) => alertFromRow(row, sentBy.get(row.id)))
}

/** Sent times of a rule `a`: its own deliveries, and those shared with older rules. */
const sentOf = (workspaceId: Uuid) =>
  sql`select d.sent_at from delivery d where d.workspace_id = ${workspaceId} and d.alert_id = a.alert_id`
const sentBesides = (workspaceId: Uuid) => sql`
  select d.sent_at from delivery_by_more_alerts named join delivery d on d.workspace_id = named.workspace_id
    and d.id = named.delivery_id
  where named.workspace_id = ${workspaceId} and named.alert_id = a.alert_id`

function alertFromRow(row: Row, sent: Sent | undefined): AlertView {
  const channels = row.channels.map(({ id, kind, label }) => ({ id: toId('dest', id), kind, label }))
  return {
    id: toId('feed', row.id),
    name: row.name,
    enabled: row.enabled,
    mode: row.mode,
    event: row.event,
    filter: filterToApi(row.filter),
    schedule: row.schedule,
    channelIds: channels.map((channel) => channel.id),
    channels,
    version: row.version,
    stats: statsOf(row, sent),
    createdAt: row.created_at.toISOString(),
  }
}

function statsOf(row: Row, sent: Sent | undefined): AlertView['stats'] {
  return {
    sentLast7d: sent?.recent ?? 0,
    lastSentAt: sent?.last_at?.toISOString() ?? null,
    nextRunAt: row.next_run_at?.toISOString() ?? null,
  }
}
