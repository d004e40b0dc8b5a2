import { join } from 'node:path'
import { systemClock } from '../../src/kernel/clock.ts'
import type { Uuid } from '../../src/kernel/ids.ts'
import { type Difference, verifyLedger } from '../../src/queries/wallet/verify-ledger.ts'
import { sql } from '../../src/store/database.ts'
import { type Cell, type CellsStage, DOOR, setCellsStage } from './cells-stage.ts'
import { eventually } from './eventually.ts'
import type { Finding } from './finding.ts'
import { verifyPlan } from './oracle.ts'
import { createPlan, type PlanOptions, readBases } from './plan.ts'
import { type Disturbed, readTimes } from './records.ts'
import { expectedKeys, judge, type Verdict } from './verdict.ts'
import { unexplainedVisits, Visitors } from './visitors.ts'

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
  /** When the second workspace of the first cell moves to the last one, as a share of the time. */
  moveAt: number
  /** Posts of which the slow oracle confirms what is expected. */
  oracleSample: number
  /** How long everything may take to drain afterwards. */
  drainSeconds: number
  say?: (line: string) => void
}

export interface CellsSoakResult {
  /** By the names of the cells in which the workspaces began. */
  verdicts: ReadonlyMap<string, Verdict>
  /** Null when the workspace has moved; else what the command says. */
  moveFailure: string | null
  /** Callers who were refused although neither the door nor their cell was away. */
  unexplainedVisits: Finding
  visits: number
  /** By the names of the cells: whatever of money is not as it has to be. */
  differences: ReadonlyMap<string, readonly Difference[]>
  /** Connections that read the platform at the end. */
  listeners: number
  /** Null when they did not drain within their time. */
  drainedSeconds: number | null
  oracle: { posts: number; pairs: number }
  /** Posts that left the stream unread, by the names of the cells, as their metrics tell. */
  lostPosts: ReadonlyMap<string, number>
  /** How each process ended when it was told to: its exit code, and what it says if that is not 0. */
  endings: ReadonlyMap<string, string>
}

const START_MS = 60_000

/**
 * A whole run of several cells on one post stream behind a door: publishes, kills, moves a workspace, drains, and
 * compares each cell, post by post, with what its workspaces had to get.
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
    const visitors = new Visitors(stage.cells, stage.services.originOf(DOOR))
    const { disturbances, moveFailure } = await publish(options, stage)
    await visitors.stop()
    options.say?.('everything is published; draining')
    const timesPath = join(stage.folder, 'times')
    await stage.feed.ask('times', { path: timesPath })
    const moved = movedOf(stage)
    const drainedSeconds = await drain(stage, moved, timesPath, options.drainSeconds)
    const ended = await end(stage)
    const verdicts = new Map<string, Verdict>()
    const differences = new Map<string, readonly Difference[]>()
    for (const { name, receivers, ...cell } of stage.cells) {
      await receivers.ask('flush', null)
      const elsewhere = new Map([[moved.workspaceId, moved.to.db]])
      verdicts.set(name, await judge({ ...cell, elsewhere, changes: [], disturbances, timesPath }))
      differences.set(name, (await verifyLedger(cell.db, { metered: true })).differences)
    }
    return {
      ...{ verdicts, differences, moveFailure, drainedSeconds, ...ended },
      visits: visitors.visits.length,
      unexplainedVisits: unexplainedVisits(visitors.visits, disturbances, DOOR),
      oracle: verifyPlan(plan, readTimes(timesPath).length, options.oracleSample),
    }
  } finally {
    await stage.close()
  }
}

/** The workspace that moves, and where it lives at the end. */
interface Moved {
  workspaceId: Uuid
  from: Cell
  to: Cell
}

function movedOf({ cells }: CellsStage): Moved {
  const [from, to] = [cells[0]!, cells.at(-1)!]
  return { workspaceId: from.seeded.workspaces[1]!.id, from, to }
}

