import { randomUUID } from 'node:crypto'
import type { Services } from '../src/commands/writing.ts'
import { SESSION_MS } from '../src/domain/account/account.ts'
import type { Role } from '../src/domain/member/member.ts'
import { toolServerUrl } from '../src/domain/workspace/workspace.ts'
import { HOUR_MS, plus } from '../src/kernel/clock.ts'
import { newUuid, type Uuid } from '../src/kernel/ids.ts'
import { newSecret } from '../src/kernel/secrets.ts'
import type { Operation } from '../src/operations/definition.ts'
import { sql } from '../src/store/database.ts'
import { makeMembership } from './rows.ts'

export interface PersonOptions {
  /** What their token may do; write unless told otherwise. */
  scope?: 'read' | 'write'
  /** The audience of their token; the tool server of the installation unless told otherwise. */
  resource?: string
}

/** Somebody who belongs to a workspace, signed in there and with a client that acts for them. */
export interface Person {
  userId: Uuid
  email: string
  /** An access token, good for an hour. */
  token: string
  /** What the cookie of their session carries; the workspace is chosen in it. */
  sessionSecret: string
  /** The grant behind the token. */
  grantId: Uuid
}

/**
 * Makes a person with a confirmed address and no password, a membership, a session, and a client with a grant and a
 * token.
 */
export async function createPerson(
  services: Services,
  workspaceId: Uuid,
  role: Role,
  options: PersonOptions = {},
): Promise<Person> {
  const { db, clock } = services
  const at = clock.now()
  const userId = newUuid(at)
  const email = `person-${randomUUID()}@people.example`
  await db.query(sql`
    insert into user_account (id, email, email_folded, name, email_confirmed_at, created_at)
    values (${userId}, ${email}, ${email}, ${`Person who is ${role}`}, ${at}, ${at})`)
  await makeMembership({ db }, workspaceId, userId, { role, at })
  const grantId = await createGrant(services, workspaceId, userId, options)
  const token = await createToken(services, workspaceId, grantId, 'eat', options.scope)
  return { userId, email, token, grantId, sessionSecret: await createSession(services, workspaceId, userId) }
}

/**
 * A credential of a workspace that may do everything an operation is about: its write key, or an owner's token where
 * keys may not.
 */
export async function credentialFor(
  workspace: Services & { workspaceId: Uuid; writeKey: string },
  { peopleOnly }: Operation,
): Promise<string> {
  return peopleOnly ? (await createPerson(workspace, workspace.workspaceId, 'owner')).token : workspace.writeKey
}

/** Another token of a grant: eat for access, ert for refreshing, good for an hour. */
export async function createToken(
  { db, clock }: Services,
  workspaceId: Uuid,
  grantId: Uuid,
  kind: 'eat' | 'ert',
  scope: 'read' | 'write' = 'write',
): Promise<string> {
  const at = clock.now()
  const { text, hash } = newSecret(kind)
  await db.query(sql`
    insert into oauth_token (hash, kind, workspace_id, grant_id, scope, created_at, expires_at)
    values (${hash}, ${kind === 'eat' ? 'access' : 'refresh'}, ${workspaceId}, ${grantId}, ${scope}, ${at},
      ${plus(at, HOUR_MS)})`)
  return text
}

async function createGrant(
  { db, clock, publicUrl }: Services,
  workspaceId: Uuid,
  userId: Uuid,
  { scope = 'write', resource }: PersonOptions,
): Promise<Uuid> {
  const at = clock.now()
  const clientId = `client-${randomUUID()}`
  await db.query(sql`
    insert into oauth_client (id, name, redirect_uris, auth_method, created_at, kept_until)
    values (${clientId}, 'A client', ${['https://client.example/callback']}, 'none', ${at}, ${at})`)
  const grantId = newUuid(at)
  await db.query(sql`
    insert into oauth_grant (workspace_id, id, user_id, client_id, scope, resource, created_at)
    values (${workspaceId}, ${grantId}, ${userId}, ${clientId}, ${scope}, ${resource ?? toolServerUrl(publicUrl)},
      ${at})`)
  return grantId
}

export async function createSession({ db, clock }: Services, workspaceId: Uuid, userId: Uuid): Promise<string> {
  const at = clock.now()
  const { text, hash } = newSecret('ses')
  await db.query(sql`
    insert into user_session (hash, user_id, workspace_id, created_at, last_seen_at, expires_at)
    values (${hash}, ${userId}, ${workspaceId}, ${at}, ${at}, ${plus(at, SESSION_MS)})`)
  return text
}
