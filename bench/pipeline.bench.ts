import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { systemClock } from '../src/kernel/clock.ts'
import { sql } from '../src/store/database.ts'
import { memoryMb } from '../test/stand-ins/earshot-process.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import { quantilesOf } from './quantiles.ts'
import { createPlan, numberOfPost, type PlanOptions } from './soak/plan.ts'
import { receiptFrom } from './soak/receipt.ts'
import { readTimes } from './soak/records.ts'
import { startSampler, type Usage } from './soak/sampler.ts'
import { type Stage, type StageOptions, setStage } from './soak/stage.ts'

/**
 * One post in twenty holds one of a thousand terms, which one keyword each looks for; the others are looked for all the
 * same.
 */
export const PIPELINE_PLAN: PlanOptions = {
  workspaces: 20,
  keywords: 10_000,
  rules: false,
  movingTerms: 0,
  holdingEvery: 20,
  popularTerms: 1000,
}

const WARM_UP_SECONDS = 4
const PATIENCE_MS = 90_000
const LIMIT_MS = 15 * 60_000

/**
 * The whole way of a post through the real service in a process of its own: from the platform's feed to the stored
 * mention and to the webhook. Feed and receivers are processes of their own, too; all read the clock of the machine. A
 * post's way begins in the instant in which it is written to the socket, and a mention is visible from the commit of
 * its post, which the database records.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const stage = await setPipelineStage()
  try {
    const rows: BenchRow[] = []
    for (const rate of quick ? [500] : [500, 2000, 5000]) rows.push(...(await steady(stage, rate, quick ? 12 : 30)))
    rows.push(...(await burst(stage, quick ? 2000 : 10_000)))
    rows.push({
      measure: 'memory of the service afterwards',
      value: memoryMb([stage.processes.get(SERVICE)!.pid]),
      unit: 'MB',
      better: 'lower',
      note: `${PIPELINE_PLAN.keywords} keywords; proportional set size`,
    })
    return rows
  } finally {
    const words = await stage.end(SERVICE)
    if (words.includes('"level":"error"')) console.error(words.slice(-5000))
    await stage.close()
  }
}

export const SERVICE = 'service'

/** The service as it is shipped, in one process, with its feed, its database and its receivers. */
export async function setPipelineStage(
  more: Pick<StageOptions, 'nodeOptions' | 'databaseSettings'> = {},
): Promise<Stage> {
  const plan = createPlan(PIPELINE_PLAN, [''])
  const stage = await setStage({ plan, processes: new Map([[SERVICE, []]]), limitMs: LIMIT_MS, ...more })
  try {
    await until(async () => (await stage.feed.ask('state', null)).listeners > 0)
    return stage
  } catch (error) {
    await stage.close()
    throw error
  }
}

/** Processor time of the service and of its database from here on. */
export function watchCosts(stage: Stage) {
  return startSampler(
    [
      { name: SERVICE, pid: () => stage.processes.get(SERVICE)!.pid, family: false },
      { name: 'PostgreSQL', pid: () => stage.databasePid(), family: true },
      { name: 'feed', pid: () => stage.feed.pid, family: false },
      { name: 'receivers', pid: () => stage.receivers.pid, family: false },
    ],
    1000,
  )
}

/** Posts at an even rate; every matching post that was sent after the warm-up counts. */
async function steady(stage: Stage, rate: number, seconds: number): Promise<BenchRow[]> {
  const costs = watchCosts(stage)
  const { first, next, lateMs } = await stage.feed.ask('run', { rate, seconds: WARM_UP_SECONDS + seconds })
  const every = PIPELINE_PLAN.holdingEvery
  const matching = Array.from({ length: next - first }, (_, at) => first + at).filter((number) => number % every === 0)
  await allReceived(stage, matching)
  const usage = await costs.stop()
  const counted = matching.filter((number) => number >= first + rate * WARM_UP_SECONDS)
  const { visible, received } = await waysOf(stage, counted)
  const note = `${counted.length} mentions, feed at most ${Math.round(lateMs)} ms late`
  const row = (measure: string, value: number, more: Partial<BenchRow>): BenchRow => ({
    measure: `${measure}, ${rate} posts/s`,
    value,
    unit: 'ms',
    better: 'lower',
    ...more,
  })
  return [
    row('post to mention visible p50', visible.p50, { must: 50, goal: 10, note }),
    row('post to mention visible p99', visible.p99, { must: 300, goal: 50 }),
    row('post to webhook received p50', received.p50, { must: 50, goal: 10 }),
    row('post to webhook received p99', received.p99, { must: 300, goal: 50 }),
    costRow(SERVICE, usage, next - first, rate),
    costRow('PostgreSQL', usage, next - first, rate),
  ]
}

