import type { BenchOptions, BenchRow } from './contract.ts'
import type { Finding } from './soak/finding.ts'
import { type SoakOptions, type SoakResult, soak } from './soak/run.ts'
import { type Sample, slopeMbPerMinute } from './soak/sampler.ts'

/** One process that collects, two that score and deliver, one that serves the interface. */
const PROCESSES = new Map([
  ['collect', ['--role', 'collect']],
  ['work 1', ['--role', 'work']],
  ['work 2', ['--role', 'work']],
  ['api', ['--role', 'api']],
])

/**
 * Ten minutes of the service as several processes under a steady feed, while keywords change, the database is restarted
 * and a process is killed twice. Afterwards everything is compared post by post with what had to be.
 *
 * SOAK_SECONDS, SOAK_RATE (posts a second) and SOAK_PARTITIONS replace the usual ones.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const options: SoakOptions = {
    plan: { workspaces: 200, keywords: 100_000, rules: true, movingTerms: 40, holdingEvery: 17 },
    rate: Number(process.env['SOAK_RATE'] ?? 2000),
    seconds: Number(process.env['SOAK_SECONDS'] ?? (quick ? 60 : 600)),
    disturbances: [
      { at: 0.3, what: 'restart the database' },
      { at: 0.4, what: 'kill work 1' },
      { at: 0.5, what: 'kill work 2' },
    ],
    processes: PROCESSES,
    api: 'api',
    partitions: Number(process.env['SOAK_PARTITIONS'] ?? 1),
    changeEveryMs: quick ? 400 : 1000,
    sampleEveryMs: quick ? 1000 : 5000,
    oracleSample: 20_000,
    drainSeconds: 180,
    say: (line) => console.error(`soak: ${line}`),
  }
  const result = await soak(options)
  for (const [name, words] of result.lastWords)
    if (/"level":"?(error|50)/.test(words)) console.error(`soak: ${name} said at the end: ${words.slice(-2000)}`)
  return rowsOf(result, options)
}

function rowsOf(result: SoakResult, options: SoakOptions): BenchRow[] {
  const { verdict, drainedSeconds } = result
  return [
    ...mentionRows(result),
    ...deliveryRows(verdict),
    ...[...options.processes.keys()].flatMap((name) => memoryRows(name, result)),
    ...undisturbedRows(verdict),
    ...verdict.catchUps.map(catchUpRow),
    {
      measure: 'drained after the last post',
      value: drainedSeconds ?? Number.POSITIVE_INFINITY,
      unit: 's',
      must: options.drainSeconds,
      better: 'lower',
    },
    ...[...result.usage.cpuSeconds].map(([name, seconds]) => processorRow(name, seconds, result)),
  ]
}

function none(measure: string, finding: Finding, note = ''): BenchRow {
  for (const example of finding.examples) console.error(`soak: ${measure}: ${example}`)
  return { measure, value: finding.count, unit: '', must: 0, better: 'lower', note }
}

function mentionRows({ verdict, oracle, changes, repeatedChanges }: SoakResult): BenchRow[] {
  return [
    none(
      'lost mentions',
      verdict.lostMentions,
      `${verdict.expectedMentions} expected of ${verdict.posts} posts, ${verdict.matchedPosts} of which match`,
    ),
    none('doubled mentions', verdict.doubledMentions),
    none(
      'mentions that nobody wanted',
      verdict.strayMentions,
      `the slow oracle agrees on ${oracle.posts} posts, ${oracle.pairs} pairs`,
    ),
    none(
      'mentions wrong after a keyword change',
      verdict.wronglyMoved,
      `${changes} changes, ${repeatedChanges} requests repeated; ${verdict.movingJudged} posts ` +
        `judged, ${verdict.movingOpen} within a change`,
    ),
    {
      measure: 'mentions not filled in with their author',
      value: verdict.mentions - verdict.filledIn,
      unit: '',
      better: 'lower',
    },
    {
      measure: 'mentions left without a score',
      value: verdict.unscored,
      unit: '',
      must: 0,
      better: 'lower',
      note: `${verdict.failedScores} failed`,
    },
    none('keywords counted or charged wrongly', verdict.miscounted),
  ]
}

function deliveryRows(verdict: SoakResult['verdict']): BenchRow[] {
  return [
    none('deliveries not written down as delivered', verdict.unrecorded),
    none('lost deliveries', verdict.lostDeliveries, `${verdict.demandedDeliveries} demanded by rules`),
    none('doubled deliveries', verdict.doubledDeliveries),
    none('deliveries that nobody wanted', verdict.strayDeliveries),
    {
      measure: 'repeated delivery requests, same id',
      value: verdict.repeatedRequests,
      unit: '',
      better: 'lower',
      note: 'around kills and the restart',
    },
    none('repeated delivery requests without a reason', verdict.unexplainedRepeats),
  ]
}

function undisturbedRows({ undisturbed }: SoakResult['verdict']): BenchRow[] {
  const ms = (measure: string, value: number): BenchRow => ({
    measure: `undisturbed: post to ${measure}`,
    value,
    unit: 'ms',
    better: 'lower',
  })
  return [
    ms('mention visible p50', undisturbed.visibleMs.p50),
    ms('mention visible p99', undisturbed.visibleMs.p99),
    ms('webhook received p50', undisturbed.receivedMs.p50),
    { ...ms('webhook received p99', undisturbed.receivedMs.p99), note: `${undisturbed.mentions} mentions` },
  ]
}

function catchUpRow({
  what,
  outageMs,
  catchUpMs,
  slowestMs,
  lateMentions,
}: SoakResult['verdict']['catchUps'][number]): BenchRow {
  return {
    measure: `${what}: until caught up`,
    value: catchUpMs / 1000,
    unit: 's',
    // The work of a process that was killed has to be in other hands within half a minute.
    ...(what.startsWith('kill') ? { must: 30 } : {}),
    better: 'lower',
    note:
      `${lateMentions} mentions more than 2 s late, the slowest ${(slowestMs / 1000).toFixed(1)} s; away for ` +
      `${(outageMs / 1000).toFixed(1)} s`,
  }
}

function processorRow(name: string, seconds: number, { verdict, beganMs, endedMs, lateMs }: SoakResult): BenchRow {
  return {
    measure: `processor time: ${name}`,
    value: (seconds / ((endedMs - beganMs) / 1000)) * 100,
    unit: '% of a core',
    better: 'lower',
    note:
      `${((seconds / verdict.posts) * 1e6).toFixed(0)} µs a ` +
      `post${name === 'feed' ? `; at most ${Math.round(lateMs)} ms late` : ''}`,
  }
}

/** What a process holds grows with its first work; later it has to stay. */
const WARM_UP_MS = 90_000
/** What the collector of garbage leaves lying differs by some MB from one look to the next. */
const FLAT_MB_PER_MINUTE = 2
/** A shorter run is over before memory has settled, and says nothing about its slope. */
const LONG_MS = 5 * 60_000

