import { brandOf } from '../../src/classify/offline/keyword/brands.ts'
import { labelOf } from '../../src/classify/offline/keyword/keyword.ts'
import { familyOf } from '../../src/classify/offline/model/family.ts'
import type { ModelFileHead } from '../../src/classify/offline/model/model-file.ts'
import type { LearnedGroups } from '../../src/classify/offline/sentiment/group.ts'
import { extractFeatures, newFeatures } from '../../src/classify/offline/text/features.ts'
import { MANNER_BITS, MANNER_LABELS, mannerTraitsOf, newMannerTraits } from '../../src/classify/offline/text/manner.ts'
import { newTokens, tokenise } from '../../src/classify/offline/text/tokens.ts'
import { platformOf, termOf } from './data.ts'
import type { Example } from './examples.ts'
import { quantise, rowsFrom, train } from './linear.ts'

/** The set whose posts were collected by the name of a brand, in the manner of that name's followers. */
const BRANDS = 'twitter_entity'
/** The set of notes on one's own day. */
const DIARIES = 'tweet_extraction'
/** The set of posts from a conference. */
const CONFERENCE = 'brand_emotion_sxsw'
const LANGUAGES = 'umsab_multilingual'
/**
 * Weights that have not seen a text say how likely its manner is when the sentiment is learned: it will be no surer of
 * others.
 */
const FOLDS = 3
const LEVELS = 30

/** The groups of the product, and for the example at a place those that were learned without it. */
export interface TrainedGroups {
  groups: LearnedGroups
  withoutExample: (place: number) => LearnedGroups
}

/**
 * Learns what tells a manner from the examples of sets, which are `taught`; brands are those that a set was collected
 * by. Posts about them are told by the brand, and here show what posts about any other brand look like: like none of
 * the manners.
 */
export function trainGroups(examples: readonly Example[], taught: (example: Example) => boolean): TrainedGroups {
  const names = new Set(
    examples.filter(({ set }) => set === BRANDS).map(({ set, row }) => brandOf(labelOf(termOf(set, row)))),
  )
  const brands = new Map([...names].sort((first, second) => first - second).map((brand, place) => [brand, place]))
  const places = [...examples.keys()].filter(
    (place) => taught(examples[place]!) && familyOf(platformOf(examples[place]!.set)) === 'social',
  )
  const posts = places.map((place) => ({ fold: place % FOLDS, ...postOf(examples[place]!) }))
  const folds = Array.from({ length: FOLDS }, (_, fold) => ({
    manners: headFrom(posts.filter((post) => post.fold !== fold)),
    brands,
  }))
  return { groups: { manners: headFrom(posts), brands }, withoutExample: (place) => folds[place % FOLDS]! }
}

interface Post {
  buckets: Int32Array
  manner: number
}

const MANNER_OF_SET = new Map<string, string>([
  [DIARIES, 'diary'],
  [CONFERENCE, 'conference'],
])

function postOf({ set, row }: Example): Post {
  tokenise(row.text, TOKENS)
  extractFeatures(TOKENS, FEATURES)
  mannerTraitsOf(TOKENS, FEATURES, TRAITS)
  const manner = set === LANGUAGES ? row.lang : (MANNER_OF_SET.get(set) ?? 'other')
  return {
    buckets: TRAITS.bucket.slice(0, TRAITS.count),
    manner: Math.max(0, MANNER_LABELS.indexOf(manner as (typeof MANNER_LABELS)[number])),
  }
}

function headFrom(posts: readonly Post[]): ModelFileHead {
  const target = new Int8Array(MANNER_LABELS.length * posts.length)
  const counts = new Float64Array(MANNER_LABELS.length)
  for (const [at, { manner }] of posts.entries()) {
    target[MANNER_LABELS.length * at + manner] = 1
    counts[manner]! += 1
  }
  const most = Math.max(...counts)
  // Rare manners count more, without being made quite equal.
  const weight = Float32Array.from(posts, ({ manner }) => Math.sqrt(most / counts[manner]!))
  const task = { labels: MANNER_LABELS, bits: MANNER_BITS }
  return quantise(
    task,
    train({
      ...task,
      rows: rowsFrom(posts.map(({ buckets }) => buckets)),
      target,
      weight,
      epochs: 4,
      rate: 0.1,
      decay: 1e-3,
    }),
    LEVELS,
  )
}

const TOKENS = newTokens()
const FEATURES = newFeatures(TOKENS)
const TRAITS = newMannerTraits()
