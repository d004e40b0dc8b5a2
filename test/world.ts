import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { createChannels } from '../src/channels/registry.ts'
import type { Slack } from '../src/channels/slack/slack.ts'
import type { Telegram } from '../src/channels/telegram/telegram.ts'
import { isSignedBy } from '../src/channels/webhook/signing.ts'
import { createApiKey } from '../src/commands/api-keys/create-api-key.ts'
import { createInspections } from '../src/commands/channels/inspections/take-inspected.ts'
import { createAroundSendings } from '../src/commands/channels/registry.ts'
import { createGroup } from '../src/commands/groups/create-group.ts'
import type { FetchDocument } from '../src/commands/oauth/know-client.ts'
import { createWorkspace } from '../src/commands/workspaces/create-workspace.ts'
import type { Services, WritingContext } from '../src/commands/writing.ts'
import type { Clock } from '../src/kernel/clock.ts'
import { createEgress } from '../src/kernel/egress.ts'
import { type IdPrefix, toId } from '../src/kernel/ids.ts'
import { createLog } from '../src/kernel/log.ts'
import type { MailTransport } from '../src/kernel/mail.ts'
import { createSealer } from '../src/kernel/sealing.ts'
import type { LanguageModel } from '../src/models/contract.ts'
import type { Payments } from '../src/payments/contract.ts'
import type { Sources } from '../src/sources/contract.ts'
import { type Database, openDatabase } from '../src/store/database.ts'
import { type MailReportSettings, NO_MAIL_REPORTS } from '../src/surfaces/inbound/settings.ts'
import { createRestServer, type RestOptions } from '../src/surfaces/rest/server.ts'
import type { WebBundle } from '../src/surfaces/web/bundle.ts'
import type { FetchPicture } from '../src/surfaces/web/pictures/fetch-picture.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createTestDatabase, type TestDatabase } from './database-server.ts'
import { sql } from './database-setup.ts'
import { accepted, makersFor } from './makers.ts'
import { scriptedSources } from './stand-ins/sources.ts'

export { accepted, stored } from './makers.ts'

/** An answer of the REST interface. `body` is null when there was none. */
export interface ApiAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers freely; their shape is what it checks
  body: any
}

export interface CallOptions {
  /** Null sends no credential at all. */
  key?: string | null
  headers?: Record<string, string>
}

