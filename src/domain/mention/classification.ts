export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const
export type Sentiment = (typeof SENTIMENTS)[number]

/** Stored by position: append, never reorder. */
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

/** 0 to 100. */
export const RELEVANCE_THRESHOLD = 40
/** 0 to 1. */
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
  /** 0 to 1. */
  confidence: number
  /** With the evidence, at most 200 characters, no markup. */
  note: string
}

export function isRelevant(relevance: number | null): boolean {
  return relevance !== null && relevance >= RELEVANCE_THRESHOLD
}

/** One bit per intent. */
export function intentBits(intents: readonly Intent[]): number {
  return intents.reduce((bits, intent) => bits | (1 << INTENTS.indexOf(intent)), 0)
}

export function intentsFromBits(bits: number): Intent[] {
  return INTENTS.filter((_, at) => (bits & (1 << at)) !== 0)
}
