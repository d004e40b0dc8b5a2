import { join } from 'node:path'
import { systemClock } from '../../src/kernel/clock.ts'
import { sql } from '../../src/store/database.ts'
import { Changes } from './changes.ts'
import { eventually } from './eventually.ts'
import { verifyPlan } from './oracle.ts'
import { createPlan, type PlanOptions, readBases } from './plan.ts'
import type { Disturbed } from './records.ts'
import { type Sampler, startSampler, type Usage, type Watched } from './sampler.ts'
import { type Stage, setStage } from './stage.ts'
import { judge, type Verdict } from './verdict.ts'

export interface SoakOptions {
  plan: PlanOptions
  /** Posts a second, and for how long. */
  rate: number
  seconds: number
  /** What happens when, as a share of the time. */
  disturbances: readonly { at: number; what: 'restart the database' | 'fail over' | `kill ${string}` }[]
  /** The processes of the service by name, with the arguments of each. */
  processes: ReadonlyMap<string, readonly string[]>
  /** Into which live sources are divided. */
  partitions: number
  /** Which of them serves the REST interface. */
  api: string
  changeEveryMs: number
  sampleEveryMs: number
  /** Posts of which the slow oracle confirms what is expected. */
  oracleSample: number
  /** How long everything may take to drain afterwards. */
  drainSeconds: number
  say?: (line: string) => void
}

export interface SoakResult {
  verdict: Verdict
  usage: Usage
  /** From the first post to the last. */
  beganMs: number
  endedMs: number
  /** How late the latest post was published. */
  lateMs: number
  changes: number
  repeatedChanges: number
  /** Null when it did not drain within its time. */
  drainedSeconds: number | null
  oracle: { posts: number; pairs: number }
  /** What the processes of the service said at the end. */
  lastWords: ReadonlyMap<string, string>
}

/** A whole run: sets the stage, publishes, disturbs, drains, compares, and tidies up whatever happens. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const plan = createPlan(options.plan, await readBases())
  const say = options.say ?? (() => undefined)
  const limitMs = (options.seconds + options.drainSeconds + 600) * 1000
  const hasStandby = options.disturbances.some(({ what }) => what === 'fail over')
  const stage = await setStage({
    plan,
    processes: options.processes,
    partitions: options.partitions,
    limitMs,
    hasStandby,
  })
  try {
    await eventually(async () => (await stage.feed.ask('state', null)).listeners > 0, 30_000)
    const apiKeys = stage.seeded.workspaces.flatMap(({ apiKey }) => apiKey ?? [])
    const changes = await Changes.start({
      origin: stage.originOf(options.api),
      apiKeys,
      terms: options.plan.movingTerms,
      everyMs: options.changeEveryMs,
    })
    say(`the stage is set: ${options.plan.keywords} keywords, ${[...options.processes.keys()].join(', ')}`)
    const sampler = startSampler(watchedOn(stage), options.sampleEveryMs)
    const beganMs = systemClock.now().getTime()
    const { lateMs, disturbances } = await publish(options, stage, changes, sampler)
    const endedMs = systemClock.now().getTime()
    const usage = await sampler.stop()
    say('everything is published; draining')
    const drainedSeconds = await drain(stage, options.drainSeconds)
    const lastWords = new Map<string, string>()
    for (const name of stage.processes.keys()) lastWords.set(name, await stage.end(name))
    say(
      drainedSeconds === null
        ? 'it did not drain in time; comparing'
        : `drained within ${drainedSeconds.toFixed(1)} s; comparing`,
    )
    const timesPath = join(stage.folder, 'times')
    await stage.feed.ask('times', { path: timesPath })
    await stage.receivers.ask('flush', null)
    const { db, seeded, receiptsPath } = stage
    const verdict = await judge({ db, plan, seeded, changes: changes.made, disturbances, receiptsPath, timesPath })
    const oracle = verifyPlan(plan, verdict.posts, options.oracleSample)
    return {
      verdict,
      usage,
      beganMs,
      endedMs,
      lateMs,
      changes: changes.made.length,
      repeatedChanges: changes.repeated,
      drainedSeconds,
      oracle,
      lastWords,
    }
  } finally {
    await stage.close()
  }
}

function watchedOn(stage: Stage): Watched[] {
  const service = [...stage.processes.keys()].map((name) => ({
    name,
    pid: () => stage.processes.get(name)!.pid,
    family: false,
    metrics: `${stage.originOf(name)}/metrics`,
  }))
  return [
    ...service,
    { name: 'PostgreSQL', pid: () => stage.databasePid(), family: true },
    { name: 'feed', pid: () => stage.feed.pid, family: false },
    { name: 'receivers', pid: () => stage.receivers.pid, family: false },
    { name: 'harness', pid: () => process.pid, family: false },
  ]
}

/** Publishes every post while keywords change and the service is disturbed. */
async function publish(
  options: SoakOptions,
  stage: Stage,
  changes: Changes,
  sampler: Sampler,
): Promise<{ lateMs: number; disturbances: Disturbed[] }> {
  const ending = new AbortController()
  const feeding = stage.feed.ask(
    'run',
    { rate: options.rate, seconds: options.seconds },
    (options.seconds + options.drainSeconds) * 1000,
  )
  const changing = changes.run(ending.signal)
  const disturbing = disturb(options, stage, sampler, ending.signal)
  try {
    const [{ lateMs }, disturbances] = await Promise.all([feeding, disturbing])
    return { lateMs, disturbances }
  } finally {
    ending.abort()
    await changing
  }
}

async function disturb(
  options: SoakOptions,
  stage: Stage,
  sampler: Sampler,
  signal: AbortSignal,
): Promise<Disturbed[]> {
  const beganMs = systemClock.monotonicMs()
  const disturbed: Disturbed[] = []
  for (const { at, what } of options.disturbances) {
    await systemClock.wait(Math.max(0, beganMs + at * options.seconds * 1000 - systemClock.monotonicMs()), signal)
    if (signal.aborted) break
    options.say?.(what)
    sampler.look()
    const fromMs = systemClock.now().getTime()
    if (what === 'restart the database' || what === 'fail over') {
      await stage.disturbDatabase()
    } else {
      const name = what.slice('kill '.length)
      await stage.kill(name)
      await stage.start(name)
    }
    disturbed.push({ what, fromMs, toMs: systemClock.now().getTime() })
  }
  return disturbed
}

/** Waits until the feed is read to its end, every mention scored and every delivery sent; answers how long it took. */
async function drain({ db, feed }: Stage, withinSeconds: number): Promise<number | null> {
  const beganMs = systemClock.monotonicMs()
  const { lastUs } = await feed.ask('state', null)
  const done = async () => {
    const [row] = await db.query<{ behind: boolean; unscored: boolean; unsent: boolean }>(sql`
      select not exists (select from source_state
        where source = 'bluesky' and (cursor->>'timeUs')::bigint >= ${lastUs}) as behind,
        exists (select from mention where scored_at is null) as unscored, exists (select from delivery
          where status = 'pending') as unsent`)
    return row !== undefined && !row.behind && !row.unscored && !row.unsent
  }
  return (await eventually(done, withinSeconds * 1000, false)) ? (systemClock.monotonicMs() - beganMs) / 1000 : null
}
