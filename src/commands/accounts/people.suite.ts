import type { World } from '../../../test/world.ts'
import { linkOf } from '../../domain/member/invitation.ts'
import type { Role } from '../../domain/member/member.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import type { MailTransport } from '../../kernel/mail.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { findSessionPerson } from '../../queries/accounts/find-session-person.ts'
import { type Database, sql } from '../../store/database.ts'
import { boundTo } from '../mail/queue-mail.ts'
import type { Services, Visited } from '../writing.ts'

/** Enables mail; queued mail stays queued in a test. */
export const SOME_MAIL: MailTransport = {
  send: async () => ({ outcome: 'sent' }),
  close: async () => {},
}

export const PASSWORD = 'a horse and a staple'

/** An installation that only its own machine can reach, so the first visitor owns it. */
export function atHome(services: Services): Visited {
  return { ...services, publicUrl: 'http://localhost:4400', atHome: true }
}

export interface WaitingMail {
  to: string
  subject: string
  text: string
}

export async function waitingMails({ db, services }: World): Promise<WaitingMail[]> {
  const rows = await db.query<{ id: Uuid; sealed: string }>(sql`select id, sealed from account_mail order by id`)
  return rows.map(({ id, sealed }) => JSON.parse(services.sealer.open(sealed, boundTo(id))!) as WaitingMail)
}

export async function lastSecret(world: World): Promise<string> {
  const mail = (await waitingMails(world)).at(-1)!
  return /lnk_[A-Za-z0-9_-]{43}/.exec(mail.text)![0]
}

export function hashOf(secret: string): Buffer {
  return secretOf(secret)!.hash
}

export async function isOpen({ db, clock }: World, secret: string): Promise<boolean> {
  return (await findSessionPerson(db, hashOf(secret), clock.now())) !== null
}

export async function userIdOf({ db }: World, email: string): Promise<Uuid> {
  const [row] = await db.query<{ id: Uuid }>(
    sql`select id from user_account where email_folded = ${email.toLowerCase()}`,
  )
  return row!.id
}

/** Returns the token of the link. */
export async function invite(
  { db, clock, services }: World,
  workspaceId: Uuid,
  email: string,
  { role = 'member', mailed = false }: { role?: Role; mailed?: boolean } = {},
): Promise<string> {
  const now = clock.now()
  const id = newUuid(now)
  await db.query(sql`
    insert into invitation (workspace_id, id, email, email_folded, role, mailed, created_at, expires_at)
    values (${workspaceId}, ${id}, ${email}, ${email.toLowerCase()}, ${role}, ${mailed}, ${now},
      ${plus(now, 2 * DAY_MS)})`)
  return linkOf(services, { workspaceId, id }).split('/').at(-1)!
}

export async function forgetEverybody({ db }: World): Promise<void> {
  await db.query(sql`truncate user_account, email_link, account_mail, invitation, invitation_mail cascade`)
}

export function granted<Answer>(answer: Answer): Exclude<Answer, Refusal> {
  if (isRefusal(answer)) throw new Error(`refused with ${answer.code}: ${answer.message}`)
  return answer as Exclude<Answer, Refusal>
}

export function codeOf(answer: unknown): string {
  return isRefusal(answer) ? answer.code : 'granted'
}

/** Counts the statements inside transactions. */
export async function statementsOf(
  { db, services }: World,
  work: (services: Services) => Promise<unknown>,
): Promise<number> {
  let statements = 0
  const transaction: Database['transaction'] = (inside) =>
    db.transaction((tx) =>
      inside({
        ...tx,
        query(statement) {
          statements += 1
          return tx.query(statement)
        },
      }),
    )
  await work({ ...services, db: { ...db, transaction } })
  return statements
}

export async function waitingForLocks({ db }: World): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(
    sql`select count(*) as waiting from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database()`,
  )
  return row!.waiting
}
