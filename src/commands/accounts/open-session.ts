import { SESSION_MS } from '../../domain/account/account.ts'
import type { SignInMethod } from '../../domain/audit/kinds.ts'
import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { recordAudit } from '../../store/workspace/audit.ts'

export interface SignedIn {
  /** The content of the cookie, stored nowhere. */
  secret: string
  userId: Uuid
  expiresAt: Date
  /** The old password was removed because whoever set it had not proved to own the address. */
  lostPassword: boolean
}

/** The caller holds `lockAccount`. Selects the last workspace, else the only one, else none. */
export async function openSession(
  tx: Transaction,
  userId: Uuid,
  now: Date,
  { method, lostPassword = false }: SessionOpening,
): Promise<SignedIn> {
  const { text: secret, hash } = newSecret('ses')
  const expiresAt = plus(now, SESSION_MS)
  const workspaceId = (await lastWorkspace(tx, userId)) ?? (await onlyWorkspace(tx, userId))
  await tx.query(sql`
    insert into user_session (hash, user_id, workspace_id, created_at, last_seen_at, expires_at)
    values (${hash}, ${userId}, ${workspaceId}, ${now}, ${now}, ${expiresAt})`)
  const agent = { kind: 'person', id: userId, grantId: null } as const
  await recordAudit(tx, { ofPerson: userId, kind: 'sign_in.succeeded', target: { userId }, data: { method } }, now, {
    agent,
  })
  return { secret, userId, expiresAt, lostPassword }
}

export interface SessionOpening {
  method: SignInMethod
  lostPassword?: boolean
}

async function lastWorkspace(tx: Transaction, userId: Uuid): Promise<Uuid | null> {
  const [last] = await tx.query<{ id: Uuid }>(sql`
    select m.workspace_id as id from user_session s join membership m on m.workspace_id = s.workspace_id
      and m.user_id = s.user_id join workspace w on w.id = m.workspace_id and not w.importing
     where s.user_id = ${userId} order by s.last_seen_at desc limit 1`)
  return last?.id ?? null
}

async function onlyWorkspace(tx: Transaction, userId: Uuid): Promise<Uuid | null> {
  const [first, second] = await tx.query<{ id: Uuid }>(
    sql`select m.workspace_id as id from membership m join workspace w on w.id = m.workspace_id and not w.importing
        where m.user_id = ${userId} limit 2`,
  )
  return first !== undefined && second === undefined ? first.id : null
}
