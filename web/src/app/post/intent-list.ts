import type { MentionQuery } from '../../api/mentions.ts'

export type Intent = NonNullable<MentionQuery['intents']>[number]

/** Complete by its type. */
const NAMED: Readonly<Record<Intent, true>> = {
  bug_report: true,
  buy_intent: true,
  churn_intent: true,
  comparison: true,
  complaint: true,
  event: true,
  feedback: true,
  hiring: true,
  industry_insight: true,
  launch: true,
  praise: true,
  pricing: true,
  promotional: true,
  question: true,
  testimonial: true,
}

export const INTENTS = Object.keys(NAMED) as Intent[]
