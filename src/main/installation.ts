import { homedir } from 'node:os'
import { createChannels } from '../channels/registry.ts'
import { isSignedBy } from '../channels/webhook/signing.ts'
import { createInspections } from '../commands/channels/inspections/take-inspected.ts'
import { createAroundSendings } from '../commands/channels/registry.ts'
import type { Services } from '../commands/writing.ts'
import { IS_CHECKOUT, PROJECT_DIR } from '../kernel/checkout.ts'
import { systemClock } from '../kernel/clock.ts'
import { createEgress, type Egress } from '../kernel/egress.ts'
import { createLog, type Log } from '../kernel/log.ts'
import { createSealer } from '../kernel/sealing.ts'
import { StartError } from '../kernel/start-error.ts'
import { VERSION } from '../kernel/version.ts'
import { type Database, DatabaseUnavailable, openDatabase, sql } from '../store/database.ts'
import { borrowEmbeddedPostgres, startEmbeddedPostgres } from '../store/embedded/embedded-postgres.ts'
import { migrateDatabase, UnusableDatabase } from '../store/migrate.ts'
import { dataFolderOf } from './data-folder.ts'
import { languageModelOf } from './language-model.ts'
import { mailTransportsOf } from './mail.ts'
import { paymentsOf } from './payments.ts'
import { sealingKey } from './sealing-key.ts'
import { readSettings, type Settings } from './settings.ts'
import { slackOf } from './slack.ts'
import { sourcesOf } from './sources.ts'
import { telegramOf } from './telegram.ts'

export interface Installation {
  settings: Settings
  log: Log
  services: Services & { db: Database }
  egress: Egress
  /** The address of the database for what needs a session of its own. */
  connection: string
  /** True if no other process can use the database. */
  alone: boolean
  close(): Promise<void>
}

/** Throws StartError with one line per problem. */
export function settingsOfProcess(): Settings {
  if (IS_CHECKOUT) return readSettings(process.env, { projectDir: PROJECT_DIR, version: VERSION })
  const dataDir = dataFolderOf({
    platform: process.platform,
    environment: process.env,
    home: homedir(),
    isRoot: process.getuid?.() === 0,
  })
  return readSettings(process.env, { projectDir: process.cwd(), dataDir, version: VERSION })
}

/** A command, or a service with its limits of connections. */
export type ProcessPurpose = { service: { work: number; callers: number } } | 'command'

const OF_COMMAND = { work: 4, callers: 0 }

/**
 * Opens and migrates the database. A service owns the embedded database and fails if another service does; a command
 * joins a running one or starts it for its duration.
 */
export async function openInstallation(purpose: ProcessPurpose, settings = settingsOfProcess()): Promise<Installation> {
  const log = purpose === 'command' ? logOfCommand(settings) : createLog(settings.logLevel)
  const key = sealingKey(settings.secretKey, settings.dataDir)
  const mails = mailTransportsOf(settings, systemClock)
  const mail = mails?.accounts ?? null
  const payments = await paymentsOf(settings, systemClock, log)
  const languageModel = await languageModelOf(settings, systemClock)
  const slack = await slackOf(settings, systemClock, log)
  const telegram = telegramOf(settings, systemClock)
  const server = await databaseServer(purpose, settings, log)
  const db = await openMigrated(purpose, server, settings, log)
  const egress = createEgress({ allow: settings.egressAllow })
  const sealer = createSealer(key)
  const { publicUrl } = settings
  const channels = createChannels({
    egress,
    inspections: createInspections({ db, clock: systemClock, sealer, publicUrl, log, isSignedBy }),
    ...{ clock: systemClock, userAgent: `earshot/${VERSION}`, publicUrl },
    mail: mails?.channels ?? null,
    slack: slack?.channel ?? null,
    telegram: telegram?.channel ?? null,
  })
  const around = createAroundSendings({ db, clock: systemClock, sealer, publicUrl, log })
  return {
    settings,
    log,
    egress,
    connection: server.connection,
    alone: server.alone && purpose !== 'command',
    services: {
      db,
      clock: systemClock,
      publicUrl,
      billing: settings.billing,
      signUp: settings.signUp,
      retention: settings.retention,
      channels,
      around,
      sealer,
      mail,
      slack: slack?.app ?? null,
      telegram: telegram?.bot ?? null,
      payments,
      languageModel,
      sources: sourcesOf(settings, egress, { db, clock: systemClock, log }),
      log,
    },
    async close() {
      await mails?.accounts.close()
      await mails?.channels.close()
      for (const item of Object.values(around)) await item.close?.()
      await payments?.close()
      await languageModel?.close()
      await slack?.app.close()
      await telegram?.bot.close()
      await egress.close()
      await db.close()
      await server.stop()
    },
  }
}

