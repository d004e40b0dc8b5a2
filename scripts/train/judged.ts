import { existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { decodeModel, loadModel, type Model } from '../../src/classify/offline/model-file.ts'
import { calibrationOf } from '../../src/classify/offline/sentiment-model.ts'

/** The model that has not seen the rows kept for validation: its figures are printed, another is shipped, and it stays on this machine. */
export const JUDGED_ADDRESS = new URL('../../models/judged.bin', import.meta.url)

/** @throws Error when it was not made yet */
export function judgedModel(): Model {
  if (!existsSync(JUDGED_ADDRESS)) throw new Error('there is no model to judge yet: `npm run train` makes it')
  return decodeModel(readFileSync(JUDGED_ADDRESS))
}

/**
 * The judged model of the training that the shipped one comes from, which took over from it how sure it may be.
 *
 * @throws Error when there is none, or one of another training
 */
export async function judgedForShipped(): Promise<Model> {
  const judged = judgedModel()
  if (!isDeepStrictEqual(calibrationOf(judged), calibrationOf(await loadModel())))
    throw new Error('the model to judge is of another training than the one that is shipped: `npm run train` makes both')
  return judged
}
