import { pathToFileURL } from 'node:url'
import type { MatchText } from '../src/matching/index.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import { lengthOf, posts } from './match/corpus.ts'
import { hostile } from './match/hostile.ts'
import { keywords } from './match/keywords.ts'
import { loaded, millisecondsOf, postsPerSecond } from './match/measure.ts'
import { loops } from './match/peers.ts'
import { terms } from './match/terms.ts'
import { threads } from './match/threads.ts'

const MUST = new Map([
  [1_000, 500_000],
  [1_000_000, 250_000],
  [5_000_000, 150_000],
])
const GOAL = new Map([
  [1_000, 900_000],
  [1_000_000, 500_000],
  [5_000_000, 350_000],
])

/**
 * The matching engine alone: posts against distinct terms, peers on the same posts, rules, changes, memory, hostile
 * text.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const corpus = posts(quick ? 30_000 : 100_000)
  const mean = corpus.posts.reduce((sum, post) => sum + lengthOf(post), 0) / corpus.posts.length
  const note = `${corpus.posts.length} ${corpus.origin}, ${mean.toFixed(0)} units on average`
  const sizes = quick ? [1_000, 100_000, 1_000_000] : [1_000, 100_000, 1_000_000, 5_000_000]
  const all = terms(sizes.at(-1)!, corpus.posts)
  const rows: BenchRow[] = []
  const rates: { size: number; rate: number }[] = []
  for (const size of sizes) {
    const subset = all.slice(0, size)
    const matcher = loaded(subset)
    const rate = postsPerSecond(matcher, corpus.posts, quick ? 3 : 5)
    rates.push({ size, rate })
    const goals = { ...(MUST.has(size) && { must: MUST.get(size)! }), ...(GOAL.has(size) && { goal: GOAL.get(size)! }) }
    const found = corpus.posts.reduce((sum, post) => sum + matcher.match(post).length, 0) / corpus.posts.length
    const peers = await loops(subset, corpus.posts, size <= 100_000 || (!quick && size === 1_000_000), rate)
    rows.push({
      measure: `posts matched, ${size} distinct terms`,
      value: Math.round(rate),
      unit: 'posts/s',
      ...goals,
      ...peers,
      note: `${note}, ${found.toFixed(2)} found in a post`,
    })
    if (peers.times !== undefined)
      rows.push({
        measure: `times the best npm library, ${size} terms`,
        value: round(peers.times, 1),
        unit: 'times',
        must: 15,
      })
    if (size === 1_000_000) rows.push(...hostile(matcher))
  }
  rows.push(dense(corpus.posts))
  rows.push({
    measure: 'slope of the time a post over the terms (log-log)',
    value: round(slope(rates), 3),
    unit: 'slope',
    must: 0.15,
    goal: 0.1,
    better: 'lower',
  })
  rows.push(...keywords(all, corpus.posts, quick))
  rows.push(...(await threads(all, corpus.posts, quick)))
  return rows.map(({ measure, value, unit, must, goal, better, peer, note }) => ({
    measure,
    value,
    unit,
    ...(must !== undefined && { must }),
    ...(goal !== undefined && { goal }),
    ...(better !== undefined && { better }),
    ...(peer !== undefined && { peer }),
    ...(note !== undefined && { note }),
  }))
}

/** The same index size with ten times as much to find: what is found then costs more than looking for it. */
function dense(corpus: readonly MatchText[]): BenchRow {
  const matcher = loaded(terms(1_000_000, corpus, Number.POSITIVE_INFINITY))
  const found = corpus.reduce((sum, post) => sum + matcher.match(post).length, 0) / corpus.length
  const rate = postsPerSecond(matcher, corpus, 3)
  return {
    measure: 'posts matched, 1000000 terms that posts are full of',
    value: Math.round(rate),
    unit: 'posts/s',
    note: `${found.toFixed(2)} found in a post`,
  }
}

/** The least-squares slope of log time over log terms. */
function slope(rates: readonly { size: number; rate: number }[]): number {
  const points = rates.map(({ size, rate }) => [Math.log(size), Math.log(1 / rate)] as const)
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  let rows: BenchRow[] = []
  const took = await millisecondsOf(async () => {
    rows = await run({ quick: process.argv.includes('--quick') })
  })
  console.table(rows.map(({ note, ...row }) => row))
  console.log(rows[0]?.note, `${Math.round(took / 1000)} s`)
}
