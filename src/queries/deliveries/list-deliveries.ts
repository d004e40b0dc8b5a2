import type { DeliveryKind, DeliveryStatus } from '../../domain/delivery/status.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.ts'
import { excerpt } from '../../kernel/text.ts'
import { sql } from '../../store/database.ts'
import { noSuchChannel } from '../channels/get-channel.ts'
import { pageOf, readCursorText } from '../cursor.ts'
import type { Reading } from '../reading.ts'

/** An entry of a channel's log as callers see it. */
export interface DeliveryView {
  id: Id<'dlv'>
  kind: DeliveryKind
  event: string
  status: DeliveryStatus
  attempts: number
  error: string | null
  sentAt: string | null
  createdAt: string
  alert: { name: string } | null
  mention: { id: Id<'mtn'>; url: string; text: string } | null
}

export interface DeliveryPage {
  data: DeliveryView[]
  nextCursor: string | null
}

/** Characters of a mention's text that the log shows. */
export const MENTION_TEXT_MAX = 160
const SORT = 'deliveries'

interface Row {
  id: Uuid
  kind: DeliveryKind
  event: string
  status: DeliveryStatus
  attempts: number
  error: string | null
  sent_at: Date | null
  created_at: Date
  alert_name: string | null
  mention_id: Uuid | null
  url: string | null
  body: string | null
}

/** One page of a channel's log, newest first. A rule or mention that was removed since is null. */
export async function listDeliveries(
  reading: Reading,
  channelId: Uuid,
  { statuses, limit, cursor }: { statuses: readonly DeliveryStatus[] | null; limit: number; cursor: string | null },
): Promise<DeliveryPage | Refusal<'not_found' | 'invalid_cursor'>> {
  const { db, workspaceId } = reading
  const known = await db.query(sql`select id from channel where workspace_id = ${workspaceId} and id = ${channelId}`)
  if (known.length === 0) return noSuchChannel()
  const after = cursor === null ? null : await placeOf(reading, channelId, cursor)
  if (isRefusal(after)) return after
  const rows = await db.query<Row>(sql`
    select d.id, d.kind, d.event, d.status, d.attempts, d.error, d.sent_at, d.created_at, a.name as alert_name, m.id as mention_id, p.url, p.body
    from (
      select * from delivery
      where workspace_id = ${workspaceId} and channel_id = ${channelId}
        and ${after === null ? sql`true` : sql`id < ${after}`} and ${statuses === null ? sql`true` : sql`status = any(${statuses}::text[])`}
      order by id desc limit ${limit + 1}) d
    left join alert a on a.workspace_id = d.workspace_id and a.id = d.alert_id
    left join mention m on m.workspace_id = d.workspace_id and m.id = d.mention_id
    left join post p on p.id = m.post_id
    order by d.id desc`)
  const { shown, nextCursor } = pageOf(rows, limit, SORT)
  return { data: shown.map(deliveryFromRow), nextCursor }
}

function deliveryFromRow(row: Row): DeliveryView {
  return {
    id: toId('dlv', row.id),
    kind: row.kind,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    sentAt: row.sent_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    alert: row.alert_name === null ? null : { name: row.alert_name },
    mention:
      row.mention_id === null || row.url === null || row.body === null
        ? null
        : { id: toId('mtn', row.mention_id), url: row.url, text: excerpt(row.body, MENTION_TEXT_MAX) },
  }
}

async function placeOf({ db, workspaceId }: Reading, channelId: Uuid, cursor: string): Promise<Uuid | Refusal<'invalid_cursor' | 'not_found'>> {
  const id = readCursorText(SORT, cursor)
  if (id === null) return refuse('invalid_cursor', 'The cursor cannot be read or belongs to another sort')
  const rows = await db.query(sql`select id from delivery where workspace_id = ${workspaceId} and channel_id = ${channelId} and id = ${id}`)
  return rows.length > 0 ? id : refuse('not_found', 'The delivery at this cursor is gone; start again without a cursor')
}
