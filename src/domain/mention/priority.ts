import { DAY_MS } from '../../kernel/clock.ts'
import type { Intent } from './classification.ts'

/** Points that an intent adds; the strongest of a mention counts. */
const INTENT_POINTS: Readonly<Record<Intent, number>> = {
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
/** A million followers have the full points; each factor of ten below takes a sixth of them. */
const REACH_DECADES = 6
const MAX_AGE_POINTS = 20

export interface PriorityFacts {
  relevance: number | null
  followers: number | null
  intents: readonly Intent[]
  publishedAt: Date
}

/** How soon somebody should look at a mention, 0 to 100: relevance, reach and intent, less two points a day of age. */
export function priorityOf({ relevance, followers, intents, publishedAt }: PriorityFacts, at: Date): number {
  const days = Math.max(0, (at.getTime() - publishedAt.getTime()) / DAY_MS)
  const points =
    (relevance ?? 0) / 2 + reachPoints(followers) + Math.max(0, ...intents.map((intent) => INTENT_POINTS[intent])) - Math.min(MAX_AGE_POINTS, 2 * days)
  return Math.round(Math.min(100, Math.max(0, points)))
}

function reachPoints(followers: number | null): number {
  if (followers === null) return UNKNOWN_REACH_POINTS
  return Math.min(MAX_REACH_POINTS, (MAX_REACH_POINTS / REACH_DECADES) * Math.log10(1 + Math.max(0, followers)))
}
