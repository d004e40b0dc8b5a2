import { createApiKey } from '../src/commands/api-keys/create-api-key.ts'
import { silentLog } from '../src/kernel/log.ts'
import { openDatabase } from '../src/store/database.ts'
import { accepted } from '../test/makers.ts'
import { servicesOn } from '../test/stand-ins/seeded.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import type { Asked, Asking } from './mentions/caller.ts'
import { planOf, type RecordingDatabase, recording } from './mentions/plans.ts'
import { type Questions, questionsOf } from './mentions/questions.ts'
import { scaleOf } from './mentions/scale.ts'
import { openStore } from './mentions/store.ts'
import { type Quantiles, quantilesOf } from './quantiles.ts'
import { type Serving, serve } from './serving.ts'

const LIST = '/v1/mentions?limit=50'
const EXPORT = '/v1/mentions/export.json'
/** Pages of a hundred that are turned before the deep page is asked for. */
const DEEP_PAGES = 200

/**
 * Lists, searches, counts, exports and analytics of one large workspace among very many others, asked over HTTP one at
 * a time, and how the time of a page grows with the workspace. Fails when a list would scan the mentions from end to
 * end.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const stage = await raise(quick)
  try {
    const largest = stage.sites.at(-1)!
    await checkPlans(stage, largest)
    return [
      ...(await pages(stage, largest, quick ? 20 : 60)),
      ...(await groups(stage, largest, quick ? 5 : 20)),
      ...(await exports(stage, largest, quick ? 3 : 7)),
      await slope(stage, quick ? 30 : 100),
    ]
  } finally {
    await stage.close()
  }
}

/** A measured workspace, and how to ask about it. */
interface Site {
  key: string
  mentions: number
  questions: Questions
}

interface Stage extends Serving {
  db: RecordingDatabase
  sites: Site[]
}

async function raise(quick: boolean): Promise<Stage> {
  const { postgres, workspaces } = await openStore(scaleOf(quick))
  const db = recording(openDatabase({ connection: postgres.connectionString, poolSize: 10, log: silentLog }))
  const services = servicesOn(db)
  const sites: Site[] = []
  for (const { id, mentions } of workspaces) {
    const { key } = accepted(
      await createApiKey({ ...services, workspaceId: id }, { name: 'bench', scope: 'read', expiresAt: null }),
    )
    sites.push({ key, mentions, questions: await questionsOf(db, id) })
  }
  return { db, sites, ...(await serve({ services, db, postgres, caller: 'mentions/caller.ts' })) }
}

async function ask(
  stage: Stage,
  site: Site,
  paths: readonly string[],
  times: number,
): Promise<Exclude<Asked, { failed: string }>> {
  const asked = await new Promise<Asked>((resolve) => {
    stage.caller.once('message', (message) => resolve(message as Asked))
    stage.caller.send({ port: stage.port, key: site.key, paths, times } satisfies Asking)
  })
  if ('failed' in asked) throw new Error(asked.failed)
  return asked
}

/** How the twenty most usual filters are looked up; a scan of the mentions from end to end is a defect. */
async function checkPlans(stage: Stage, site: Site): Promise<void> {
  const { common, rare } = site.questions
  for (const path of [LIST, ...common, ...rare].slice(0, 30)) {
    const statements = await stage.db.record(() => ask(stage, site, [path], 1))
    const plans = (await Promise.all(statements.map((statement) => planOf(stage.db, statement)))).filter(
      (plan) => plan !== null,
    )
    console.log(`plan ${path.replace(LIST, '')}: ${plans.map(({ through }) => through.join(' + ')).join('; ')}`)
    if (plans.some(({ scans }) => scans)) throw new Error(`${path} scans the mentions from end to end`)
  }
}

async function pages(stage: Stage, site: Site, times: number): Promise<BenchRow[]> {
  const deep = await deepPath(stage, site)
  const first = quantilesOf(
    Object.values((await ask(stage, site, [LIST], times + 5)).tookMs).flatMap((took) => took.slice(5)),
  )
  const last = quantilesOf(Object.values((await ask(stage, site, [deep], times)).tookMs).flat())
  return [...both('first page', first, PAGE), ...both(`page ${2 * DEEP_PAGES + 1}`, last, PAGE)]
}

const PAGE = { p50: { must: 8, goal: 2 }, p99: { must: 40, goal: 10 } }

async function deepPath(stage: Stage, site: Site): Promise<string> {
  let cursor: string | null = null
  for (let page = 0; page < DEEP_PAGES; page += 1) {
    const { body } = await ask(
      stage,
      site,
      [`/v1/mentions?limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`],
      1,
    )
    const next: string | null = JSON.parse(body).nextCursor
    if (next === null) break
    cursor = next
  }
  return `${LIST}&cursor=${encodeURIComponent(cursor!)}`
}

