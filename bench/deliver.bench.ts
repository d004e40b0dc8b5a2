import { SECOND_MS, systemClock } from '../src/kernel/clock.ts'
import { toId, type Uuid } from '../src/kernel/ids.ts'
import { sql } from '../src/store/database.ts'
import type { Unscored } from '../src/store/model/unscored.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import type { Manner, Report } from './deliver/receivers.ts'
import { FAN_OUT, RECEIVERS, type Second, type Stage, setUp } from './deliver/stage.ts'
import { quantile } from './quantiles.ts'

/** Deliveries before anything is measured. */
const WARM_UP = 20_000
/** Mentions that are handed over at once. */
const PORTION = 200
const TICK_MS = 10
const PATIENCE_MS = 120 * SECOND_MS
/**
 * Of what the machine sustains with healthy receivers, the load of the runs that compare: nothing is simply saturated.
 */
const COMPARED_SHARE = 0.4

/**
 * From a scored mention to the settled delivery, with the real stages in this process: verdict, charge, delivery and
 * place in the queue are written in one transaction, the request is signed and sent, the result is written down. A
 * hundred receivers listen in a process of their own on the same machine, which also runs the database.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const stage = await setUp()
  try {
    await warmUp(stage)
    const most = await sustained(stage, quick ? 40_000 : 150_000)
    const both = await withSecond(stage, quick ? 40_000 : 150_000)
    const rate = Math.round((most.rate * COMPARED_SHARE) / 100) * 100
    const compared = await comparisons(stage, rate, quick ? 8 : 20)
    return [
      {
        measure: 'signed durable deliveries, settled',
        value: Math.round(most.rate),
        unit: '/s',
        must: 8000,
        goal: 20_000,
        better: 'higher',
        note:
          `${most.deliveries} to ${RECEIVERS} receivers, ${FAN_OUT} for each mention, scores and charges of the ` +
          'mentions written as well',
      },
      {
        measure: 'processor time a delivery, in all',
        value: Math.round(most.cpuUs.all),
        unit: 'µs',
        better: 'lower',
        note: whoseTime(most),
      },
      {
        measure: 'the same deliveries by two working processes',
        value: Math.round(both.rate),
        unit: '/s',
        must: 8000,
        goal: 20_000,
        better: 'higher',
        note: whoseTime(both),
      },
      ...compared,
      await check(stage),
    ]
  } finally {
    await stage.close()
  }
}

async function warmUp(stage: Stage): Promise<void> {
  await stage.score.add(await stage.makeMentions(WARM_UP / FAN_OUT))
  await settled(stage)
  note(await stage.tell<Report>({ kind: 'report' }))
}

/** Everything that was handed over has been scored and sent, and its result written down; answers when. */
async function settled({ db, score, deliver }: Stage, second: Second | null = null): Promise<void> {
  await until(async () => {
    if (score.length + deliver.length > 0) return false
    if (second !== null && (await second.left()) > 0) return false
    const [row] = await db.query<{ left: number }>(
      sql`select (select count(*) from score_queue where leased_until is not null) + (select count(*)
          from delivery_queue) as left`,
    )
    return row!.left === 0
  })
}

interface Most {
  rate: number
  deliveries: number
  cpuUs: { own: number; database: number; receivers: number; all: number }
}

/** As much at once as the stages take. */
async function sustained(stage: Stage, deliveries: number, second: Second | null = null): Promise<Most> {
  const mentions = await stage.makeMentions(deliveries / FAN_OUT)
  const beganMs = systemClock.monotonicMs()
  const before = stage.cpu()
  const portions = Array.from({ length: Math.ceil(mentions.length / PORTION) }, (_, number) =>
    mentions.slice(number * PORTION, (number + 1) * PORTION),
  )
  const takers = [stage.score, ...(second === null ? [] : [second])]
  await Promise.all(
    takers.map(async (taker, first) => {
      for (let number = first; number < portions.length; number += takers.length) await taker.add(portions[number]!)
    }),
  )
  await settled(stage, second)
  const seconds = (systemClock.monotonicMs() - beganMs) / SECOND_MS
  const after = stage.cpu()
  note(await stage.tell<Report>({ kind: 'report' }))
  const [own, database, receivers] = [
    after.own - before.own,
    after.database - before.database,
    after.receivers - before.receivers,
  ].map((us) => us / deliveries)
  return {
    rate: deliveries / seconds,
    deliveries,
    cpuUs: { own: own!, database: database!, receivers: receivers!, all: own! + database! + receivers! },
  }
}

