import { createMatcher, type MatchText } from '../../src/matching/index.ts'
import { randomFrom } from '../../test/random.ts'
import type { BenchRow } from '../contract.ts'
import { idOf, loaded, millisecondsOfSync, postsPerSecond, rulesFor, runRound, sumOf } from './measure.ts'

/** Many keywords on few terms: what a candidate costs, what one change costs, what each takes up. */
export function keywords(all: readonly string[], posts: readonly MatchText[], quick: boolean): BenchRow[] {
  const count = quick ? 500_000 : 2_000_000
  return [...candidates(all, posts, count), ...changes(all.slice(0, 1_000_000)), ...memory(all.slice(0, 1_000_000))]
}

function candidates(all: readonly string[], posts: readonly MatchText[], count: number): BenchRow[] {
  const random = randomFrom(3)
  const matcher = createMatcher({ seed: 1 })
  const subset = posts.slice(0, 5000)
  const few = termsIn(subset, all.slice(0, 100_000))
  // Popular terms have most of the keywords, as with brands; one keyword in five has rules of its own kind.
  for (let at = 0; at < count; at += 1) {
    const term = few[Math.floor(random() ** 4 * few.length)]!
    matcher.put(
      idOf(at),
      rulesFor(
        term,
        at % 5 === 0
          ? { excludedTerms: [few[at % 997]!, 'hiring*'], requiredTerms: at % 10 === 0 ? [few[at % 313]!] : [] }
          : {},
      ),
    )
  }
  const perPost = candidatesOf(few, count, subset)
  const rate = postsPerSecond(matcher, subset, 3)
  return [
    {
      measure: `candidates judged by their rules, ${count} keywords`,
      value: Math.round(rate * perPost),
      unit: 'candidates/s',
      must: 1_000_000,
      goal: 3_000_000,
      note: `${perPost.toFixed(1)} candidates a post, ${Math.round(rate)} posts/s`,
    },
  ]
}

/** Subscribers of the terms that a post holds, before any rules: counted with a matcher that has one keyword a term. */
function candidatesOf(few: readonly string[], count: number, posts: readonly MatchText[]): number {
  const random = randomFrom(3)
  const subscribers = new Map<string, number>()
  for (let at = 0; at < count; at += 1) {
    const term = few[Math.floor(random() ** 4 * few.length)]!
    subscribers.set(term, (subscribers.get(term) ?? 0) + 1)
  }
  const plain = loaded(few)
  let candidates = 0
  for (const post of posts) for (const { term } of plain.hits(post)) candidates += subscribers.get(term) ?? 0
  return candidates / posts.length
}

/** The terms that some of the posts hold: keywords of other terms would never be candidates. */
function termsIn(posts: readonly MatchText[], terms: readonly string[]): string[] {
  const matcher = loaded(terms)
  return [...new Set(posts.flatMap((post) => matcher.hits(post).map(({ term }) => term)))]
}

function changes(terms: readonly string[]): BenchRow[] {
  const matcher = loaded(terms)
  const number = 20_000
  const fresh = Array.from(
    { length: number },
    (_, at) => [idOf(10_000_000 + at), rulesFor(`fresh${at} ${terms[at]!}`)] as const,
  )
  const adding: number[] = []
  const repeating: number[] = []
  const removing: number[] = []
  const put = ([id, rules]: (typeof fresh)[number]) => matcher.put(id, rules)
  for (let round = 0; round < CHANGE_ROUNDS; round += 1) {
    runRound(fresh, adding, arrived, put)
    runRound(fresh, repeating, arrived, put)
    runRound(fresh, removing, arrived, ([id]) => matcher.remove(id))
  }
  const microseconds = (bestMs: readonly number[]) => Number(((1000 * sumOf(bestMs)) / number).toFixed(2))
  return [
    {
      measure: 'add one keyword with a new term to 1,000,000',
      value: microseconds(adding),
      unit: 'µs',
      must: 10,
      goal: 2,
      better: 'lower',
    },
    {
      measure: 'remove one keyword and its term from 1,000,000',
      value: microseconds(removing),
      unit: 'µs',
      must: 10,
      goal: 2,
      better: 'lower',
    },
    {
      measure: 'put one keyword that is there already, of 1,000,000',
      value: microseconds(repeating),
      unit: 'µs',
      better: 'lower',
    },
  ]
}

/** Rounds over all changes: each takes some tenths of a second. */
const CHANGE_ROUNDS = 12

/**
 * Keywords as a request or the database brings them: just read, with strings of their own. The index is not in the
 * cache, they are.
 */
function arrived<Row>(rows: readonly Row[]): Row[] {
  return JSON.parse(JSON.stringify(rows)) as Row[]
}

function memory(terms: readonly string[]): BenchRow[] {
  const matcher = createMatcher({ seed: 1 })
  // Through JSON, so that every string is flat as in a row of a database.
  const ids = JSON.parse(JSON.stringify(terms.map((_, at) => idOf(at)))) as string[]
  const rules = terms.map((term) => rulesFor(term))
  const milliseconds = millisecondsOfSync(() => {
    for (const [at, id] of ids.entries()) matcher.put(id, rules[at]!)
  })
  const first = matcher.stats()
  for (const [at, term] of terms.entries()) matcher.put(idOf(terms.length + at), rulesFor(term))
  const second = matcher.stats()
  const aKeyword = (second.bytes - first.bytes) / (second.subscribers - first.subscribers)
  return [
    {
      measure: 'memory of a keyword with a UUID',
      value: Math.round(aKeyword),
      unit: 'bytes',
      must: 50,
      goal: 20,
      better: 'lower',
    },
    {
      measure: 'memory of a distinct term',
      value: Math.round(first.bytes / first.terms - aKeyword),
      unit: 'bytes',
      must: 110,
      goal: 80,
      better: 'lower',
    },
    { measure: 'load 1,000,000 keywords', value: Math.round(milliseconds), unit: 'ms', must: 2000, better: 'lower' },
  ]
}
