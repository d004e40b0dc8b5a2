import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBrowser } from '../../test/browser.ts'
import { createTestDatabase, type TestDatabase } from '../../test/database-server.ts'
import { earshot } from '../../test/stand-ins/earshot-process.ts'
import { freePort } from '../../test/stand-ins/free-port.ts'
import { SECRET_KEY } from '../../test/stand-ins/seeded.ts'
import type { World } from '../../test/world.ts'

let database: TestDatabase
let dataDir: string
let closing: (() => unknown)[]
beforeEach(async () => {
  database = await createTestDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'earshot-documents-'))
  closing = []
})
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Within the private network of the operator: counts who knocks. */
async function createInnerServer() {
  let knocks = 0
  const server = createServer((socket) => {
    knocks += 1
    socket.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => server.close())
  return { port: (server.address() as AddressInfo).port, knocks: () => knocks }
}

test('what the operator opens for deliveries is not open to addresses that a stranger names as a client', {
  timeout: 60_000,
}, async () => {
  const inner = await createInnerServer()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const service = earshot(['start', '--role', 'api'], {
    DATABASE_URL: database.connection,
    EARSHOT_SECRET_KEY: SECRET_KEY,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: origin,
    EGRESS_ALLOW: '127.0.0.1, localhost',
    EARSHOT_LOG_LEVEL: 'fatal',
  })
  closing.push(async () => {
    service.signal('SIGKILL')
    await service.ended
  })
  await service.says('Earshot is running')

  const browser = createBrowser({ origin, services: { publicUrl: origin } as World['services'] })
  await browser.open('/sign-up')
  await browser.press('Create the account', {
    'Your name': 'Ada',
    'E-mail address': 'ada@acme.example',
    Password: 'a very long password',
    'Name of your workspace': 'Acme',
  })
  for (const host of ['localhost', '127.0.0.1']) {
    const asked = {
      client_id: `https://${host}:${inner.port}/client.json`,
      redirect_uri: `https://${host}/cb`,
      response_type: 'code',
    }
    const { status, text } = await browser.open(`/oauth/authorize?${new URLSearchParams(asked)}`)
    expect([status, text.includes('The document at the address that is the client_id could not be read.')]).toEqual([
      400,
      true,
    ])
  }
  expect(inner.knocks()).toBe(0)
})
