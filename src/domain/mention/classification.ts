export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const
export type Sentiment = (typeof SENTIMENTS)[number]

/** The order is part of the stored form: append, never reorder. */
export const INTENTS = [
  'bug_report',
  'buy_intent',
  'churn_intent',
  'comparison',
  'complaint',
  'event',
  'feedback',
  'hiring',
  'industry_insight',
  'launch',
  'praise',
  'pricing',
  'promotional',
  'question',
  'testimonial',
] as const
export type Intent = (typeof INTENTS)[number]

/** Relevance (0 to 100) from which on a mention is relevant. */
export const RELEVANCE_THRESHOLD = 40
/** Confidence (0 to 1) below which a verdict is uncertain. */
export const UNCERTAIN_BELOW = 0.4

export interface Verdict {
  /** 0 to 100. */
  relevance: number
  sentiment: Sentiment
  /** Without repeats, in the order of INTENTS. */
  intents: Intent[]
  /** True when a program seems to have written the post. */
  automated: boolean
  /** ISO 639-1; null when the text is too short or mixed. */
  language: string | null
  /** 0 to 1, for the verdict as a whole. */
  confidence: number
  /** One plain sentence with the evidence, at most 200 characters, without markup. */
  note: string
}

export function isRelevant(relevance: number | null): boolean {
  return relevance !== null && relevance >= RELEVANCE_THRESHOLD
}

/** The stored form: one bit per intent. */
export function intentBits(intents: readonly Intent[]): number {
  return intents.reduce((bits, intent) => bits | (1 << INTENTS.indexOf(intent)), 0)
}

export function intentsFromBits(bits: number): Intent[] {
  return INTENTS.filter((_, at) => (bits & (1 << at)) !== 0)
}
