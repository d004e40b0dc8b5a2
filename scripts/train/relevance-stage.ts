import { existsSync, readFileSync } from 'node:fs'
import { directionsOf, encodeVectors, VECTORS_PART, vectorsOf, type WordVectors } from '../../src/classify/offline/directions.ts'
import { decodeModel, MODEL_ADDRESS } from '../../src/classify/offline/model-file.ts'
import { partsOfRelevance } from '../../src/classify/offline/odds.ts'
import { type Example, rarityOfWords } from './examples.ts'
import { wordVectors } from './neighbours.ts'
import { evidenceOf, pairings, trainRelevance } from './relevance.ts'
import type { Stage } from './stage.ts'

/** How rare words are, where they point, and how much each kind of evidence says for relevance. */
export const relevanceStage: Stage = {
  name: 'relevance',
  learn(material) {
    const rarity = rarityOfWords(material.training)
    const { vectors } = material
    const weights = trainRelevance(evidenceOf(rarity, directionsOf(vectors), pairings()))
    const { heads, sections, numbers } = partsOfRelevance(weights)
    return { heads, sections: { ...sections, 'relevance.rarity': rarity, [VECTORS_PART]: encodeVectors(vectors) }, numbers }
  },
}

/** With `--vectors` made anew from public ones, which are fetched for it; else those of the present model. */
export function vectorsFor(training: readonly Example[]): WordVectors {
  if (!process.argv.includes('--vectors') && existsSync(MODEL_ADDRESS)) return vectorsOf(decodeModel(readFileSync(MODEL_ADDRESS)))
  return wordVectors(training.map(({ row }) => row.text))
}
