import { createHash } from 'node:crypto'
import { type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'
import { endGrants } from './end-grants.ts'
import { holdGrant, isAlive } from './held-grant.ts'
import { type IssuedTokens, issueTokens } from './issue-tokens.ts'

/** What a client shows to get the tokens of a code. */
export interface CodeExchange {
  clientId: string
  code: string
  /**
   * Must be that of the request when it is given. OAuth 2.1 does without, because the verifier shows as much and more.
   */
  redirectUri: string | null
  /** The text whose SHA-256 is the challenge of the request. */
  verifier: string
}

interface Code {
  redirect_uri: string
  challenge: string
  expires_at: Date
  used_at: Date | null
}

/**
 * Turns a code into tokens, once. A code that comes a second time with all that belongs to it was stolen together with
 * its verifier, so that the grant and all that came of it ends (RFC 6749, section 4.1.2). One that is shown by the
 * wrong client or without its verifier changes nothing, used or not: who finds it in a history must not be able to take
 * it, or what it gave, from whom it is for.
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
