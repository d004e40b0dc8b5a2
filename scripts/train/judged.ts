import { existsSync, readFileSync } from 'node:fs'
import { decodeModel, type Model } from '../../src/classify/offline/model-file.ts'

/** The model that has not seen the rows kept for validation: its figures are printed, another is shipped, and it stays on this machine. */
export const JUDGED_ADDRESS = new URL('../../models/judged.bin', import.meta.url)

/** @throws Error when it was not made yet */
export function judgedModel(): Model {
  if (!existsSync(JUDGED_ADDRESS)) throw new Error('there is no model to judge yet: `npm run train` makes it')
  return decodeModel(readFileSync(JUDGED_ADDRESS))
}
