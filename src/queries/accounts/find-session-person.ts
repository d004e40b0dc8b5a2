import type { Language } from '../../domain/account/language.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

export interface SessionPerson {
  /** `language` is that of the dashboard; null follows the browser. */
  user: { id: Uuid; email: string; name: string; language: Language | null }
  /** Null until a workspace is chosen, and when the person is no longer its member. */
  workspaceId: Uuid | null
  /** False for a person who signs in by link or provider only. */
  hasPassword: boolean
  signedInAt: Date
  /** Last extension of the session by `touchSession`. */
  lastSeenAt: Date
}

/** The person of the session with this hash; null when it is unknown or expired. */
export async function findSessionPerson(db: Reader, hash: Buffer, now: Date): Promise<SessionPerson | null> {
  const [row] = await db.query<SessionRow>(sql`
    select u.id, u.email, u.name, u.language, m.workspace_id, u.password_hash is not null as has_password, s.created_at,
      s.last_seen_at
      from user_session s
      join user_account u on u.id = s.user_id
      left join membership m on m.workspace_id = s.workspace_id and m.user_id = s.user_id
     where s.hash = ${hash} and s.expires_at > ${now}`)
  if (row === undefined) return null
  const {
    id,
    email,
    name,
    language,
    workspace_id: workspaceId,
    has_password: hasPassword,
    created_at: signedInAt,
    last_seen_at: lastSeenAt,
  } = row
  return { user: { id, email, name, language }, workspaceId, hasPassword, signedInAt, lastSeenAt }
}

interface SessionRow {
  id: Uuid
  email: string
  name: string
  language: Language | null
  workspace_id: Uuid | null
  has_password: boolean
  created_at: Date
  last_seen_at: Date
}
