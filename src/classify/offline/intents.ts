import { INTENTS, type Intent, type Sentiment } from '../../domain/mention/classification.ts'
import { addCues } from './cues.ts'
import { scoreHead } from './heads.ts'
import type { Model } from './model-file.ts'
import type { Reading } from './reading.ts'

export interface IntentScratch {
  cues: Float64Array
  scores: Float64Array
  /** For each intent its place in the head's labels, or -1 when no data taught it. */
  place: readonly number[]
}

export function newIntentScratch(model: Model): IntentScratch {
  return {
    cues: new Float64Array(INTENTS.length),
    scores: new Float64Array(model.intents.labels.length),
    place: INTENTS.map((intent) => model.intents.labels.indexOf(intent)),
  }
}

/** The intents of a text, in the order of INTENTS: what the trained head says of each, plus the phrases that name it. */
export function intentsOf(model: Model, reading: Reading, sentiment: Sentiment, stars: number | null, scratch: IntentScratch): Intent[] {
  const { cues, scores, place } = scratch
  addCues(reading.tokens, cues)
  scoreHead(model.intents, reading.features, scores)
  const found: Intent[] = []
  for (const [at, intent] of INTENTS.entries()) {
    const learned = place[at]! < 0 || reading.counts.words < LEAST_WORDS ? UNLEARNED : Math.max(-MOST_DOUBT, scores[place[at]!]! - CAUTION[intent])
    const evidence = learned + cues[at]! + questionMarks(intent, reading)
    if (fits(intent, sentiment, stars) && (evidence > 0 || givenByStars(intent, stars))) found.push(intent)
  }
  return found
}

/** Praise needs a positive text and a complaint a negative one; a review's stars decide for it. */
function fits(intent: Intent, sentiment: Sentiment, stars: number | null): boolean {
  if (intent === 'praise') return sentiment === 'positive'
  if (intent === 'complaint') return sentiment === 'negative'
  return !(stars !== null && (intent === 'hiring' || intent === 'launch' || intent === 'event'))
}

function givenByStars(intent: Intent, stars: number | null): boolean {
  return stars !== null && ((intent === 'praise' && stars >= 4) || (intent === 'complaint' && stars <= 2))
}

/** A question mark asks only halfway: many are rhetorical, so some word of asking has to stand beside it. */
function questionMarks(intent: Intent, reading: Reading): number {
  return intent === 'question' ? Math.min(2, reading.counts.questions) * 1.3 : 0
}

/** Texts of fewer words say too little for the head; a phrase may still name the intent. */
const LEAST_WORDS = 4
/**
 * What the head must be sure of beyond its threshold. The tags with a margin were learned from communities where they are
 * the rule, so elsewhere the head takes mere company talk for a job offer or any headline for market news.
 */
const CAUTION: Record<Intent, number> = {
  bug_report: 0.3,
  buy_intent: 0.2,
  churn_intent: 0,
  comparison: 0.4,
  complaint: 0,
  event: 0.3,
  feedback: 0.2,
  hiring: 0.7,
  industry_insight: 0.8,
  launch: 0.4,
  praise: 0,
  pricing: 0,
  promotional: 0.2,
  question: 0,
  testimonial: 0,
}
/** Evidence against an intent that no data taught: a phrase of weight 2 or more has to speak for it. */
const UNLEARNED = -1.9
/** However sure the head is that an intent is absent, a plain phrase for it may still win. */
const MOST_DOUBT = 2.4
