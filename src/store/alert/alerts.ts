import type { AlertMode, Schedule } from '../../domain/alert/mode.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, timeOfUuid, type Uuid } from '../../kernel/ids.ts'
import { type Reader, type Statement, sql, type Transaction } from '../database.ts'
import { cancelDeliveries } from '../delivery/cancel-deliveries.ts'
import { BEFORE_ALL } from '../delivery/prune-deliveries.ts'

export interface StoredAlert {
  workspaceId: Uuid
  id: Uuid
  name: string
  enabled: boolean
  mode: AlertMode
  event: string
  filter: MentionFilter
  /** Null for instant and hourly rules. */
  schedule: Schedule | null
  /** Null for instant rules and while the rule is off. */
  nextRunAt: Date | null
  version: number
  createdAt: Date
  channelIds: Uuid[]
}

interface AlertRow {
  workspace_id: Uuid
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
}

export async function lockAlert(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<StoredAlert | null> {
  return select(tx, workspaceId, id, sql`for update`)
}

export async function readAlert(reader: Reader, workspaceId: Uuid, id: Uuid): Promise<StoredAlert | null> {
  return select(reader, workspaceId, id, sql``)
}

async function select(
  reader: Reader,
  workspaceId: Uuid,
  id: Uuid,
  locking: Statement<unknown>,
): Promise<StoredAlert | null> {
  const rows = await reader.query<AlertRow>(
    sql`select * from alert where workspace_id = ${workspaceId} and id = ${id} ${locking}`,
  )
  const row = rows[0]
  if (!row) return null
  const channels = await reader.query<{ channel_id: Uuid }>(
    sql`select channel_id from alert_channel where workspace_id = ${workspaceId} and alert_id = ${id}
        order by position`,
  )
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    mode: row.mode,
    event: row.event,
    filter: row.filter,
    schedule: row.schedule,
    nextRunAt: row.next_run_at,
    version: row.version,
    createdAt: row.created_at,
    channelIds: channels.map((channel) => channel.channel_id),
  }
}

export async function insertAlert(tx: Transaction, alert: StoredAlert): Promise<void> {
  await tx.query(sql`
    insert into alert (workspace_id, id, name, enabled, mode, event, filter, schedule, next_run_at, version, created_at)
    values (${alert.workspaceId}, ${alert.id}, ${alert.name}, ${alert.enabled}, ${alert.mode}, ${alert.event},
      ${JSON.stringify(alert.filter)}::jsonb, ${scheduleText(alert)}::jsonb,
      ${alert.nextRunAt}, ${alert.version}, ${alert.createdAt})`)
  await linkChannels(tx, alert)
}

export async function updateAlert(tx: Transaction, alert: StoredAlert): Promise<void> {
  await tx.query(sql`
    update alert set name = ${alert.name}, enabled = ${alert.enabled}, mode = ${alert.mode}, event = ${alert.event},
      filter = ${JSON.stringify(alert.filter)}::jsonb,
      schedule = ${scheduleText(alert)}::jsonb, next_run_at = ${alert.nextRunAt}, version = ${alert.version}
    where workspace_id = ${alert.workspaceId} and id = ${alert.id}`)
  await tx.query(sql`delete from alert_channel where workspace_id = ${alert.workspaceId} and alert_id = ${alert.id}`)
  await linkChannels(tx, alert)
}

function scheduleText({ schedule }: StoredAlert): string | null {
  return schedule === null ? null : JSON.stringify(schedule)
}

async function linkChannels(tx: Transaction, alert: StoredAlert): Promise<void> {
  await tx.query(sql`
    insert into alert_channel (workspace_id, alert_id, channel_id, position)
    select ${alert.workspaceId}, ${alert.id}, channel_id, position
      from unnest(${alert.channelIds}::uuid[]) with ordinality as t (channel_id, position)`)
}

export type RuleOfOneChannel = Pick<StoredAlert, 'id' | 'event' | 'mode' | 'filter' | 'enabled' | 'version'>

