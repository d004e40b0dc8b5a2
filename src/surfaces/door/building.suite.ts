import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, createBrowser } from '../../../test/browser.ts'
import { createTestClock, type TestClock } from '../../../test/clock.ts'
import { makeMembership } from '../../../test/rows.ts'
import { createWorld, type TestWorkspace, type World } from '../../../test/world.ts'
import { insertAccount } from '../../commands/accounts/insert-account.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Log, silentLog } from '../../kernel/log.ts'
import { registerMetrics } from '../../kernel/metrics.ts'
import { hashPassword } from '../../kernel/passwords.ts'
import { NO_MAIL_REPORTS } from '../inbound/settings.ts'
import { createRestServer } from '../rest/server.ts'
import { Cell } from './cell.ts'
import { closeDoorServer, createDoorServer } from './door-server.ts'
import { DOOR_METRICS, type DoorMetrics } from './metrics.ts'
import { watchCells } from './watch-cells.ts'

export const CELLS_SECRET = 'a secret of the door and its cells'.replaceAll(' ', '-')
export const HOOK_SECRET = 'a-secret-of-the-mail-provider'
export const PASSWORD = 'a walrus by the window'

/** A cell on a database of its own, which a test may stop and start again. */
export interface Room {
  world: World
  cell: Cell
  /** The address of the cell itself. */
  origin: string
  stop(): Promise<void>
  start(): Promise<void>
}

/** A door and the cells behind it. */
export interface Building {
  rooms: Room[]
  origin: string
  clock: TestClock
  metrics: DoorMetrics
  /** One in each cell, with an owner `person-N@example.com`. `both@example.com` owns both. */
  workspaces: TestWorkspace[]
  browser(): Browser
  /** Follows no redirect. */
  ask(path: string, init?: RequestInit): Promise<Response>
  withKey(key: string, path?: string): Promise<Response>
  signIn(email: string, password?: string): Promise<Browser>
  /** Waits until the door has noticed that a cell is back; it looks every second. */
  back(at: number): Promise<void>
  close(): Promise<void>
}

export interface OpenDoor {
  origin: string
  clock: TestClock
  metrics: DoorMetrics
  cells: Cell[]
  close(): Promise<void>
}

/** A door before cells at these addresses. */
export async function openDoor(
  origins: readonly string[],
  { publicUrl = 'https://earshot.test', log = silentLog }: { publicUrl?: string; log?: Log } = {},
): Promise<OpenDoor> {
  const clock = createTestClock()
  const metrics = registerMetrics(DOOR_METRICS)
  const cells = origins.map((origin, at) => new Cell({ name: `cell-${at}`, origin }, { secret: CELLS_SECRET, clock }))
  const server: Server = createDoorServer({
    ...{ cells, newCell: cells[0]!, publicUrl, clock, log, metrics },
    operators: [],
    trustedProxies: [],
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ending = new AbortController()
  const watching = watchCells(cells, { clock, log, publicUrl }, ending.signal)
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ clock, metrics, cells },
    async close() {
      ending.abort()
      server.closeAllConnections()
      await closeDoorServer(server, clock, 1)
      await Promise.all(cells.map((cell) => cell.close()))
      await watching
    },
  }
}

export async function createBuilding(count: number): Promise<Building> {
  const rooms = await Promise.all(Array.from({ length: count }, () => createRoom()))
  const workspaces = await Promise.all(rooms.map(({ world }, at) => world.workspace(`Workspace ${at}`)))
  for (const [at, { world }] of rooms.entries())
    for (const email of [`person-${at}@example.com`, 'both@example.com']) {
      const userId = await makeAccount(world, email, `Person of cell ${at}`)
      await makeMembership(world, workspaces[at]!.workspaceId, userId, { role: 'owner', at: world.clock.now() })
    }
  const door = await openDoor(rooms.map(({ origin }) => origin))
  for (const [at, room] of rooms.entries()) room.cell = door.cells[at]!
  const { origin, clock, metrics } = door
  const ask: Building['ask'] = (path, init = {}) => fetch(origin + path, { redirect: 'manual', ...init })
  const browser = () => createBrowser({ origin, services: rooms[0]!.world.services })
  return {
    ...{ rooms, workspaces, origin, clock, metrics, browser, ask },
    withKey: (key, path = '/v1/whoami') => ask(path, { headers: { authorization: `Bearer ${key}` } }),
    async signIn(email, password = PASSWORD) {
      const opened = browser()
      await opened.open('/sign-in')
      await opened.press('Sign in', { 'E-mail address': email, Password: password })
      return opened
    },
    async back(at) {
      while (!rooms[at]!.cell.isUp) {
        await clock.advance(SECOND_MS)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    async close() {
      await door.close()
      for (const { stop, world } of rooms) {
        await stop()
        await world.close()
      }
    },
  }
}

async function createRoom(): Promise<Room> {
  const world = await createWorld()
  const create = () =>
    createRestServer({
      services: world.services,
      log: silentLog,
      misfit: 'throw',
      trustedProxies: ['127.0.0.1'],
      cellsSecret: CELLS_SECRET,
      mailReports: { ...NO_MAIL_REPORTS, secret: HOOK_SECRET },
    })
  let server = create()
  const origin = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    ...{ world, origin, cell: null as unknown as Cell },
    async stop() {
      server.server.closeAllConnections()
      await server.close()
    },
    async start() {
      server = create()
      await server.listen({ host: '127.0.0.1', port: Number(new URL(origin).port) })
    },
  }
}

async function makeAccount({ services: { db, clock } }: World, email: string, name: string): Promise<Uuid> {
  const passwordHash = await hashPassword(PASSWORD)
  const id = await db.transaction((tx) =>
    insertAccount(tx, { email, emailFolded: email, name, passwordHash, confirmed: true }, clock.now()),
  )
  return id!
}
