import type { DeliveryStatus } from '../../domain/delivery/status.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import { noSuchChannel } from '../channels/get-channel.ts'
import { pageOf, readCursorText } from '../cursor.ts'
import type { QueryContext } from '../reading.ts'
import { type DeliveryView, deliveryFromRow, selectDeliveries } from './delivery-shape.ts'

export interface DeliveryPage {
  data: DeliveryView[]
  nextCursor: string | null
}

/** Oldest first is for following the log. */
export const DELIVERY_SORTS = ['newest', 'oldest'] as const
export type DeliverySort = (typeof DELIVERY_SORTS)[number]

/** The names in cursors must not change. */
const CURSOR_SORT = { newest: 'deliveries', oldest: 'deliveries-oldest' } as const satisfies Record<
  DeliverySort,
  string
>

export interface DeliveryQuestion {
  statuses: readonly DeliveryStatus[] | null
  /** Included. */
  since: Date | null
  sort: DeliverySort
  limit: number
  cursor: string | null
}

export async function listDeliveries(
  reading: QueryContext,
  channelId: Uuid,
  { statuses, since, sort, limit, cursor }: DeliveryQuestion,
): Promise<DeliveryPage | Refusal<'not_found' | 'invalid_cursor'>> {
  const { db, workspaceId } = reading
  const known = await db.query(sql`select id from channel where workspace_id = ${workspaceId} and id = ${channelId}`)
  if (known.length === 0) return noSuchChannel()
  const after =
    cursor === null ? null : await placeInLog(reading, CURSOR_SORT[sort], cursor, sql`channel_id = ${channelId}`)
  if (isRefusal(after)) return after
  const [beyond, direction] = sort === 'newest' ? [sql.raw('<'), 'desc' as const] : [sql.raw('>'), 'asc' as const]
  const rows = await selectDeliveries(
    db,
    sql`
      select * from delivery
      where workspace_id = ${workspaceId} and channel_id = ${channelId}
        and ${
          after === null
            ? sql`true`
            : sql`id ${beyond}
            ${after}`
        }
          and ${
            since === null
              ? sql`true`
              : sql`id >=
            ${firstUuidAt(since)}`
          }
        and ${statuses === null ? sql`true` : sql`status = any(${statuses}::text[])`}
      order by id ${sql.raw(direction)} limit ${limit + 1}`,
    direction,
  )
  const { shown, nextCursor } = pageOf(rows, limit, CURSOR_SORT[sort])
  return { data: shown.map(deliveryFromRow), nextCursor }
}

/** The delivery at a cursor, if it is still there `among` the listed ones. */
export async function placeInLog(
  { db, workspaceId }: QueryContext,
  sort: string,
  cursor: string,
  among: Statement<unknown>,
): Promise<Uuid | Refusal<'invalid_cursor' | 'not_found'>> {
  const id = readCursorText(sort, cursor)
  if (id === null) return refuse('invalid_cursor', 'The cursor cannot be read or belongs to another sort')
  const rows = await db.query(
    sql`select id from delivery where workspace_id = ${workspaceId} and id = ${id} and ${among}`,
  )
  return rows.length > 0 ? id : refuse('not_found', 'The delivery at this cursor is gone; start again without a cursor')
}
