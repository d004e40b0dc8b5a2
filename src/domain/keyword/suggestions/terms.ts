import type { Steps } from '../../../kernel/concurrency/steps.ts'
import { type SamplePost, type Split, splitOf } from './evidence.ts'
import { functionWordsOf } from './function-words.ts'
import { isDistinctive, type SuggestedPhrase } from './phrases.ts'
import { eachPost } from './steps.ts'

/** `holders` are positions in the sample. */
export interface TermFacts extends Split {
  phrase: SuggestedPhrase
  holders: readonly number[]
}

export type Sort = keyof Split

export function sortOf(post: SamplePost): Sort {
  return post.relevant ? 'relevant' : 'noise'
}

function otherThan(sort: Sort): Sort {
  return sort === 'noise' ? 'relevant' : 'noise'
}

/** Added to counts, so that a rare term does not look better than it is. */
const SMOOTHING = 0.5

function carefulLift(facts: Split, all: Split, sort: Sort): number {
  const share = (of: Sort) => (facts[of] + SMOOTHING) / (all[of] + 1)
  return share(sort) / share(otherThan(sort))
}

export interface TermSearch {
  sort: Sort
  support: number
  lift: number
  /** The weight of a post of the other sort, each as a share of its sort. */
  weight: number
  /** The words of the keyword's own term, which every post contains. */
  termWords: readonly string[]
}

/** Without the keyword's own term and function words. */
export function* candidatesOf(
  posts: readonly SamplePost[],
  { sort, support, lift, termWords }: TermSearch,
): Steps<TermFacts[]> {
  const all = splitOf(posts)
  const tally = yield* tallyOf(posts)
  yield
  const silent = new Set([...functionWordsOf(yield* relevantWordsOf(posts)), ...termWords])
  yield
  return tally.filter(
    (facts) =>
      facts[sort] >= support &&
      carefulLift(facts, all, sort) >= lift &&
      isDistinctive(facts.phrase) &&
      facts.phrase.words.some((word) => !silent.has(word)),
  )
}

function* relevantWordsOf(posts: readonly SamplePost[]): Steps<Set<string>[]> {
  const words: Set<string>[] = []
  yield* eachPost(posts, (post) => {
    if (post.relevant) words.push(wordsOf(post))
  })
  return words
}

function wordsOf({ phrases }: SamplePost): Set<string> {
  return new Set([...phrases.values()].flatMap(({ words }) => (words.length === 1 ? words : [])))
}

/** A phrase of one post carries no information and slows every later pass. */
export function* withSharedPhrases(posts: readonly SamplePost[]): Steps<SamplePost[]> {
  const tally = yield* tallyOf(posts)
  yield
  const shared = new Set<string>()
  for (const { phrase, holders } of tally) if (holders.length > 1) shared.add(phrase.text)
  yield
  const thinned: SamplePost[] = []
  yield* eachPost(posts, (post) => {
    thinned.push({ ...post, phrases: new Map([...post.phrases].filter(([text]) => shared.has(text))) })
  })
  return thinned
}

function* tallyOf(posts: readonly SamplePost[]): Steps<TermFacts[]> {
  const terms = new Map<string, { phrase: SuggestedPhrase; holders: number[] } & Split>()
  yield* eachPost(posts, (post, at) => {
    for (const [text, phrase] of post.phrases) {
      const known = terms.get(text)
      const facts = known ?? { phrase, holders: [], noise: 0, relevant: 0 }
      if (!known) terms.set(text, facts)
      facts.holders.push(at)
      facts[sortOf(post)] += 1
    }
  })
  return [...terms.values()]
}

/**
 * Greedy: each term covers the most wanted posts left, less its cost in others. Ends when no term gains more than it
 * costs.
 */
export function* bestFirst(
  posts: readonly SamplePost[],
  candidates: readonly TermFacts[],
  { sort, weight }: TermSearch,
  most: number,
): Steps<TermFacts[]> {
  const all = splitOf(posts)
  const price = (weight * all[sort]) / Math.max(1, all[otherThan(sort)])
  const taken = new Array<boolean>(posts.length).fill(false)
  const gainAt = (at: number) => (sortOf(posts[at]!) === sort ? 1 : -price)
  const gainOf = ({ holders }: TermFacts) => holders.reduce((gain, at) => gain + (taken[at] ? 0 : gainAt(at)), 0)
  let left = candidates.map((facts) => ({ facts, gain: 0, lift: carefulLift(facts, all, sort) }))
  const chosen: TermFacts[] = []
  while (chosen.length < most) {
    // Gains only shrink, so a term below 1 never returns.
    for (const item of left) item.gain = gainOf(item.facts)
    left = left.filter(({ gain }) => gain >= 1)
    const [first, ...others] = left
    if (first === undefined) break
    const best = others.reduce((top, other) => (comesBefore(other, top) ? other : top), first)
    chosen.push(best.facts)
    for (const at of best.facts.holders) taken[at] = true
    yield
  }
  return chosen
}

interface Weighed {
  facts: TermFacts
  gain: number
  lift: number
}

/** Equal posts must give equal terms. */
function comesBefore(first: Weighed, second: Weighed): boolean {
  if (first.gain !== second.gain) return first.gain > second.gain
  if (first.lift !== second.lift) return first.lift > second.lift
  const [words, otherWords] = [first.facts.phrase.words.length, second.facts.phrase.words.length]
  return words === otherWords ? first.facts.phrase.text < second.facts.phrase.text : words < otherWords
}

const FOLDS = 5

export interface Unseen {
  post: SamplePost
  chosen: readonly TermFacts[]
}

/** Five-fold cross-validation: words that separate the chosen posts by chance do not separate held-out ones. */
export function* unseenBy(
  posts: readonly SamplePost[],
  choose: (posts: readonly SamplePost[]) => Steps<readonly TermFacts[]>,
): Steps<Unseen[]> {
  const unseen: Unseen[] = []
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const chosen = yield* choose(posts.filter((_, at) => at % FOLDS !== fold))
    for (const post of posts.filter((_, at) => at % FOLDS === fold)) unseen.push({ post, chosen })
  }
  return unseen
}

export const UNSEEN_LOSS_MAX = 0.04
