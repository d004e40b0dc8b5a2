import type { MentionFilter } from '../../domain/filter/fields.ts'
import type { FeedAddress } from '../../domain/view/feed.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, type Statement, sql, type Transaction } from '../database.ts'

export interface StoredView extends FeedAddress {
  name: string
  description: string
  filter: MentionFilter
  version: number
  createdAt: Date
  updatedAt: Date
}

export async function readViews(
  reader: Reader,
  workspaceId: Uuid,
  condition: Statement<unknown> = sql`true`,
): Promise<StoredView[]> {
  return reader.query<StoredView>(sql`${COLUMNS} where v.workspace_id = ${workspaceId} and ${condition} order by v.id`)
}

/** For feed addresses, which are their own credential. */
export async function readViewOfAnybody(reader: Reader, id: Uuid): Promise<StoredView | null> {
  const [view] = await reader.query<StoredView>(sql`${COLUMNS} where v.id = ${id}`)
  return view ?? null
}

export async function lockView(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<StoredView | null> {
  const [view] = await tx.query<StoredView>(
    sql`${COLUMNS} where v.workspace_id = ${workspaceId} and v.id = ${id} for update`,
  )
  return view ?? null
}

/** Violates the unique index `saved_view_name` when the name is taken. */
export async function insertView(tx: Transaction, view: StoredView, nameFolded: string): Promise<void> {
  await tx.query(sql`
    insert into saved_view (workspace_id, id, name, name_folded, description, filter, version, feed_version, feed_hash,
      created_at, updated_at)
    values (${view.workspaceId}, ${view.id}, ${view.name}, ${nameFolded}, ${view.description},
      ${JSON.stringify(view.filter)}::jsonb, ${view.version}, ${view.feedVersion},
      ${view.feedHash}, ${view.createdAt}, ${view.updatedAt})`)
}

/** Violates the unique index `saved_view_name` when the name is taken. */
export async function updateView(tx: Transaction, view: StoredView, nameFolded: string): Promise<void> {
  await tx.query(sql`
    update saved_view set name = ${view.name}, name_folded = ${nameFolded}, description = ${view.description},
      filter = ${JSON.stringify(view.filter)}::jsonb,
      version = ${view.version}, feed_version = ${view.feedVersion}, feed_hash = ${view.feedHash},
        updated_at = ${view.updatedAt}
    where workspace_id = ${view.workspaceId} and id = ${view.id}`)
}

export async function deleteView(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<boolean> {
  return (
    (await tx.query(sql`delete from saved_view where workspace_id = ${workspaceId} and id = ${id} returning id`))
      .length > 0
  )
}

/** Somebody who knew the addresses may no longer read. */
export async function renewFeeds(tx: Transaction, workspaceId: Uuid, at: Date): Promise<void> {
  await tx.query(sql`
    update saved_view set feed_version = feed_version + 1, feed_hash = null, updated_at = ${at}
    where (workspace_id, id) in (select workspace_id, id from saved_view where workspace_id = ${workspaceId}
      order by id for update)`)
}

/** Read-only credentials could see underived addresses. */
export async function endOldFeeds(tx: Transaction, workspaceId: Uuid, at: Date): Promise<void> {
  await tx.query(sql`
    update saved_view set feed_hash = null, updated_at = ${at}
    where (workspace_id, id) in (select workspace_id, id from saved_view where workspace_id = ${workspaceId}
      and feed_hash is not null order by id for update)`)
}

const COLUMNS = sql`
  select v.workspace_id as "workspaceId", v.id, v.name, v.description, v.filter, v.version,
    v.feed_version as "feedVersion", v.feed_hash as "feedHash", v.created_at as "createdAt", v.updated_at as "updatedAt"
  from saved_view v`
