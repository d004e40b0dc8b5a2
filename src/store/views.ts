import type { MentionFilter } from '../domain/filter/fields.ts'
import type { Uuid } from '../kernel/ids.ts'
import { type Reader, type Statement, sql, type Transaction } from './database.ts'

/** A saved view as it is stored. */
export interface StoredView {
  workspaceId: Uuid
  id: Uuid
  name: string
  description: string
  filter: MentionFilter
  version: number
  /** The secret in the address of its feed. */
  feedToken: string
  createdAt: Date
  updatedAt: Date
}

/** The views of the workspace that fit, oldest first. */
export async function readViews(reader: Reader, workspaceId: Uuid, condition: Statement<unknown> = sql`true`): Promise<StoredView[]> {
  return reader.query<StoredView>(sql`${COLUMNS} where v.workspace_id = ${workspaceId} and ${condition} order by v.id`)
}

/** One view of whatever workspace: for addresses that are their own credential. */
export async function readViewOfAnybody(reader: Reader, id: Uuid): Promise<StoredView | null> {
  const [view] = await reader.query<StoredView>(sql`${COLUMNS} where v.id = ${id}`)
  return view ?? null
}

/** One view, locked until the transaction ends; null when the workspace has none of this id. */
export async function lockView(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<StoredView | null> {
  const [view] = await tx.query<StoredView>(sql`${COLUMNS} where v.workspace_id = ${workspaceId} and v.id = ${id} for update`)
  return view ?? null
}

/** Violates the unique index `saved_view_name` when the name is taken. */
export async function insertView(tx: Transaction, view: StoredView, nameFolded: string): Promise<void> {
  await tx.query(sql`
    insert into saved_view (workspace_id, id, name, name_folded, description, filter, version, feed_token, created_at, updated_at)
    values (${view.workspaceId}, ${view.id}, ${view.name}, ${nameFolded}, ${view.description}, ${JSON.stringify(view.filter)}::jsonb, ${view.version}, ${view.feedToken},
      ${view.createdAt}, ${view.updatedAt})`)
}

/** Stores everything of a view that can change. Violates the unique index `saved_view_name` when the name is taken. */
export async function updateView(tx: Transaction, view: StoredView, nameFolded: string): Promise<void> {
  await tx.query(sql`
    update saved_view set name = ${view.name}, name_folded = ${nameFolded}, description = ${view.description}, filter = ${JSON.stringify(view.filter)}::jsonb,
      version = ${view.version}, feed_token = ${view.feedToken}, updated_at = ${view.updatedAt}
    where workspace_id = ${view.workspaceId} and id = ${view.id}`)
}

/** False when the workspace has none of this id. */
export async function deleteView(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<boolean> {
  return (await tx.query(sql`delete from saved_view where workspace_id = ${workspaceId} and id = ${id} returning id`)).length > 0
}

const COLUMNS = sql`
  select v.workspace_id as "workspaceId", v.id, v.name, v.description, v.filter, v.version, v.feed_token as "feedToken", v.created_at as "createdAt", v.updated_at as "updatedAt"
  from saved_view v`
