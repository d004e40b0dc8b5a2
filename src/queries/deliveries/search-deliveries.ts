import type { DeliveryKind, DeliveryStatus } from '../../domain/delivery/status.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import { noSuchChannel } from '../channels/get-channel.ts'
import { pageOf } from '../cursor.ts'
import type { QueryContext } from '../reading.ts'
import { deliveryFromRow, selectDeliveries } from './delivery-shape.ts'
import { type DeliveryPage, placeInLog } from './list-deliveries.ts'

/** All conditions must hold; null means any. */
export interface DeliverySearch {
  mentionId: Uuid | null
  alertId: Uuid | null
  channelId: Uuid | null
  statuses: readonly DeliveryStatus[] | null
  kinds: readonly DeliveryKind[] | null
  /** Included. */
  since: Date | null
  /** Excluded. */
  until: Date | null
}

/** The name in cursors must not change. */
const CURSOR_SORT = 'workspace-deliveries'

/** Newest first. Deliveries of deleted channels do not exist. */
export async function searchDeliveries(
  reading: QueryContext,
  search: DeliverySearch,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<DeliveryPage | Refusal<'not_found' | 'invalid_cursor'>> {
  const after = cursor === null ? null : await placeInLog(reading, CURSOR_SORT, cursor, sql`true`)
  if (isRefusal(after)) return after
  const channelIds = await readChannels(reading, search.channelId)
  if (isRefusal(channelIds)) return channelIds
  const missing = await missingIn(reading, search)
  if (missing !== null) return missing
  const found = selectFound({ workspaceId: reading.workspaceId, channelIds, search, after, limit: limit + 1 })
  const rows = await selectDeliveries(reading.db, found, 'desc')
  const { shown, nextCursor } = pageOf(rows, limit, CURSOR_SORT)
  return { data: shown.map(deliveryFromRow), nextCursor }
}

async function readChannels(
  { db, workspaceId }: QueryContext,
  channelId: Uuid | null,
): Promise<Uuid[] | Refusal<'not_found'>> {
  const rows = await db.query<{ id: Uuid }>(sql`
    select id from channel where workspace_id = ${workspaceId}
      and ${channelId === null ? sql`true` : sql`id = ${channelId}`}`)
  return channelId !== null && rows.length === 0 ? noSuchChannel() : rows.map(({ id }) => id)
}

async function missingIn(
  { db, workspaceId }: QueryContext,
  { mentionId, alertId }: DeliverySearch,
): Promise<Refusal<'not_found'> | null> {
  const [known] = await db.query<{ mention: boolean; alert: boolean }>(sql`
    select exists (select from mention where workspace_id = ${workspaceId} and id = ${mentionId}) as mention,
      exists (select from alert where workspace_id = ${workspaceId} and id = ${alertId}) as alert`)
  if (mentionId !== null && !known!.mention) return refuse('not_found', 'There is no mention with this id')
  return alertId !== null && !known!.alert ? refuse('not_found', 'There is no alert rule with this id') : null
}

interface Selection {
  workspaceId: Uuid
  channelIds: readonly Uuid[]
  search: DeliverySearch
  after: Uuid | null
  limit: number
}

/**
 * Whole rows. Statuses other than `delivered`, and further rules of a delivery, are walked along lists of their own
 * until the page is full: the log may have millions of rows, and no index by status.
 */
function selectFound(selection: Selection): Statement<unknown> {
  const { search, limit } = selection
  const { statuses, alertId } = search
  if (search.mentionId !== null)
    return sql`
      select * from (${selectFrom(selection, sql`d.mention_id = ${search.mentionId}`)} offset 0) d
      order by id desc limit ${limit}`
  if (statuses?.every(isListed))
    return newestOf(
      statuses.map((status) => alongList(selection, LISTS[status], status)),
      limit,
    )
  if (alertId === null) return newestIn(selection, sql`true`)
  const shared = sql`delivery_by_more_alerts where alert_id = ${alertId}`
  return newestOf([newestIn(selection, sql`d.alert_id = ${alertId}`), alongList(selection, shared, null)], limit)
}

function selectFrom(selection: Selection, which: Statement<unknown>): Statement<unknown> {
  return sql`
    select * from delivery d where d.workspace_id = ${selection.workspaceId} and ${which} and ${conditionOf(selection)}
      and ${within(selection, sql`d.id`)}`
}

function newestIn(selection: Selection, which: Statement<unknown>): Statement<unknown> {
  return sql`${selectFrom(selection, which)} order by d.id desc limit ${selection.limit}`
}

/** A limit for each part, so that the planner reads each in the order of ids. */
function newestOf(parts: readonly Statement<unknown>[], limit: number): Statement<unknown> {
  const all = sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  )
  return sql`select * from (${all}) d order by id desc limit ${limit}`
}

function alongList(selection: Selection, list: Statement<unknown>, status: DeliveryStatus | null): Statement<unknown> {
  const now = status === null ? sql`true` : sql`d.status = ${status}`
  return sql`
    select d.* from (select delivery_id from ${list} and workspace_id = ${selection.workspaceId}
      and ${within(selection, sql`delivery_id`)}) l
    cross join lateral (${selectFrom(selection, sql`d.id = l.delivery_id and ${now}`)} offset 0) d
    order by l.delivery_id desc limit ${selection.limit}`
}

type ListedStatus = Exclude<DeliveryStatus, 'delivered'>

/** Every delivery in the status is in its list, which may name others too. */
const LISTS: Readonly<Record<ListedStatus, Statement<unknown>>> = {
  pending: sql`delivery_queue where true`,
  held: sql`delivery_held where true`,
  failed: sql`delivery_unaccepted where status = 'failed'`,
  cancelled: sql`delivery_unaccepted where status = 'cancelled'`,
}

function isListed(status: DeliveryStatus): status is ListedStatus {
  return status !== 'delivered'
}

function conditionOf({ channelIds, search }: Selection): Statement<unknown> {
  const { alertId, channelId, statuses, kinds } = search
  const conditions = [
    channelId === null ? sql`d.channel_id = any(${channelIds}::uuid[])` : sql`d.channel_id = ${channelId}`,
  ]
  if (alertId !== null) conditions.push(sql`(d.alert_id = ${alertId} or ${alertId} = any(d.more_alerts))`)
  if (statuses !== null) conditions.push(sql`d.status = any(${statuses}::text[])`)
  if (kinds !== null) conditions.push(sql`d.kind = any(${kinds}::text[])`)
  // As the predicate of the index says it.
  if (kinds?.includes('mention') === false) conditions.push(sql`d.kind <> 'mention'`)
  return sql.join(conditions, sql` and `)
}

function within({ search: { since, until }, after }: Selection, id: Statement<unknown>): Statement<unknown> {
  const bounds = [sql`true`]
  if (after !== null) bounds.push(sql`${id} < ${after}`)
  if (since !== null) bounds.push(sql`${id} >= ${firstUuidAt(since)}`)
  if (until !== null) bounds.push(sql`${id} < ${firstUuidAt(until)}`)
  return sql.join(bounds, sql` and `)
}
