import type { Steps } from '../../../kernel/concurrency/steps.ts'
import { type SamplePost, splitOf } from './evidence.ts'
import { bestFirst, candidatesOf, type TermFacts, type TermSearch, UNSEEN_LOSS_MAX, unseenBy } from './terms.ts'

/** Nearly every relevant post must match, so a matching noise post costs little. */
const RELEVANT = { sort: 'relevant', support: 3, lift: 2.5, weight: 1 } as const
const MOST_TERMS = 12
/** Share of held-out noise that must lack all terms. */
const NOISE_LACKING_LEAST = 0.3

/** Best first; empty when no few terms cover nearly all relevant posts. */
export function* termsToRequire(posts: readonly SamplePost[], termWords: readonly string[]): Steps<string[]> {
  const wanted: TermSearch = { ...RELEVANT, termWords }
  const choose = function* (some: readonly SamplePost[]): Steps<TermFacts[]> {
    return yield* bestFirst(some, yield* candidatesOf(some, wanted), wanted, MOST_TERMS)
  }
  const all = splitOf(posts)
  const unseen = yield* unseenBy(posts, choose)
  const lacking = splitOf(unseen.filter(({ post, chosen }) => !holdsOne(post, chosen)).map(({ post }) => post))
  const holds = lacking.relevant <= UNSEEN_LOSS_MAX * all.relevant && lacking.noise >= NOISE_LACKING_LEAST * all.noise
  return holds ? (yield* choose(posts)).map(({ phrase }) => phrase.text) : []
}

function holdsOne(post: SamplePost, terms: readonly TermFacts[]): boolean {
  return terms.some(({ phrase }) => post.phrases.has(phrase.text))
}
