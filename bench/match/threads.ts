import { Worker } from 'node:worker_threads'
import { createMatcher, type Matcher, type MatchText, restoreMatcher } from '../../src/matching/index.ts'
import type { BenchRow } from '../contract.ts'
import { quantile } from '../quantiles.ts'
import { asText } from './corpus.ts'
import { idOf, millisecondsOfSync, rulesFor } from './measure.ts'
import { CHANGE, ECHO, READY, ROUND, RUNNING, SLICE, SLICE_WANTED, STOP, type ThreadTask } from './thread.ts'

/** One index in several threads: what a second one brings, how soon it sees a change, and the index as bytes. */
export async function threads(
  all: readonly string[],
  posts: readonly MatchText[],
  quick: boolean,
): Promise<BenchRow[]> {
  const terms = all.slice(0, 1_000_000)
  const matcher = createMatcher({ seed: 1 })
  matcher.reserve(terms.length)
  for (const [at, term] of terms.entries()) matcher.put(idOf(at), rulesFor(term))
  const own = posts.slice(0, quick ? 20_000 : 40_000)
  return [...(await twoWorkers(matcher, own, quick)), ...(await visibility(matcher, quick)), ...snapshots(matcher)]
}

/** A thread of this benchmark that has attached itself. */
interface Thread {
  worker: Worker
  cells: Int32Array
}

/** The best times of one slice: of either worker alone and of both together, by the clock and by the processor. */
interface SliceTimes {
  clockMs: [first: number, second: number, together: number]
  processorMs: [first: number, second: number, together: number]
}

async function twoWorkers(matcher: Matcher, posts: readonly MatchText[], quick: boolean): Promise<BenchRow[]> {
  const rounds = quick ? 10 : 30
  const matching = await scaling(matcher, 'match', posts, rounds)
  const computing = await scaling(matcher, 'compute', posts, rounds)
  return [
    {
      measure: 'two workers against one, 1,000,000 terms on one index',
      value: Number(matching.times.toFixed(2)),
      unit: 'times',
      must: 1.7,
      goal: 1.95,
      peer: `two that compute without memory ${computing.times.toFixed(2)}`,
      note:
        `${Math.round(matching.one)} and ${Math.round(matching.two)} posts/s; by processor time ` +
        `${matching.byProcessor.toFixed(2)} times; the JavaScript prototype reached 1.85 to 2`,
    },
  ]
}

/**
 * Each worker has posts of its own and goes through them slice by slice, alone and together with the other in turn. The
 * best of some rounds counts for each slice, so that what others do on the machine counts as little as can be. Where no
 * processor is ever free, the time that the processors spent still says whether the workers hinder each other.
 */
async function scaling(matcher: Matcher, work: ThreadTask['work'], posts: readonly MatchText[], rounds: number) {
  const half = posts.length / 2
  const pair = await Promise.all([posts.slice(0, half), posts.slice(half)].map((share) => start(matcher, work, share)))
  const slices = Array.from(
    { length: Math.floor(half / SLICE) },
    (): SliceTimes => ({ clockMs: [1e9, 1e9, 1e9], processorMs: [1e9, 1e9, 1e9] }),
  )
  const ways = [pair.slice(0, 1), pair.slice(1), pair]
  try {
    for (let round = 0; round < rounds; round += 1) {
      // All slices in one way before the next, so that no slice finds its own memory in the cache from just before.
      for (const [way, threads] of ways.entries())
        for (const [slice, times] of slices.entries()) measureRound(threads, slice, times, way)
    }
  } finally {
    await Promise.all(pair.map(({ worker }) => worker.terminate()))
  }
  const total = (of: (times: SliceTimes) => number) => slices.reduce((sum, times) => sum + of(times), 0)
  // The slower of the two ends a round together, so one worker is measured by the slower of both as well.
  const first = (1000 * slices.length * SLICE) / total(({ clockMs }) => Math.max(clockMs[0], clockMs[1]))
  const second = (2000 * slices.length * SLICE) / total(({ clockMs }) => clockMs[2])
  const byProcessor =
    (2 * total(({ processorMs }) => processorMs[0] + processorMs[1])) / total(({ processorMs }) => processorMs[2])
  return { one: first, two: second, times: second / first, byProcessor }
}

