import { systemClock } from '../../src/kernel/clock.ts'
import { createMatcher, type Matcher, type MatchRules, type MatchText } from '../../src/matching/index.ts'

export function rulesFor(term: string, more: Partial<MatchRules> = {}): MatchRules {
  return {
    term,
    caseSensitive: false,
    requiredTerms: [],
    requiredMode: 'any',
    excludedTerms: [],
    excludedAuthors: [],
    scopes: 0xffff,
    ...more,
  }
}

/** A UUID that looks like those of the service: increasing, the rest scattered. */
export function idOf(number: number): string {
  const mixed = Math.imul(number, 0x9e3779b1) >>> 0
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
  return `018f${hex(number >>> 16, 4)}-${hex(number & 0xffff, 4)}-7000-8000-${hex(mixed, 8)}abcd`
}

/** A matcher with one subscriber a term. */
export function loaded(terms: readonly string[]): Matcher {
  const matcher = createMatcher({ seed: 1 })
  for (const [at, term] of terms.entries()) matcher.put(idOf(at), rulesFor(term))
  return matcher
}

/** Posts measured together: short enough that some round finds the machine undisturbed. */
const CHUNK = 500

/**
 * What one thread does in a second, from the best of some rounds over each chunk of the items: machines are shared.
 * Each round goes over all items, so that no chunk finds its own memory in the cache from just before.
 */
export function perSecond<Item>(items: readonly Item[], rounds: number, work: (item: Item) => unknown): number {
  const best: number[] = []
  for (let round = 0; round < rounds; round += 1) runRound(items, best, (chunk) => chunk, work)
  return (1000 * items.length) / sumOf(best)
}

/**
 * One round over all items. Of each chunk `made` makes what `work` is given, which is not measured; `bestMs` keeps the
 * best time of each chunk in the rounds so far.
 */
export function runRound<Item, Made>(
  items: readonly Item[],
  bestMs: number[],
  made: (chunk: Item[]) => readonly Made[],
  work: (item: Made) => unknown,
): void {
  for (let from = 0; from < items.length; from += CHUNK) {
    const chunk = made(items.slice(from, from + CHUNK))
    const milliseconds = millisecondsOfSync(() => runAll(chunk, work))
    bestMs[from / CHUNK] = Math.min(bestMs[from / CHUNK] ?? milliseconds, milliseconds)
  }
}

export function sumOf(milliseconds: readonly number[]): number {
  return milliseconds.reduce((sum, each) => sum + each, 0)
}

function runAll<Item>(items: readonly Item[], work: (item: Item) => unknown): void {
  for (const item of items) work(item)
}

export function postsPerSecond(matcher: Matcher, posts: readonly MatchText[], rounds: number): number {
  return perSecond(posts, rounds, (post) => matcher.match(post))
}

export function millisecondsOfSync(work: () => void): number {
  const start = systemClock.monotonicMs()
  work()
  return systemClock.monotonicMs() - start
}

export async function millisecondsOf(work: () => Promise<void>): Promise<number> {
  const start = systemClock.monotonicMs()
  await work()
  return systemClock.monotonicMs() - start
}