/** The same with a second working process, which takes every other portion. */
async function withSecond(stage: Stage, deliveries: number): Promise<Most> {
  const second = await stage.startSecond()
  try {
    // What the first process has behind it when it is measured.
    await sustained(stage, WARM_UP, second)
    return await sustained(stage, deliveries, second)
  } finally {
    await second.end()
  }
}

function whoseTime({ cpuUs: { own, database, receivers, all } }: Most): string {
  return (
    `working ${Math.round(own)}, database ${Math.round(database)}, receivers ${Math.round(receivers)} µs; two ` +
    `cores would carry ${Math.round(2e6 / all)}/s with nothing else to do`
  )
}

interface Flow {
  /** Deliveries that the compared receivers accepted within the time, each second. */
  rate: number
  p99Ms: number
}

/** Of twenty receivers one hangs and one fails. */
const FAILING = new Map<number, Manner>([
  [3, 'hangs'],
  [13, 'fails'],
])

async function comparisons(stage: Stage, rate: number, seconds: number): Promise<BenchRow[]> {
  const healthy: Manner[] = Array.from({ length: RECEIVERS }, () => 'accepts')
  // Spread over the workspaces, so that the healthy ones have the others for neighbours.
  const some = healthy.map((_, number): Manner => FAILING.get(number % 20) ?? 'accepts')
  const most = (manner: Manner) => healthy.map((_, number): Manner => (number === 50 ? 'accepts' : manner))
  const rows: BenchRow[] = []
  const load = `at ${rate}/s offered, ${Math.round(COMPARED_SHARE * 100)} % of what was sustained`
  const share = (value: Flow, base: Flow) => Math.round((value.rate / base.rate) * 1000) / 10
  const base = await flow(stage, healthy, some, rate, seconds)
  const mixed = await flow(stage, some, some, rate, seconds)
  rows.push(
    {
      measure: 'healthy throughput, 5 % hang and 5 % fail',
      value: share(mixed, base),
      unit: '%',
      must: 90,
      goal: 97,
      better: 'higher',
      note: load,
    },
    {
      measure: 'healthy p99 from written to received, times that without them',
      value: mixed.p99Ms / base.p99Ms,
      unit: 'times',
      must: 2,
      goal: 1.2,
      better: 'lower',
      note: `${mixed.p99Ms.toFixed(1)} against ${base.p99Ms.toFixed(1)} ms`,
    },
  )
  for (const manner of ['refuses', 'hangs'] as const) {
    const item = most(manner)
    const alone = await flow(stage, healthy, item, rate, seconds)
    const left = await flow(stage, item, item, rate, seconds)
    const note = `${load}; p99 ${left.p99Ms.toFixed(1)} against ${alone.p99Ms.toFixed(1)} ms`
    rows.push({
      measure: `throughput of the one that lives, 99 % ${manner === 'hangs' ? 'hang' : 'refuse'}`,
      value: share(left, alone),
      unit: '%',
      must: 80,
      goal: 95,
      better: 'higher',
      note,
    })
  }
  return rows
}

/**
 * An even load for some seconds; what counts is what the receivers that `counted` calls accepting have accepted by its
 * end.
 */
async function flow(
  stage: Stage,
  manners: Manner[],
  counted: readonly Manner[],
  rate: number,
  seconds: number,
): Promise<Flow> {
  const mentions = await stage.makeMentions(Math.round((rate * seconds) / FAN_OUT))
  await stage.tell({ kind: 'play', manners })
  note(await stage.tell<Report>({ kind: 'report' }))
  await feed(stage, mentions, rate / FAN_OUT)
  const report = await stage.tell<Report>({ kind: 'report' })
  const accepted = report.accepted.filter((_, number) => counted[number] === 'accepts')
  const sentMs = await writtenAt(stage, mentions)
  const ids = accepted.flatMap(({ ids }) => ids)
  const latencies = accepted
    .flatMap(({ ids, atMs }) => ids.map((id, at) => atMs[at]! - sentMs.get(id)!))
    .filter((ms) => !Number.isNaN(ms))
  note(report)
  await mend(stage)
  return { rate: ids.length / seconds, p99Ms: quantile(latencies, 0.99) }
}

