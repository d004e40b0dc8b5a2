import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plus, systemClock } from '../src/kernel/clock.ts'
import { newUuid } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { createSealer } from '../src/kernel/sealing.ts'
import { PlatformAsker } from '../src/pipeline/collect/platform-asker.ts'
import { createEnrich } from '../src/pipeline/read/enrich.ts'
import type { ContextFor } from '../src/pipeline/read/read.ts'
import { StoreStage } from '../src/pipeline/store/store-stage.ts'
import { createCollectContext } from '../src/sources/collect-context.ts'
import { type Database, openDatabase, sql } from '../src/store/database.ts'
import { startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts'
import { ErasedAuthors } from '../src/store/erasure/erased-authors.ts'
import { migrateDatabase } from '../src/store/migrate.ts'
import { announceCollector, renewLeases, takeSources } from '../src/store/source/source-leases.ts'
import { readDueQueries, readNextDue } from '../src/store/source/source-queries.ts'
import { registerSources } from '../src/store/source/source-state.ts'
import { createMetrics } from '../test/metrics.ts'
import { SECRET_KEY, seedKeywords, seedWorkspaces, servicesOn } from '../test/stand-ins/seeded.ts'
import { searchable } from '../test/stand-ins/sources.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import { type MeasuredPlaces, measurePlaces } from './scheduler/places.ts'

const WORKSPACES = 200
const LOOKS = 400
const POLLS = 600
const HOUR_MS = 3_600_000

/**
 * What it costs to find out what is due on one platform, and to ask for one term and write down when it is due again,
 * as the number of distinct terms grows. The platform answers at once and with nothing, so all that is left is ours.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const sizes = quick ? [1000, 10_000] : [1000, 10_000, 100_000]
  const measured: Measured[] = []
  for (const size of sizes) measured.push(await withQueries(size, measure))
  const label = (size: number) => size.toLocaleString('en-US')
  const rows = measured.flatMap(({ size, lookMs, pollMs }): BenchRow[] => [
    {
      measure: `look for what is due, nothing is, ${label(size)} queries`,
      value: lookMs,
      unit: 'ms',
      better: 'lower',
      note: 'median',
    },
    {
      measure: `ask one query and note its next turn, ${label(size)} queries`,
      value: pollMs,
      unit: 'ms',
      better: 'lower',
      note: `of ${POLLS} due ones, two at once`,
    },
  ])
  const places = await withDatabase((small) =>
    withDatabase((large) =>
      measurePlaces([
        { db: small, size: 1000 },
        { db: large, size: 10_000 },
      ]),
    ),
  )
  return [
    ...rows,
    {
      measure: 'slope of a look over queries (log-log)',
      value: slopeOf(measured, ({ lookMs }) => lookMs),
      unit: 'slope',
      better: 'lower',
      must: 0.2,
      goal: 0.05,
    },
    {
      measure: 'slope of a poll over queries (log-log)',
      value: slopeOf(measured, ({ pollMs }) => pollMs),
      unit: 'slope',
      better: 'lower',
      must: 0.2,
      goal: 0.05,
    },
    ...rowsOfPlaces(places),
  ]
}

function slopeOf<Item extends { size: number }>(measured: readonly Item[], cost: (item: Item) => number): number {
  const [first, last] = [measured[0]!, measured.at(-1)!]
  return Math.log(cost(last) / cost(first)) / Math.log(last.size / first.size)
}

function rowsOfPlaces(places: readonly MeasuredPlaces[]): BenchRow[] {
  const { coreShare } = places.at(-1)!
  const looks = places.map(
    ({ size, lookMs }): BenchRow => ({
      measure: `look for due feeds, none is, ${size.toLocaleString('en-US')} feeds`,
      value: lookMs,
      unit: 'ms',
      better: 'lower',
      note: 'median',
    }),
  )
  const slope: BenchRow = {
    measure: 'slope of a look over feeds (log-log)',
    value: slopeOf(places, ({ lookMs }) => lookMs),
    unit: 'slope',
    better: 'lower',
    must: 0.2,
    goal: 0.05,
  }
  const share: BenchRow[] =
    coreShare === null
      ? []
      : [
          {
            measure: 'share of one core for 10,000 feeds on 5,000 hosts',
            value: coreShare,
            unit: 'share',
            better: 'lower',
            must: 0.05,
            note: 'every 15 minutes, one reply in ten is new; with the database and the stand-in site',
          },
        ]
  return [...looks, slope, ...share]
}

interface Measured {
  size: number
  lookMs: number
  pollMs: number
}

function withQueries(size: number, work: (db: Database, size: number) => Promise<Measured>): Promise<Measured> {
  return withDatabase(async (db) => {
    await seed(db, size)
    return await work(db, size)
  })
}

async function withDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const db = openDatabase({ connection: postgres.connectionString, poolSize: 4, log: silentLog })
  try {
    await migrateDatabase(postgres.connectionString)
    return await work(db)
  } finally {
    await db.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** As many distinct terms on one platform, due at any time of the next hour. */
async function seed(db: Database, size: number): Promise<void> {
  const services = servicesOn(db)
  await seedKeywords(db, await seedWorkspaces(services, WORKSPACES), size, (number) => `term ${number.toString(36)}`)
  await services.close()
  const at = systemClock.now()
  await db.query(sql`
    insert into source_query (platform, key, term, due_at, read_until, look_back)
    select 2, term_folded, term, ${at}::timestamptz + interval '1 minute' + random() * interval '59 minutes', ${at},
      false from keyword`)
  await db.query(
    sql`insert into keyword_query (workspace_id, keyword_id, platform, key, since, look_back)
        select workspace_id, id, 2, term_folded, ${at}, false from keyword`,
  )
  await db.query(sql`analyze`)
}

async function measure(db: Database, size: number): Promise<Measured> {
  const tookMs: number[] = []
  for (let look = 0; look < LOOKS; look += 1) {
    const beganMs = performance.now()
    await readDueQueries(db, { platform: 'github', at: systemClock.now(), except: [], limit: 8 })
    await readNextDue(db, 'github', [])
    tookMs.push(performance.now() - beganMs)
  }
  return { size, lookMs: tookMs.sort((a, b) => a - b)[LOOKS / 2]!, pollMs: await pollAll(db) }
}

/** Makes so many queries due and lets the scheduler ask for them; milliseconds for each. */
async function pollAll(db: Database): Promise<number> {
  const [clock, log, metrics] = [systemClock, silentLog, createMetrics()]
  const at = clock.now()
  const holder = newUuid(at)
  await db.transaction((tx) => registerSources(tx, [{ source: 'github', scheduled: true }], at))
  const lease = { holder, at, leasedUntil: plus(at, HOUR_MS) }
  await renewLeases(db, lease)
  await announceCollector(db)
  await takeSources(db, { ...lease, sources: ['github'], limit: 1 })
  await db.query(
    sql`update source_query set due_at = ${plus(at, -1000)} where key in (select key from source_query order by key
        limit ${POLLS})`,
  )
  const ending = new AbortController()
  let asked = 0
  let endedMs = 0
  const source = searchable('github', async function* () {
    asked += 1
    yield []
  })
  const contextFor: ContextFor = (of, now, signal) =>
    createCollectContext(of, { address: null, userAgent: 'bench', at: now, signal, log })
  const erased = new ErasedAuthors(createSealer(SECRET_KEY))
  const options = {
    db,
    clock,
    log,
    metrics,
    read: () => {
      throw new Error('nothing is read here but queries')
    },
    store: new StoreStage({
      db,
      clock,
      log,
      metrics,
      erased,
      metered: true,
      partitions: 1,
      mentionDays: null,
      onMentions: null,
    }),
    watch: {
      match: () => null,
      find: () => null,
      caughtUp: async () => undefined,
      admitted: () => null,
      noteRejected: () => undefined,
    },
    enrich: createEnrich({ db, clock, log, metrics, contextFor }),
    contextFor,
    contextAside: contextFor,
  }
  const beganMs = performance.now()
  const running = new PlatformAsker(source, { source: 'github', holder }, options).run(ending.signal)
  while (endedMs === 0) {
    const [row] = await db.query<{ due: number }>(
      sql`select count(*)::int as due from source_query where platform = 2 and due_at <= ${at}`,
    )
    if (row!.due === 0) endedMs = performance.now()
    else await clock.wait(5)
  }
  ending.abort()
  await running
  if (asked !== POLLS) throw new Error(`${asked} of ${POLLS} queries were asked`)
  return (endedMs - beganMs) / POLLS
}
