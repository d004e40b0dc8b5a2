import { existsSync, readFileSync } from 'node:fs'
import { partsOfBrands } from '../../src/classify/offline/keyword/brands.ts'
import {
  directionsOf,
  encodeVectors,
  VECTORS_PART,
  vectorsOf,
  type WordVectors,
} from '../../src/classify/offline/model/directions.ts'
import { decodeModel, MODEL_ADDRESS } from '../../src/classify/offline/model/model-file.ts'
import { partsOfRelevance } from '../../src/classify/offline/relevance/odds.ts'
import { trainBrands } from './brands.ts'
import { type Example, rarityOfWords } from './examples.ts'
import { wordVectors } from './neighbours.ts'
import { evidenceOf, pairings, seedPairings, trainRelevance } from './relevance.ts'
import type { Stage } from './stage.ts'

/**
 * How rare words are, where they point, how much each kind of evidence says for relevance, and what chatter falls under
 * some brands.
 */
export const relevanceStage: Stage = {
  name: 'relevance',
  learn(material) {
    const rarity = rarityOfWords(material.training)
    const { vectors } = material
    const directions = directionsOf(vectors)
    const weights = trainRelevance(evidenceOf(rarity, directions, [...pairings(), ...seedPairings()]))
    const brands = partsOfBrands(trainBrands(material.training, { rarities: rarity, directions }))
    return {
      heads: brands.heads,
      sections: { 'relevance.rarity': rarity, [VECTORS_PART]: encodeVectors(vectors) },
      numbers: { ...brands.numbers, ...partsOfRelevance(weights).numbers },
    }
  },
}

/** With `--vectors` made anew from public ones, which are fetched for it; else those of the present model. */
export function vectorsFor(training: readonly Example[]): WordVectors {
  if (!process.argv.includes('--vectors') && existsSync(MODEL_ADDRESS))
    return vectorsOf(decodeModel(readFileSync(MODEL_ADDRESS)))
  return wordVectors(training.map(({ row }) => row.text))
}