/** One workspace of the cast, with everything a test needs to act in it. */
export interface TestWorkspace extends WritingContext {
  /** The id as callers see it. */
  orgId: string
  writeKey: string
  readKey: string
  /** Calls the interface with the write key, or another. A body is sent as JSON. */
  api(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiAnswer>
  /** Makes a group and answers its id as callers see it. */
  group(name: string): Promise<string>
  /**
   * Makes one thing of a kind and answers its id as callers see it; null when this world cannot make such things yet.
   */
  makeOne(prefix: IdPrefix): Promise<string | null>
}

/** A running service on a database of its own, with a clock that the test moves. */
export interface World {
  db: Database
  /** The address of the database. */
  connection: string
  clock: TestClock
  services: Services
  server: FastifyInstance
  /** Runs a statement on a connection of its own, beside the service's. */
  admin(statement: string): Promise<void>
  /** Where the service listens: http://127.0.0.1:port. */
  origin: string
  port: number
  /** Lines that the service logged, parsed. */
  logged: Record<string, unknown>[]
  workspace(name: string): Promise<TestWorkspace>
  /** Calls the interface without a workspace. */
  api(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiAnswer>
  close(): Promise<void>
}

/** The address under which the service believes to be reached; tests compare answers with it. */
export const PUBLIC_URL = 'https://earshot.test'

export interface WorldOptions {
  /** Of the present schema; an empty one of the server for tests unless told otherwise. */
  database?: TestDatabase
  /** Where mail goes; nowhere, as on an installation without a mail server, unless told otherwise. */
  mail?: MailTransport
  /** Who may make an account: the first person, and then who is invited, unless told otherwise. */
  signUp?: Services['signUp']
  /** The app at Slack, by the clock of the world; none unless told otherwise. */
  slack?: (clock: Clock) => Slack
  /**
   * Reaches Telegram, by the clock of the world; nobody, as on an installation without a bot, unless told otherwise.
   */
  telegram?: (clock: Clock) => Telegram
  /**
   * Takes payments, by the clock of the world; nobody, as on an installation without a payment provider, unless told
   * otherwise.
   */
  payments?: (clock: Clock) => Payments
  /** Answers in words; nobody, as on an installation without a language model, unless told otherwise. */
  languageModel?: LanguageModel
  /** The platforms that the service knows; none unless told otherwise. */
  sources?: Sources
  /** With what mail providers prove who they are when they tell of bounces; none unless told otherwise. */
  mailReports?: Partial<MailReportSettings>
  /** Gets documents of others; none unless told otherwise. */
  fetchDocument?: FetchDocument
  /** What seals secrets, of 64 hexadecimal digits; drawn for this world unless told otherwise. */
  secretKey?: string
  /** Counts what is served; nothing is counted unless told otherwise. */
  metrics?: RestOptions['metrics']
  /** The built dashboard; none unless told otherwise. */
  web?: WebBundle
  /** Gets pictures of posts; the dashboard shows none unless told otherwise. */
  fetchPicture?: FetchPicture
  /** Listens on this port and is known by that address, for browsers; a free port and PUBLIC_URL by default. */
  port?: number
}

export async function createWorld({
  database: given,
  mail,
  signUp = 'invited',
  slack: reachSlack,
  telegram: reachTelegram,
  payments,
  languageModel,
  sources = scriptedSources(),
  mailReports = {},
  fetchDocument,
  secretKey = randomBytes(32).toString('hex'),
  metrics,
  web,
  fetchPicture,
  port = 0,
}: WorldOptions = {}): Promise<World> {
  const database = given ?? (await createTestDatabase())
  const clock = createTestClock()
  const logged: Record<string, unknown>[] = []
  const log = createLog('debug', collecting(logged))
  const db = openDatabase({ connection: database.connection, poolSize: 4, log })
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const sealer = createSealer(secretKey)
  const slack = reachSlack?.(clock)
  const telegram = reachTelegram?.(clock)
  const publicUrl = port === 0 ? PUBLIC_URL : `http://127.0.0.1:${port}`
  const services: Services = {
    db,
    clock,
    publicUrl,
    billing: 'metered',
    retention: { mentionDays: null, deliveryDays: 30 },
    signUp,
    channels: createChannels({
      egress,
      inspections: createInspections({ db, clock, sealer, publicUrl, log, isSignedBy }),
      clock,
      userAgent: 'Earshot test',
      publicUrl: PUBLIC_URL,
      mail: mail ?? null,
      slack: slack?.channel ?? null,
      telegram: telegram?.channel ?? null,
    }),
    around: createAroundSendings({ db, clock, sealer, publicUrl, log }),
    sealer,
    mail: mail ?? null,
    slack: slack?.app ?? null,
    telegram: telegram?.bot ?? null,
    payments: payments?.(clock) ?? null,
    languageModel: languageModel ?? null,
    sources,
    log,
  }
  const server = createRestServer({
    services,
    log,
    misfit: 'throw',
    mailReports: { ...NO_MAIL_REPORTS, ...mailReports },
    fetchDocument: fetchDocument ?? null,
    ...(metrics === undefined ? {} : { metrics }),
    web: web ?? null,
    fetchPicture: fetchPicture ?? null,
  })
  const origin = await server.listen({ host: '127.0.0.1', port })

  const api = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    call(origin, method, path, body, options)
  return {
    db,
    connection: database.connection,
    clock,
    services,
    server,
    admin: async (statement) => void (await sql(database.connection, statement)),
    origin,
    port: Number(new URL(origin).port),
    logged,
    api,
    workspace: (name) => createTestWorkspace(services, name, api),
    async close() {
      await server.close()
      await egress.close()
      await slack?.app.close()
      await telegram?.bot.close()
      await db.close()
      await database.drop()
    },
  }
}

async function createTestWorkspace(services: Services, name: string, api: World['api']): Promise<TestWorkspace> {
  const workspaceId = await createWorkspace(services, name)
  const writing: WritingContext = { ...services, workspaceId }
  const { key: writeKey } = accepted(await createApiKey(writing, { name: 'write', scope: 'write', expiresAt: null }))
  const { key: readKey } = accepted(await createApiKey(writing, { name: 'read', scope: 'read', expiresAt: null }))
  const makers = makersFor(writing)
  return {
    ...writing,
    orgId: toId('org', workspaceId),
    writeKey,
    readKey,
    api: (method, path, body, options) => api(method, path, body, { key: writeKey, ...options }),
    group: async (groupName) => accepted(await createGroup(writing, { name: groupName })).id,
    makeOne: async (prefix) => (await makers.get(prefix)?.()) ?? null,
  }
}

async function call(
  origin: string,
  method: string,
  path: string,
  body: unknown,
  { key = null, headers = {} }: CallOptions,
): Promise<ApiAnswer> {
  const reply = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
  const isEndless = reply.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (isEndless) await reply.body?.cancel()
  const text = isEndless ? '' : await reply.text()
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: reply.status, headers: reply.headers, body: text === '' ? null : isJson ? JSON.parse(text) : text }
}

function collecting(lines: Record<string, unknown>[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n'))
        if (line !== '') lines.push(JSON.parse(line) as Record<string, unknown>)
      done()
    },
  })
}
