import { bucketOf } from '../../src/classify/offline/text/features.ts'
import { eachStem } from '../../src/classify/offline/text/terms.ts'
import { newTokens, type Tokens, tokenise } from '../../src/classify/offline/text/tokens.ts'
import { SENTIMENTS, type Sentiment } from '../../src/domain/mention/classification.ts'
import { isValidation, type Row, rowsOf, TRAINING_SETS, withoutCopies } from './data.ts'
import { phraseSeeds, type Seed, seeds, turnedSeeds } from './opinion-seeds.ts'

const SEED_WEIGHT = 1
/** More than a row of a set, which the words that a phrase shares with others would outweigh. */
const PHRASE_WEIGHT = 3

export interface Example {
  set: string
  row: Row
  /** Null where the row teaches no sentiment. */
  sentiment: Sentiment | null
  /** How much it counts for sentiment. */
  weight: number
}

/**
 * All rows of the training sets, those kept for validation apart. A text that is kept for validation in one set trains
 * in none.
 */
export function gatherExamples(): { training: Example[]; validation: Example[] } {
  const training: Example[] = []
  const validation: Example[] = []
  for (const { name, weight, sentiment } of TRAINING_SETS) {
    for (const row of rowsOf(name))
      (isValidation(name, row) ? validation : training).push({
        set: name,
        row,
        sentiment: sentiment(row) ?? null,
        weight,
      })
  }
  const example = (set: string, seed: Seed, weight: number): Example => ({
    set,
    row: { ...seed },
    sentiment: seed.sentiment,
    weight,
  })
  training.push(...seeds().map((seed) => example('seeds', seed, SEED_WEIGHT)))
  training.push(...phraseSeeds().map((seed) => example('phrases', seed, PHRASE_WEIGHT)))
  training.push(...turnedSeeds().map((seed) => example('turned', seed, PHRASE_WEIGHT)))
  return { training: withoutCopies(training, validation), validation }
}

/**
 * How much each example counts for sentiment; within a set the rarer sentiments count more, without being made quite
 * equal.
 */
export function sentimentWeights(examples: readonly Example[]): Float32Array {
  const counts = new Map<string, number>()
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const { set, sentiment } of examples) {
    if (!sentiment) continue
    count(set)
    count(`${set} ${sentiment}`)
  }
  return Float32Array.from(examples, ({ set, sentiment, weight }) =>
    sentiment ? weight * (counts.get(set)! / SENTIMENTS.length / counts.get(`${set} ${sentiment}`)!) ** 0.7 : 0,
  )
}

/**
 * How much of a text's lesson is for all texts; its groups learn it whole. Sets that label by customs of their own,
 * most of which have a group of their own, would else teach these customs to everybody. Found by cross-validation.
 */
export function commonShares(examples: readonly Example[]): Float32Array {
  return Float32Array.from(examples, ({ set }) => COMMON_SHARE.get(set) ?? 1)
}

const COMMON_SHARE: ReadonlyMap<string, number> = new Map([
  ['twitter_entity', 0.3],
  ['tweet_extraction', 0.4],
  ['brand_emotion_sxsw', 0.8],
  ['umsab_multilingual', 0.5],
  ['apple_dfe', 0.5],
])

/** How rare every hashed word is among the training texts, as the model file keeps it. */
export function rarityOfWords(examples: readonly Example[]): Uint8Array {
  const tokens: Tokens = newTokens()
  const counts = new Uint32Array(1 << 16)
  const seen = new Int32Array(1 << 16).fill(-1)
  for (const [index, { row }] of examples.entries()) {
    tokenise(row.text, tokens)
    eachStem(tokens, (stem) => {
      const place = bucketOf(stem) & 0xffff
      if (seen[place] === index) return
      seen[place] = index
      counts[place]! += 1
    })
  }
  return Uint8Array.from(counts, (count) =>
    Math.max(0, Math.min(255, Math.round(16 * Math.log(examples.length / (count + 1))))),
  )
}
