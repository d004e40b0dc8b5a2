import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRateLimits, type SharedLimits } from '../src/commands/limits/rate-limits.ts'
import { SECOND_MS, systemClock } from '../src/kernel/clock.ts'
import { newUuid } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { type Database, openDatabase } from '../src/store/database.ts'
import { startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts'
import { migrateDatabase } from '../src/store/migrate.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import { quantile } from './quantiles.ts'

const LIMIT = 600
const WORKSPACES = 1000
const PROCESSES = 4
/** Requests a second at each process. */
const RATE = 1000
const TICK_MS = 20
/** Enough for the processes to hear each other. */
const SETTLED_MS = 3 * SECOND_MS

/**
 * What counting costs a request: in memory, with counts exchanged between processes that all run in this one, so that
 * telling and hearing of all of them is in the figure, and in the database, for rare requests.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  try {
    await migrateDatabase(postgres.connectionString)
    const seconds = quick ? 5 : 20
    const keys = Array.from({ length: WORKSPACES }, () => newUuid(systemClock.now()))
    const alone = await onDatabases(postgres.connectionString, 1, ([limits]) => inMemory(limits!, keys, quick))
    const shared = await onDatabases(postgres.connectionString, PROCESSES, (all) => exchanging(all, keys, seconds))
    const exact = await onDatabases(postgres.connectionString, 1, ([limits]) => inDatabase(limits!, quick))
    return [
      { measure: 'counting a request in memory', value: alone, unit: 'µs', must: 20, better: 'lower' },
      {
        measure: `counting a request and exchanging it between ${PROCESSES} processes, ${WORKSPACES} workspaces`,
        value: shared,
        unit: 'µs',
        must: 20,
        better: 'lower',
        note: `processor time of all processes, each with ${RATE} requests a second`,
      },
      { measure: 'counting a rare request in the database, p50', value: exact, unit: 'ms', better: 'lower' },
    ]
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function onDatabases(
  connection: string,
  count: number,
  measure: (limits: readonly SharedLimits[]) => Promise<number>,
): Promise<number> {
  const stop = new AbortController()
  const databases: Database[] = Array.from({ length: count }, () =>
    openDatabase({ connection, poolSize: 2, log: silentLog }),
  )
  const limits = databases.map((db) => createRateLimits({ db, clock: systemClock, log: silentLog }))
  const sharing = limits.map((one) => one.share(stop.signal))
  try {
    await systemClock.wait(SETTLED_MS)
    return await measure(limits)
  } finally {
    stop.abort()
    await Promise.all(sharing)
    await Promise.all(databases.map((db) => db.close()))
  }
}

async function inMemory(limits: SharedLimits, keys: readonly string[], quick: boolean): Promise<number> {
  const count = quick ? 200_000 : 1_000_000
  const began = process.cpuUsage()
  for (let at = 0; at < count; at += 1) limits.take(keys[at % keys.length]!, LIMIT)
  return microseconds(began) / count
}

async function exchanging(all: readonly SharedLimits[], keys: readonly string[], seconds: number): Promise<number> {
  const began = process.cpuUsage()
  const beganMs = systemClock.monotonicMs()
  let asked = 0
  while (systemClock.monotonicMs() - beganMs < seconds * SECOND_MS) {
    const due = ((systemClock.monotonicMs() - beganMs) / SECOND_MS) * RATE * all.length
    for (; asked < due; asked += 1) all[asked % all.length]!.take(keys[(asked * 7919) % keys.length]!, LIMIT)
    await systemClock.wait(TICK_MS)
  }
  return microseconds(began) / asked
}

async function inDatabase({ exact }: SharedLimits, quick: boolean): Promise<number> {
  const took: number[] = []
  for (let at = 0; at < (quick ? 300 : 2000); at += 1) {
    const beganMs = systemClock.monotonicMs()
    await exact.take(`exports ${at % 100}`, LIMIT)
    took.push(systemClock.monotonicMs() - beganMs)
  }
  return quantile(took, 0.5)
}

function microseconds(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return user + system
}
