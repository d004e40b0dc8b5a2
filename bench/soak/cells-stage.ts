import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../../src/kernel/log.ts'
import { type Database, openDatabase, sql } from '../../src/store/database.ts'
import { type NatsServer, startNats } from '../../test/stand-ins/nats-server.ts'
import { type Child, startChild } from './child.ts'
import { Closers } from './closers.ts'
import { DatabaseServer, postmasterFileIn } from './database-server.ts'
import type { FeedQuestions } from './feed.ts'
import { partOf } from './part-of-plan.ts'
import type { Plan } from './plan.ts'
import type { ReceiverQuestions } from './receivers.ts'
import type { Seeded } from './seed.ts'
import { environmentOf, ServiceProcesses } from './service-processes.ts'
import { seed } from './stage.ts'
import { startWarden, type Warden } from './start-warden.ts'

export interface CellsStageOptions {
  plan: Plan
  cells: number
  gatherers: number
  /** After this time everything is ended by force, the harness included. */
  limitMs: number
}

/** An installation with a database of its own, which follows the post stream. One process does all of its work. */
export interface Cell {
  name: string
  plan: Plan
  db: Database
  seeded: Seeded
  receivers: Child<ReceiverQuestions>
  receiptsPath: string
}

/** Several cells behind one feed, one NATS server and some gatherers. */
export interface CellsStage {
  folder: string
  feed: Child<FeedQuestions>
  nats: NatsServer
  cells: readonly Cell[]
  /** The cells by their names, and `gatherer 1` and so on. */
  services: ServiceProcesses
  /** Ends the NATS server or a process of the service without warning, and starts it again. */
  kill(name: string): Promise<void>
  close(): Promise<void>
}

const CONNECTIONS = '250'

/** The name of the broker among what can be killed. */
export const NATS = 'nats'

export async function setCellsStage(options: CellsStageOptions): Promise<CellsStage> {
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
async function furnish(
  options: CellsStageOptions,
  folder: string,
  warden: Warden,
  closers: Closers,
): Promise<CellsStage> {
  const server = await DatabaseServer.start(folder, { max_connections: CONNECTIONS })
  closers.add(() => server.stop())
  const nats = await startNats()
  closers.add(() => nats.close())
  warden.tell({ kind: 'process', pid: nats.pid, running: true })
  const feed = await startChild<FeedQuestions>('feed.ts')
  closers.add(() => feed.close())
  const { url: feedUrl } = await feed.ask('open', { plan: options.plan.options })

  const addresses = new Map<string, string>()
  const cells: Cell[] = []
  for (let number = 0; number < options.cells; number += 1) {
    const name = `cell ${number + 1}`
    addresses.set(name, await server.create(`cell_${number + 1}`))
    const plan = partOf(options.plan, number, options.cells)
    cells.push(await furnishCell({ name, plan, address: addresses.get(name)!, folder }, closers))
  }
  const gatherAddress = await server.create('gather')

  const gatherers = Array.from({ length: options.gatherers }, (_, number) => `gatherer ${number + 1}`)
  const processes = new Map<string, readonly string[]>([
    ...gatherers.map((name) => [name, ['--role', 'gather']] as const),
    ...cells.map(({ name }) => [name, ['--role', 'all']] as const),
  ])
  const environmentFor = (name: string) => ({
    ...environmentOf({ folder, address: addresses.get(name) ?? gatherAddress, feedUrl }),
    POST_STREAM_URL: nats.url,
    POST_STREAM_KEPT_MB: '1024',
    COLLECT_THREADS: name === cells[0]!.name ? '1' : '0',
  })
  const services = await ServiceProcesses.prepare({ processes }, environmentFor, warden)
  closers.add(() => services.endAll())
  for (const name of processes.keys()) await services.start(name)
  const kill = async (name: string) => {
    if (name !== NATS) {
      await services.kill(name)
      await services.start(name)
      return
    }
    warden.tell({ kind: 'process', pid: nats.pid, running: false })
    await nats.kill()
    await nats.begin()
    warden.tell({ kind: 'process', pid: nats.pid, running: true })
  }
  return { folder, feed, nats, cells, services, kill, close: () => closers.close() }
}

async function furnishCell(
  { name, plan, address, folder }: { name: string; plan: Plan; address: string; folder: string },
  closers: Closers,
): Promise<Cell> {
  const db = openDatabase({ connection: address, poolSize: 2, log: silentLog })
  closers.add(() => db.close())
  const receivers = await startChild<ReceiverQuestions>('receivers.ts')
  closers.add(() => receivers.close())
  const receiptsPath = join(folder, `receipts of ${name}`)
  const { url } = await receivers.ask('open', { path: receiptsPath })
  const seeded = await seed(db, plan, url)
  await receivers.ask('secrets', seeded.secrets)
  // What the server would do by itself within a minute of a real installation's life.
  await db.query(sql`analyze`)
  return { name, plan, db, seeded, receivers, receiptsPath }
}