/** What a command says itself is enough. */
export function logOfCommand({ logLevel }: Settings): Log {
  return createLog(logLevel === 'info' ? 'warn' : logLevel)
}

/** Stops the server if migration fails. */
async function openMigrated(
  purpose: ProcessPurpose,
  server: DatabaseServer,
  settings: Settings,
  log: Log,
): Promise<Database> {
  const { work, callers } = purpose === 'command' ? OF_COMMAND : purpose.service
  const { connection, pooler } = server
  const db = openDatabase({
    ...{ connection, pooler, standby: settings.databaseReadUrl, prepares: settings.preparesStatements, log },
    ...{ poolSize: work, callerConnections: callers },
  })
  try {
    await refuseUnusable(db, settings.databaseUrl === null ? EMBEDDED : 'DATABASE_URL')
    if (pooler !== null) await refuseOtherDatabase(db, connection, log)
    await migrate(connection, nameOfServer(settings))
    return db
  } catch (error) {
    await db.close()
    await server.stop()
    throw error
  }
}

export interface DatabaseServer {
  connection: string
  /** What stands in front of it. */
  pooler: string | null
  alone: boolean
  stop(): Promise<void>
}

/** The database as it is, not migrated. A restore is refused beside a service. */
export async function databaseServer(
  purpose: ProcessPurpose | 'restore',
  settings: Settings,
  log: Log,
): Promise<DatabaseServer> {
  const { databaseUrl, databaseDirectUrl, dataDir } = settings
  if (databaseUrl)
    return {
      connection: databaseDirectUrl ?? databaseUrl,
      pooler: databaseDirectUrl === null ? null : databaseUrl,
      alone: false,
      stop: async () => undefined,
    }
  const server = await (purpose === 'command' ? borrowEmbeddedPostgres : startEmbeddedPostgres)({
    ...{ dataDir, log },
    purpose: purpose === 'restore' ? 'command' : 'service',
  })
  return { connection: server.connectionString, pooler: null, alone: true, stop: () => server.stop() }
}

const EMBEDDED = 'The embedded database'

/** The setting that leads to what needs a session of its own. */
export function nameOfServer({ databaseUrl, databaseDirectUrl }: Settings): string {
  if (databaseUrl === null) return EMBEDDED
  return databaseDirectUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
}

/** Missing rights are the operator's; other failures of a migration are defects. */
async function migrate(connection: string, name: string): Promise<void> {
  try {
    await migrateDatabase(connection)
  } catch (error) {
    if (error instanceof UnusableDatabase) throw new StartError(`${name}: ${error.message}.`)
    if (isMissingRight(error)) throw new StartError(`${name}: its user may not set the tables up: ${reasonOf(error)}.`)
    throw error
  }
}

/** A failed connection is the operator's. */
async function refuseUnusable(db: Database, name: string): Promise<void> {
  try {
    await db.query(sql`select 1`)
  } catch (error) {
    throw new StartError(`${name}: the database cannot be used: ${reasonOf(error)}.`)
  }
}

/** Notifications of another database would never be heard. */
async function refuseOtherDatabase(db: Database, connection: string, log: Log): Promise<void> {
  const direct = openDatabase({ connection, poolSize: 1, callerConnections: 0, log })
  try {
    await refuseUnusable(direct, 'DATABASE_DIRECT_URL')
    if ((await placeOf(db)) !== (await placeOf(direct)))
      throw new StartError('DATABASE_DIRECT_URL: leads to another database than DATABASE_URL.')
  } finally {
    await direct.close()
  }
}

async function placeOf(reader: Database): Promise<string> {
  const [row] = await reader.query<{ place: string }>(sql`
    select concat_ws('/', (select system_identifier from pg_control_system()), current_database()) as place`)
  return row!.place
}

function isMissingRight(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501'
}

/** The driver's innermost message. */
export function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable && error.cause) return reasonOf(error.cause)
  if (error instanceof AggregateError) return error.errors.map((error) => reasonOf(error)).join('; ')
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim()
}
