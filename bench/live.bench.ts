import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { systemClock } from '../src/kernel/clock.ts'
import type { Uuid } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { createSealer } from '../src/kernel/sealing.ts'
import { openWatch, type Watch } from '../src/pipeline/watch/watch.ts'
import { type Database, openDatabase, sql } from '../src/store/database.ts'
import { startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts'
import { ErasedAuthors } from '../src/store/erasure/erased-authors.ts'
import { announceKeywords } from '../src/store/keyword/keywords.ts'
import { migrateDatabase } from '../src/store/migrate.ts'
import { madeUpPost } from '../test/makers.ts'
import { createMetrics } from '../test/metrics.ts'
import { type CollectedLog, collectedLog } from '../test/stand-ins/collected-log.ts'
import { SECRET_KEY, seedKeywords, seedWorkspaces, servicesOn } from '../test/stand-ins/seeded.ts'
import type { BenchOptions, BenchRow } from './contract.ts'

const SINGLE = 300
const AT_ONCE = 1000
const RELOADS = 3
const PATIENCE_MS = 60_000

/**
 * From the commit of a change on one node to a match on another: both are watches of one database, each with its own
 * connections.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const connect = () => openDatabase({ connection: postgres.connectionString, poolSize: 10, log: silentLog })
  const [here, there] = [connect(), connect()]
  const ending = new AbortController()
  try {
    await migrateDatabase(postgres.connectionString)
    const count = quick ? 30_000 : 300_000
    await seed(here, count)
    const log = collectedLog()
    const open = (db: Database) =>
      openWatch({
        db,
        clock: systemClock,
        log: log.log,
        metrics: createMetrics(),
        erased: new ErasedAuthors(createSealer(SECRET_KEY)),
        signal: ending.signal,
        snapshotPath: join(dataDir, 'bench.index'),
      })
    const mine = open(here)
    await mine.loaded
    const watch = open(there)
    await watch.loaded
    return await measure({ db: here, watch, log }, count)
  } finally {
    ending.abort()
    await Promise.all([here.close(), there.close()])
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Nodes {
  /** The node on which keywords are changed. */
  db: Database
  /** The other one. */
  watch: Watch
  log: CollectedLog
}

async function measure(nodes: Nodes, count: number): Promise<BenchRow[]> {
  const keywords = await nodes.db.query<{ id: Uuid; workspace_id: Uuid }>(
    sql`select id, workspace_id from keyword order by id limit ${SINGLE + AT_ONCE}`,
  )
  const change = changer(nodes)
  const single: number[] = []
  for (const { id, workspace_id } of keywords.slice(0, SINGLE)) single.push(await change(workspace_id, id))
  const atOnce = await Promise.all(keywords.slice(SINGLE).map(({ id, workspace_id }) => change(workspace_id, id)))
  const reloading: number[] = []
  for (let reload = 0; reload < RELOADS; reload += 1) reloading.push(...(await duringReload(nodes, keywords, change)))
  const of = `${count.toLocaleString('en-US')} keywords`
  return [
    ...rows('a keyword change live on another node', single, `${SINGLE} changes one by one, ${of}`),
    ...rows(
      `the same, ${AT_ONCE.toLocaleString('en-US')} changes at once`,
      atOnce,
      'a transaction each, over ten connections',
    ),
    ...rows(
      'the same, while everything is read again',
      reloading,
      `${reloading.length} changes in ${RELOADS} readings`,
    ),
  ]
}

/** Makes the log forget, so that the other node has to read everything, and changes keywords until it has. */
async function duringReload(
  { db, log }: Nodes,
  keywords: readonly { id: Uuid; workspace_id: Uuid }[],
  change: Change,
): Promise<number[]> {
  const tookMs: number[] = []
  const loads = () => log.lines.filter(({ event }) => event === 'keyword.index_loaded').length
  const before = loads()
  await db.query(sql`update keyword_log set pruned_through = pg_current_xact_id()`)
  // Both nodes read everything.
  for (let at = 0; loads() < before + 2; at += 1) {
    const { id, workspace_id } = keywords[at % keywords.length]!
    tookMs.push(await change(workspace_id, id))
  }
  return tookMs
}

type Change = (workspaceId: Uuid, id: Uuid) => Promise<number>

/**
 * Changes the term of a keyword and answers how many milliseconds after the commit the other node matches the new one.
 */
function changer({ db, watch }: Nodes): Change {
  let changes = 0
  return async (workspaceId, id) => {
    changes += 1
    const term = `live change ${changes.toString(36)}`
    await db.transaction(async (tx) => {
      await tx.query(
        sql`update keyword set term = ${term}, term_folded = ${term} where workspace_id = ${workspaceId}
            and id = ${id}`,
      )
      await announceKeywords(tx, workspaceId, [id])
    })
    const committedMs = systemClock.monotonicMs()
    const post = madeUpPost(systemClock.now(), term)
    while (!watch.match(post)?.keywords.some(({ keywordId }) => keywordId === id)) {
      if (systemClock.monotonicMs() - committedMs > PATIENCE_MS) throw new Error('a change was not taken over')
      await breathe()
    }
    return systemClock.monotonicMs() - committedMs
  }
}

function rows(measure: string, tookMs: readonly number[], note: string): BenchRow[] {
  const sorted = [...tookMs].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return [
    { measure: `${measure}, p50`, value: at(0.5), unit: 'ms', better: 'lower', note },
    {
      measure: `${measure}, p99`,
      value: at(0.99),
      unit: 'ms',
      better: 'lower',
      must: 1000,
      goal: 200,
      note: `worst ${at(1).toFixed(0)} ms`,
    },
  ]
}

async function seed(db: Database, count: number): Promise<void> {
  const services = servicesOn(db)
  const workspaces = await seedWorkspaces(services, 50)
  await seedKeywords(db, workspaces, count, (number) => `term ${number.toString(36)} ${(number * 31).toString(36)}`)
  await db.query(sql`analyze`)
  await services.close()
}
