import { CLIENT_UNUSED_MS, REPEAT_MS, USED_LIFETIME, USED_LIFETIME_MS } from '../../domain/oauth/lifetimes.ts'
import { type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import { type Scope, within } from '../../domain/oauth/scope.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { assertNotMoved } from '../../store/frozen/moved.ts'
import type { Services } from '../writing.ts'
import { endGrants } from './end-grants.ts'
import { type HeldGrant, holdGrant, isAlive } from './held-grant.ts'
import { type IssuedTokens, issueTokens } from './issue-tokens.ts'

export interface TokenRefresh {
  clientId: string
  refreshToken: string
  /** At most the scope of the refresh token. */
  scope: Scope
}

interface Token {
  scope: Scope
  expires_at: Date
  used_at: Date | null
  /** The replacing token is unused. */
  successor_waits: boolean
}

/**
 * A second use means theft, so the grant ends. Concurrent refreshes of one client are none: for a moment, while the new
 * pair is unused, a repetition is refused without ending the grant. It never gets tokens, since a thief could use that
 * time too.
 */
export async function refreshTokens(
  services: Pick<Services, 'db' | 'clock' | 'publicUrl'>,
  asked: TokenRefresh,
): Promise<IssuedTokens | OAuthRefusal> {
  const { db, clock, publicUrl } = services
  const secret = secretOf(asked.refreshToken)
  if (secret?.kind !== 'ert') return unknown()
  return db.transaction(async (tx) => {
    const now = clock.now()
    const grant = await holdGrant(
      tx,
      sql`select workspace_id, grant_id from oauth_token where hash = ${secret.hash} and kind = 'refresh'`,
    )
    if (grant === null) await assertNotMoved(tx, secret.hash)
    if (grant === null || grant.clientId !== asked.clientId) return unknown()
    const [token] = await tx.query<Token>(sql`
      select t.scope, t.expires_at, t.used_at, exists (
               select from oauth_token s
                where s.workspace_id = t.workspace_id and s.grant_id = t.grant_id and s.replaces = t.hash
                  and s.used_at is null) as successor_waits
        from oauth_token t where t.workspace_id = ${grant.workspaceId} and t.grant_id = ${grant.id}
          and t.hash = ${secret.hash}`)
    if (token === undefined) return unknown()
    if (token.used_at !== null) {
      if (token.successor_waits && now < plus(token.used_at, REPEAT_MS))
        return refuseOAuth('invalid_grant', 'The refresh token was exchanged a moment ago.')
      await endGrants(tx, grant, 'refresh_reuse', now)
      return refuseOAuth(
        'invalid_grant',
        'The refresh token was exchanged before. All tokens of its grant have been revoked.',
      )
    }
    if (!isAlive(grant, publicUrl) || token.expires_at <= now) return unknown()
    await tx.query(sql`
      update oauth_token set used_at = ${now} where workspace_id = ${grant.workspaceId} and grant_id = ${grant.id}
        and hash = ${secret.hash}`)
    await forgetOldest(tx, grant, now)
    const keptUntil = plus(now, CLIENT_UNUSED_MS)
    // Once a day, since all users of a client share its row.
    await tx.query(
      sql`update oauth_client set kept_until = ${keptUntil}
          where id = ${grant.clientId} and kept_until < ${plus(keptUntil, -DAY_MS)}`,
    )
    return issueTokens(
      tx,
      grant,
      { access: within(asked.scope, token.scope), refresh: token.scope, replaces: secret.hash },
      now,
    )
  })
}

/** Bounds the tokens of a grant. Reuse of a deleted token is refused but not noticed. */
async function forgetOldest(tx: Transaction, { workspaceId, id }: HeldGrant, now: Date): Promise<void> {
  await tx.query(sql`
    delete from oauth_token
     where workspace_id = ${workspaceId} and grant_id = ${id} and used_at < ${plus(now, -USED_LIFETIME_MS)}
       and hash not in (
         select hash from oauth_token where workspace_id = ${workspaceId} and grant_id = ${id} and used_at is not null
          order by used_at desc limit ${USED_LIFETIME})`)
}

function unknown(): OAuthRefusal {
  return refuseOAuth(
    'invalid_grant',
    'The refresh token is unknown, expired or revoked, or was issued to another client.',
  )
}
