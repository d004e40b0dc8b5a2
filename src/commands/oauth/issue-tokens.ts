import { ACCESS_TOKEN_MS, REFRESH_TOKEN_MS } from '../../domain/oauth/lifetimes.ts'
import type { Scope } from '../../domain/oauth/scope.ts'
import { plus } from '../../kernel/clock.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { sql, type Transaction } from '../../store/database.ts'
import type { HeldGrant } from './held-grant.ts'

export interface IssuedTokens {
  accessToken: string
  refreshToken: string
  scope: Scope
}

/** With the hash of the refresh token it replaces; null for the first pair. */
export interface NextPair {
  access: Scope
  refresh: Scope
  replaces: Buffer | null
}

/** The refresh token keeps its scope when the access token gets less (RFC 6749, section 6). */
export async function issueTokens(
  tx: Transaction,
  { workspaceId, id }: HeldGrant,
  pair: NextPair,
  at: Date,
): Promise<IssuedTokens> {
  const [access, refresh] = [newSecret('eat'), newSecret('ert')]
  await tx.query(sql`
    insert into oauth_token (hash, kind, workspace_id, grant_id, scope, replaces, created_at, expires_at)
    values (${access.hash}, 'access', ${workspaceId}, ${id}, ${pair.access}, null, ${at}, ${plus(at, ACCESS_TOKEN_MS)}),
           (${refresh.hash}, 'refresh', ${workspaceId}, ${id}, ${pair.refresh}, ${pair.replaces}, ${at},
             ${plus(at, REFRESH_TOKEN_MS)})`)
  return { accessToken: access.text, refreshToken: refresh.text, scope: pair.access }
}