function costRow(name: string, { cpuSeconds }: Usage, posts: number, rate: number): BenchRow {
  const seconds = cpuSeconds.get(name)!
  const note =
    name === SERVICE
      ? `feed ${micros(cpuSeconds.get('feed')!, posts)}, receivers ${micros(cpuSeconds.get('receivers')!, posts)}`
      : ''
  return {
    measure: `processor time of ${name} a post, ${rate} posts/s`,
    value: (seconds / posts) * 1e6,
    unit: 'µs',
    better: 'lower',
    note,
  }
}

function micros(seconds: number, posts: number): string {
  return `${((seconds / posts) * 1e6).toFixed(0)} µs`
}

/** As many matching posts at once as the feed carries: what the stages sustain together. */
async function burst(stage: Stage, posts: number): Promise<BenchRow[]> {
  const { numbers, beganMs } = await stage.feed.ask('burst', { posts })
  await allReceived(stage, numbers)
  const { visibleMs, receivedMs } = await instantsOf(stage, numbers)
  const rate = (endMs: number) => Math.round(posts / ((endMs - beganMs) / 1000))
  const note = `${posts} matching posts at once`
  return [
    { measure: 'mentions stored, sustained', value: rate(Math.max(...visibleMs.values())), unit: '/s', note },
    {
      measure: 'mentions stored, scored and delivered, sustained',
      value: rate(Math.max(...numbers.map((number) => receivedMs.get(number)!))),
      unit: '/s',
      note,
    },
  ]
}

async function waysOf(stage: Stage, numbers: readonly number[]) {
  const { postedMs, visibleMs, receivedMs } = await instantsOf(stage, numbers)
  const ways = (to: ReadonlyMap<number, number>) =>
    quantilesOf(numbers.map((number) => to.get(number)! - postedMs[number]!))
  return { visible: ways(visibleMs), received: ways(receivedMs) }
}

/** When each post was written to the socket, when its mention was committed, and when a receiver had it. */
async function instantsOf(stage: Stage, numbers: readonly number[]) {
  const path = join(stage.folder, 'times')
  await stage.feed.ask('times', { path })
  await stage.receivers.ask('flush', null)
  const plan = createPlan(PIPELINE_PLAN, [''])
  const wanted = new Set(numbers)
  const receivedMs = new Map<number, number>()
  for await (const line of createInterface({ input: createReadStream(stage.receiptsPath) })) {
    const { post, atMs } = receiptFrom(line)
    if (wanted.has(post) && !receivedMs.has(post)) receivedMs.set(post, atMs)
  }
  const rows = await stage.db.query<{ native_id: string; ms: number }>(sql`
    select native_id, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as ms from post
    where native_id = any(${numbers.map((number) => plan.post(number).nativeId)}::text[])`)
  return {
    postedMs: readTimes(path),
    visibleMs: new Map(rows.map((row) => [numberOfPost(row.native_id), row.ms])),
    receivedMs,
  }
}

async function allReceived(stage: Stage, numbers: readonly number[]): Promise<void> {
  await until(async () => (await stage.receivers.ask('missing', { numbers: [...numbers] })) === 0)
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const giveUpAtMs = systemClock.monotonicMs() + PATIENCE_MS
  while (!(await condition())) {
    if (systemClock.monotonicMs() > giveUpAtMs) throw new Error('what the benchmark waits for did not happen')
    await systemClock.wait(100)
  }
}
