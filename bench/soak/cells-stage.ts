import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiKey } from '../../src/commands/api-keys/create-api-key.ts'
import { toId, type Uuid } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { type Database, openDatabase, sql } from '../../src/store/database.ts'
import { accepted } from '../../test/makers.ts'
import { type NatsServer, startNats } from '../../test/stand-ins/nats-server.ts'
import { servicesOn } from '../../test/stand-ins/seeded.ts'
import { type Child, startChild } from './child.ts'
import { Closers } from './closers.ts'
import { DatabaseServer, postmasterFileIn } from './database-server.ts'
import type { FeedQuestions } from './feed.ts'
import { partOf } from './part-of-plan.ts'
import type { Plan } from './plan.ts'
import type { ReceiverQuestions } from './receivers.ts'
import type { Seeded } from './seed.ts'
import { startServiceProcess } from './service-process.ts'
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
  /** Of its database. */
  address: string
  db: Database
  /** Reads what the first workspace has. */
  apiKey: string
  seeded: Seeded
  receivers: Child<ReceiverQuestions>
  receiptsPath: string
}

/** Several cells behind one feed, one NATS server, some gatherers and a door. */
export interface CellsStage {
  folder: string
  feed: Child<FeedQuestions>
  cells: readonly Cell[]
  /** The cells by their names, `gatherer 1` and so on, and the door. */
  services: ServiceProcesses
  /** Ends the NATS server or a process of the service without warning, and starts it again. */
  kill(name: string): Promise<void>
  /** Moves a workspace of one cell to another; answers what the command says when it fails, else null. */
  move(workspaceId: Uuid, from: Cell, to: Cell): Promise<string | null>
  close(): Promise<void>
}

const CONNECTIONS = '250'

/** The names of the broker and of the door among what can be killed. */
export const NATS = 'nats'
export const DOOR = 'door'

const CELLS_SECRET = 'shared-by-the-door-and-its-cells'.padEnd(40, 'x')

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

  const cells: Cell[] = []
  for (let number = 0; number < options.cells; number += 1) {
    const plan = partOf(options.plan, number, options.cells)
    const address = await server.create(`cell_${number + 1}`)
    cells.push(await furnishCell({ name: `cell ${number + 1}`, plan, address, folder }, closers))
  }
  const gathering = await server.create('gather')
  const gatherers = Array.from({ length: options.gatherers }, (_, number) => `gatherer ${number + 1}`)
  const processes = new Map<string, readonly string[]>([
    ...gatherers.map((name) => [name, ['--role', 'gather']] as const),
    ...cells.map(({ name }) => [name, ['--role', 'all']] as const),
    [DOOR, ['--role', 'door']],
  ])
  const environmentFor = (name: string): Record<string, string> => {
    const shared = { CELLS_SECRET, PUBLIC_URL: services.originOf(DOOR) }
    if (name === DOOR) return { ...shared, CELLS: cellsIn(services, cells), EARSHOT_LOG_LEVEL: 'error' }
    const address = cells.find((cell) => cell.name === name)?.address ?? gathering
    return {
      ...environmentOf({ folder, address, feedUrl }),
      ...shared,
      TRUSTED_PROXIES: '127.0.0.1',
      POST_STREAM_URL: nats.url,
      POST_STREAM_KEPT_MB: '1024',
      COLLECT_THREADS: name === cells[0]!.name ? '1' : '0',
    }
  }
  const services = await ServiceProcesses.prepare({ processes }, environmentFor, warden)
  closers.add(() => services.endAll())
  for (const name of processes.keys()) await services.start(name)
  return {
    ...{ folder, feed, cells, services },
    kill: (name) => (name === NATS ? killNats(nats, warden) : killService(services, name)),
    move: (workspaceId, from, to) => moveWorkspace(workspaceId, to, environmentFor(from.name), services.originOf(DOOR)),
    close: () => closers.close(),
  }
}

/** For the setting CELLS. */
function cellsIn(services: ServiceProcesses, cells: readonly Cell[]): string {
  return cells.map(({ name }) => `${name.replace(' ', '-')}=${services.originOf(name)}`).join(',')
}

async function killService(services: ServiceProcesses, name: string): Promise<void> {
  await services.kill(name)
  await services.start(name)
}

async function killNats(nats: NatsServer, warden: Warden): Promise<void> {
  warden.tell({ kind: 'process', pid: nats.pid, running: false })
  await nats.kill()
  await nats.begin()
  warden.tell({ kind: 'process', pid: nats.pid, running: true })
}

async function moveWorkspace(
  workspaceId: Uuid,
  to: Cell,
  environment: Record<string, string>,
  publicUrl: string,
): Promise<string | null> {
  const options = ['--to', to.address, '--at', publicUrl]
  const command = startServiceProcess(['workspace', 'move', toId('org', workspaceId), ...options], environment)
  const { code } = await command.ended
  return code === 0 ? null : command.lastWords()
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
  return { name, plan, address, db, apiKey: await keyFor(db, seeded), seeded, receivers, receiptsPath }
}

async function keyFor(db: Database, { workspaces: [first] }: Seeded): Promise<string> {
  const services = servicesOn(db)
  const wanted = { name: 'Visitor', scope: 'read', expiresAt: null } as const
  const { key } = accepted(await createApiKey({ ...services, workspaceId: first!.id }, wanted))
  await services.close()
  return key
}
