import { INSPECTIONS, type SignatureVerdict } from '../../domain/channel/inspection.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'

export interface InspectionView {
  id: Id<'insp'>
  name: string
  createdAt: string
  expiresAt: string
  /** Newest first. */
  requests: InspectedView[]
}

interface InspectedView {
  receivedAt: string
  method: 'POST'
  headers: Record<string, string>
  body: string
  bodyBytes: number
  truncated: boolean
  signature: SignatureVerdict
  channelId: Id<'dest'> | null
}

interface RequestRow {
  received_at: Date
  headers: Record<string, string>
  body: Buffer
  body_bytes: number
  signature: SignatureVerdict
  channel_id: Uuid | null
}

/** An inbox without its URL, which is stored nowhere. */
export async function getInspection(
  { db, workspaceId, clock }: QueryContext,
  id: Uuid,
): Promise<InspectionView | Refusal<'not_found'>> {
  const [inspection] = await db.query<{ name: string; created_at: Date; expires_at: Date }>(sql`
    select name, created_at, expires_at from inspection
    where workspace_id = ${workspaceId} and id = ${id} and expires_at > ${clock.now()}`)
  if (inspection === undefined)
    return refuse('not_found', 'There is no inspection inbox with this id, or it has expired')
  const rows = await db.query<RequestRow>(sql`
    select received_at, headers, body, body_bytes, signature, channel_id from inspected_request
    where workspace_id = ${workspaceId} and inspection_id = ${id} order by id desc limit ${INSPECTIONS.requests}`)
  return {
    id: toId('insp', id),
    name: inspection.name,
    createdAt: inspection.created_at.toISOString(),
    expiresAt: inspection.expires_at.toISOString(),
    requests: rows.map(requestOf),
  }
}

function requestOf(row: RequestRow): InspectedView {
  return {
    receivedAt: row.received_at.toISOString(),
    method: 'POST',
    headers: row.headers,
    body: row.body.toString('utf8'),
    bodyBytes: row.body_bytes,
    truncated: row.body_bytes > row.body.length,
    signature: row.signature,
    channelId: row.channel_id && toId('dest', row.channel_id),
  }
}
