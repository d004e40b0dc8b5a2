import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/kernel/clock.ts'
import { type Database, sql } from '../src/store/database.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import { type CpuProfile, type Frame, merged, microsByRoom, treeOf } from './flame/profile.ts'
import { flameSvg } from './flame/svg.ts'
import { SERVICE, setPipelineStage, watchCosts } from './pipeline.bench.ts'

const RATE = 2000
const WARM_UP_SECONDS = 5
/** Microseconds between two looks at the stack. */
const EVERY_MICROS = 500
const PICTURE = fileURLToPath(new URL('../docs/notebook/performance.svg', import.meta.url))

/**
 * Looks at the stacks of the service while posts go through it, draws docs/notebook/performance.svg, and says what each
 * room costs a post. The looking itself costs some processor time, so the shares count more than the sums.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const seconds = quick ? 10 : 40
  const profiles = mkdtempSync(join(tmpdir(), 'earshot-flame-'))
  try {
    const options = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-interval=${EVERY_MICROS}`]
    const stage = await setPipelineStage({
      nodeOptions: options,
      databaseSettings: { shared_preload_libraries: 'pg_stat_statements' },
    })
    try {
      await stage.feed.ask('run', { rate: RATE, seconds: WARM_UP_SECONDS })
      await stage.db.query(sql`create extension pg_stat_statements`)
      await stage.db.query(sql`select pg_stat_statements_reset()`)
      const costs = watchCosts(stage)
      const fromMicros = nowMicros()
      await stage.feed.ask('run', { rate: RATE, seconds })
      const toMicros = nowMicros()
      const usage = await costs.stop()
      const statements = await readStatements(stage.db)
      // The profile is written when the process ends in order.
      await stage.end(SERVICE)
      const tree = wholeOf(readProfiles(profiles), fromMicros, toMicros)
      const date = systemClock.now().toISOString().slice(0, 10)
      const subtitle =
        `${RATE} posts/s, 5 % matching, 10,000 keywords, built-in classifier, webhooks; all threads of one ` +
        `process, without idle time; ${date}, Node ${process.versions.node}`
      writeFileSync(
        PICTURE,
        flameSvg(tree, { title: 'From post to delivery: where the processor time goes', subtitle }),
      )
      return rowsOf(
        tree,
        RATE * seconds,
        usage.cpuSeconds.get(SERVICE)!,
        usage.cpuSeconds.get('PostgreSQL')!,
        statements,
      )
    } finally {
      await stage.close()
    }
  } finally {
    rmSync(profiles, { recursive: true, force: true })
  }
}

interface Statement {
  text: string
  calls: number
  /** Spent in executing it, all calls together. */
  ms: number
}

const STATEMENTS_SHOWN = 14

/** Where the database's time went, by statement; commits wait for the disk. */
async function readStatements(db: Database): Promise<Statement[]> {
  const rows = await db.query<{ query: string; calls: number; ms: number }>(sql`
    select query, sum(calls)::int as calls, sum(total_exec_time) as ms from pg_stat_statements
    where query not like '%pg_stat_statements%' group by query order by ms desc limit ${STATEMENTS_SHOWN}`)
  return rows.map(({ query, calls, ms }) => ({ text: shortened(query), calls, ms }))
}

/** The first words and the tables that are written to. */
function shortened(query: string): string {
  const plain = query.replace(/\s+/g, ' ').trim()
  const written = [...plain.matchAll(/(?:insert into|(?<!for |key )update|delete from) (\w+)/g)].map(
    ([, table]) => table,
  )
  const writes = [...new Set(written)].filter((table) => table !== 'set').join(', ')
  return writes ? `${plain.slice(0, 30)}\u2026 (writes ${writes})` : plain.slice(0, 60)
}

/** The clock that the runtime stamps its profiles with. */
function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

function readProfiles(folder: string): CpuProfile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  if (names.length === 0) throw new Error('the service left no profile')
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile)
}

/** Every thread has a profile of its own. */
function wholeOf(profiles: readonly CpuProfile[], fromMicros: number, toMicros: number): Frame {
  const trees = profiles.map((profile) => treeOf(profile, fromMicros, toMicros))
  const children = merged(trees.flatMap((tree) => tree.children))
  return { name: 'all', room: 'runtime', micros: children.reduce((sum, child) => sum + child.micros, 0), children }
}

function rowsOf(
  tree: Frame,
  posts: number,
  serviceSeconds: number,
  databaseSeconds: number,
  statements: readonly Statement[],
): BenchRow[] {
  const rooms = [...microsByRoom(tree)].filter(([, micros]) => micros > 0)
  const cost = (measure: string, micros: number): BenchRow => ({
    measure,
    value: micros / posts,
    unit: 'µs a post',
    better: 'lower',
  })
  return [
    ...rooms.map(([room, micros]) => ({
      ...cost(room, micros),
      note: `${((micros / tree.micros) * 100).toFixed(1)} %`,
    })),
    { ...cost('all threads, as sampled', tree.micros), note: `${posts} posts` },
    cost('the process, as the kernel counts it', serviceSeconds * 1e6),
    cost('PostgreSQL, as the kernel counts it', databaseSeconds * 1e6),
    ...statements.map(({ text, calls, ms }) => ({
      ...cost(`database: ${text}`, ms * 1000),
      note: `${calls} calls, ${((ms / calls) * 1000).toFixed(0)} µs each`,
    })),
  ]
}
