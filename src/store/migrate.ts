import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Driver, Kysely, Migrator, PostgresDialect, type PostgresDialectConfig, PostgresDriver, sql } from 'kysely'
import pg from 'pg'
import { clientOf, Servers } from './servers.ts'

export const OLDEST_SERVER = 15

/** The message is for the operator. */
export class UnusableDatabase extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnusableDatabase'
  }
}

/** The sources ship with the compiled service. */
const FOLDER = fileURLToPath(new URL('../../src/store/migrations/', import.meta.url))

/** Returns the applied migrations. All run in one transaction; other processes wait and find nothing to do. */
export async function migrateDatabase(connection: string | pg.ClientConfig): Promise<string[]> {
  const servers = new Servers(connection)
  const pool = new pg.Pool({
    ...servers.current,
    Client: clientOf(servers) as unknown as new () => pg.ClientBase,
    max: 2,
    connectionTimeoutMillis: 10_000,
  })
  // A connection that is cut while idle or closing would end the process if nobody listened.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await servers.reach(async () => (await pool.connect()).release())
    await refuseOldServer(db)
    const migrations = await readMigrations()
    await refuseOtherBuild(db, Object.keys(migrations))
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const { error, results } = await migrator.migrateToLatest()
    if (error) throw error
    return (results ?? []).map((result) => result.migrationName)
  } finally {
    await db.destroy()
  }
}

/** In order. */
export async function knownMigrations(): Promise<string[]> {
  return Object.keys(await readMigrations())
}

/** Migrates up to a known migration, this one included, in the transaction that is open on `client`. */
export async function migrateWithin(client: pg.Client, through: string): Promise<void> {
  const pool = { connect: async () => ({ query: client.query.bind(client), release: () => undefined }) }
  const db = new Kysely<unknown>({ dialect: new InnerDialect({ pool: pool as unknown as pg.Pool }) })
  await refuseOldServer(db)
  const migrations = await readMigrations()
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(through)
  if (error) throw error
}

class InnerDialect extends PostgresDialect {
  private readonly inner: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.inner = config
  }

  override createDriver(): Driver {
    return new InnerDriver(this.inner)
  }
}

/** The transaction around is somebody else's. */
class InnerDriver extends PostgresDriver {
  override async beginTransaction(): Promise<void> {}
  override async commitTransaction(): Promise<void> {}
  override async rollbackTransaction(): Promise<void> {}
}

async function refuseOldServer(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
  const major = Math.floor(Number(rows[0]?.version ?? 0) / 10_000)
  if (major < OLDEST_SERVER)
    throw new UnusableDatabase(`the database is PostgreSQL ${major}; Earshot needs ${OLDEST_SERVER} or newer`)
}

async function refuseOtherBuild(db: Kysely<unknown>, known: readonly string[]): Promise<void> {
  const { rows: found } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(db)
  if (!found[0]!.there) return
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name <> all(${known}::text[]) order by name limit 1`.execute(db)
  const [unknown] = rows
  if (unknown === undefined) return
  throw new UnusableDatabase(
    unknown.name > known.toSorted().at(-1)!
      ? `the database has the migration ${unknown.name} of a newer Earshot; start that version, or a newer one`
      : `the database was made by another build of Earshot, with the migration ${unknown.name}; ` +
          'give this one a database of its own',
  )
}

async function readMigrations() {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  const texts = await Promise.all(names.map((name) => readFile(`${FOLDER}${name}`, 'utf8')))
  return Object.fromEntries(
    names.map((name, at) => [
      name.replace(/\.sql$/, ''),
      { up: async (db: Kysely<unknown>) => void (await sql.raw(texts[at]!).execute(db)) },
    ]),
  )
}
