import type { Classifier } from './contract.ts'
import { createOfflineClassifier } from './offline/index.ts'

/** The classifiers that the CLASSIFIER setting may name. */
export const CLASSIFIER_NAMES = ['offline'] as const
export type ClassifierName = (typeof CLASSIFIER_NAMES)[number]

const MAKERS: Record<ClassifierName, () => Promise<Classifier>> = { offline: createOfflineClassifier }

/**
 * Makes the named classifier ready to score.
 * @throws Error when its model cannot be read
 */
export function createClassifier(name: ClassifierName): Promise<Classifier> {
  return MAKERS[name]()
}
