import type { AuthMethod, Client } from '../../domain/oauth/client.ts'
import type { ClientKeys } from '../../domain/oauth/client-keys.ts'
import { type Reader, sql } from '../../store/database.ts'

export interface KnownClient extends Client {
  /** SHA-256; null without a secret. */
  secretHash: Buffer | null
  /** Expiry of the cached document; null for a registered client. */
  freshUntil: Date | null
  /** Whether a grant exists or existed recently. */
  hasGrants: boolean
}

/** RFC 6749, appendix A.1: printable ASCII. PostgreSQL rejects some other characters. */
const ID = /^[\x20-\x7e]+$/

/** The registered client, or its cached document. */
export async function findClient(db: Reader, id: string): Promise<KnownClient | null> {
  if (!ID.test(id)) return null
  const [row] = await db.query<ClientRow>(
    sql`
      select name, redirect_uris, home_url, auth_method, keys, secret_hash, fresh_until,
             exists (select from oauth_grant g where g.client_id = c.id) as has_grants
        from oauth_client c where id = ${id}`,
  )
  if (row === undefined) return null
  const { name, redirect_uris: redirectUris, home_url: homeUrl, auth_method: authMethod, keys } = row
  return {
    id,
    name,
    redirectUris,
    homeUrl,
    authMethod,
    keys,
    secretHash: row.secret_hash,
    freshUntil: row.fresh_until,
    hasGrants: row.has_grants,
  }
}

interface ClientRow {
  name: string
  redirect_uris: string[]
  home_url: string | null
  auth_method: AuthMethod
  keys: ClientKeys | null
  secret_hash: Buffer | null
  fresh_until: Date | null
  has_grants: boolean
}
