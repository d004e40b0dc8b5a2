import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database-server.ts'
import { type EarshotProcess, earshot } from '../../test/stand-ins/earshot-process.ts'
import { freePort } from '../../test/stand-ins/free-port.ts'
import { eventually } from '../../test/stand-ins/pipeline.ts'
import { SECRET_KEY } from '../../test/stand-ins/seeded.ts'

const CELLS_SECRET = 'shared-by-the-door-and-its-cells'.padEnd(40, 'x')

let databases: TestDatabase[]
let ports: number[]
let doorPort: number
let dataDir: string
let started: EarshotProcess[]

beforeEach(async () => {
  databases = [await createTestDatabase(), await createTestDatabase()]
  ports = [await freePort(), await freePort()]
  doorPort = await freePort()
  dataDir = mkdtempSync(join(tmpdir(), 'earshot-door-'))
  started = []
})

afterEach(async () => {
  for (const process of started) process.signal('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
  for (const database of databases) await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

function ofCell(at: number): Record<string, string> {
  return {
    ...{ DATABASE_URL: databases[at]!.connection, PORT: String(ports[at]), PUBLIC_URL: origin(), CELLS_SECRET },
    ...{ EARSHOT_SECRET_KEY: SECRET_KEY, DATA_DIR: dataDir, EARSHOT_LOG_LEVEL: 'warn', TRUSTED_PROXIES: '127.0.0.1' },
  }
}

function ofDoor(): Record<string, string> {
  const cells = ports.map((port, at) => `cell-${at}=http://127.0.0.1:${port}`).join(',')
  return { CELLS: cells, CELLS_SECRET, PORT: String(doorPort), PUBLIC_URL: origin(), EARSHOT_LOG_LEVEL: 'warn' }
}

function origin(): string {
  return `http://localhost:${doorPort}`
}

async function start(role: 'api' | 'door', environment: Record<string, string>): Promise<EarshotProcess> {
  const process = earshot(['start', '--role', role], environment)
  started.push(process)
  await process.says(role === 'door' ? 'The door is open' : 'Earshot is running')
  return process
}

async function keyOf(at: number): Promise<string> {
  const { stdout } = await earshot(['keys', 'create', '--workspace', `Acme ${at}`, '--scope', 'read'], ofCell(at)).ended
  return stdout.trim()
}

describe('a door before two cells', () => {
  test('outlives the death of one of them, whose workspaces alone are away', async () => {
    const keys = [await keyOf(0), await keyOf(1)]
    const cells = [await start('api', ofCell(0)), await start('api', ofCell(1))]
    const door = await start('door', ofDoor())
    const statusOf = async (at: number) => {
      const headers = { authorization: `Bearer ${keys[at]}` }
      return (await fetch(`http://127.0.0.1:${doorPort}/v1/whoami`, { headers })).status
    }
    expect([await statusOf(0), await statusOf(1)]).toEqual([200, 200])
    cells[1]!.signal('SIGKILL')
    await cells[1]!.ended
    expect([await statusOf(0), await statusOf(1)]).toEqual([200, 503])
    const sick = await earshot(['doctor'], ofDoor()).ended
    expect([sick.code, sick.stdout]).toEqual([1, expect.stringContaining('The cell cell-1 does not answer')])
    const health = await (await fetch(`http://127.0.0.1:${doorPort}/health`)).json()
    expect(health).toMatchObject({
      status: 'degraded',
      cells: [
        { name: 'cell-0', up: true },
        { name: 'cell-1', up: false },
      ],
    })
    await start('api', ofCell(1))
    await eventually(async () => expect([await statusOf(0), await statusOf(1)]).toEqual([200, 200]))
    const metrics = await (await fetch(`http://127.0.0.1:${doorPort}/metrics`)).text()
    expect(metrics).toContain('earshot_door_cell_up{cell="cell-1"} 1')
    const { code, stdout } = await earshot(['doctor'], ofDoor()).ended
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^No problems\./)])
    door.signal('SIGTERM')
    expect((await door.ended).code).toBe(0)
  }, 120_000)
})

test('a door that lacks what it needs is refused, and told what to set', async () => {
  const { code, stderr } = await earshot(['start', '--role', 'door'], { PORT: String(doorPort) }).ended
  expect([code, stderr.trim().split('\n')]).toEqual([
    1,
    [
      'CELLS: must be set for --role door, to the cells behind it as name=address.',
      'CELLS_SECRET: must be set for --role door, to the same secret as in its cells.',
    ],
  ])
})
