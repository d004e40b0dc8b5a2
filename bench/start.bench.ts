import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/kernel/clock.ts'
import { silentLog } from '../src/kernel/log.ts'
import { openDatabase, sql } from '../src/store/database.ts'
import { connectionOfRunning, startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts'
import { migrateDatabase } from '../src/store/migrate.ts'
import { type EarshotProcess, familyOf, installedEarshot, memoryMb } from '../test/stand-ins/earshot-process.ts'
import { freePort } from '../test/stand-ins/free-port.ts'
import { type Jetstream, startJetstream } from '../test/stand-ins/jetstream.ts'
import { seedKeywords, seedWorkspaces, servicesOn } from '../test/stand-ins/seeded.ts'
import type { BenchOptions, BenchRow } from './contract.ts'

const STARTS = 5
const LOADED_STARTS = 3
const WORKSPACES = 200
/** Where the service keeps its index for the next start. */
const SNAPSHOT = 'keywords.index'
/** How long a service is left alone before its memory counts as that of an idle one. */
const IDLE_MS = 10_000
const LOOK_MS = 3
const PATIENCE_MS = 120_000

/** Starts of the installed command line on a data folder that has been set up before, each in a process of its own. */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const jetstream = await startJetstream()
  try {
    // Builds what is to be measured, and sets the data folder up.
    await end(await healthy(dataDir, jetstream))
    const empty = await empties(dataDir, jetstream, quick)
    const loaded = await withKeywords(dataDir, jetstream, quick ? 100_000 : 1_000_000)
    return [...empty, ...loaded]
  } finally {
    await jetstream.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function empties(dataDir: string, jetstream: Jetstream, quick: boolean): Promise<BenchRow[]> {
  const tookMs: number[] = []
  const memory: Memory[] = []
  for (let start = 0; start < STARTS; start += 1) {
    const up = await healthy(dataDir, jetstream)
    tookMs.push(up.healthyMs)
    if (start < (quick ? 1 : 3)) memory.push(await idleMemory(up.service, dataDir))
    await end(up)
  }
  const best = Math.min(...tookMs).toFixed(0)
  return [
    {
      measure: 'second start to healthy',
      value: median(tookMs),
      unit: 'ms',
      better: 'lower',
      must: 3000,
      goal: 500,
      note: `${STARTS} starts, best ${best} ms`,
    },
    {
      measure: 'idle memory of Node',
      value: median(memory.map(({ node }) => node)),
      unit: 'MB',
      better: 'lower',
      must: 160,
      goal: 90,
      note: 'proportional set size',
    },
    {
      measure: 'idle memory with the database',
      value: median(memory.map(({ all }) => all)),
      unit: 'MB',
      better: 'lower',
      must: 250,
      goal: 150,
    },
  ]
}

async function withKeywords(dataDir: string, jetstream: Jetstream, count: number): Promise<BenchRow[]> {
  await seed(dataDir, count)
  const shown = count.toLocaleString('en-US')
  const first = await loadedStarts(dataDir, jetstream, () => rmSync(join(dataDir, SNAPSHOT), { force: true }))
  const again = await loadedStarts(dataDir, jetstream, () => undefined)
  // What is asked for concerns a million keywords.
  const asked = count === 1_000_000 ? { must: 5000, goal: 1000 } : {}
  const note = `${LOADED_STARTS} starts, from nothing to the open feed`
  return [
    {
      measure: `start to matching ${shown} keywords`,
      value: median(again.tookMs),
      unit: 'ms',
      better: 'lower',
      ...asked,
      note,
    },
    { measure: `the same without a snapshot`, value: median(first.tookMs), unit: 'ms', better: 'lower', note },
    {
      measure: `memory of Node with them`,
      value: median(again.memory),
      unit: 'MB',
      better: 'lower',
      note: 'right after the start',
    },
    {
      measure: `the same without a snapshot`,
      value: median(first.memory),
      unit: 'MB',
      better: 'lower',
      note: 'right after the start',
    },
    {
      measure: `size of the snapshot`,
      value: statSync(join(dataDir, SNAPSHOT)).size / 2 ** 20,
      unit: 'MB',
      better: 'lower',
    },
  ]
}

async function loadedStarts(
  dataDir: string,
  jetstream: Jetstream,
  prepare: () => void,
): Promise<{ tookMs: number[]; memory: number[] }> {
  const tookMs: number[] = []
  const memory: number[] = []
  for (let start = 0; start < LOADED_STARTS; start += 1) {
    prepare()
    const up = await healthy(dataDir, jetstream)
    tookMs.push(up.matchingMs)
    memory.push(memoryMb([up.service.pid]))
    await end(up)
  }
  return { tookMs, memory }
}

interface Up {
  service: EarshotProcess
  /** From the beginning of the process until the interface answers, and until the feed of a platform is open. */
  healthyMs: number
  matchingMs: number
}

async function healthy(dataDir: string, jetstream: Jetstream): Promise<Up> {
  const port = await freePort()
  const beganMs = systemClock.monotonicMs()
  const service = installedEarshot(['start'], {
    DATA_DIR: dataDir,
    PORT: String(port),
    SOURCE_BLUESKY_URL: jetstream.url,
    SOURCE_HACKERNEWS_URL: 'http://127.0.0.1:9',
    EARSHOT_LOG_LEVEL: 'fatal',
  })
  const healthyMs = (await reached(() => answers(port))) - beganMs
  const matchingMs = (await reached(async () => jetstream.listeners === 1)) - beganMs
  return { service, healthyMs, matchingMs }
}

async function answers(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/v1/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The time at which a condition came true. */
async function reached(condition: () => Promise<boolean>): Promise<number> {
  const giveUpAtMs = systemClock.monotonicMs() + PATIENCE_MS
  while (!(await condition())) {
    if (systemClock.monotonicMs() > giveUpAtMs) throw new Error('the service did not come up')
    await systemClock.wait(LOOK_MS)
  }
  return systemClock.monotonicMs()
}

async function end({ service }: Up): Promise<void> {
  service.signal('SIGTERM')
  const { code, stderr } = await service.ended
  if (code !== 0) throw new Error(`the service ended with ${code}: ${stderr}`)
}

interface Memory {
  node: number
  all: number
}

async function idleMemory({ pid }: EarshotProcess, dataDir: string): Promise<Memory> {
  await systemClock.wait(IDLE_MS)
  const connection = await connectionOfRunning(dataDir)
  if (connection === null) throw new Error('the database of the service cannot be found')
  const db = openDatabase({ connection, poolSize: 1, log: silentLog })
  const [place] = await db.query<{ folder: string; own: number }>(
    sql`select current_setting('data_directory') as folder, pg_backend_pid() as own`,
  )
  const leader = Number.parseInt(readFileSync(join(place!.folder, 'postmaster.pid'), 'utf8'), 10)
  // The connection of this very question is none of the service's.
  const server = familyOf(leader).filter((member) => member !== place!.own)
  const memory = { node: memoryMb([pid]), all: memoryMb([pid, ...server]) }
  await db.close()
  return memory
}

async function seed(dataDir: string, count: number): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  await migrateDatabase(postgres.connectionString)
  const db = openDatabase({ connection: postgres.connectionString, poolSize: 2, log: silentLog })
  const services = servicesOn(db)
  const workspaces = await seedWorkspaces(services, WORKSPACES)
  await seedKeywords(db, workspaces, count, (number) => `term ${number.toString(36)} ${(number * 31).toString(36)}`)
  await db.query(sql`analyze`)
  await services.close()
  await db.close()
  await postgres.stop()
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}
