import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PLATFORMS } from '../../src/domain/platform/platforms.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { type Database, openDatabase, sql } from '../../src/store/database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts'
import { migrateDatabase } from '../../src/store/migrate.ts'
import { freePort } from '../../test/stand-ins/free-port.ts'
import { SECRET_KEY, servicesOn } from '../../test/stand-ins/seeded.ts'
import { type Child, startChild } from './child.ts'
import type { FeedQuestions } from './feed.ts'
import type { Plan } from './plan.ts'
import type { ReceiverQuestions } from './receivers.ts'
import { type Seeded, seedWorld } from './seed.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import type { WardenMessage } from './warden.ts'

/** Everything that a run needs, each in a process of its own: database, feed, receivers, and the service. */
export interface Stage {
  readonly folder: string
  readonly db: Database
  readonly feed: Child<FeedQuestions>
  readonly receivers: Child<ReceiverQuestions>
  readonly receiptsPath: string
  readonly seeded: Seeded
  /** The processes of the service by name; one that is started again takes the place of the old one. */
  readonly processes: ReadonlyMap<string, ServiceProcess>
  /** The number of the database server's process. */
  databasePid(): number
  /** Where the process of this name serves HTTP. */
  originOf(name: string): string
  start(name: string): Promise<void>
  /** Ends a process without warning. */
  kill(name: string): Promise<void>
  /** Ends the database in order and starts it again at the same address; answers how long it was away. */
  restartDatabase(): Promise<number>
  /** Tells a process to finish what it has in hand and end; answers its last words. */
  end(name: string): Promise<string>
  close(): Promise<void>
}

export interface StageOptions {
  plan: Plan
  /** The processes of the service by name, with the arguments of each. */
  processes: ReadonlyMap<string, readonly string[]>
  /** After this time everything is ended by force, the harness included. */
  limitMs: number
  /** Options for Node in the processes of the service. */
  nodeOptions?: readonly string[]
  /** Further settings of the database server. */
  databaseSettings?: Readonly<Record<string, string>>
}

const END_WITHIN_MS = 30_000

export async function setStage(options: StageOptions): Promise<Stage> {
  const warden = startWarden()
  const folder = mkdtempSync(join(tmpdir(), 'earshot-soak-'))
  const postmaster = join(folder, 'database', 'cluster', 'postmaster.pid')
  warden.tell({ kind: 'folder', path: folder, postmaster })
  warden.tell({ kind: 'limit', ms: options.limitMs, harness: process.pid })
  const closers: (() => Promise<unknown>)[] = [
    warden.close,
    async () => rmSync(folder, { recursive: true, force: true }),
  ]
  const close = async () => {
    const failures: unknown[] = []
    for (const one of closers.splice(0).reverse()) await one().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  try {
    return await furnish(options, folder, warden, closers, close)
  } catch (error) {
    await close()
    throw error
  }
}

/** Brings everything up in its order; long because all of it stands in one list of what has to be closed. */
async function furnish(
  { plan, processes: wanted, nodeOptions = [], databaseSettings = {} }: StageOptions,
  folder: string,
  warden: Warden,
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<Stage> {
  const startDatabase = () =>
    startEmbeddedPostgres({
      dataDir: folder,
      log: silentLog,
      administrator: true,
      settings: { track_commit_timestamp: 'on', max_connections: '150', ...databaseSettings },
    })
  let postgres: EmbeddedPostgres = await startDatabase()
  closers.push(() => postgres.stop())
  const address = postgres.connectionString
  await migrateDatabase(address)
  const db = openDatabase({ connection: address, poolSize: 4, log: silentLog })
  closers.push(() => db.close())

  const receiptsPath = join(folder, 'receipts')
  const feed = await startChild<FeedQuestions>('feed.ts')
  closers.push(() => feed.close())
  const receivers = await startChild<ReceiverQuestions>('receivers.ts')
  closers.push(() => receivers.close())
  const [{ url: feedUrl }, { url: hooksUrl }] = await Promise.all([
    feed.ask('open', { plan: plan.options }),
    receivers.ask('open', { path: receiptsPath }),
  ])

  const services = servicesOn(db)
  const seeded = await seedWorld(services, plan, (hook) => `${hooksUrl}/${hook}`)
  await services.close()
  await receivers.ask('secrets', seeded.secrets)
  // What the server would do by itself within a minute of a real installation's life.
  await db.query(sql`analyze`)

  const processes = new Map<string, ServiceProcess>()
  const ports = new Map<string, number>()
  for (const name of wanted.keys()) ports.set(name, await freePort())
  closers.push(() => Promise.all([...processes.keys()].map(endProcess)))

  async function start(name: string): Promise<void> {
    const environment = {
      DATA_DIR: folder,
      DATABASE_URL: address,
      EARSHOT_SECRET_KEY: SECRET_KEY,
      PORT: String(ports.get(name)),
      EGRESS_ALLOW: '127.0.0.1',
      // All receivers are at one host.
      WEBHOOKS_PER_HOST_SECOND: '100000',
      SOURCE_BLUESKY_URL: feedUrl,
      // Nobody listens there: Hacker News takes no part.
      SOURCE_HACKERNEWS_URL: 'http://127.0.0.1:9',
      SOURCE_HACKERNEWS_POLL_SECONDS: '3600',
      SOURCES_OFF: PLATFORMS.filter((platform) => platform !== 'bluesky' && platform !== 'hackernews').join(','),
      EARSHOT_LOG_LEVEL: process.env['SOAK_LOG_LEVEL'] ?? 'error',
    }
    const started = startServiceProcess(['start', ...wanted.get(name)!], environment, nodeOptions)
    processes.set(name, started)
    warden.tell({ kind: 'process', pid: started.pid, running: true })
    void started.ended.then(() => warden.tell({ kind: 'process', pid: started.pid, running: false }))
    await started.runs()
  }

  async function endProcess(name: string): Promise<string> {
    const running = processes.get(name)!
    running.signal('SIGTERM')
    const giveUp = new AbortController()
    await Promise.race([
      running.ended,
      systemClock.wait(END_WITHIN_MS, giveUp.signal).then(() => running.signal('SIGKILL')),
    ])
    giveUp.abort()
    await running.ended
    return running.lastWords()
  }

  // The first start may have to build, which the others would all wait for.
  for (const name of wanted.keys()) await start(name)

  return {
    folder,
    db,
    feed,
    receivers,
    receiptsPath,
    seeded,
    processes,
    databasePid: () => databasePid(folder),
    originOf: (name) => `http://127.0.0.1:${ports.get(name)}`,
    start,
    async kill(name) {
      const running = processes.get(name)!
      running.signal('SIGKILL')
      await running.ended
    },
    async restartDatabase() {
      const beganMs = systemClock.monotonicMs()
      await postgres.stop()
      postgres = await startDatabase()
      if (postgres.connectionString !== address) throw new Error('the database came back at another address')
      return systemClock.monotonicMs() - beganMs
    },
    end: endProcess,
    close,
  }
}

function databasePid(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, 'database', 'cluster', 'postmaster.pid'), 'utf8'), 10)
}

interface Warden {
  tell(message: WardenMessage): void
  close(): Promise<void>
}

/** Detached, so that a signal to the whole group of the harness leaves the one that tidies up after it. */
function startWarden(): Warden {
  const path = fileURLToPath(new URL('warden.ts', import.meta.url))
  const child = fork(path, [], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  return {
    tell: (message) => void (child.connected && child.send(message)),
    async close() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
