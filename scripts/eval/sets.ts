import { INTENT_SETS } from './sets/intents.ts'
import { OTHER_SETS } from './sets/other.ts'
import { RELEVANCE_SETS } from './sets/relevance.ts'
import { SENTIMENT_SETS } from './sets/sentiment.ts'
import type { EvaluatedSet } from './sets/set.ts'

/** Every set: where its texts come from, what its labels mean here, and what is asked. */
export const SETS: readonly EvaluatedSet[] = [...SENTIMENT_SETS, ...INTENT_SETS, ...RELEVANCE_SETS, ...OTHER_SETS]

/** Whether a stage of the training may read the set. */
export function mayTrain(set: string): boolean {
  return !EVALUATION_ONLY.has(set)
}

/** Sets whose licence forbids or does not allow training on them, and what exists for judging alone. */
const EVALUATION_ONLY: ReadonlySet<string> = new Set([
  'sanders',
  'airline',
  'se_misc',
  'reviews_stars',
  'appreviews_gplay8000',
  'github_issues_nlbse24',
  'suggestions_semeval19',
  'complaints',
  'churn_chat',
  'tweepfake_bot',
  'apple_fruit',
  'relevance_loom',
  'intents_loom_gold',
])
