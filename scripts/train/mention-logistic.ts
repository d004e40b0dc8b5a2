import { TRAITS } from '../../src/classify/offline/mention/traits.ts'
import { WORD_BITS } from '../../src/classify/offline/mention/words.ts'
import { descend } from './quasi-newton.ts'

/** What the mention layer sees of a post: traits, and buckets of hashed words with their strengths. */
export interface MentionInputs {
  traits: Float64Array
  bucket: Int32Array
  strength: Float64Array
}

/** A text to learn a task from. */
export interface MentionAnswer {
  inputs: MentionInputs
  /** How likely the answer is yes, 0 to 1. */
  wanted: number
  weight: number
}

export interface MentionWeights {
  traits: Float64Array
  words: Float64Array
  bias: number
}

/** How strongly weights are drawn to zero. */
export interface Pulls {
  traits: number
  words: number
}

/** The mean of each trait, and the factor that makes it vary by about 1. */
export interface TraitScale {
  mean: Float64Array
  factor: Float64Array
}

export function traitScaleOf(inputs: readonly MentionInputs[]): TraitScale {
  const mean = new Float64Array(TRAITS.length)
  const spread = new Float64Array(TRAITS.length)
  for (const { traits } of inputs) for (let at = 0; at < mean.length; at += 1) mean[at]! += traits[at]! / inputs.length
  for (const { traits } of inputs)
    for (let at = 0; at < mean.length; at += 1) spread[at]! += (traits[at]! - mean[at]!) ** 2 / inputs.length
  return {
    mean,
    factor: spread.map((value) => (value < LEAST_SPREAD ? 0 : 1 / Math.max(Math.sqrt(value), LEAST_DEVIATION))),
  }
}

/** A logistic with a ridge over scaled traits and hashed words. `used` omits traits of 0, and words where null. */
export function learnLogistic(
  answers: readonly MentionAnswer[],
  { mean, factor }: TraitScale,
  pulls: Pulls,
  used: { traits: Uint8Array | null; words: boolean },
): MentionWeights {
  const size = TRAITS.length
  const words = used.words ? 1 << WORD_BITS : 0
  const bias = size + words
  const scaled = answers.map(({ inputs }) =>
    Float64Array.from(inputs.traits, (value, at) =>
      used.traits === null || used.traits[at] === 1 ? (value - mean[at]!) * factor[at]! : 0,
    ),
  )
  const point = new Float64Array(bias + 1)
  point[bias] = meanOdds(answers)
  descend(
    point,
    (present, gradient) => {
      gradient.fill(0)
      let loss = 0
      for (const [index, { inputs, wanted, weight }] of answers.entries()) {
        const row = scaled[index]!
        const { bucket, strength } = used.words ? inputs : NO_WORDS
        let score = present[bias]!
        for (let at = 0; at < size; at += 1) score += present[at]! * row[at]!
        for (let at = 0; at < bucket.length; at += 1) score += present[size + bucket[at]!]! * strength[at]!
        loss += weight * (Math.max(0, score) + Math.log1p(Math.exp(-Math.abs(score))) - wanted * score)
        const error = weight * (1 / (1 + Math.exp(-score)) - wanted)
        for (let at = 0; at < size; at += 1) gradient[at]! += error * row[at]!
        for (let at = 0; at < bucket.length; at += 1) gradient[size + bucket[at]!]! += error * strength[at]!
        gradient[bias]! += error
      }
      return loss + pullBack(present, gradient, size, bias, pulls)
    },
    ROUNDS,
  )
  return { traits: point.slice(0, size), words: point.slice(size, bias), bias: point[bias]! }
}

function pullBack(point: Float64Array, gradient: Float64Array, size: number, bias: number, pulls: Pulls): number {
  let loss = 0
  for (let at = 0; at < bias; at += 1) {
    const pull = at < size ? pulls.traits : pulls.words
    loss += 0.5 * pull * point[at]! ** 2
    gradient[at]! += pull * point[at]!
  }
  return loss
}

export function scoreOf({ traits, words, bias }: MentionWeights, { mean, factor }: TraitScale, of: MentionInputs) {
  let score = bias
  for (let at = 0; at < traits.length; at += 1) score += traits[at]! * (of.traits[at]! - mean[at]!) * factor[at]!
  if (words.length > 0)
    for (let at = 0; at < of.bucket.length; at += 1) score += words[of.bucket[at]!]! * of.strength[at]!
  return score
}

function meanOdds(answers: readonly MentionAnswer[]): number {
  let yes = 0
  let all = 0
  for (const { wanted, weight } of answers) {
    yes += wanted * weight
    all += weight
  }
  return Math.log(yes / (all - yes))
}

const NO_WORDS = { bucket: new Int32Array(0), strength: new Float64Array(0) }
const ROUNDS = 40
const LEAST_SPREAD = 1e-6
/** Rare traits would otherwise get large factors. */
const LEAST_DEVIATION = 0.08
