import type { AccountEvent } from '../../domain/attention/account-events.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { cancelUnsent } from '../delivery/cancel-deliveries.ts'

export interface StoredChannel {
  workspaceId: Uuid
  id: Uuid
  kind: ChannelKind
  label: string
  enabled: boolean
  /** Made by `sealConfig`, read by `openConfig`. */
  config: Record<string, unknown>
  secretSealed: string | null
  events: AccountEvent[]
  createdAt: Date
}

/** A secret copied to another channel or workspace cannot be opened. */
export function secretBinding(workspaceId: Uuid, channelId: Uuid): string {
  return `${workspaceId} ${channelId}`
}

interface ChannelRow {
  workspace_id: Uuid
  id: Uuid
  kind: ChannelKind
  label: string
  enabled: boolean
  config: Record<string, unknown>
  secret_sealed: string | null
  events: AccountEvent[]
  created_at: Date
}

export async function lockChannel(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<StoredChannel | null> {
  const rows = await tx.query<ChannelRow>(
    sql`select * from channel where workspace_id = ${workspaceId} and id = ${id} for update`,
  )
  return rows[0] ? channelFromRow(rows[0]) : null
}

export async function lockChannelsOf(tx: Transaction, workspaceId: Uuid, kind: ChannelKind): Promise<StoredChannel[]> {
  const rows = await tx.query<ChannelRow>(
    sql`select * from channel where workspace_id = ${workspaceId} and kind = ${kind} order by id for update`,
  )
  return rows.map(channelFromRow)
}

export async function readChannels(reader: Reader, workspaceId: Uuid, ids: readonly Uuid[]): Promise<StoredChannel[]> {
  const rows = await reader.query<ChannelRow>(sql`
    select c.* from unnest(${ids}::uuid[]) with ordinality as t (id, position)
      join channel c on c.workspace_id = ${workspaceId} and c.id = t.id order by t.position`)
  return rows.map(channelFromRow)
}

function channelFromRow(row: ChannelRow): StoredChannel {
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    kind: row.kind,
    label: row.label,
    enabled: row.enabled,
    config: row.config,
    secretSealed: row.secret_sealed,
    events: row.events,
    createdAt: row.created_at,
  }
}

/** `grantId` is the grant of the app that made the channel. */
export async function insertChannel(
  tx: Transaction,
  channel: StoredChannel,
  grantId: Uuid | null = null,
): Promise<void> {
  await tx.query(sql`
    insert into channel (workspace_id, id, kind, label, enabled, config, secret_sealed, events, created_at, grant_id)
    values (${channel.workspaceId}, ${channel.id}, ${channel.kind}, ${channel.label}, ${channel.enabled},
      ${JSON.stringify(channel.config)}::jsonb, ${channel.secretSealed},
      ${channel.events}::text[], ${channel.createdAt}, ${grantId})`)
}

export async function updateChannel(tx: Transaction, channel: StoredChannel): Promise<void> {
  await tx.query(sql`
    update channel set label = ${channel.label}, enabled = ${channel.enabled},
      config = ${JSON.stringify(channel.config)}::jsonb, secret_sealed = ${channel.secretSealed},
      events = ${channel.events}::text[]
    where workspace_id = ${channel.workspaceId} and id = ${channel.id}`)
}

/** The channel's log becomes unreadable and, since it may be long, is pruned later. */
export async function deleteChannel(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<boolean> {
  await tx.query(sql`
    update alert a set version = version + 1 from alert_channel ac
    where a.workspace_id = ${workspaceId} and ac.workspace_id = a.workspace_id and ac.alert_id = a.id
      and ac.channel_id = ${id}`)
  const rows = await tx.query(sql`delete from channel where workspace_id = ${workspaceId} and id = ${id} returning id`)
  if (rows.length === 0) return false
  // A transaction that records deliveries holds the channel's row, so none can follow.
  await cancelUnsent(tx, workspaceId, id, 'the channel was removed')
  return true
}