/** The rules whose only channel is this one, oldest first. */
export async function readRulesOfChannel(
  reader: Reader,
  workspaceId: Uuid,
  channelId: Uuid,
): Promise<RuleOfOneChannel[]> {
  return await reader.query<RuleOfOneChannel>(rulesOfChannel(workspaceId, channelId))
}

export async function lockAlerts(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[]): Promise<void> {
  await tx.query(
    sql`select from alert where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) order by id for update`,
  )
}

function rulesOfChannel(workspaceId: Uuid, channelId: Uuid): Statement<RuleOfOneChannel> {
  return sql<RuleOfOneChannel>`
    select a.id, a.event, a.mode, a.filter, a.enabled, a.version from alert_channel ac
      join alert a on a.workspace_id = ac.workspace_id and a.id = ac.alert_id
    where ac.workspace_id = ${workspaceId} and ac.channel_id = ${channelId}
      and not exists (select from alert_channel other where other.workspace_id = ${workspaceId}
        and other.alert_id = ac.alert_id and other.channel_id <> ac.channel_id)
    order by a.id`
}

/** Locks the channels `for share` until the transaction ends. */
export async function knownChannels(
  tx: Transaction,
  workspaceId: Uuid,
  ids: readonly Uuid[],
): Promise<Map<Uuid, ChannelKind>> {
  const rows = await tx.query<{ id: Uuid; kind: ChannelKind }>(
    sql`select id, kind from channel where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
        order by id for share`,
  )
  return new Map(rows.map((row) => [row.id, row.kind]))
}

export async function deleteAlert(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<boolean> {
  return await removeCancelled(tx, workspaceId, id, await cancelOfAlert(tx, workspaceId, id))
}

/**
 * Runs before any rule or channel is locked: deliveries are locked first everywhere, and the rule's log may be long.
 * Returns the id from which deliveries may be newer.
 */
export async function cancelOfAlert(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<Uuid> {
  const [newest] = await tx.query<{ id: Uuid | null }>(sql`
    select greatest((select id from delivery where workspace_id = ${workspaceId} and alert_id = ${id} order by id desc
      limit 1),
      (select delivery_id from delivery_by_more_alerts where workspace_id = ${workspaceId} and alert_id = ${id}
        order by delivery_id desc limit 1)) as id`)
  await cancelForRule(tx, workspaceId, id, BEFORE_ALL)
  return newest?.id ? firstUuidAt(plus(timeOfUuid(newest.id), -COMMITTED_WITHIN_MS)) : BEFORE_ALL
}

/** Cancels the deliveries recorded while the rule's lock was awaited; once the rule is deleted, no more can come. */
export async function removeCancelled(tx: Transaction, workspaceId: Uuid, id: Uuid, from: Uuid): Promise<boolean> {
  const rows = await tx.query(sql`delete from alert where workspace_id = ${workspaceId} and id = ${id} returning id`)
  if (rows.length === 0) return false
  await cancelForRule(tx, workspaceId, id, from)
  return true
}

/** Only deliveries from an id on that no other rule wants. */
async function cancelForRule(tx: Transaction, workspaceId: Uuid, id: Uuid, from: Uuid): Promise<void> {
  const wantedByOthers = sql`exists (
    select from alert other where other.workspace_id = ${workspaceId} and other.id <> ${id} and (other.id = d.alert_id
      or other.id = any(d.more_alerts)))`
  const its = sql`d.workspace_id = ${workspaceId} and d.id >= ${from} and (d.more_alerts is null
      or not ${wantedByOthers})`
  await cancelDeliveries(tx, sql`${its} and d.alert_id = ${id}`, RULE_REMOVED)
  const shared = sql`select named.delivery_id from delivery_by_more_alerts named
      where named.workspace_id = ${workspaceId} and named.alert_id = ${id} and named.delivery_id >= ${from}`
  await cancelDeliveries(tx, sql`${its} and d.id in (${shared})`, RULE_REMOVED)
}

const RULE_REMOVED = 'the rule was removed'
/** The longest time from the instant in a delivery's id to its commit, with clock differences. */
const COMMITTED_WITHIN_MS = HOUR_MS
