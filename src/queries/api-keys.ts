import { type Id, toId, type Uuid } from '../kernel/ids.ts'
import { sql } from '../store/database.ts'
import type { QueryContext } from './reading.ts'

export interface ApiKey {
  id: Id<'key'>
  name: string
  /** The first characters, to recognise the key. */
  prefix: string
  scope: 'read' | 'write'
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

/** All unrevoked keys, including expired ones, oldest first. */
export async function listApiKeys({ db, workspaceId }: QueryContext): Promise<ApiKey[]> {
  const rows = await db.query<ApiKeyRow>(sql`
    select id, name, prefix, scope, created_at, last_used_at, expires_at
      from api_key where workspace_id = ${workspaceId} and revoked_at is null order by id`)
  return rows.map(apiKeyFromRow)
}

export interface ApiKeyRow {
  id: Uuid
  name: string
  prefix: string
  scope: 'read' | 'write'
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
}

export function apiKeyFromRow(row: ApiKeyRow): ApiKey {
  return {
    id: toId('key', row.id),
    name: row.name,
    prefix: row.prefix,
    scope: row.scope,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
  }
}