async function feed({ score }: Stage, mentions: readonly Unscored[], perSecond: number): Promise<void> {
  const beganMs = systemClock.monotonicMs()
  for (let fed = 0; fed < mentions.length; ) {
    const due = Math.min(mentions.length, Math.floor(((systemClock.monotonicMs() - beganMs) / SECOND_MS) * perSecond))
    if (due > fed) await score.add(mentions.slice(fed, due))
    fed = due
    await systemClock.wait(TICK_MS)
  }
}

/** When each delivery of these mentions was being written down. */
async function writtenAt({ db }: Stage, mentions: readonly Unscored[]): Promise<Map<string, number>> {
  const rows = await db.query<{ id: Uuid; created_at: Date }>(sql`
    select id, created_at from delivery where id > ${mentions[0]!.mentionId}`)
  return new Map(rows.map((row) => [toId('dlv', row.id), row.created_at.getTime()]))
}

/** Every acceptance so far, by delivery. */
const acceptances = new Map<string, number>()
let verified = 0
let forged = 0

function note(report: Report): void {
  for (const { ids } of report.accepted) for (const id of ids) acceptances.set(id, (acceptances.get(id) ?? 0) + 1)
  verified = report.verified
  forged = report.forged
}

/** All receivers are well again, and what they missed is sent at once instead of at its next time. */
async function mend(stage: Stage): Promise<void> {
  await stage.tell({ kind: 'play', manners: Array.from({ length: RECEIVERS }, () => 'accepts') })
  const giveUpAtMs = systemClock.monotonicMs() + PATIENCE_MS
  for (;;) {
    await stage.db.query(sql`update delivery_queue set due_at = now() where due_at > now() and leased_until is null`)
    stage.deliver.wake()
    await systemClock.wait(250)
    const [row] = await stage.db.query<{ left: number }>(sql`select count(*) as left from delivery_queue`)
    if (row!.left === 0 && stage.score.length + stage.deliver.length === 0) break
    if (systemClock.monotonicMs() > giveUpAtMs) throw new Error(`${row!.left} deliveries were still waiting`)
  }
  note(await stage.tell<Report>({ kind: 'report' }))
}

/** Whether the database and the receivers tell the same story. */
async function check(stage: Stage): Promise<BenchRow> {
  const rows = await stage.db.query<{ id: Uuid; status: string; attempts: number }>(
    sql`select id, status, attempts from delivery`,
  )
  const odd = rows.filter((row) => row.status !== 'delivered')
  const known = new Set(rows.map((row) => toId('dlv', row.id)))
  const counted = [...acceptances]
  const strange = counted.filter(([id]) => !known.has(id as never)).length
  const twice = counted.filter(([, times]) => times > 1).length
  const unseen = [...known].filter((id) => !acceptances.has(id)).length
  const [expected] = await stage.db.query<{ n: number }>(
    sql`select count(*) * ${FAN_OUT} as n from mention where scored_at is not null`,
  )
  const lost = expected!.n - rows.length
  const unmarked = (await stage.db.query(sql`select 1 from mention where not delivered`)).length
  return {
    measure: 'deliveries lost, doubled, not delivered or wrongly signed',
    value: Math.abs(lost) + unseen + twice + strange + odd.length + forged + unmarked,
    unit: '',
    must: 0,
    better: 'lower',
    note:
      `${rows.length} deliveries of ${expected!.n / FAN_OUT} mentions, ` +
      `${rows.filter((row) => row.attempts > 1).length} of them tried more than once; ${verified} signatures ` +
      'verified',
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const giveUpAtMs = systemClock.monotonicMs() + PATIENCE_MS
  while (!(await condition())) {
    if (systemClock.monotonicMs() > giveUpAtMs) throw new Error('what the benchmark waits for did not happen')
    await systemClock.wait(20)
  }
}
