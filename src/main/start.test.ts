import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database-server.ts'
import { startAlgolia } from '../../test/stand-ins/algolia.ts'
import { type EarshotProcess, earshot, watchAcme } from '../../test/stand-ins/earshot-process.ts'
import { freePort } from '../../test/stand-ins/free-port.ts'
import { startJetstream } from '../../test/stand-ins/jetstream.ts'
import { eventually } from '../../test/stand-ins/pipeline.ts'
import { startLocalReceiver } from '../channels/local-receiver.suite.ts'
import { silentLog } from '../kernel/log.ts'
import { openDatabase, sql } from '../store/database.ts'

let database: TestDatabase
let dataDir: string
let closing: (() => unknown)[]

beforeEach(async () => {
  database = await createTestDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'earshot-start-'))
  closing = []
})

afterEach(async () => {
  for (const close of closing.reverse()) await close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Nothing here may reach a real platform: an address on which nobody listens stands for all of them. */
const NOWHERE = 'http://127.0.0.1:9'

function environment(more: Record<string, string> = {}): Record<string, string> {
  return {
    DATABASE_URL: database.connection,
    DATA_DIR: dataDir,
    SOURCE_BLUESKY_URL: NOWHERE,
    SOURCE_HACKERNEWS_URL: NOWHERE,
    EARSHOT_LOG_LEVEL: 'fatal',
    ...more,
  }
}

/** A start that has to fail: what it says on standard error. */
async function refusal(more: Record<string, string>): Promise<string[]> {
  const service = earshot(['start'], environment({ PORT: String(await freePort()), ...more }))
  closing.push(() => service.signal('SIGKILL'))
  const { code, stdout, stderr } = await service.ended
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  return stderr.trim().split('\n')
}

/** A server that takes connections and does with them what a test says. */
async function listening(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    serve(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe('a start that cannot succeed', () => {
  test('names the port that is taken', async () => {
    const port = await listening(() => undefined)
    expect(await refusal({ PORT: String(port) })).toEqual([
      `PORT: ${port} is in use by another program; stop it or set another PORT.`,
    ])
  })

  test('names the folder that it cannot write to', async () => {
    const file = join(dataDir, 'file')
    writeFileSync(file, '')
    expect(await refusal({ DATA_DIR: join(file, 'data') })).toEqual([
      `DATA_DIR: the folder ${file}/data cannot be written to (ENOTDIR); choose another one or fix its rights.`,
    ])
  })

  test('names every bad setting and every unknown EARSHOT_ name, each on a line', async () => {
    expect(await refusal({ PORT: '0', BILLING: 'free', EARSHOT_PROT: '4400' })).toEqual([
      'PORT: must be a whole number from 1 to 65535',
      'BILLING: must be one of metered, unmetered',
      'EARSHOT_PROT: there is no setting of this name',
    ])
  })

  test('says why the database cannot be used when nobody listens there', async () => {
    const [line, ...more] = await refusal({ DATABASE_URL: 'postgres://user:hidden@127.0.0.1:9/none' })
    expect(line).toBe('DATABASE_URL: the database cannot be used: connect ECONNREFUSED 127.0.0.1:9.')
    expect(more).toEqual([])
  })

  test('says why when the server has no such database', async () => {
    const address = new URL(database.connection)
    address.pathname = '/nowhere'
    expect(await refusal({ DATABASE_URL: address.href })).toEqual([
      'DATABASE_URL: the database cannot be used: database "nowhere" does not exist.',
    ])
  })

  test('gives up on a server that never answers', async () => {
    const port = await listening(() => undefined)
    const [line, ...more] = await refusal({ DATABASE_URL: `postgres://user@127.0.0.1:${port}/none` })
    expect(line).toMatch(/^DATABASE_URL: the database cannot be used: .*time/)
    expect(more).toEqual([])
  })

  test('is not confused by a server of another kind', async () => {
    const port = await listening((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const lines = await refusal({ DATABASE_URL: `postgres://user@127.0.0.1:${port}/none` })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^DATABASE_URL: the database cannot be used: /)
  })
})

describe('the end of a service', () => {
  test('lets a delivery on the wire finish, and is an orderly one', async () => {
    const [jetstream, algolia, port] = await Promise.all([startJetstream(), startAlgolia(), freePort()])
    const waiting: ServerResponse[] = []
    const receiver = await startLocalReceiver((response) => void waiting.push(response))
    closing.push(jetstream.close, algolia.close, receiver.close)
    const settings = environment({
      PORT: String(port),
      EGRESS_ALLOW: '127.0.0.1',
      SOURCE_BLUESKY_URL: jetstream.url,
      SOURCE_HACKERNEWS_URL: algolia.url,
    })
    const service = earshot(['start'], settings)
    closing.push(() => service.signal('SIGKILL'))
    await service.says('Earshot is running')
    const key = (
      await earshot(['keys', 'create', '--workspace', 'Acme', '--scope', 'write'], settings).ended
    ).stdout.trim()
    await watchAcme(`http://127.0.0.1:${port}`, key, receiver.url)
    await eventually(() => expect(jetstream.listeners).toBe(1))
    await eventually(() => {
      jetstream.post('Acme is here')
      expect(waiting.length).toBeGreaterThan(0)
    })
    service.signal('SIGTERM')
    await eventually(async () => expect(await refusesConnections(port)).toBe(true))
    for (const response of waiting) response.end()
    const end = await service.ended
    expect({ code: end.code, signal: end.signal }).toEqual({ code: 0, signal: null })
    expect(end.stderr.trim()).toBe(
      'SIGTERM: finishing work in flight, which may take ten seconds. Press Ctrl-C again to stop at once.',
    )
    expect(await statuses()).toContain('delivered')
    expect(await leases()).toBe(0)
  })

  test('is orderly during the start too, however long that takes', async () => {
    // The keywords cannot be read, so the start tries again and again.
    await rows('alter table keyword rename to keyword_away')
    const service = earshot(['start'], environment({ PORT: String(await freePort()) }))
    closing.push(() => service.signal('SIGKILL'))
    const listening = `select 1 from pg_stat_activity where datname = current_database() and query like 'listen "earshot_keyword"%'`
    await eventually(async () => expect(await rows(listening)).not.toEqual([]), { withinMs: 100_000 })
    service.signal('SIGTERM')
    const { code, signal, stdout } = await service.ended
    expect({ code, signal, stdout }).toEqual({ code: 0, signal: null, stdout: '' })
  }, 160_000)

  test('is orderly in the middle of a quiet life too', async () => {
    const service = await running()
    service.signal('SIGINT')
    expect(await service.ended).toMatchObject({ code: 0, signal: null })
  })
})

async function running(): Promise<EarshotProcess> {
  const service = earshot(['start'], environment({ PORT: String(await freePort()) }))
  closing.push(() => service.signal('SIGKILL'))
  await service.says('Earshot is running')
  return service
}

/** A service that ends takes nobody in any more, whatever it still has in hand. */
async function refusesConnections(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/v1/health`).then(
    () => false,
    () => true,
  )
}

async function statuses(): Promise<string[]> {
  return (await rows<{ status: string }>('select status from delivery')).map(({ status }) => status)
}

async function leases(): Promise<number> {
  return (await rows('select 1 from delivery_queue where leased_until is not null')).length
}

async function rows<Row>(statement: string): Promise<Row[]> {
  const db = openDatabase({ connection: database.connection, poolSize: 1, log: silentLog })
  try {
    return await db.query<Row>(sql.raw(statement) as never)
  } finally {
    await db.close()
  }
}
