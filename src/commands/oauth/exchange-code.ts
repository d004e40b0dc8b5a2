import { createHash } from 'node:crypto'
import { type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'
import { assertNotMoved } from '../../store/frozen/moved.ts'
import type { Services } from '../writing.ts'
import { endGrants } from './end-grants.ts'
import { holdGrant, isAlive } from './held-grant.ts'
import { type IssuedTokens, issueTokens } from './issue-tokens.ts'

export interface CodeExchange {
  clientId: string
  code: string
  /** OAuth 2.1 omits it, since the verifier proves more. */
  redirectUri: string | null
  /** Its SHA-256 is the challenge of the request. */
  verifier: string
}

interface Code {
  redirect_uri: string
  challenge: string
  expires_at: Date
  used_at: Date | null
}

/**
 * A repeated code with its verifier was stolen, so the grant ends (RFC 6749, section 4.1.2). A wrong client or verifier
 * changes nothing: a code found in a browser history must not end the grant.
 */
export async function exchangeCode(
  services: Pick<Services, 'db' | 'clock' | 'publicUrl'>,
  asked: CodeExchange,
): Promise<IssuedTokens | OAuthRefusal> {
  const { db, clock, publicUrl } = services
  const secret = secretOf(asked.code)
  if (secret?.kind !== 'eac') return unknown()
  return db.transaction(async (tx) => {
    const now = clock.now()
    const grant = await holdGrant(tx, sql`select workspace_id, grant_id from oauth_code where hash = ${secret.hash}`)
    if (grant === null) await assertNotMoved(tx, secret.hash)
    if (grant === null || grant.clientId !== asked.clientId) return unknown()
    const [code] = await tx.query<Code>(sql`
      select redirect_uri, challenge, expires_at, used_at from oauth_code
       where workspace_id = ${grant.workspaceId} and grant_id = ${grant.id} and hash = ${secret.hash}`)
    if (asked.redirectUri !== null && code!.redirect_uri !== asked.redirectUri)
      return refuseOAuth('invalid_grant', 'redirect_uri is not the one of the authorization request.')
    if (code!.challenge !== challengeOf(asked.verifier))
      return refuseOAuth('invalid_grant', 'code_verifier does not fit the code_challenge.')
    if (code!.used_at !== null) {
      await endGrants(tx, grant, 'code_reuse', now)
      return refuseOAuth('invalid_grant', 'The code was used before. What it gave has been revoked.')
    }
    if (!isAlive(grant, publicUrl) || code!.expires_at <= now) return unknown()
    await tx.query(sql`
      update oauth_code set used_at = ${now} where workspace_id = ${grant.workspaceId} and grant_id = ${grant.id}
        and hash = ${secret.hash}`)
    return issueTokens(tx, grant, { access: grant.scope, refresh: grant.scope, replaces: null }, now)
  })
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url')
}

function unknown(): OAuthRefusal {
  return refuseOAuth('invalid_grant', 'The code is unknown, expired or revoked, or was issued to another client.')
}
