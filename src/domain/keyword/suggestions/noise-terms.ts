import type { Steps } from '../../../kernel/concurrency/steps.ts'
import { type SamplePost, type Split, splitOf } from './evidence.ts'
import { bestFirst, candidatesOf, type TermFacts, type TermSearch, UNSEEN_LOSS_MAX, unseenBy } from './terms.ts'

/** A lost relevant post weighs as much as three noise posts, each as a share of its sort. */
const NOISE = { sort: 'noise', support: 2, lift: 2, weight: 3 } as const

function wanted(termWords: readonly string[]): TermSearch {
  return { ...NOISE, termWords }
}

/** The set that covers most noise first. */
export function* noiseTermsOf(
  posts: readonly SamplePost[],
  termWords: readonly string[],
  most: number,
): Steps<TermFacts[]> {
  const candidates = yield* candidatesOf(posts, wanted(termWords))
  return yield* bestFirst(posts, candidates, wanted(termWords), most)
}

/** Null when no relevant post contains the term. */
export function liftOf(facts: Split, all: Split): number | null {
  return facts.relevant === 0 ? null : facts.noise / all.noise / (facts.relevant / all.relevant)
}

/** The longest prefix of the best terms that costs few enough held-out relevant posts. */
export function* termsToExclude(
  posts: readonly SamplePost[],
  termWords: readonly string[],
  most: number,
): Steps<string[]> {
  const choose = (some: readonly SamplePost[]) => noiseTermsOf(some, termWords, most)
  const { relevant } = splitOf(posts)
  const lost = new Array<number>(most).fill(0)
  for (const { post, chosen } of yield* unseenBy(posts, choose)) {
    const first = post.relevant ? chosen.findIndex(({ phrase }) => post.phrases.has(phrase.text)) : -1
    if (first >= 0) for (let at = first; at < most; at += 1) lost[at]! += 1
  }
  const tooMany = lost.findIndex((count) => count > UNSEEN_LOSS_MAX * relevant)
  const chosen = yield* choose(posts)
  return chosen.slice(0, tooMany < 0 ? most : tooMany).map(({ phrase }) => phrase.text)
}