async function groups(stage: Stage, site: Site, times: number): Promise<BenchRow[]> {
  const { common, rare, anyOf, words, beginnings, sorts, counts, analytics, analyticsByWindow } = site.questions
  const rows: BenchRow[] = []
  const add = async (name: string, paths: readonly string[], limits: Limits, rounds = times) => {
    await ask(stage, site, paths, 1)
    const { tookMs } = await ask(stage, site, paths, rounds)
    for (const [path, took] of Object.entries(tookMs))
      console.log(`${name}  p50 ${ms(quantilesOf(took).p50)}  p99 ${ms(quantilesOf(took).p99)}  ${shown(path)}`)
    rows.push(...both(name, quantilesOf(Object.values(tookMs).flat()), limits, worst(tookMs)))
  }
  await add('common filters', common, PAGE)
  await add('rare or empty filters', rare, { p99: { must: 60, goal: 15 } })
  await add('worst anyOf', anyOf, { p99: { must: 300, goal: 100 } })
  await add('search by words', words, { p99: { must: 120, goal: 30 } })
  await add('search by beginnings and accents', beginnings, { p99: { must: 120, goal: 30 } })
  await add('other sorts', sorts, {})
  await add('counts', counts, {})
  const fewer = Math.max(2, Math.round(times / 5))
  await add('analytics', analytics, {}, fewer)
  for (const { name, paths, mustMs } of analyticsByWindow) await add(name, paths, { p50: { must: mustMs } }, fewer)
  return rows
}

function shown(path: string): string {
  return decodeURIComponent(path.replace('/v1/mentions?limit=50&', '')).slice(0, 120)
}

function worst(tookMs: Record<string, number[]>): string {
  const [path, took] = Object.entries(tookMs).sort(([, a], [, b]) => quantilesOf(b).p50 - quantilesOf(a).p50)[0]!
  return `slowest: ${shown(path).slice(0, 60)}, p50 ${ms(quantilesOf(took).p50)}`
}

async function exports(stage: Stage, site: Site, times: number): Promise<BenchRow[]> {
  await ask(stage, site, [EXPORT], 1)
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)
  const { tookMs, firstByteMs } = await ask(stage, site, [EXPORT], times)
  clearInterval(timer)
  const took = quantilesOf(tookMs[EXPORT]!)
  return [
    {
      measure: 'export of 10,000, time',
      value: took.p50,
      unit: 'ms',
      better: 'lower',
      must: 600,
      goal: 150,
      note: `p99 ${ms(took.p99)}`,
    },
    {
      measure: 'export of 10,000, first byte',
      value: quantilesOf(firstByteMs).p50,
      unit: 'ms',
      better: 'lower',
      must: 60,
      goal: 30,
    },
    {
      measure: 'export of 10,000, extra memory',
      value: (peak - before) / 2 ** 20,
      unit: 'MB',
      better: 'lower',
      must: 64,
      goal: 20,
      note: `${times} exports one after the other`,
    },
  ]
}

/** How the time of a page grows: the slope of the line through the logarithms of time and size. */
async function slope(stage: Stage, times: number): Promise<BenchRow> {
  const points: { x: number; y: number; text: string }[] = []
  for (const site of stage.sites) {
    const paths = [LIST, ...site.questions.common.slice(0, 4)]
    await ask(stage, site, paths, 3)
    const { p50 } = quantilesOf(Object.values((await ask(stage, site, paths, times)).tookMs).flat())
    points.push({ x: Math.log(site.mentions), y: Math.log(p50), text: `${site.mentions}: ${ms(p50)}` })
  }
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const value =
    mean(points.map(({ x, y }) => (x - meanX) * (y - meanY))) / mean(points.map(({ x }) => (x - meanX) ** 2))
  return {
    measure: 'slope of page time over mentions',
    value,
    unit: 'log-log',
    better: 'lower',
    must: 0.1,
    goal: 0.05,
    note: points.map(({ text }) => text).join(', '),
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

type Limits = { [Quantile in keyof Quantiles]?: { must: number; goal?: number } }

function both(name: string, { p50, p99 }: Quantiles, limits: Limits, note = ''): BenchRow[] {
  return [
    { measure: `${name}, p50`, value: p50, unit: 'ms', better: 'lower', ...limits.p50 },
    { measure: `${name}, p99`, value: p99, unit: 'ms', better: 'lower', ...limits.p99, note },
  ]
}

function ms(value: number): string {
  return `${value.toPrecision(3)} ms`
}