/** Lets some threads match one slice of their posts and waits until the last of them is through. */
function measureRound(pair: readonly Thread[], slice: number, times: SliceTimes, way: number): void {
  const before = process.cpuUsage()
  const milliseconds = millisecondsOfSync(() => {
    for (const { cells } of pair) {
      Atomics.store(cells, SLICE_WANTED, slice)
      Atomics.store(cells, RUNNING, 1)
      Atomics.add(cells, ROUND, 1)
      Atomics.notify(cells, ROUND)
    }
    for (const { cells } of pair) while (Atomics.load(cells, RUNNING) === 1) Atomics.wait(cells, RUNNING, 1, LIMIT_MS)
  })
  const { user, system } = process.cpuUsage(before)
  times.clockMs[way] = Math.min(times.clockMs[way]!, milliseconds)
  times.processorMs[way] = Math.min(times.processorMs[way]!, (user + system) / 1000)
}

const LIMIT_MS = 10_000

/**
 * From before a keyword is put until after another thread, which matches the same post without pause, has said that it
 * found it: the change, the question that was under way, and the one that finds it. Timed by one clock in one thread.
 * Changes during which the machine took the processor from one of the two threads say something about the machine, and
 * are counted by themselves.
 */
async function visibility(matcher: Matcher, quick: boolean): Promise<BenchRow[]> {
  const { cells, worker } = await start(matcher, 'watch', [
    asText(null, 'somebody speaks of zzvisible, as others did before'),
  ])
  const undisturbed: number[] = []
  const all: number[] = []
  const id = idOf(20_000_000)
  for (let change = 1; change <= (quick ? 5000 : 20_000); change += 1) {
    const before = process.resourceUsage().involuntaryContextSwitches
    const milliseconds = millisecondsOfSync(() => {
      if (change % 2 === 1) matcher.put(id, rulesFor('zzvisible'))
      else matcher.remove(id)
      Atomics.store(cells, CHANGE, change)
      // Looked at without sleeping: being woken takes longer than what is measured.
      for (let look = 0; Atomics.load(cells, ECHO) < change && look < LOOKS_MOST; look += 1);
    })
    all.push(milliseconds)
    if (process.resourceUsage().involuntaryContextSwitches === before) undisturbed.push(milliseconds)
  }
  Atomics.store(cells, STOP, 1)
  await worker.terminate()
  const text = (milliseconds: number) => `${(1000 * milliseconds).toFixed(1)} µs`
  return [
    {
      measure: 'a change seen in another thread, p99',
      value: Number(quantile(undisturbed, 0.99).toFixed(4)),
      unit: 'ms',
      must: 1,
      goal: 0.1,
      better: 'lower',
      note:
        `p50 ${text(quantile(undisturbed, 0.5))}, p99.9 ${text(quantile(undisturbed, 0.999))} of ` +
        `${undisturbed.length} changes; p99 ${text(quantile(all, 0.99))} with the ` +
        `${all.length - undisturbed.length} during which a thread lost its processor`,
    },
  ]
}

const LOOKS_MOST = 1e9

async function start(matcher: Matcher, work: ThreadTask['work'], posts: readonly MatchText[]): Promise<Thread> {
  const signals = new SharedArrayBuffer(256)
  const task: ThreadTask = { work, posts, signals, shared: matcher.share() }
  const module = new URL('./thread.ts', import.meta.url).href
  const code = `import('tsx/esm/api').then(({ register }) => register() && import(${JSON.stringify(module)}))`
  const worker = new Worker(code, { eval: true, workerData: task })
  const failed = new Promise<never>((_, reject) => worker.once('error', reject))
  const cells = new Int32Array(signals)
  const ready = Atomics.waitAsync(cells, READY, 0, LIMIT_MS).value
  await Promise.race([failed, ready])
  return { worker, cells }
}

function snapshots(matcher: Matcher): BenchRow[] {
  let taken = Number.POSITIVE_INFINITY
  let restored = Number.POSITIVE_INFINITY
  let bytes = new Uint8Array(0)
  for (let round = 0; round < 4; round += 1) {
    let snapshot = matcher.snapshot()
    taken = Math.min(
      taken,
      millisecondsOfSync(() => {
        snapshot = matcher.snapshot()
      }),
    )
    if (bytes.length === 0) bytes = Buffer.concat(snapshot.chunks)
    restored = Math.min(
      restored,
      millisecondsOfSync(() => {
        if (restoreMatcher(bytes).matcher?.size !== matcher.size) throw new Error('the snapshot could not be restored')
      }),
    )
  }
  const megabytes = Math.round(bytes.length / 1e6)
  return [
    {
      measure: 'snapshot restored from bytes in memory, 1,000,000 keywords',
      value: Math.round(restored),
      unit: 'ms',
      must: 500,
      better: 'lower',
      note: `${megabytes} MB; the JavaScript prototype wrote 76 MB in 43 ms`,
    },
    {
      measure: 'snapshot taken (checksums; no copy), 1,000,000 keywords',
      value: Math.round(taken),
      unit: 'ms',
      better: 'lower',
      note: `${megabytes} MB`,
    },
  ]
}