function memoryRows(name: string, { usage, beganMs, endedMs }: SoakResult): BenchRow[] {
  const samples = usage.memory.get(name)!
  const at = (share: number) => nearest(samples, beganMs + share * (endedMs - beganMs))
  const [early, middle, late] = [at(0.1), at(0.5), at(1)]
  if (!early || !middle || !late) return []
  const bornMs = samples.find(({ pid }) => pid === late.pid)!.atMs
  const settled = samples.filter(
    ({ pid, atMs }) =>
      pid === late.pid &&
      atMs >= Math.max((beganMs + endedMs) / 2, bornMs + (bornMs > beganMs + 1000 ? WARM_UP_MS : 0)),
  )
  const slope: BenchRow = {
    measure: `memory of ${name}: slope of the second half`,
    value: slopeMbPerMinute(settled),
    unit: 'MB/min',
    ...(endedMs - beganMs < LONG_MS ? {} : { must: FLAT_MB_PER_MINUTE }),
    better: 'lower',
    note:
      `${early.mb.toFixed(0)} MB at 10 %, ${middle.mb.toFixed(0)} at 50 %, ${late.mb.toFixed(0)} at 100 ` +
      `%${late.pid === early.pid ? '' : '; started again in between'}; ${settled.length} ` +
      `samples${floors(usage.heap.get(name)!, late.pid)}`,
  }
  return [slope]
}

/**
 * The lowest heap in use of each half of a process's life. A collector lets garbage lie for as long as there is room;
 * what is kept shows in between.
 */
function floors(heap: readonly Sample[], pid: number): string {
  const own = heap.filter((sample) => sample.pid === pid)
  const lowest = (samples: readonly Sample[]) => Math.min(...samples.map(({ mb }) => mb)).toFixed(0)
  const half = Math.floor(own.length / 2)
  return half < 3 ? '' : `; heap at its lowest ${lowest(own.slice(2, half))} MB, later ${lowest(own.slice(half))}`
}

function nearest(samples: readonly Sample[], atMs: number): Sample | undefined {
  return samples.reduce<Sample | undefined>(
    (best, sample) => (best && Math.abs(best.atMs - atMs) <= Math.abs(sample.atMs - atMs) ? best : sample),
    undefined,
  )
}
