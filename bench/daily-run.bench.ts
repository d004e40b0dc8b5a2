import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runDay } from '../src/commands/wallet/daily-run.ts'
import type { Services } from '../src/commands/writing.ts'
import { DAY_MS, dayOf, dayStart, MINUTE_MS, plus, SECOND_MS, systemClock } from '../src/kernel/clock.ts'
import { newUuid, type Uuid } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { verifyLedger } from '../src/queries/wallet/verify-ledger.ts'
import { type Database, openDatabase, sql } from '../src/store/database.ts'
import { startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts'
import { migrateDatabase } from '../src/store/migrate.ts'
import { createTestClock, type TestClock } from '../test/clock.ts'
import { databaseOn } from '../test/database-setup.ts'
import { seedKeywords, servicesOn } from '../test/stand-ins/seeded.ts'
import type { BenchOptions, BenchRow } from './contract.ts'

const KEYWORDS_EACH = 10
const FULL = [1000, 10_000, 100_000]
const QUICK = [1000, 10_000]
/** Days that are run one after the other; the figure is their median. */
const DAYS = 5
/** One workspace in so many has used up its money and stops on the first of them. */
const SHORT_EVERY = 50
/** One keyword in so many had mentions on the day before. */
const USED_EVERY = 3

/**
 * The daily run over whole installations: yesterday's mentions settled, every keyword charged, or stopped where the
 * money is gone.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  try {
    const measured: Measured[] = []
    for (const keywords of quick ? QUICK : FULL) measured.push(await measure(server.connectionString, keywords))
    return rowsOf(measured)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Measured {
  keywords: number
  /** The run of the first day, on which some stop. */
  firstSeconds: number
  seconds: number
  /** A start when everything is done. */
  idleSeconds: number
  charged: number
  stopped: number
  differences: number
}

async function measure(admin: string, keywords: number): Promise<Measured> {
  const name = `bench_${keywords}`
  const connection = databaseOn(admin, name)
  const maintenance = openDatabase({ connection: admin, poolSize: 1, log: silentLog })
  await maintenance.query(sql`create database ${sql.ref(name)}`)
  await maintenance.close()
  await migrateDatabase(connection)
  const db = openDatabase({ connection, log: silentLog })
  const clock = createTestClock(plus(dayStart(systemClock.now()), 12 * 60 * MINUTE_MS))
  const services = servicesOn(db)
  try {
    await seed(db, clock, keywords)
    return await runDays({ ...services, clock }, clock, keywords)
  } finally {
    await services.close()
    await db.close()
  }
}

async function runDays(services: Services, clock: TestClock, keywords: number): Promise<Measured> {
  const { db } = services
  const seconds: number[] = []
  for (let day = 0; day < DAYS; day += 1) {
    await spend(db, dayOf(clock.now()))
    clock.set(plus(dayStart(plus(clock.now(), DAY_MS)), 5 * MINUTE_MS))
    seconds.push(await timed(() => runDay(services)))
  }
  const idleSeconds = await timed(() => runDay(services))
  const [counted] = await db.query<{ charged: number; stopped: number }>(sql`
    select (select count(*) from keyword_day) as charged, (select count(*) from keyword
      where paused_for_balance) as stopped`)
  const { differences } = await verifyLedger(db, { metered: true })
  const later = seconds.slice(1).sort((a, b) => a - b)
  return {
    keywords,
    firstSeconds: seconds[0]!,
    seconds: later[Math.floor(later.length / 2)]!,
    idleSeconds,
    ...counted!,
    differences: differences.length,
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganMs = systemClock.monotonicMs()
  await work()
  return (systemClock.monotonicMs() - beganMs) / SECOND_MS
}

/** Workspaces with money for some weeks, in bulk, and their keywords. */
async function seed(db: Database, clock: TestClock, keywords: number): Promise<void> {
  const at = clock.now()
  const ids: Uuid[] = Array.from({ length: keywords / KEYWORDS_EACH }, () => newUuid(at))
  await db.query(sql`
    with made as (
      insert into workspace (id, name, created_at, balance_units, last_credit_units, welcome_limits, settled_through)
      select id, 'Workspace ' || place, ${at}, units, units, false, ${dayOf(plus(at, -DAY_MS))}::date
      from (select id, place, case when place % ${SHORT_EVERY} = 0 then 100 else 300000 end as units
        from unnest(${ids}::uuid[]) with ordinality as t (id, place)) t
      returning id, balance_units),
    entered as (
      insert into ledger_entry (workspace_id, id, kind, amount_units, balance_units, key, created_at)
      select id, id, 'topup', balance_units, balance_units, 'payment', ${at} from made
        returning workspace_id, id, amount_units),
    posted as (
      insert into ledger_posting (workspace_id, entry_id, account, amount_units)
      select workspace_id, id, 'wallet', amount_units from entered union all
        select workspace_id, id, 'payment', -amount_units from entered)
    insert into keyword_group (workspace_id, id, name, name_folded, is_default, created_at, updated_at)
      select id, id, 'Default', 'default', true, ${at}, ${at} from made`)
  await seedKeywords(db, ids, keywords, (number) => `term ${number}`)
  // As made by the clock of the bench, which is not that of the machine.
  await db.query(sql`update keyword set created_at = ${at}`)
  await db.query(sql`analyze`)
}

/** What was scored on a day, for some of the keywords. */
async function spend(db: Database, day: string): Promise<void> {
  await db.query(sql`
    insert into usage_day (workspace_id, day, keyword_id, platform, matched, scored, billable, mention_units)
    select workspace_id, ${day}::date, id, 1, 5, 5, 5, 120 from (select *, row_number() over (order by id) as place
      from keyword where not muted) k
    where place % ${USED_EVERY} = 0`)
}

function rowsOf(measured: readonly Measured[]): BenchRow[] {
  const [least, most] = [measured[0]!, measured.at(-1)!]
  const isFull = most.keywords === FULL.at(-1)
  const of = ({ keywords }: Measured) => `${keywords / KEYWORDS_EACH} workspaces, ${keywords} keywords`
  return [
    {
      measure: `daily run, ${of(most)}`,
      value: most.seconds,
      unit: 's',
      ...(isFull ? { must: 60, goal: 10 } : {}),
      better: 'lower',
      note:
        `median of ${DAYS - 1} days, mentions of one keyword in ${USED_EVERY} settled; the first day, with one ` +
        `workspace in ${SHORT_EVERY} stopped, took ${most.firstSeconds.toFixed(2)} s`,
    },
    ...measured.map(
      (item): BenchRow => ({
        measure: `a keyword, ${of(item)}`,
        value: (item.seconds / item.keywords) * 1e6,
        unit: 'µs',
        better: 'lower',
      }),
    ),
    {
      measure: 'slope of the time over the keywords (log-log)',
      value: Math.log(most.seconds / least.seconds) / Math.log(most.keywords / least.keywords),
      unit: 'slope',
      better: 'lower',
      note: '1 is as many times longer as there are more',
    },
    { measure: 'started again when all is done', value: most.idleSeconds * 1000, unit: 'ms', better: 'lower' },
    {
      measure: 'differences that verifying the ledger finds',
      value: measured.reduce((sum, { differences }) => sum + differences, 0),
      unit: '',
      must: 0,
      better: 'lower',
      note: measured
        .map(({ charged, stopped }) => `${charged} keyword-days charged, ${stopped} keywords stopped`)
        .join('; '),
    },
  ]
}
