import { type Brands, brandsOf, type Words } from '../keyword/brands.ts'
import type { PreparedKeyword } from '../keyword/keyword.ts'
import { directionsOf, vectorsOf } from '../model/directions.ts'
import { numbersOf, type Parts, sectionOf } from '../model/model-file.ts'
import type { TextReading } from '../text/reading.ts'
import { EVIDENCE, type Evidence } from './evidence.ts'

/** How much each kind of evidence says for relevance. */
export interface RelevanceWeights {
  /** In the order of EVIDENCE. */
  weights: readonly number[]
  bias: number
}

/** The weights as the model file keeps them. */
export function partsOfRelevance({ weights, bias }: RelevanceWeights): Parts {
  return { heads: {}, sections: {}, numbers: { 'relevance.weights': [...weights, bias] } }
}

/**
 * The weights that a model holds.
 * @throws Error when they were learned for other evidence
 */
function relevanceWeightsOf(model: Parts): RelevanceWeights {
  const numbers = numbersOf(model, 'relevance.weights')
  if (numbers.length !== EVIDENCE.length + 1)
    throw new Error('the classifier model weighs other evidence of relevance: train it again')
  return { weights: numbers.slice(0, -1), bias: numbers.at(-1)! }
}

/** What judging relevance needs of the model. */
export interface RelevanceModel extends RelevanceWeights, Words {
  brands: Brands
}

export function relevanceModelOf(model: Parts): RelevanceModel {
  const words = { rarities: sectionOf(model, 'relevance.rarity'), directions: directionsOf(vectorsOf(model)) }
  return { ...relevanceWeightsOf(model), ...words, brands: brandsOf(model, words) }
}

/** What the words of a post say, with the context or without one, as a logarithm of odds. */
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

/** "Layoffs will loom", "a recession looms over us": a name is not written small there. */
function isVerb({ values }: Evidence): boolean {
  return values[SMALL] === 1 && (values[AFTER_MODAL] === 1 || (values[PLURAL] === 1 && values[BEFORE_PARTICLE] === 1))
}

/**
 * How the post compares with the context. The comparison counts less where it can hardly fail or hardly succeed: for a
 * name that is no word of the language, for a post that says next to nothing beside the name, and in other languages.
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
/** A match without any further sign scores 68. */
const START = 0.75
/** Where a comparison tells nothing, a match scores 62. */
const UNSURE = 0.5
/** What a post scores (92) when the context asks for every post about the term. */
const WELCOME = 2.5
const NO_WORD = 0.35
/** With no telling word beside the name, and with one. */
const LITTLE_SAID = [0.2, 0.4]
/** How much of the judgement counts for a text of which most words are unknown and that does not read as English. */
const FOREIGN = 0.25
