import type { Role } from '../domain/member/member.ts'
import type { Uuid } from '../kernel/ids.ts'
import type { Reader } from '../store/database.ts'

interface OfWorkspace {
  workspaceId: Uuid
  workspaceName: string
  /** The time of the workspace's scheduled deletion. */
  deletesAt: Date | null
}

/** The person of a credential, with their present role. */
interface OfPerson extends OfWorkspace {
  userId: Uuid
  email: string
  name: string
  role: Role
}

export interface KeyCredential extends OfWorkspace {
  id: Uuid
  scope: 'read' | 'write'
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
}

export interface TokenCredential extends OfPerson {
  scope: 'read' | 'write'
  grantId: Uuid
  /** The audience of the token. */
  resource: string
  expiresAt: Date
  revokedAt: Date | null
}

export interface SessionCredential extends OfPerson {
  lastSeenAt: Date
  expiresAt: Date
}

/** In any state, so that a revocation takes effect with the next request. */
export async function findKey(db: Reader, hash: Buffer): Promise<KeyCredential | null> {
  const rows = await db.run<KeyCredential>(
    'find_key',
    `select k.id, k.workspace_id as "workspaceId", w.name as "workspaceName", w.deletes_at as "deletesAt", k.scope,
            k.last_used_at as "lastUsedAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt"
       from api_key k join workspace w on w.id = k.workspace_id
      where k.hash = $1 and not w.importing`,
    [hash],
  )
  return rows[0] ?? null
}

/** Null also when the person has left the workspace. */
export async function findToken(db: Reader, hash: Buffer): Promise<TokenCredential | null> {
  const rows = await db.run<TokenCredential>(
    'find_token',
    `select t.workspace_id as "workspaceId", w.name as "workspaceName", w.deletes_at as "deletesAt", t.scope,
            t.expires_at as "expiresAt", g.id as "grantId", g.resource, g.revoked_at as "revokedAt",
            u.id as "userId", u.email, u.name, m.role
       from oauth_token t
       join oauth_grant g on g.workspace_id = t.workspace_id and g.id = t.grant_id
       join workspace w on w.id = t.workspace_id
       join user_account u on u.id = g.user_id
       join membership m on m.workspace_id = t.workspace_id and m.user_id = g.user_id
      where t.hash = $1 and t.kind = 'access' and not w.importing`,
    [hash],
  )
  return rows[0] ?? null
}

/** Null also without a chosen workspace, or when the person has left it. */
export async function findSession(db: Reader, hash: Buffer): Promise<SessionCredential | null> {
  const rows = await db.run<SessionCredential>(
    'find_session',
    `select s.workspace_id as "workspaceId", w.name as "workspaceName", w.deletes_at as "deletesAt",
        s.last_seen_at as "lastSeenAt",
        s.expires_at as "expiresAt",
            u.id as "userId", u.email, u.name, m.role
       from user_session s
       join workspace w on w.id = s.workspace_id
       join user_account u on u.id = s.user_id
       join membership m on m.workspace_id = s.workspace_id and m.user_id = s.user_id
      where s.hash = $1 and not w.importing`,
    [hash],
  )
  return rows[0] ?? null
}
