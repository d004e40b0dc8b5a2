import { bucketOf, extractFeatures, lengthFeature, newFeatures, pair } from '../../src/classify/offline/features.ts'
import { eachStem } from '../../src/classify/offline/terms.ts'
import { hashOfWord, newTokens, type Tokens, tokenise } from '../../src/classify/offline/tokens.ts'
import { INTENTS, SENTIMENTS } from '../../src/domain/mention/classification.ts'
import { isValidation, LEARNED_INTENTS, type Lesson, type Row, rowsOf, sameText, TRAINING_SETS } from './data.ts'
import type { Rows } from './linear.ts'
import { seeds } from './seeds.ts'

/** A seed stands for the many texts in which the word would have been met. */
const SEED_WEIGHT = 1
const ONE_WORD = bucketOf(lengthFeature(1))

export interface Example {
  set: string
  row: Row
  lesson: Lesson
  /** How much it counts for sentiment. */
  weight: number
}

/** All rows of the training sets, those kept for validation apart. A text that is kept for validation in one set trains in none. */
export function gatherExamples(): { training: Example[]; validation: Example[] } {
  const training: Example[] = []
  const validation: Example[] = []
  for (const { name, weight, lesson } of TRAINING_SETS) {
    for (const row of rowsOf(name)) (isValidation(name, row) ? validation : training).push({ set: name, row, lesson: lesson(row), weight })
  }
  for (const seed of seeds()) training.push({ set: 'seeds', row: { ...seed }, lesson: { sentiment: seed.sentiment }, weight: SEED_WEIGHT })
  const kept = new Set(validation.map(({ row }) => sameText(row.text)))
  return { training: training.filter(({ row }) => !kept.has(sameText(row.text))), validation }
}

/** The features of all examples. */
export function featureRows(examples: readonly Example[]): Rows {
  const tokens = newTokens()
  const features = newFeatures(tokens)
  const start = new Int32Array(examples.length + 1)
  const parts = examples.map(({ set, row }, index) => {
    tokenise(row.text, tokens)
    extractFeatures(tokens, features)
    const own = features.bucket.slice(0, features.count)
    // A seed teaches its word, not that texts of one word have an opinion.
    const part = set === 'seeds' ? own.filter((bucket) => bucket !== ONE_WORD && bucket !== bucketOf(pair(hashOfWord('<start>'), tokens.hash[0]!))) : own
    start[index + 1] = start[index]! + part.length
    return part
  })
  return joined(start, parts)
}

export function joined(start: Int32Array, parts: readonly Int32Array[]): Rows {
  const bucket = new Int32Array(start[parts.length]!)
  for (const [index, part] of parts.entries()) bucket.set(part, start[index]!)
  return { start, bucket }
}

/** Targets of the sentiment head; within a set the rarer sentiments count more, without being made quite equal. */
export function sentimentTargets(examples: readonly Example[]): { target: Int8Array; weight: Float32Array } {
  const counts = new Map<string, number>()
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const { set, lesson } of examples) {
    if (!lesson.sentiment) continue
    count(set)
    count(`${set} ${lesson.sentiment}`)
  }
  const target = new Int8Array(examples.length * SENTIMENTS.length)
  const weight = new Float32Array(examples.length)
  for (const [index, { set, lesson, weight: own }] of examples.entries()) {
    if (!lesson.sentiment) continue
    target[index * SENTIMENTS.length + SENTIMENTS.indexOf(lesson.sentiment)] = 1
    weight[index] = own * (counts.get(set)! / SENTIMENTS.length / counts.get(`${set} ${lesson.sentiment}`)!) ** 0.7
  }
  return { target, weight }
}

/** Targets of the intents head: -1 where a row teaches nothing of an intent. */
export function intentTargets(examples: readonly Example[]): { target: Int8Array; weight: Float32Array; presence: number[] } {
  const target = new Int8Array(examples.length * LEARNED_INTENTS.length).fill(-1)
  const weight = new Float32Array(examples.length)
  for (const [index, { lesson }] of examples.entries()) {
    if (!lesson.intents) continue
    weight[index] = lesson.intentWeight ?? 1
    for (const intent of INTENTS) {
      const place = LEARNED_INTENTS.indexOf(intent)
      const known = lesson.intents[intent]
      if (place >= 0 && known !== undefined) target[index * LEARNED_INTENTS.length + place] = known
    }
  }
  return { target, weight, presence: presenceOf(target, weight) }
}

/** Intents are rare: each counts more the rarer it is among the rows that know of it, at most ten times. */
function presenceOf(target: Int8Array, weight: Float32Array): number[] {
  return LEARNED_INTENTS.map((_, place) => {
    let has = 0
    let hasNot = 0
    for (let index = 0; index < weight.length; index += 1) {
      const known = target[index * LEARNED_INTENTS.length + place]
      if (known === 1) has += weight[index]!
      else if (known === 0) hasNot += weight[index]!
    }
    return Math.max(1, Math.min(10, (hasNot / Math.max(1, has)) ** 0.7))
  })
}

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
  return Uint8Array.from(counts, (count) => Math.max(0, Math.min(255, Math.round(16 * Math.log(examples.length / (count + 1))))))
}
