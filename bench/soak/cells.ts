import { join } from 'node:path'
import { systemClock } from '../../src/kernel/clock.ts'
import { sql } from '../../src/store/database.ts'
import { type Cell, type CellsStage, setCellsStage } from './cells-stage.ts'
import { eventually } from './eventually.ts'
import { verifyPlan } from './oracle.ts'
import { createPlan, type PlanOptions, readBases } from './plan.ts'
import { type Disturbed, readTimes } from './records.ts'
import { expectedKeys, judge, type Verdict } from './verdict.ts'

export interface CellsSoakOptions {
  /** Without moving terms. The workspaces are a multiple of four and of the cells. */
  plan: PlanOptions
  cells: number
  gatherers: number
  /** Posts a second, and for how long. */
  rate: number
  seconds: number
  /** What is killed and started again, and when, as a share of the time. */
  kills: readonly { at: number; what: string }[]
  /** Posts of which the slow oracle confirms what is expected. */
  oracleSample: number
  /** How long everything may take to drain afterwards. */
  drainSeconds: number
  say?: (line: string) => void
}

export interface CellsSoakResult {
  /** By the names of the cells. */
  verdicts: ReadonlyMap<string, Verdict>
  /** Connections that read the platform at the end. */
  listeners: number
  /** Null when they did not drain within their time. */
  drainedSeconds: number | null
  oracle: { posts: number; pairs: number }
  /** By the names of the cells, as their metrics tell. */
  places: ReadonlyMap<string, StreamPlace>
  /** How each process ended when it was told to: its exit code, and what it says if that is not 0. */
  endings: ReadonlyMap<string, string>
}

export interface StreamPlace {
  behindMessages: number
  lostPosts: number
}

const START_MS = 60_000

/**
 * A whole run of several cells on one post stream: publishes, kills, drains, and compares each cell, post by post, with
 * what its workspaces had to get.
 */
export async function soakCells(options: CellsSoakOptions): Promise<CellsSoakResult> {
  const plan = createPlan(options.plan, await readBases())
  const { cells, gatherers } = options
  const limitMs = (options.seconds + options.drainSeconds + 900) * 1000
  const stage = await setCellsStage({ plan, cells, gatherers, limitMs })
  try {
    await eventually(async () => (await stage.feed.ask('state', null)).listeners > 0, START_MS)
    // A cell begins at the present, from when on nothing may be missing.
    for (const cell of stage.cells) await eventually(() => hasPlace(cell), START_MS)
    options.say?.(`the stage is set: ${cells} cells, ${gatherers} gatherers`)
    const disturbances = await publish(options, stage)
    options.say?.('everything is published; draining')
    const timesPath = join(stage.folder, 'times')
    await stage.feed.ask('times', { path: timesPath })
    const drainedSeconds = await drain(stage, timesPath, options.drainSeconds)
    const readers = async () => (await stage.feed.ask('state', null)).listeners
    // Whoever reads may be connecting again.
    await eventually(async () => (await readers()) === 1, START_MS, false)
    const listeners = await readers()
    const places = new Map<string, StreamPlace>()
    for (const { name } of stage.cells) {
      // The metric follows within seconds.
      const isAtEnd = async () => (await readPlace(stage, name)).behindMessages === 0
      await eventually(isAtEnd, START_MS, false)
      places.set(name, await readPlace(stage, name))
    }
    const endings = new Map<string, string>()
    for (const name of stage.services.running.keys()) endings.set(name, await endingOf(stage, name))
    const verdicts = new Map<string, Verdict>()
    for (const { name, receivers, ...cell } of stage.cells) {
      await receivers.ask('flush', null)
      verdicts.set(name, await judge({ ...cell, changes: [], disturbances, timesPath }))
    }
    const oracle = verifyPlan(plan, readTimes(timesPath).length, options.oracleSample)
    return { verdicts, listeners, places, drainedSeconds, oracle, endings }
  } finally {
    await stage.close()
  }
}

async function hasPlace({ db }: Cell): Promise<boolean> {
  const rows = await db.query(sql`select from source_state where source = 'bluesky' and cursor is not null`)
  return rows.length > 0
}

/** Publishes every post while processes are killed one after the other. */
async function publish(options: CellsSoakOptions, stage: CellsStage): Promise<Disturbed[]> {
  const { rate, seconds, drainSeconds } = options
  const ending = new AbortController()
  const killing = killAll(options, stage, ending.signal)
  try {
    const feeding = stage.feed.ask('run', { rate, seconds }, (seconds + drainSeconds) * 1000)
    const [, disturbances] = await Promise.all([feeding, killing])
    return disturbances
  } finally {
    ending.abort()
  }
}

async function killAll(
  { kills, seconds, say }: CellsSoakOptions,
  stage: CellsStage,
  signal: AbortSignal,
): Promise<Disturbed[]> {
  const beganMs = systemClock.monotonicMs()
  const disturbed: Disturbed[] = []
  for (const { at, what } of kills) {
    await systemClock.wait(Math.max(0, beganMs + at * seconds * 1000 - systemClock.monotonicMs()), signal)
    if (signal.aborted) break
    say?.(`kill ${what}`)
    const fromMs = systemClock.now().getTime()
    await stage.kill(what)
    disturbed.push({ what: `kill ${what}`, fromMs, toMs: systemClock.now().getTime() })
  }
  return disturbed
}

/** Waits until every cell has what it has to have, scored and sent; answers how long that took. */
async function drain({ cells }: CellsStage, timesPath: string, withinSeconds: number): Promise<number | null> {
  const beganMs = systemClock.monotonicMs()
  const timesMs = readTimes(timesPath)
  for (const cell of cells) {
    const leftMs = beganMs + withinSeconds * 1000 - systemClock.monotonicMs()
    const expected = expectedKeys(cell.plan, timesMs).keys.size
    if (!(await eventually(() => isDrained(cell, expected), leftMs, false))) return null
  }
  return (systemClock.monotonicMs() - beganMs) / 1000
}

async function isDrained({ db }: Cell, expected: number): Promise<boolean> {
  const [row] = await db.query<{ mentions: number; unscored: boolean; unsent: boolean }>(sql`
    select (select count(*)::int from mention) as mentions,
      exists (select from mention where scored_at is null) as unscored,
      exists (select from delivery where status = 'pending') as unsent`)
  return row !== undefined && row.mentions >= expected && !row.unscored && !row.unsent
}

async function readPlace({ services }: CellsStage, name: string): Promise<StreamPlace> {
  const text = await (await fetch(`${services.originOf(name)}/metrics`)).text()
  const figureOf = (name: string) =>
    Number(text.match(new RegExp(`^${name}\\{platform="bluesky"\\} (\\S+)$`, 'm'))?.[1])
  return {
    behindMessages: figureOf('earshot_stream_behind_messages'),
    lostPosts: figureOf('earshot_stream_lost_posts'),
  }
}

async function endingOf({ services }: CellsStage, name: string): Promise<string> {
  const { ended } = services.running.get(name)!
  const lastWords = await services.end(name)
  const { code, signal } = await ended
  return code === 0 ? '0' : `${code ?? signal}: ${lastWords}`
}
