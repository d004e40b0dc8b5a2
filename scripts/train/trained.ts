import { TRAINING_SETS } from './data.ts'

/**
 * Names of the sets from which the shipped weights were learned; `models/README.md` says under which licence each may
 * be.
 */
export const TRAINED_SETS: ReadonlySet<string> = new Set([
  ...TRAINING_SETS.map(({ name }) => name),
  'corporate_messaging',
  'langid',
  'relevance_reddit',
  'mentions_gold',
])
