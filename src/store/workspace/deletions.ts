import { MINUTE_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

export interface LeavingState {
  name: string
  /** Null without a scheduled deletion. */
  deletesAt: Date | null
  /** Keywords and channels that the deletion stopped. */
  keywordIds: Uuid[]
  channelIds: Uuid[]
}

/** The caller holds the workspace. */
export async function readLeaving(reader: Reader, workspaceId: Uuid): Promise<LeavingState> {
  const [row] = await reader.query<LeavingState>(sql`
    select name, deletes_at as "deletesAt", stopped_keywords as "keywordIds", stopped_channels as "channelIds"
    from workspace where id = ${workspaceId}`)
  if (row === undefined) throw new Error(`workspace ${workspaceId} is gone`)
  return row
}

export async function storeLeaving(
  tx: Transaction,
  workspaceId: Uuid,
  { deletesAt, keywordIds, channelIds }: Omit<LeavingState, 'name'>,
): Promise<void> {
  await tx.query(sql`
    update workspace set deletes_at = ${deletesAt}, stopped_keywords = ${keywordIds}::uuid[],
      stopped_channels = ${channelIds}::uuid[]
    where id = ${workspaceId}`)
}

/** Whether the deletion of a workspace is scheduled; no restore ends it before the transaction ends. */
export async function isLeaving(tx: Transaction, workspaceId: Uuid): Promise<boolean> {
  const rows = await tx.query(sql`select from workspace where id = ${workspaceId} and deletes_at is not null for share`)
  return rows.length > 0
}

/** Workspaces whose deletion is scheduled, due or not, and imports that were killed. */
export async function readAllLeaving(reader: Reader, at: Date): Promise<Uuid[]> {
  const rows = await reader.query<{ id: Uuid }>(sql`
    select id from workspace where deletes_at is not null and (not importing or deletes_at <= ${at}) order by id`)
  return rows.map(({ id }) => id)
}

export async function readChannelIds(reader: Reader, workspaceId: Uuid): Promise<Uuid[]> {
  const rows = await reader.query<{ id: Uuid }>(
    sql`select id from channel where workspace_id = ${workspaceId} order by id`,
  )
  return rows.map(({ id }) => id)
}

/** Switches channels on or off, all of them or these; returns those that changed. */
export async function switchChannels(
  tx: Transaction,
  workspaceId: Uuid,
  { enabled, ids }: { enabled: boolean; ids: readonly Uuid[] | 'all' },
): Promise<Uuid[]> {
  const rows = await tx.query<{ id: Uuid }>(sql`
    with held as (select id from channel where workspace_id = ${workspaceId} and enabled <> ${enabled}
      and ${ids === 'all' ? sql`true` : sql`id = any(${ids}::uuid[])`} order by id for update)
    update channel c set enabled = ${enabled} from held where c.workspace_id = ${workspaceId} and c.id = held.id
    returning c.id`)
  return rows.map(({ id }) => id)
}

/** Leases at most `limit` of the workspace's unscored mentions without an end, and returns how many it leased. */
export async function holdScores(tx: Transaction, workspaceId: Uuid, limit: number): Promise<number> {
  const rows = await tx.query(sql`
    with own as (select mention_id from score_queue where workspace_id = ${workspaceId} and leased_until < 'infinity'
      order by mention_id limit ${limit} for update)
    update score_queue q set leased_until = 'infinity' from own
      where q.workspace_id = ${workspaceId} and q.mention_id = own.mention_id returning 1`)
  return rows.length
}

export async function releaseScores(tx: Transaction, workspaceId: Uuid, at: Date): Promise<void> {
  await tx.query(sql`
    update score_queue set leased_until = ${at} where workspace_id = ${workspaceId} and leased_until = 'infinity'`)
}

/** For clocks that differ: no removal begins while another machine still accepts a restore. */
const ROOM_MS = MINUTE_MS

/** Whether the deletion of a workspace is still due once nobody else changes it. */
export async function isOverdue(tx: Transaction, workspaceId: Uuid, at: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    select from workspace where id = ${workspaceId} and deletes_at <= ${plus(at, -ROOM_MS)} for update`)
  return rows.length > 0
}
