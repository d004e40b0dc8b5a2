import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database-server.ts'
import { sql } from '../../test/database-setup.ts'
import { randomFrom } from '../../test/random.ts'
import { type EarshotProcess, earshot } from '../../test/stand-ins/earshot-process.ts'
import { freePort } from '../../test/stand-ins/free-port.ts'
import { type Jetstream, startJetstream } from '../../test/stand-ins/jetstream.ts'
import { type NatsServer, NO_NATS, startNats } from '../../test/stand-ins/nats-server.ts'
import { eventually } from '../../test/stand-ins/pipeline.ts'
import { SECRET_KEY } from '../../test/stand-ins/seeded.ts'
import type { ProcessRole } from './role.ts'

interface Running extends EarshotProcess {
  origin: string
}

/** An installation of its own that follows the stream. */
interface Cell {
  database: TestDatabase
  process: Running
}

const WITHIN = { withinMs: 90_000 }

let folder: string
let nats: NatsServer
let jetstream: Jetstream
let databases: TestDatabase[]
let started: EarshotProcess[]

describe.skipIf(NO_NATS)('two cells and a gatherer (skipped without nats-server)', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'earshot-stream-'))
    ;[nats, jetstream] = await Promise.all([startNats(), startJetstream()])
    databases = []
    started = []
  })

  afterEach(async () => {
    for (const process of started) process.signal('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
    await Promise.all([nats.close(), jetstream.close(), ...databases.map((database) => database.drop())])
    rmSync(folder, { recursive: true, force: true })
  })

  test('each cell stores each post once, while broker, gatherer and cells are killed', async () => {
    const seed = Number(process.env['STREAM_SEED'] ?? 1)
    const random = randomFrom(seed)
    const gathering = await newDatabase()
    let gatherer = await start('gather', gathering)
    const cells = [await newCell('Acme', random() < 0.5), await newCell('Acme', random() < 0.5)]
    await eventually(() => expect(jetstream.listeners).toBe(1), WITHIN)
    for (const { database } of cells) await follows(database)

    const wanted: string[] = []
    const posts = (count: number) => {
      for (let number = 0; number < count; number += 1) {
        const isWanted = random() < 0.5
        const id = jetstream.post(isWanted ? `Acme ${wanted.length}` : 'Nothing')
        if (isWanted) wanted.push(id)
      }
    }
    // From here on the gatherer has a place, behind which nothing may be missing.
    wanted.push(jetstream.post('Acme at last'))
    for (const { database } of cells)
      await eventually(async () => expect(await stored(database)).toEqual(wanted), WITHIN)
    const kills = shuffled(random, [
      async () => {
        await kill(gatherer)
        posts(60)
        gatherer = await start('gather', gathering)
      },
      async () => {
        await nats.kill()
        posts(60)
        await nats.begin()
      },
      async () => {
        const cell = cells[Math.floor(random() * cells.length)]!
        await kill(cell.process)
        posts(60)
        cell.process = await start('collect', cell.database)
      },
    ])
    for (const killed of kills) {
      const before = wanted.length
      posts(20 + Math.floor(random() * 300))
      // Somewhere within what was just posted.
      const some = before + Math.floor(random() * (wanted.length - before))
      await eventually(
        async () => expect((await stored(cells[0]!.database)).length).toBeGreaterThanOrEqual(some),
        WITHIN,
      )
      await killed()
    }
    posts(50)
    for (const { database } of cells)
      await eventually(async () => expect(await stored(database)).toEqual([...wanted].sort()), WITHIN)
    for (const { process, database } of cells) {
      expect(await mentionCount(database)).toBe(wanted.length)
      await eventually(async () => {
        const text = await (await fetch(`${process.origin}/metrics`)).text()
        expect(text).toContain('earshot_stream_behind_messages{platform="bluesky"} 0')
        expect(text).toContain('earshot_stream_lost_posts{platform="bluesky"} 0')
      }, WITHIN)
    }
    // One process reads the platform, and no cell does.
    expect(jetstream.listeners).toBe(1)
    for (const process of [gatherer, ...cells.map((cell) => cell.process)]) {
      process.signal('SIGTERM')
      const { code, stderr } = await process.ended
      expect([code, stderr.includes('service.stop_cut')]).toEqual([0, false])
    }
  }, 240_000)
})

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  databases.push(database)
  return database
}

async function newCell(term: string, hasThread: boolean): Promise<Cell> {
  const database = await newDatabase()
  const { ended } = earshot(['keys', 'create', '--workspace', term, '--scope', 'write'], environment(database))
  const key = (await ended).stdout.trim()
  const api = await start('api', database)
  const reply = await fetch(`${api.origin}/v1/keywords`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ term }),
  })
  expect(reply.status).toBe(201)
  await kill(api)
  return { database, process: await start('collect', database, { COLLECT_THREADS: hasThread ? '1' : '0' }) }
}

function environment({ connection }: TestDatabase): Record<string, string> {
  return {
    DATABASE_URL: connection,
    EARSHOT_SECRET_KEY: SECRET_KEY,
    DATA_DIR: folder,
    EGRESS_ALLOW: '127.0.0.1',
    SOURCE_BLUESKY_URL: jetstream.url,
    POST_STREAM_URL: nats.url,
    POST_STREAM_KEPT_MB: '64',
    EARSHOT_LOG_LEVEL: 'warn',
    BILLING: 'unmetered',
  }
}

async function start(role: ProcessRole, database: TestDatabase, more: Record<string, string> = {}): Promise<Running> {
  const port = await freePort()
  const process = earshot(['start', '--role', role], { ...environment(database), PORT: String(port), ...more })
  started.push(process)
  await process.says('Earshot is running')
  return { ...process, origin: `http://127.0.0.1:${port}` }
}

async function kill(process: EarshotProcess): Promise<void> {
  process.signal('SIGKILL')
  await process.ended
}

/** Resolves when the cell has a place in the stream. */
async function follows({ connection }: TestDatabase): Promise<void> {
  await eventually(async () => {
    const rows = await sql(
      connection,
      `select cursor from source_state where source = 'bluesky' and cursor is not null`,
    )
    expect(rows).toHaveLength(1)
  }, WITHIN)
}

/** Native ids of the stored posts. */
async function stored({ connection }: TestDatabase): Promise<string[]> {
  const rows = (await sql(connection, 'select native_id from post')) as { native_id: string }[]
  return rows.map(({ native_id }) => native_id).sort()
}

async function mentionCount({ connection }: TestDatabase): Promise<number> {
  const [row] = (await sql(connection, 'select count(*)::int as count from mention')) as { count: number }[]
  return row!.count
}

function shuffled<Item>(random: () => number, items: Item[]): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