/** Looks once more, and tells every process to end. */
async function end(stage: CellsStage): Promise<Pick<CellsSoakResult, 'listeners' | 'lostPosts' | 'endings'>> {
  const readers = async () => (await stage.feed.ask('state', null)).listeners
  // Whoever reads may be connecting again.
  await eventually(async () => (await readers()) === 1, START_MS, false)
  const listeners = await readers()
  const lostPosts = new Map<string, number>()
  for (const { name } of stage.cells) lostPosts.set(name, await readLostPosts(stage.services.originOf(name)))
  const endings = new Map<string, string>()
  for (const name of stage.services.running.keys()) endings.set(name, await endingOf(stage, name))
  return { listeners, lostPosts, endings }
}

async function hasPlace({ db }: Cell): Promise<boolean> {
  const rows = await db.query(sql`select from source_state where source = 'bluesky' and cursor is not null`)
  return rows.length > 0
}

/** Publishes every post while processes are killed one after the other, and a workspace moves. */
async function publish(
  options: CellsSoakOptions,
  stage: CellsStage,
): Promise<{ disturbances: Disturbed[]; moveFailure: string | null }> {
  const { rate, seconds, drainSeconds } = options
  const ending = new AbortController()
  const killing = killAll(options, stage, ending.signal)
  const moving = moveOne(options, stage, ending.signal)
  try {
    const feeding = stage.feed.ask('run', { rate, seconds }, (seconds + drainSeconds) * 1000)
    const [, disturbances, moveFailure] = await Promise.all([feeding, killing, moving])
    return { disturbances, moveFailure }
  } finally {
    ending.abort()
  }
}

async function moveOne(
  { moveAt, seconds, say }: CellsSoakOptions,
  stage: CellsStage,
  signal: AbortSignal,
): Promise<string | null> {
  await systemClock.wait(moveAt * seconds * 1000, signal)
  if (signal.aborted) return 'the run ended before'
  const { workspaceId, from, to } = movedOf(stage)
  say?.(`move ${workspaceId} from ${from.name} to ${to.name}`)
  return await stage.move(workspaceId, from, to)
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
async function drain(
  { cells }: CellsStage,
  moved: Moved,
  timesPath: string,
  withinSeconds: number,
): Promise<number | null> {
  const beganMs = systemClock.monotonicMs()
  const timesMs = readTimes(timesPath)
  for (const cell of cells) {
    const leftMs = beganMs + withinSeconds * 1000 - systemClock.monotonicMs()
    const expected = expectedKeys(cell.plan, timesMs).keys.size
    if (!(await eventually(() => isDrained(cell, moved, expected), leftMs, false))) return null
  }
  return (systemClock.monotonicMs() - beganMs) / 1000
}

async function isDrained(cell: Cell, { workspaceId, from, to }: Moved, expected: number): Promise<boolean> {
  const own = cell.seeded.workspaces.map(({ id }) => id).filter((id) => id !== workspaceId)
  const mentions = (await countIn(cell, own)) + (cell === from ? await countIn(to, [workspaceId]) : 0)
  const [row] = await cell.db.query<{ unscored: boolean; unsent: boolean }>(sql`
    select exists (select from mention where scored_at is null) as unscored,
      exists (select from delivery where status = 'pending') as unsent`)
  return row !== undefined && mentions >= expected && !row.unscored && !row.unsent
}

async function countIn({ db }: Cell, workspaces: readonly Uuid[]): Promise<number> {
  const [row] = await db.query<{ mentions: number }>(
    sql`select count(*)::int as mentions from mention where workspace_id = any(${workspaces})`,
  )
  return row!.mentions
}

async function readLostPosts(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(text.match(/^earshot_stream_lost_posts\{platform="bluesky"\} (\S+)$/m)?.[1])
}

async function endingOf({ services }: CellsStage, name: string): Promise<string> {
  const { ended } = services.running.get(name)!
  const lastWords = await services.end(name)
  const { code, signal } = await ended
  return code === 0 ? '0' : `${code ?? signal}: ${lastWords}`
}
