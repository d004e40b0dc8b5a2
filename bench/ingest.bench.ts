import { ingestPosts } from '../src/commands/mentions/ingest-posts.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { STORES_AT_ONCE } from '../src/pipeline/store/settings.ts'
import { type Database, sql } from '../src/store/database.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import { BATCH, drawing, type Stored, storeFor } from './ingest/load.ts'
import { copyRate, oneByOne } from './ingest/peers.ts'
import { openPrepared, type Prepared } from './ingest/prepared.ts'
import { serverSeconds } from './ingest/processor-time.ts'
import { quantile } from './quantiles.ts'

/**
 * What is asked for and where it is to go, beside a COPY of narrow rows that did 54,000 a second on the machine that
 * both were set on.
 */
const MUST = 8000
const GOAL = 20_000
const COPY_THEN = 54_000
const FULL = 6_000_000
const QUICK = 300_000
const ALMOST_EMPTY = 6000
/** What a store reads from its files after a start, it reads once and not for every mention. */
const WARM_UP_SECONDS = 30
/**
 * Long enough for a checkpoint and all that follows from it at the rate that is asked for: behind it each page is
 * logged whole once, so that a few seconds tell of the beginning or the end of a cycle only.
 */
const MEASURED_SECONDS = 90
const WARM_UP_EMPTY_SECONDS = 8

/** Matches stored durably a second through the real statements, in a store that is as large as one of years. */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const size = quick ? QUICK : FULL
  const seconds = quick ? 8 : MEASURED_SECONDS
  const small = await within(ALMOST_EMPTY, ({ db, cast }) => measure(db, cast, WARM_UP_EMPTY_SECONDS, quick ? 4 : 12))
  return await within(size, async ({ db, cast }) => {
    const large = await measure(db, cast, WARM_UP_SECONDS, seconds)
    const single = await storeFor(quick ? 3 : 6, db, oneByOne(db, ingestPosts), lanesOf(cast))
    const rows = quick ? 40_000 : 100_000
    const copied = {
      whole: await copyRate(db, rows, { words: true }),
      narrow: await copyRate(db, rows, { words: false }),
    }
    return rowsOf({ size, small, large, single, copied })
  })
}

/** Lends a store out, and ends its server whatever happens. */
async function within<Result>(mentions: number, work: (prepared: Prepared) => Promise<Result>): Promise<Result> {
  const prepared = await openPrepared(mentions, 2 * STORES_AT_ONCE)
  const end = () => void prepared.close().finally(() => process.exit(1))
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  try {
    return await work(prepared)
  } finally {
    process.removeListener('SIGINT', end)
    process.removeListener('SIGTERM', end)
    await prepared.close()
  }
}

function lanesOf(cast: Prepared['cast']) {
  return Array.from({ length: STORES_AT_ONCE }, (_, connection) =>
    drawing(cast, `${systemClock.now().getTime().toString(36)}-${connection}`),
  )
}

interface Measured extends Stored {
  serverSeconds: number | null
  walBytes: number
}

async function measure(
  db: Database,
  cast: Prepared['cast'],
  warmUpSeconds: number,
  seconds: number,
): Promise<Measured> {
  const draws = lanesOf(cast)
  await storeFor(warmUpSeconds, db, ingestPosts, draws)
  const [serverBefore, walBefore] = [await serverSeconds(db), await walBytes(db)]
  const stored = await storeFor(seconds, db, ingestPosts, draws)
  const serverAfter = await serverSeconds(db)
  const walAfter = await walBytes(db)
  return {
    ...stored,
    serverSeconds: serverBefore === null || serverAfter === null ? null : serverAfter - serverBefore,
    walBytes: walAfter - walBefore,
  }
}

async function walBytes(db: Database): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    sql`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`,
  )
  return row!.bytes
}

interface Figures {
  size: number
  small: Measured
  large: Measured
  single: Stored
  /** Rows that COPY alone brings in a second: with every index, and without the one over words. */
  copied: { whole: number; narrow: number }
}

function rowsOf({ size, small, large, single, copied }: Figures): BenchRow[] {
  const present = `${size} mentions present`
  const rate = rateOf(large)
  const row = (measure: string, value: number, unit: string, more: Partial<BenchRow> = {}): BenchRow => ({
    measure,
    value,
    unit,
    ...more,
  })
  return [
    row(`mentions stored durably, ${present}`, rate, 'mentions/s', {
      must: MUST,
      goal: GOAL,
      peer: `COPY ${Math.round(copied.whole)}/s, one by one ${Math.round(rateOf(single))}/s`,
      note: `${STORES_AT_ONCE} connections, batches of ${BATCH}; COPY alone, into an empty table with the same indexes`,
    }),
    row('mentions stored durably, almost empty store', rateOf(small), 'mentions/s'),
    row('share of what COPY does', rate / copied.whole, 'times'),
    row('share of what COPY does without the index over words', rate / copied.narrow, 'times', {
      must: MUST / COPY_THEN,
      goal: GOAL / COPY_THEN,
      peer: `COPY ${Math.round(copied.narrow)}/s`,
    }),
    row(`batch of ${BATCH}, p50`, quantile(large.batchMs, 0.5), 'ms', { better: 'lower' }),
    row(`batch of ${BATCH}, p99`, quantile(large.batchMs, 0.99), 'ms', {
      better: 'lower',
      note: `${large.batchMs.length} batches`,
    }),
    row('processor time of this process a mention', (large.ownSeconds / large.mentions) * 1e6, 'µs', {
      better: 'lower',
    }),
    ...(large.serverSeconds === null
      ? []
      : [
          row('processor time of the server a mention', (large.serverSeconds / large.mentions) * 1e6, 'µs', {
            better: 'lower',
          }),
        ]),
    row('log written a mention', large.walBytes / large.mentions, 'bytes', { better: 'lower' }),
    row(
      'slope of the processor time a mention over the mentions present (log-log)',
      slopeOf(small, large, size),
      'slope',
      { better: 'lower' },
    ),
  ]
}

function rateOf({ mentions, seconds }: Stored): number {
  return mentions / seconds
}

/** By processor time, which others on the machine disturb less; by the clock where that is not known. */
function slopeOf(small: Measured, large: Measured, size: number): number {
  const cost = (item: Measured) =>
    (item.serverSeconds === null ? item.seconds : item.serverSeconds + item.ownSeconds) / item.mentions
  return Math.log(cost(large) / cost(small)) / Math.log(size / ALMOST_EMPTY)
}
