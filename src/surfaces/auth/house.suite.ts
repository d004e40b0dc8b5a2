import { Writable } from 'node:stream'
import { type Browser, createBrowser } from '../../../test/browser.ts'
import { createWorld, type World } from '../../../test/world.ts'
import { insertAccount } from '../../commands/accounts/insert-account.ts'
import { sendMails } from '../../commands/mail/send-all.suite.ts'
import { addMember } from '../../commands/members/join-workspace.ts'
import { createWorkspace } from '../../commands/workspaces/create-workspace.ts'
import type { Services } from '../../commands/writing.ts'
import { linkOf } from '../../domain/member/invitation.ts'
import type { Role } from '../../domain/member/member.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { createLog, silentLog } from '../../kernel/log.ts'
import type { Mail, MailTransport } from '../../kernel/mail.ts'
import { hashPassword } from '../../kernel/passwords.ts'
import { sql } from '../../store/database.ts'
import { createRestServer } from '../rest/server.ts'
import type { SignInProvider } from './providers/provider.ts'

export const PASSWORD = 'a walrus by the window'

/** An installation with pages. Browsers have different addresses by default. */
export interface House {
  world: World
  services: Services
  origin: string
  logged: Record<string, unknown>[]
  browser(options?: { from?: string; session?: string }): Browser
  /** A browser on the installation's machine, without a proxy. */
  browserAtHome(): Browser
  /** Signed in with the default password. */
  signedIn(email: string): Promise<Browser>
  /** A confirmed address, with the default password by default. */
  account(email: string, more?: { name?: string; password?: null }): Promise<Uuid>
  workspace(name: string): Promise<Uuid>
  join(userId: Uuid, workspaceId: Uuid, role?: Role): Promise<void>
  invite(workspaceId: Uuid, email: string, invitedBy?: Uuid | null): Promise<string>
  /** Sends queued mails first. The newest is last. */
  mails(to: string): Promise<Mail[]>
  linkTo(to: string): Promise<string>
  close(): Promise<void>
}

export interface HouseOptions {
  mail?: boolean
  signUp?: Services['signUp']
  publicUrl?: string
  host?: string
  providers?: readonly SignInProvider[]
}

export async function createHouse({
  mail = false,
  signUp = 'invited',
  publicUrl,
  host = '127.0.0.1',
  providers = [],
}: HouseOptions = {}): Promise<House> {
  const sent: Mail[] = []
  const transport: MailTransport = {
    async send(item) {
      sent.push(item)
      return { outcome: 'sent' }
    },
    close: async () => undefined,
  }
  const world = await createWorld({ signUp, ...(mail ? { mail: transport } : {}) })
  const services: Services = { ...world.services, ...(publicUrl === undefined ? {} : { publicUrl }) }
  const logged: Record<string, unknown>[] = []
  const lines = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n'))
        if (line !== '') logged.push(JSON.parse(line) as Record<string, unknown>)
      done()
    },
  })
  const server = createRestServer({
    services,
    log: createLog('debug', lines),
    misfit: 'throw',
    providers,
    trustedProxies: ['127.0.0.1'],
  })
  const origin = (await server.listen({ host, port: 0 })).replace('0.0.0.0', '127.0.0.1')
  const { db, clock } = services
  let callers = 0

  const browser: House['browser'] = (options = {}) => {
    callers += 1
    return createBrowser({ origin, services }, { from: `10.1.${callers >> 8}.${callers & 255}`, ...options })
  }
  const mails: House['mails'] = async (to) => {
    await sendMails({ ...services, log: silentLog })
    return sent.filter((mail) => mail.to === to)
  }
  return {
    world,
    services,
    origin,
    logged,
    browser,
    browserAtHome: () => createBrowser({ origin, services }),
    async signedIn(email) {
      const opened = browser()
      await opened.open('/sign-in')
      await opened.press('Sign in', { 'E-mail address': email, Password: PASSWORD })
      return opened
    },
    async account(email, { name = 'Ada', password } = {}) {
      const passwordHash = password === null ? null : await hashPassword(PASSWORD)
      const id = await db.transaction((tx) =>
        insertAccount(
          tx,
          { email, emailFolded: email.toLowerCase(), name, passwordHash, confirmed: true },
          clock.now(),
        ),
      )
      return id!
    },
    workspace: (name) => createWorkspace(services, name),
    join: (userId, workspaceId, role = 'member') =>
      db.transaction((tx) => addMember(tx, services, { workspaceId, role }, userId, clock.now())),
    async invite(workspaceId, email, invitedBy = null) {
      const [now, id] = [clock.now(), newUuid(clock.now())]
      await db.query(sql`
        insert into invitation (workspace_id, id, email, email_folded, role, invited_by, created_at, expires_at)
        values (${workspaceId}, ${id}, ${email}, ${email.toLowerCase()}, 'member', ${invitedBy}, ${now},
          ${plus(now, 2 * DAY_MS)})`)
      return new URL(linkOf(services, { workspaceId, id })).pathname
    },
    mails,
    async linkTo(to) {
      const newest = (await mails(to)).at(-1)
      const link = /https?:\/\/\S+/.exec(newest?.text ?? '')?.[0]
      if (link === undefined) throw new Error(`no link was mailed to ${to}`)
      return new URL(link).pathname
    },
    async close() {
      await server.close()
      await world.close()
    },
  }
}
