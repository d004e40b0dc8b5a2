import type { AuthorizationRequest } from '../../domain/oauth/authorization-request.ts'
import { CLIENT_UNUSED_MS, CODE_MS } from '../../domain/oauth/lifetimes.ts'
import type { Scope } from '../../domain/oauth/scope.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'
import { assertHere } from '../../store/frozen/moved.ts'
import { type AuditMailer, recordAndNotify } from '../audit/record-and-notify.ts'
import type { WritingContext } from '../writing.ts'

export interface Allowed {
  request: AuthorizationRequest
  userId: Uuid
  sessionHash: Buffer
  /** At most the requested scope. */
  scope: Scope
}

export async function allowClient(
  writing: Pick<WritingContext, 'db' | 'workspaceId'> & AuditMailer,
  { request, userId, sessionHash, scope }: Allowed,
): Promise<{ code: string } | Refusal<'not_found'>> {
  const { db, clock, workspaceId } = writing
  const now = clock.now()
  const grantId = newUuid(now)
  const { text: code, hash } = newSecret('eac')
  return db.transaction(async (tx) => {
    await assertHere(tx, workspaceId)
    // Ending all access locks the account, and so sees this grant or has ended the session.
    await tx.query(sql`select 1 from user_account where id = ${userId} for share`)
    const sessions = await tx.query(
      sql`select 1 from user_session where hash = ${sessionHash} and user_id = ${userId} and expires_at > ${now}`,
    )
    if (sessions.length === 0) return refuse('not_found', 'You are no longer signed in.')
    // Neither session nor membership can end and leave the grant behind.
    const members = await tx.query(
      sql`select 1 from membership where workspace_id = ${workspaceId} and user_id = ${userId} for share`,
    )
    if (members.length === 0) return refuse('not_found', 'You are not a member of this workspace.')
    const clients = await tx.query(
      sql`update oauth_client set kept_until = ${plus(now, CLIENT_UNUSED_MS)} where id = ${request.client.id}
          returning 1`,
    )
    if (clients.length === 0) return refuse('not_found', 'The app is no longer registered.')
    await tx.query(sql`
      insert into oauth_grant (workspace_id, id, user_id, client_id, scope, resource, created_at)
      values (${workspaceId}, ${grantId}, ${userId}, ${request.client.id}, ${scope}, ${request.resource}, ${now})`)
    await tx.query(sql`
      insert into oauth_code (hash, workspace_id, grant_id, redirect_uri, challenge, expires_at)
      values (${hash}, ${workspaceId}, ${grantId}, ${request.redirectUri}, ${request.challenge},
        ${plus(now, CODE_MS)})`)
    const target = { id: request.client.id, name: request.client.name }
    await recordAndNotify(tx, writing, { workspaceId, kind: 'app.connected', target, data: { scope } }, now)
    return { code }
  })
}
