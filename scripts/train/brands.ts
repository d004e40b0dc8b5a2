import {
  type Brands,
  brandOf,
  CHATTER_LABELS,
  chatterOdds,
  newTraits,
  traitsOf,
  type Words,
} from '../../src/classify/offline/keyword/brands.ts'
import { labelOf } from '../../src/classify/offline/keyword/keyword.ts'
import type { ModelFileHead } from '../../src/classify/offline/model/model-file.ts'
import { newReading, readPlain } from '../../src/classify/offline/text/reading.ts'
import type { Example } from './examples.ts'
import { inSteps } from './joint.ts'
import { type Answer, trainRidge } from './ridge.ts'

/** The set whose posts were collected by the name of a brand, and whose annotators said which were not about it. */
const SET = 'twitter_entity'
const BITS = 18
const STEPS = 60
const FOLDS = 4
/** Pull of the weights towards zero, and how often all posts are gone through; both by cross-validation. */
const PULL = 0.6
const ROUNDS = 20
/**
 * A trait of fewer posts is forgotten: it tells little of others, and would share its bucket with traits that were
 * never seen.
 */
const LEAST_POSTS = 3
/** How often the sentiment of a post about the brand is right, which it loses when it is called chatter. */
const SENTIMENT_RIGHT = 0.7

/**
 * A logistic of chatter over the set's brands together and each alone, and the line that tells chatter from posts about
 * the brand.
 */
export function trainBrands(training: readonly Example[], words: Words): Omit<Brands, 'traits'> {
  const posts = postsOf(
    training.filter(({ set }) => set === SET),
    words,
  )
  const scores = new Float64Array(posts.length)
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const head = headFrom(posts.filter((_, at) => at % FOLDS !== fold))
    for (const [at, post] of posts.entries()) if (at % FOLDS === fold) scores[at] = oddsOf(head, post)
  }
  return { head: headFrom(posts), known: new Set(posts.map(({ brand }) => brand)), line: lineOf(posts, scores) }
}

interface Post extends Answer {
  brand: number
}

function postsOf(examples: readonly Example[], words: Words): Post[] {
  const reading = newReading()
  const traits = newTraits(words)
  return examples.map(({ row }) => {
    const label = labelOf(String(row.entity))
    readPlain(row.text, reading)
    traitsOf(words, reading, label, traits)
    const strengths = new Map<number, number>()
    for (let at = 0; at < traits.count; at += 1) {
      const bucket = traits.bucket[at]! & ((1 << BITS) - 1)
      strengths.set(bucket, (strengths.get(bucket) ?? 0) + traits.strength[at]!)
    }
    return {
      brand: brandOf(label),
      buckets: Int32Array.from(strengths.keys()),
      strengths: Float64Array.from(strengths.values()),
      wanted: row.label === 'irrelevant',
    }
  })
}

function headFrom(posts: readonly Post[]): ModelFileHead {
  const { weights, bias } = trainRidge(withoutRare(posts), { bits: BITS, pull: PULL, rounds: ROUNDS })
  return inSteps(weights, CHATTER_LABELS, BITS, Float64Array.of(bias), STEPS)
}

function withoutRare(posts: readonly Post[]): Answer[] {
  const counts = new Int32Array(1 << BITS)
  for (const { buckets } of posts) for (const bucket of buckets) counts[bucket]! += 1
  return posts.map(({ buckets, strengths, wanted }) => {
    const kept = [...buckets.keys()].filter((at) => counts[buckets[at]!]! >= LEAST_POSTS)
    return {
      buckets: Int32Array.from(kept, (at) => buckets[at]!),
      strengths: Float64Array.from(kept, (at) => strengths[at]!),
      wanted,
    }
  })
}

function oddsOf(head: ModelFileHead, { buckets, strengths }: Post): number {
  return chatterOdds(head, { count: buckets.length, bucket: buckets, strength: strengths })
}

/** Where the mean F1 of chatter and of three sentiments is best, as far as it depends on the line. */
function lineOf(posts: readonly Post[], scores: Float64Array): number {
  const order = [...posts.keys()].sort((first, second) => scores[second]! - scores[first]!)
  const chatter = posts.filter(({ wanted }) => wanted).length
  const about = posts.length - chatter
  let found = 0
  let best = { score: 0, f1: -1 }
  for (const [taken, at] of order.entries()) {
    found += Number(posts[at]!.wanted)
    const [called, left] = [taken + 1, posts.length - taken - 1]
    const kept = about - (called - found)
    const f1 = (2 * found) / (called + chatter) + (3 * 2 * SENTIMENT_RIGHT * kept) / (about + left)
    if (f1 > best.f1) best = { score: scores[at]!, f1 }
  }
  return Math.round(1000 * best.score) / 1000
}
