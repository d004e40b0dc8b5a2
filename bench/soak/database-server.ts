import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { openDatabase, sql } from '../../src/store/database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts'
import { migrateDatabase } from '../../src/store/migrate.ts'

/** Where a server in this folder writes the number of its process. */
export function postmasterFileIn(folder: string): string {
  return join(folder, 'database', 'cluster', 'postmaster.pid')
}

/** The database server, which comes back at the same address. */
export class DatabaseServer {
  readonly address: string
  private readonly folder: string
  private readonly settings: Readonly<Record<string, string>>
  private postgres: EmbeddedPostgres

  private constructor(folder: string, settings: Readonly<Record<string, string>>, postgres: EmbeddedPostgres) {
    this.folder = folder
    this.settings = settings
    this.postgres = postgres
    this.address = postgres.connectionString
  }

  static async start(folder: string, settings: Readonly<Record<string, string>>): Promise<DatabaseServer> {
    return new DatabaseServer(folder, settings, await startDatabase(folder, settings))
  }

  stop(): Promise<void> {
    return this.postgres.stop()
  }

  /** The number of the server's process. */
  get pid(): number {
    return Number.parseInt(readFileSync(postmasterFileIn(this.folder), 'utf8'), 10)
  }

  /** Makes a database with the present schema and answers its address. */
  async create(name: string): Promise<string> {
    const db = openDatabase({ connection: this.address, poolSize: 1, log: silentLog })
    await db.query(sql`create database ${sql.ref(name)}`)
    await db.close()
    const address = new URL(this.address)
    address.pathname = `/${name}`
    await migrateDatabase(address.href)
    return address.href
  }

  /** Ends it in order and starts it again; returns how long it was away. */
  async restart(): Promise<number> {
    const beganMs = systemClock.monotonicMs()
    await this.postgres.stop()
    this.postgres = await startDatabase(this.folder, this.settings)
    if (this.postgres.connectionString !== this.address) throw new Error('the database came back at another address')
    return systemClock.monotonicMs() - beganMs
  }
}

function startDatabase(folder: string, settings: Readonly<Record<string, string>>): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir: folder,
    log: silentLog,
    administrator: true,
    settings: { track_commit_timestamp: 'on', max_connections: '150', ...settings },
  })
}
