import { type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'
import { endGrants } from './end-grants.ts'
import { holdGrant } from './held-grant.ts'

/** Ends the whole grant of any of its tokens (RFC 7009). Unknown tokens count as revoked. */
export async function revokeToken(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  clientId: string,
  token: string,
): Promise<undefined | OAuthRefusal> {
  const secret = secretOf(token)
  if (secret?.kind !== 'eat' && secret?.kind !== 'ert') return undefined
  return db.transaction(async (tx) => {
    const grant = await holdGrant(tx, sql`select workspace_id, grant_id from oauth_token where hash = ${secret.hash}`)
    if (grant === null) return undefined
    if (grant.clientId !== clientId) return refuseOAuth('invalid_grant', 'The token was issued to another client.')
    await endGrants(tx, grant, 'app', clock.now())
    return undefined
  })
}
