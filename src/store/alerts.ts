import type { MentionFilter } from '../domain/filter/fields.ts'
import type { Uuid } from '../kernel/ids.ts'
import { type Reader, type Statement, sql, type Transaction } from './database.ts'
import { cancelDeliveries } from './deliveries.ts'

/** An alert rule as it is stored. */
export interface StoredAlert {
  workspaceId: Uuid
  id: Uuid
  name: string
  enabled: boolean
  mode: 'instant'
  event: string
  filter: MentionFilter
  version: number
  createdAt: Date
  /** In the order in which they were named. */
  channelIds: Uuid[]
}

interface AlertRow {
  workspace_id: Uuid
  id: Uuid
  name: string
  enabled: boolean
  mode: 'instant'
  event: string
  filter: MentionFilter
  version: number
  created_at: Date
}

/** One rule, locked until the transaction ends; null when the workspace has none of this id. */
export async function lockAlert(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<StoredAlert | null> {
  return select(tx, workspaceId, id, sql`for update`)
}

/** One rule as it stands; null when the workspace has none of this id. */
export async function readAlert(reader: Reader, workspaceId: Uuid, id: Uuid): Promise<StoredAlert | null> {
  return select(reader, workspaceId, id, sql``)
}

async function select(reader: Reader, workspaceId: Uuid, id: Uuid, locking: Statement<unknown>): Promise<StoredAlert | null> {
  const rows = await reader.query<AlertRow>(sql`select * from alert where workspace_id = ${workspaceId} and id = ${id} ${locking}`)
  const row = rows[0]
  if (!row) return null
  const channels = await reader.query<{ channel_id: Uuid }>(
    sql`select channel_id from alert_channel where workspace_id = ${workspaceId} and alert_id = ${id} order by position`,
  )
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    mode: row.mode,
    event: row.event,
    filter: row.filter,
    version: row.version,
    createdAt: row.created_at,
    channelIds: channels.map((channel) => channel.channel_id),
  }
}

export async function insertAlert(tx: Transaction, alert: StoredAlert): Promise<void> {
  await tx.query(sql`
    insert into alert (workspace_id, id, name, enabled, mode, event, filter, version, created_at)
    values (${alert.workspaceId}, ${alert.id}, ${alert.name}, ${alert.enabled}, ${alert.mode}, ${alert.event}, ${JSON.stringify(alert.filter)}::jsonb, ${alert.version}, ${alert.createdAt})`)
  await linkChannels(tx, alert)
}

/** Stores everything of a rule that can change. */
export async function updateAlert(tx: Transaction, alert: StoredAlert): Promise<void> {
  await tx.query(sql`
    update alert set name = ${alert.name}, enabled = ${alert.enabled}, event = ${alert.event}, filter = ${JSON.stringify(alert.filter)}::jsonb, version = ${alert.version}
    where workspace_id = ${alert.workspaceId} and id = ${alert.id}`)
  await tx.query(sql`delete from alert_channel where workspace_id = ${alert.workspaceId} and alert_id = ${alert.id}`)
  await linkChannels(tx, alert)
}

async function linkChannels(tx: Transaction, alert: StoredAlert): Promise<void> {
  await tx.query(sql`
    insert into alert_channel (workspace_id, alert_id, channel_id, position)
    select ${alert.workspaceId}, ${alert.id}, channel_id, position from unnest(${alert.channelIds}::uuid[]) with ordinality as t (channel_id, position)`)
}

/** Which of these channels the workspace has. */
export async function knownChannels(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[]): Promise<Set<Uuid>> {
  const rows = await tx.query<{ id: Uuid }>(sql`select id from channel where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) for share`)
  return new Set(rows.map((row) => row.id))
}

/** Removes a rule and cancels what it has not sent yet; false when the workspace has none of this id. */
export async function deleteAlert(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<boolean> {
  const cancel = () => cancelDeliveries(tx, sql`d.workspace_id = ${workspaceId} and d.alert_id = ${id}`, 'the rule was removed')
  // Deliveries come before the rule, as they do when a keyword goes. What was written down while the rule was waited for is
  // cancelled after it; nothing more can come then.
  await cancel()
  const rows = await tx.query(sql`delete from alert where workspace_id = ${workspaceId} and id = ${id} returning id`)
  if (rows.length === 0) return false
  await cancel()
  return true
}
