export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const
export type Sentiment = (typeof SENTIMENTS)[number]

/** What a post is for, as tags. The order is part of the stored form: append, never reorder. */
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

/** A mention with this relevance (0 to 100) or more counts as relevant. */
export const RELEVANCE_THRESHOLD = 40
/** Below this confidence (0 to 1) a verdict is called uncertain. */
export const UNCERTAIN_BELOW = 0.4

/** What a scorer says of one mention. */
export interface Verdict {
  /** 0 to 100. */
  relevance: number
  sentiment: Sentiment
  /** Without repeats, in the order of INTENTS. */
  intents: Intent[]
  /** True when a program seems to have written the post. */
  automated: boolean
  /** ISO 639-1, or null when the text is too short or mixed to tell. */
  language: string | null
  /** 0 to 1: how sure the scorer is of the verdict as a whole. */
  confidence: number
  /** One plain sentence that names the evidence. At most 200 characters; never quotes markup. */
  note: string
}

export function isRelevant(relevance: number | null): boolean {
  return relevance !== null && relevance >= RELEVANCE_THRESHOLD
}

/** Intents as they are stored: a bit for each, in the order of their list. */
export function intentBits(intents: readonly Intent[]): number {
  return intents.reduce((bits, intent) => bits | (1 << INTENTS.indexOf(intent)), 0)
}

/** The intents behind stored bits, in the order of their list. */
export function intentsFromBits(bits: number): Intent[] {
  return INTENTS.filter((_, at) => (bits & (1 << at)) !== 0)
}
