import type { PeopleFilter } from '../../domain/person/person.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'

export interface StoredSegment {
  workspaceId: Uuid
  id: Uuid
  name: string
  description: string
  filter: PeopleFilter
  version: number
  createdAt: Date
  updatedAt: Date
}

export async function lockSegment(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<StoredSegment | null> {
  const [segment] = await tx.query<StoredSegment>(sql`
    select workspace_id as "workspaceId", id, name, description, filter, version, created_at as "createdAt",
      updated_at as "updatedAt"
    from segment where workspace_id = ${workspaceId} and id = ${id} for update`)
  return segment ?? null
}

/** Violates the unique index `segment_name` when the name is taken. */
export async function insertSegment(tx: Transaction, segment: StoredSegment, nameFolded: string): Promise<void> {
  await tx.query(sql`
    insert into segment (workspace_id, id, name, name_folded, description, filter, version, created_at, updated_at)
    values (${segment.workspaceId}, ${segment.id}, ${segment.name}, ${nameFolded}, ${segment.description},
      ${JSON.stringify(segment.filter)}::jsonb, ${segment.version},
      ${segment.createdAt}, ${segment.updatedAt})`)
}

/** Violates the unique index `segment_name` when the name is taken. */
export async function updateSegment(tx: Transaction, segment: StoredSegment, nameFolded: string): Promise<void> {
  await tx.query(sql`
    update segment set name = ${segment.name}, name_folded = ${nameFolded}, description = ${segment.description},
      filter = ${JSON.stringify(segment.filter)}::jsonb,
      version = ${segment.version}, updated_at = ${segment.updatedAt}
    where workspace_id = ${segment.workspaceId} and id = ${segment.id}`)
}

export async function deleteSegment(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<boolean> {
  return (
    (await tx.query(sql`delete from segment where workspace_id = ${workspaceId} and id = ${id} returning id`)).length >
    0
  )
}
