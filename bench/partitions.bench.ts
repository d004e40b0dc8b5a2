import { SECOND_MS, systemClock } from '../src/kernel/clock.ts'
import { newUuid } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { createSealer } from '../src/kernel/sealing.ts'
import { StoreStage } from '../src/pipeline/store/store-stage.ts'
import { type Database, openDatabase } from '../src/store/database.ts'
import { ErasedAuthors } from '../src/store/erasure/erased-authors.ts'
import { takeSources } from '../src/store/source/source-leases.ts'
import { registerSources } from '../src/store/source/source-state.ts'
import { createMetrics } from '../test/metrics.ts'
import { SECRET_KEY } from '../test/stand-ins/seeded.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import type { Cast } from './ingest/cast.ts'
import { farDatabase } from './ingest/far-database.ts'
import { type Draw, drawing } from './ingest/load.ts'
import { openPrepared } from './ingest/prepared.ts'

const MENTIONS = 6000
const PARTITIONS = [1, 4]
const ROUNDS = 2
/** To the database and back again. */
const DELAY_MS = 5

/**
 * Mentions a second that one live source's posts are stored at, in one partition and in four, next to the database and
 * at some distance from it. The ratio is what partitions gain.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const seconds = quick ? 3 : 12
  const prepared = await openPrepared(MENTIONS, 10)
  const far = await farDatabase(prepared.postgres.connectionString, DELAY_MS)
  const distant = openDatabase({ connection: far.connection, poolSize: 10, log: silentLog })
  try {
    // Connections and files are warm from then on.
    for (const db of [prepared.db, distant]) await rateOf(db, prepared.cast, 4, 2)
    return [
      ...rowsOf('database on the same machine', await ratesOf(prepared.db, prepared.cast, seconds)),
      ...rowsOf(`database ${2 * DELAY_MS} ms away`, await ratesOf(distant, prepared.cast, seconds)),
    ]
  } finally {
    await distant.close()
    await far.close()
    await prepared.close()
  }
}

/** In turns, so that a slow moment of the machine falls on both. */
async function ratesOf(db: Database, cast: Cast, seconds: number): Promise<number[]> {
  const sums = PARTITIONS.map(() => 0)
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [place, partitions] of PARTITIONS.entries()) sums[place]! += await rateOf(db, cast, partitions, seconds)
  return sums.map((sum) => sum / ROUNDS)
}

async function rateOf(db: Database, cast: Cast, partitions: number, seconds: number): Promise<number> {
  let mentions = 0
  const stage = new StoreStage({
    ...{
      db,
      clock: systemClock,
      log: silentLog,
      metrics: createMetrics(),
      metered: true,
      mentionDays: null,
      partitions,
    },
    erased: new ErasedAuthors(createSealer(SECRET_KEY)),
    onMentions: async (made) => {
      mentions += made.length
    },
  })
  const intake = stage.open({ platform: 'bluesky', mode: 'live' }, await leaseOf(db), () => undefined)
  const draw = drawing(cast, newUuid(systemClock.now()))
  const beganMs = systemClock.monotonicMs()
  for (let batch = 1; systemClock.monotonicMs() - beganMs < seconds * SECOND_MS; batch += 1)
    await intake.put({ ...batchOf(draw), cursor: { batch } })
  await intake.finish()
  return mentions / ((systemClock.monotonicMs() - beganMs) / SECOND_MS)
}

function batchOf(draw: Draw) {
  const matched = new Map(draw().map((item) => [item.post.nativeId, item]))
  return {
    changes: { matched, goneIds: new Set<never>(), goneAuthors: new Set<never>() },
    newestAt: systemClock.now(),
    posts: matched.size,
  }
}

async function leaseOf(db: Database) {
  const [at, source] = [systemClock.now(), 'bluesky']
  const holder = newUuid(at)
  await db.transaction((tx) => registerSources(tx, [{ source, scheduled: false }], at))
  const leasedUntil = new Date(at.getTime() + 1)
  await takeSources(db, { holder, at: leasedUntil, leasedUntil, sources: [source], limit: 1 })
  return { source, holder }
}

function rowsOf(where: string, [one, four]: number[]): BenchRow[] {
  return [
    { measure: `mentions stored from one source, 1 partition, ${where}`, value: one!, unit: '/s' },
    { measure: `mentions stored from one source, 4 partitions, ${where}`, value: four!, unit: '/s' },
    { measure: `4 partitions against 1, ${where}`, value: four! / one!, unit: 'times' },
  ]
}
