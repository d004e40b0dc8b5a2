import { INSPECTIONS, type SignatureVerdict } from '../../domain/channel/inspection.ts'
import { MINUTE_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, sql, type Transaction } from '../database.ts'
import { DELETE_BATCH, deleteInBatches } from '../delete-in-batches.ts'

export interface StoredInspection {
  workspaceId: Uuid
  id: Uuid
  name: string
  tokenHash: Buffer
  createdAt: Date
  expiresAt: Date
}

/** Also deletes the oldest inboxes of the workspace beyond its limit. */
export async function insertInspection(tx: Transaction, inspection: StoredInspection): Promise<void> {
  const { workspaceId, id, name, tokenHash, createdAt, expiresAt } = inspection
  await tx.query(sql`
    insert into inspection (workspace_id, id, name, token_hash, created_at, expires_at, minute_at)
    values (${workspaceId}, ${id}, ${name}, ${tokenHash}, ${createdAt}, ${expiresAt}, ${createdAt})`)
  await tx.query(sql`
    delete from inspection where workspace_id = ${workspaceId} and id in (
      select id from inspection where workspace_id = ${workspaceId} order by id desc
      offset ${INSPECTIONS.perWorkspace})`)
}

/** The inbox of a token, locked, and how many requests it got in this minute, this one included; null for none. */
export async function countInspected(
  tx: Transaction,
  tokenHash: Buffer,
  at: Date,
): Promise<{ workspaceId: Uuid; id: Uuid; count: number } | null> {
  const minuteAgo = plus(at, -MINUTE_MS)
  const [row] = await tx.query<{ workspace_id: Uuid; id: Uuid; minute_count: number }>(sql`
    update inspection set minute_count = case when minute_at > ${minuteAgo} then minute_count + 1 else 1 end,
      minute_at = case when minute_at > ${minuteAgo} then minute_at else ${at} end
    where token_hash = ${tokenHash} and expires_at > ${at} returning workspace_id, id, minute_count`)
  return row ? { workspaceId: row.workspace_id, id: row.id, count: row.minute_count } : null
}

export interface StoredRequest {
  id: Uuid
  receivedAt: Date
  headers: Record<string, string>
  /** The beginning of the body. */
  body: Buffer
  /** Of the whole body. */
  bodyBytes: number
  signature: SignatureVerdict
  channelId: Uuid | null
}

/** The inbox has to be locked. */
export async function insertInspected(
  tx: Transaction,
  { workspaceId, id }: { workspaceId: Uuid; id: Uuid },
  request: StoredRequest,
): Promise<void> {
  await tx.query(sql`
    insert into inspected_request (workspace_id, inspection_id, id, received_at, headers, body, body_bytes, signature,
      channel_id)
    values (${workspaceId}, ${id}, ${request.id}, ${request.receivedAt}, ${JSON.stringify(request.headers)}::jsonb,
      ${request.body}, ${request.bodyBytes}, ${request.signature}, ${request.channelId})`)
  await tx.query(sql`
    delete from inspected_request where workspace_id = ${workspaceId} and inspection_id = ${id} and id in (
      select id from inspected_request where workspace_id = ${workspaceId} and inspection_id = ${id}
      order by id desc offset ${INSPECTIONS.requests})`)
}

/** The sealed secrets of the webhook channels that lead to a URL. */
export async function readSecretsOfUrl(
  reader: Reader,
  workspaceId: Uuid,
  url: string,
): Promise<{ id: Uuid; secretSealed: string }[]> {
  const rows = await reader.query<{ id: Uuid; secret_sealed: string }>(sql`
    select id, secret_sealed from channel where workspace_id = ${workspaceId} and kind = 'webhook'
      and config ->> 'url' = ${url} and secret_sealed is not null order by id`)
  return rows.map((row) => ({ id: row.id, secretSealed: row.secret_sealed }))
}

/** Deletes expired inboxes with their requests. */
export function forgetInspections(db: Database, at: Date): Promise<number> {
  return deleteInBatches(
    db,
    sql`delete from inspection where (workspace_id, id) in (select workspace_id, id from inspection
      where expires_at <= ${at} limit ${DELETE_BATCH} for update skip locked) returning 1`,
  )
}
