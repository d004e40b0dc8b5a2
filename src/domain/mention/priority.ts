import { DAY_MS } from '../../kernel/clock.ts'
import type { Intent } from './classification.ts'

/** The strongest intent of a mention counts. */
export const INTENT_POINTS: Readonly<Record<Intent, number>> = {
  buy_intent: 20,
  churn_intent: 19,
  complaint: 17,
  bug_report: 16,
  pricing: 15,
  question: 14,
  comparison: 13,
  feedback: 12,
  testimonial: 9,
  launch: 8,
  event: 8,
  hiring: 7,
  industry_insight: 7,
  promotional: 6,
  praise: 5,
}

const UNKNOWN_REACH_POINTS = 8
const MAX_REACH_POINTS = 20
/** A million followers give full points; each factor of ten less costs a sixth. */
const REACH_DECADES = 6
const MAX_AGE_POINTS = 20
const AGE_POINTS_PER_DAY = 2
const RELEVANCE_POINTS = 0.5
const MAX_POINTS_WITHOUT_AGE = 100 * RELEVANCE_POINTS + MAX_REACH_POINTS + Math.max(...Object.values(INTENT_POINTS))

/**
 * Whole thousandths of a point: the database sorts by it too, and only whole numbers agree whatever the last digits of
 * a logarithm are.
 */
export const PRIORITY_SCALE = {
  one: 1000,
  relevance: RELEVANCE_POINTS * 1000,
  unknownReach: UNKNOWN_REACH_POINTS * 1000,
  maxReach: MAX_REACH_POINTS * 1000,
  reachDecade: (MAX_REACH_POINTS * 1000) / REACH_DECADES,
  maxAge: MAX_AGE_POINTS * 1000,
  /** Milliseconds of age per thousandth. */
  ageMs: DAY_MS / (AGE_POINTS_PER_DAY * 1000),
} as const

export interface PriorityFacts {
  relevance: number | null
  followers: number | null
  intents: readonly Intent[]
  publishedAt: Date
}

/** 0 to 100: relevance, reach and intent, less two points per day of age. */
export function priorityOf({ relevance, followers, intents, publishedAt }: PriorityFacts, at: Date): number {
  const intent = Math.max(0, ...intents.map((intent) => INTENT_POINTS[intent])) * PRIORITY_SCALE.one
  return rounded(
    (relevance ?? 0) * PRIORITY_SCALE.relevance + reach(followers) + intent - age(at.getTime() - publishedAt.getTime()),
  )
}

/** Upper bound for mentions of this age or older. */
export function highestPriorityAt(ageMs: number): number {
  return rounded(MAX_POINTS_WITHOUT_AGE * PRIORITY_SCALE.one - age(ageMs))
}

function reach(followers: number | null): number {
  if (followers === null) return PRIORITY_SCALE.unknownReach
  return Math.min(
    PRIORITY_SCALE.maxReach,
    Math.round(PRIORITY_SCALE.reachDecade * Math.log10(1 + Math.max(0, followers))),
  )
}

function age(ms: number): number {
  return Math.min(PRIORITY_SCALE.maxAge, Math.floor(Math.max(0, ms) / PRIORITY_SCALE.ageMs))
}

function rounded(thousandths: number): number {
  return Math.max(0, Math.floor((thousandths + PRIORITY_SCALE.one / 2) / PRIORITY_SCALE.one))
}
