import { type Brands, brandOf, CHATTER_LABELS, newTraits, traitsOf } from '../../src/classify/offline/brands.ts'
import { logOddsOf } from '../../src/classify/offline/heads.ts'
import { labelOf } from '../../src/classify/offline/keyword.ts'
import type { Head } from '../../src/classify/offline/model-file.ts'
import { newReading, readPlain } from '../../src/classify/offline/reading.ts'
import type { Example } from './examples.ts'
import { inSteps } from './joint.ts'
import { trainOdds } from './linear.ts'

/** The set whose posts were collected by the name of a brand, and whose annotators said which were not about it. */
const SET = 'twitter_entity'
const BITS = 17
const STEPS = 30
const FOLDS = 4
/** Of the lines whose F1 comes this close to the best, the one that calls the fewest posts chatter is taken. */
const NEAR = 0.015

/** A logistic of chatter over the set's brands together and each alone, and the line that tells chatter from posts about the brand. */
export function trainBrands(training: readonly Example[]): Omit<Brands, 'traits'> {
  const posts = postsOf(training.filter(({ set }) => set === SET))
  const scores = new Float64Array(posts.length)
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const head = headFrom(posts.filter((_, at) => at % FOLDS !== fold))
    for (const [at, { buckets }] of posts.entries()) if (at % FOLDS === fold) scores[at] = logOddsOf(head, { bucket: buckets, count: buckets.length })
  }
  return { head: headFrom(posts), known: new Set(posts.map(({ brand }) => brand)), line: lineOf(posts, scores) }
}

interface Post {
  brand: number
  buckets: Int32Array
  chatter: boolean
}

function postsOf(examples: readonly Example[]): Post[] {
  const reading = newReading()
  const traits = newTraits()
  return examples.map(({ row }) => {
    const label = labelOf(String(row.entity))
    readPlain(row.text, reading)
    traitsOf(reading, label, traits)
    return { brand: brandOf(label), buckets: traits.bucket.slice(0, traits.count), chatter: row.label === 'irrelevant' }
  })
}

function headFrom(posts: readonly Post[]): Head {
  const texts = posts.map(({ buckets, chatter }) => ({ buckets, wanted: chatter, weight: 1 }))
  const { weights, bias } = trainOdds(texts, { bits: BITS, epochs: 8, rate: 0.1, decay: 5e-4 })
  return inSteps(weights, CHATTER_LABELS, BITS, bias, STEPS)
}

function lineOf(posts: readonly Post[], scores: Float64Array): number {
  const order = [...posts.keys()].sort((one, other) => scores[other]! - scores[one]!)
  const all = posts.filter(({ chatter }) => chatter).length
  let found = 0
  const points = order.map((at, taken) => {
    found += Number(posts[at]!.chatter)
    return { score: scores[at]!, f1: (2 * found) / (taken + 1 + all) }
  })
  const best = Math.max(...points.map(({ f1 }) => f1))
  return Math.round(1000 * points.find(({ f1 }) => f1 >= best - NEAR)!.score) / 1000
}
