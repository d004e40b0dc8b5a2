import type { Classifier } from './contract.ts'
import { createHybridClassifier, sureFrom } from './hybrid/hybrid.ts'
import { createSecondVerdict, type SecondVerdictOptions } from './language-model/second-verdict.ts'
import { createOfflineClassifier, type OfflineOptions } from './offline/index.ts'
import type { ClassifierName } from './settings.ts'

export interface ModelAccess extends SecondVerdictOptions {
  /** Lowest confidence (0 to 1) at which the hybrid classifier keeps the offline verdict. */
  sureFrom: number
}

/** @throws Error when the offline model cannot be read, or when a required language model is missing */
export async function createClassifier(
  name: ClassifierName,
  { asking = null, ...options }: OfflineOptions & { asking?: ModelAccess | null },
): Promise<Classifier> {
  const offline = await createOfflineClassifier(options)
  if (name === 'offline') return offline
  if (asking === null) throw new Error(`the classifier ${name} needs a language model`)
  const isSure = name === 'hybrid' ? sureFrom(asking.sureFrom) : () => false
  return createHybridClassifier({ name, first: offline, second: createSecondVerdict(asking), isSure })
}
