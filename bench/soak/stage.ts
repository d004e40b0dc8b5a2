import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../../src/kernel/log.ts'
import { type Database, openDatabase, sql } from '../../src/store/database.ts'
import { migrateDatabase } from '../../src/store/migrate.ts'
import { servicesOn } from '../../test/stand-ins/seeded.ts'
import { type Child, startChild } from './child.ts'
import { Closers } from './closers.ts'
import { DatabasePair } from './database-pair.ts'
import { DatabaseServer, postmasterFileIn } from './database-server.ts'
import type { FeedQuestions } from './feed.ts'
import type { Plan } from './plan.ts'
import type { ReceiverQuestions } from './receivers.ts'
import { type Seeded, seedWorld } from './seed.ts'
import type { ServiceProcess } from './service-process.ts'
import { environmentOf, ServiceProcesses, type WantedProcesses } from './service-processes.ts'
import { startWarden, type Warden } from './start-warden.ts'

export interface StageOptions extends WantedProcesses {
  plan: Plan
  /** After this time everything is ended by force, the harness included. */
  limitMs: number
  /** Into which live sources are divided; 1 if absent. */
  partitions?: number
  /** Further settings of the database server. */
  databaseSettings?: Readonly<Record<string, string>>
  /** With a synchronous standby, which also answers reads; false if absent. */
  hasStandby?: boolean
}

export async function setStage(options: StageOptions): Promise<Stage> {
  const warden = startWarden()
  const folder = mkdtempSync(join(tmpdir(), 'earshot-soak-'))
  warden.tell({ kind: 'folder', path: folder, postmaster: postmasterFileIn(folder) })
  warden.tell({ kind: 'limit', ms: options.limitMs, harness: process.pid })
  const closers = new Closers()
  closers.add(warden.close)
  closers.add(async () => rmSync(folder, { recursive: true, force: true }))
  try {
    return await furnish(options, folder, warden, closers)
  } catch (error) {
    await closers.close()
    throw error
  }
}

/** Brings everything up in its order. */
async function furnish(options: StageOptions, folder: string, warden: Warden, closers: Closers): Promise<Stage> {
  const { plan, processes: wanted, databaseSettings = {}, partitions = 1, hasStandby = false } = options
  const database = hasStandby ? await DatabasePair.start(warden) : await DatabaseServer.start(folder, databaseSettings)
  closers.add(() => database.stop())
  const address = database.address
  await migrateDatabase(address)
  const db = openDatabase({ connection: address, poolSize: 4, log: silentLog })
  closers.add(() => db.close())

  const receiptsPath = join(folder, 'receipts')
  const feed = await startChild<FeedQuestions>('feed.ts')
  closers.add(() => feed.close())
  const receivers = await startChild<ReceiverQuestions>('receivers.ts')
  closers.add(() => receivers.close())
  const [{ url: feedUrl }, { url: hooksUrl }] = await Promise.all([
    feed.ask('open', { plan: plan.options }),
    receivers.ask('open', { path: receiptsPath }),
  ])

  const seeded = await seed(db, plan, hooksUrl)
  await receivers.ask('secrets', seeded.secrets)
  // What the server would do by itself within a minute of a real installation's life.
  await db.query(sql`analyze`)

  const environment = {
    ...environmentOf({ folder, address, feedUrl }),
    DATABASE_READ_URL: database instanceof DatabasePair ? database.readAddress : '',
    STORE_PARTITIONS: String(partitions),
  }
  const services = await ServiceProcesses.prepare(options, () => environment, warden)
  closers.add(() => services.endAll())
  // The first start may have to build, which the others would all wait for.
  for (const name of wanted.keys()) await services.start(name)
  return new Stage({ folder, db, feed, receivers, receiptsPath, seeded, services, database, closers })
}

export async function seed(db: Database, plan: Plan, hooksUrl: string): Promise<Seeded> {
  const services = servicesOn(db)
  const seeded = await seedWorld(services, plan, (hook) => `${hooksUrl}/${hook}`)
  await services.close()
  return seeded
}

interface StageParts {
  folder: string
  db: Database
  feed: Child<FeedQuestions>
  receivers: Child<ReceiverQuestions>
  receiptsPath: string
  seeded: Seeded
  services: ServiceProcesses
  database: DatabaseServer | DatabasePair
  closers: Closers
}

/** Everything that a run needs, each in a process of its own: database, feed, receivers, and the service. */
export class Stage {
  readonly folder: string
  readonly db: Database
  readonly feed: Child<FeedQuestions>
  readonly receivers: Child<ReceiverQuestions>
  readonly receiptsPath: string
  readonly seeded: Seeded
  private readonly services: ServiceProcesses
  private readonly database: DatabaseServer | DatabasePair
  private readonly closers: Closers

  constructor({ folder, db, feed, receivers, receiptsPath, seeded, services, database, closers }: StageParts) {
    this.folder = folder
    this.db = db
    this.feed = feed
    this.receivers = receivers
    this.receiptsPath = receiptsPath
    this.seeded = seeded
    this.services = services
    this.database = database
    this.closers = closers
  }

  /** The processes of the service by name; one that is started again takes the place of the old one. */
  get processes(): ReadonlyMap<string, ServiceProcess> {
    return this.services.running
  }

  /** The number of the database server's process. */
  databasePid(): number {
    return this.database.pid
  }

  /** Where the process of this name serves HTTP. */
  originOf(name: string): string {
    return this.services.originOf(name)
  }

  start(name: string): Promise<void> {
    return this.services.start(name)
  }

  /** Ends a process without warning. */
  kill(name: string): Promise<void> {
    return this.services.kill(name)
  }

  /** Ends the database in order and starts it again at the same address; of a pair, only the primary, for good. */
  async disturbDatabase(): Promise<void> {
    if (this.database instanceof DatabasePair) await this.database.failOver()
    else await this.database.restart()
  }

  /** Tells a process to finish what it has in hand and end; returns its last words. */
  end(name: string): Promise<string> {
    return this.services.end(name)
  }

  close(): Promise<void> {
    return this.closers.close()
  }
}
