import { createHash } from 'node:crypto'
import type { Uuid } from '../kernel/ids.ts'
import type { Reader } from '../store/database.ts'

/** An API key as a request is judged by it. */
export interface Credential {
  id: Uuid
  workspaceId: Uuid
  workspaceName: string
  scope: 'read' | 'write'
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
}

/** `ref_` and 32 random bytes in base64url. */
const KEY = /^ref_[A-Za-z0-9_-]{43}$/

/** What is stored of a key: its SHA-256. Null when the text cannot be a key, so that no statement is spent on it. */
export function hashOfKey(key: string): Buffer | null {
  return KEY.test(key) ? createHash('sha256').update(key).digest() : null
}

/** Finds the key with this hash, whatever its state, so that a revocation counts from the next request on. */
export async function findCredential(db: Reader, hash: Buffer): Promise<Credential | null> {
  const rows = await db.run<Credential>(
    'find_credential',
    `select k.id, k.workspace_id as "workspaceId", w.name as "workspaceName", k.scope,
            k.last_used_at as "lastUsedAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt"
       from api_key k join workspace w on w.id = k.workspace_id
      where k.hash = $1`,
    [hash],
  )
  return rows[0] ?? null
}
