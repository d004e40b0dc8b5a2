import { INTENTS, RELEVANCE_THRESHOLD } from '../../domain/mention/classification.ts'
import type { Venue } from './cues/signs.ts'
import type { IntentPurpose } from './intents/intents.ts'
import type { Relevance } from './relevance/relevance.ts'
import type { Mood } from './sentiment/sentiment.ts'

/**
 * Confidence from 0 to 1 in hundredths: the probability of the sentiment, or of a review's kind, because stars decide a
 * review's sentiment. A relevance near the threshold and an untrained language lower it.
 */
export function confidenceOf(
  mood: Mood,
  purpose: IntentPurpose,
  relevance: Relevance,
  language: string | null,
  venue: Venue,
): number {
  const clear = Math.min(1, Math.abs(relevance.score - RELEVANCE_THRESHOLD) / 20)
  const foreign = mood.stars === null ? foreignFactor(language) : 1
  const sure = venue === 'reviews' ? kindProbability(purpose.evidence) : mood.probability
  return Math.round(100 * sure * foreign * (0.6 + 0.4 * clear)) / 100
}

/** Factor for texts in languages that the models hardly know. */
export function foreignFactor(language: string | null): number {
  return language !== null && !TAUGHT_LANGUAGES.has(language) ? FOREIGN : 1
}

/** Probability of a review's likeliest kind. A review without evidence for any kind is a bare rating. */
function kindProbability(evidence: Float64Array): number {
  let sum = 1
  let best = 1
  for (const kind of KINDS) {
    const odds = Math.exp(evidence[kind]!)
    sum += odds
    best = Math.max(best, odds)
  }
  return best / sum
}

const KINDS = (['bug_report', 'feedback', 'testimonial'] as const).map((intent) => INTENTS.indexOf(intent))
const FOREIGN = 0.6
/** Languages with enough labelled texts in the training sets. */
const TAUGHT_LANGUAGES = new Set(['en', 'ar', 'de', 'es', 'fr', 'it', 'pt'])
