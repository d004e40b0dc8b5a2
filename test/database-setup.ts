import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { silentLog } from '../src/kernel/log.ts'
import { startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts'
import { isRunning } from '../src/store/embedded/processes.ts'
import { migrateDatabase } from '../src/store/migrate.ts'
import { serveOnDemand } from './on-demand.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the database server of this run. */
    databaseServer: string
  }
}

/** What a test needs to make a database of its own. */
export interface TestServer {
  /** Address of a database whose user may create others. */
  readonly admin: string
  /** Name of the database with the present schema that all others are copies of. */
  readonly template: string
}

/** Folders of servers for tests, followed by the number of the process that runs the tests. */
const OWN = 'earshot-tests-'

/** A file system in memory makes the five hundred files of a database ten times faster than a disk. */
const MEMORY = '/dev/shm'
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3

/**
 * Hundreds of databases are made in a run, and each would be written to the log of the server besides. A role without
 * the rights of the server may not end a worker of autovacuum, which would be in the way of removing a database. Whoever
 * removes one looks through all shared buffers.
 */
const SETTINGS = {
  shared_buffers: '256MB',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_init_zero: 'off',
  max_connections: '100',
}

interface Running extends TestServer {
  stop(): Promise<void>
}

/**
 * Runs before all tests. One PostgreSQL serves the whole run and comes up when the first test asks for it, so a run of
 * pure tests costs nothing: the built-in one in a temporary folder, or the server of TEST_DATABASE_URL.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await serveOnDemand(start)
  project.provide('databaseServer', server.address)
  return async () => {
    const running = await server.close()
    await running?.stop()
  }
}

async function start(): Promise<Running> {
  const external = process.env['TEST_DATABASE_URL']
  const server = external ? { admin: external, stop: async () => undefined } : await startOwn()
  const run = `earshot_${process.pid}_${Math.random().toString(36).slice(2, 8)}`
  try {
    await sql(server.admin, `create database ${run}`)
    await migrateDatabase(databaseOn(server.admin, run))
  } catch (error) {
    await server.stop()
    throw error
  }
  const stop = async () => {
    if (external) await dropAll(external, run)
    await server.stop()
  }
  return { admin: server.admin, template: run, stop }
}

async function startOwn(): Promise<{ admin: string; stop(): Promise<void> }> {
  await removeLeftovers()
  const dataDir = mkdtempSync(join(folderOfServers(), `${OWN}${process.pid}-`))
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  // A run that is ended by `timeout` or a closed terminal gets no time to say goodbye.
  const abandon = () => {
    process.kill(
      Number.parseInt(readFileSync(join(dataDir, 'database', 'cluster', 'postmaster.pid'), 'utf8'), 10),
      'SIGQUIT',
    )
    remove()
  }
  try {
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false, settings: SETTINGS })
    process.once('exit', abandon)
    process.once('SIGTERM', () => process.exit(143))
    const stop = async () => {
      process.off('exit', abandon)
      await server.stop()
      remove()
    }
    return { admin: server.connectionString, stop }
  } catch (error) {
    remove()
    throw error
  }
}

function folderOfServers(): string {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= MEMORY_NEEDED_BYTES ? MEMORY : tmpdir()
}

/** Ends and removes the servers of runs that were killed. */
async function removeLeftovers(): Promise<void> {
  const folder = folderOfServers()
  const names = readdirSync(folder).filter(
    (name) => name.startsWith(OWN) && !isRunning(Number(name.slice(OWN.length).split('-')[0])),
  )
  for (const dataDir of names.map((name) => join(folder, name))) {
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false }).catch(() => undefined)
    await server?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A server that outlives the run is left as it was found, also after tests that did not clean up. */
async function dropAll(admin: string, run: string): Promise<void> {
  const names = await sql<{ datname: string }>(
    admin,
    `select datname from pg_database where starts_with(datname, '${run}')`,
  )
  for (const { datname } of names) await sql(admin, `drop database if exists ${datname} with (force)`)
}

/** The address of another database on the same server. */
export function databaseOn(admin: string, name: string): string {
  const address = new URL(admin)
  address.pathname = `/${name}`
  return address.href
}

/** Runs one statement on a connection of its own. */
export async function sql<Row extends pg.QueryResultRow>(address: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
