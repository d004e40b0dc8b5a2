import { type Brands, brandsOf, type Words } from '../keyword/brands.ts'
import type { PreparedKeyword } from '../keyword/keyword.ts'
import { directionsOf, vectorsOf } from '../model/directions.ts'
import { numbersOf, type Parts, sectionOf } from '../model/model-file.ts'
import type { TextReading } from '../text/reading.ts'
import { EVIDENCE, type Evidence } from './evidence.ts'

export interface RelevanceWeights {
  /** In the order of EVIDENCE. */
  weights: readonly number[]
  bias: number
}

export function partsOfRelevance({ weights, bias }: RelevanceWeights): Parts {
  return { heads: {}, sections: {}, numbers: { 'relevance.weights': [...weights, bias] } }
}

/** @throws Error when the model was trained on other evidence */
function relevanceWeightsOf(model: Parts): RelevanceWeights {
  const numbers = numbersOf(model, 'relevance.weights')
  if (numbers.length !== EVIDENCE.length + 1)
    throw new Error('the classifier model weighs other evidence of relevance: train it again')
  return { weights: numbers.slice(0, -1), bias: numbers.at(-1)! }
}

export interface RelevanceModel extends RelevanceWeights, Words {
  brands: Brands
}

export function relevanceModelOf(model: Parts): RelevanceModel {
  const words = { rarities: sectionOf(model, 'relevance.rarity'), directions: directionsOf(vectorsOf(model)) }
  return { ...relevanceWeightsOf(model), ...words, brands: brandsOf(model, words) }
}

/** Returns log-odds of relevance by the post's words. */
export function oddsOf(
  model: RelevanceModel,
  keyword: PreparedKeyword,
  reading: TextReading,
  evidence: Evidence,
): number {
  if (keyword.everySense) return WELCOME
  if (hasContext(keyword)) return contextOdds(model, keyword, reading, evidence)
  return keyword.isWord && keyword.kind !== 'topic' && isVerb(evidence) ? START - AS_VERB : START
}

export function hasContext({ wanted, unwanted, everySense }: PreparedKeyword): boolean {
  return everySense || wanted.size > 0 || unwanted.size > 0
}

/** Matches "layoffs will loom" and "a recession looms over us", where a name would have a capital. */
function isVerb({ values }: Evidence): boolean {
  return values[SMALL] === 1 && (values[AFTER_MODAL] === 1 || (values[PLURAL] === 1 && values[BEFORE_PARTICLE] === 1))
}

/**
 * The comparison with the context is unreliable, and counts less, for a name that is no word of the language, for a
 * post that says little else, and in other languages.
 */
function contextOdds(
  { weights, bias }: RelevanceWeights,
  keyword: PreparedKeyword,
  reading: TextReading,
  { values, telling, known, unwanted }: Evidence,
): number {
  let odds = bias
  for (let at = 0; at < values.length; at += 1) odds += weights[at]! * values[at]!
  let trust = keyword.isWord ? 1 : NO_WORD
  if (telling < LITTLE_SAID.length) trust *= LITTLE_SAID[telling]!
  else if (!reading.features.english && known < telling / 2) trust *= FOREIGN
  return UNSURE + trust * (odds - UNSURE) - 2.2 * (1 - Math.exp(-unwanted / 0.8))
}

const [SMALL, AFTER_MODAL, PLURAL, BEFORE_PARTICLE] = [
  EVIDENCE.indexOf('small'),
  EVIDENCE.indexOf('after-modal'),
  EVIDENCE.indexOf('plural'),
  EVIDENCE.indexOf('before-particle'),
]
const AS_VERB = 1.5
/** Log-odds of a match without other evidence: score 68. */
const START = 0.75
/** Log-odds where the comparison says nothing: score 62. */
const UNSURE = 0.5
/** Log-odds when the context asks for every post: score 92. */
const WELCOME = 2.5
const NO_WORD = 0.35
/** Factors for no and for one telling word besides the name. */
const LITTLE_SAID = [0.2, 0.4]
/** Factor for a text that is not English and whose words are mostly unknown. */
const FOREIGN = 0.25
