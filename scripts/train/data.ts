import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { INTENTS, type Intent, SENTIMENTS, type Sentiment } from '../../src/domain/mention/classification.ts'

/** Where the labelled sets lie; they are not part of the repository and never shipped. */
export const DATA_FOLDER = new URL('../../../shared/data/', import.meta.url)

export type Row = Record<string, unknown> & { id: string; text: string }

/** What a set's row teaches: nothing is learned where a field is missing. */
export interface Lesson {
  sentiment?: Sentiment
  /** Only the intents named here are learned from this row: 1 has it, 0 has it not. */
  intents?: Partial<Record<Intent, 0 | 1>>
  /** How much the row counts for its intents; 1 when absent. */
  intentWeight?: number
}

interface TrainingSet {
  name: string
  /** How much a row of this set counts for the sentiment head. */
  weight: number
  lesson: (row: Row) => Lesson
}

const sentimentOf = (value: unknown): Sentiment | undefined => SENTIMENTS.find((sentiment) => sentiment === value)
const plain = (row: Row): Lesson => onlyKnown({ sentiment: sentimentOf(row.sentiment) })
const WEAK = [
  'bug_report',
  'buy_intent',
  'comparison',
  'event',
  'feedback',
  'hiring',
  'industry_insight',
  'launch',
  'promotional',
  'question',
] as const satisfies Intent[]
const NONE_OF = (intents: readonly Intent[]) => Object.fromEntries(intents.map((intent) => [intent, 0])) as Partial<Record<Intent, 0 | 1>>
const CHATTER = NONE_OF(['bug_report', 'buy_intent', 'comparison', 'feedback', 'hiring', 'industry_insight', 'launch', 'promotional', 'testimonial'])

/** The sets that train the shipped model: tier A, and the two with CC BY 4.0 at their origin. */
export const TRAINING_SETS: TrainingSet[] = [
  { name: 'tweeteval_sentiment', weight: 1, lesson: (row) => ({ ...plain(row), intents: CHATTER, intentWeight: 0.15 }) },
  { name: 'umsab_multilingual', weight: 1, lesson: plain },
  { name: 'twitter_entity', weight: 1.3, lesson: (row) => towardsBrand(row.label) },
  { name: 'brand_emotion_sxsw', weight: 1.3, lesson: (row) => towardsBrand(row.sentiment) },
  { name: 'apple_dfe', weight: 1.3, lesson: (row) => towardsBrand(row.label) },
  { name: 'tweet_extraction', weight: 0.8, lesson: (row) => ({ ...plain(row), intents: { ...CHATTER, praise: 0, complaint: 0 }, intentWeight: 0.15 }) },
  { name: 'goemotions', weight: 0.7, lesson: (row) => ({ ...plain(row), intents: CHATTER, intentWeight: 0.1 }) },
  { name: 'vader_tweets', weight: 1, lesson: plain },
  { name: 'vader_amazon', weight: 1.2, lesson: (row) => ({ ...plain(row), ...towardsBrand(row.sentiment) }) },
  { name: 'vader_nyt', weight: 0.6, lesson: plain },
  { name: 'se_stackoverflow', weight: 1.2, lesson: plain },
  { name: 'se_github', weight: 1.2, lesson: plain },
  { name: 'appreviews_maalej', weight: 1.2, lesson: appReview },
  { name: 'weak_intents', weight: 0, lesson: (row) => ({ intents: { ...NONE_OF(WEAK), ...oneOf(WEAK, row.label) } }) },
  { name: 'purchase_intent', weight: 0, lesson: (row) => ({ intents: { buy_intent: row.purchase_intent === 'yes' ? 1 : 0 } }) },
  {
    name: 'comparison_compsent19',
    weight: 0,
    lesson: (row) => ({ intents: { ...NONE_OF(['hiring', 'event', 'launch']), comparison: row.comparison === true ? 1 : 0 } }),
  },
  {
    name: 'youtube_spam',
    weight: 0,
    lesson: (row) => ({ intents: { ...NONE_OF(['bug_report', 'hiring', 'comparison']), promotional: row.spam === true ? 1 : 0 } }),
  },
]

/** Sets that the model never sees; they show how it does away from home. The tiers forbid training on them. */
export const UNSEEN_SETS = ['airline', 'sanders', 'se_misc', 'reviews_stars'] as const

/** Rows of a set, the complete development part where there is one; empty when the set is not there. */
export function rowsOf(set: string): Row[] {
  for (const folder of ['full', 'sets']) {
    const address = new URL(`${folder}/${set}/dev.jsonl`, DATA_FOLDER)
    if (existsSync(address)) return linesOf(address)
  }
  return []
}

/** Real posts without labels. */
export function postsOf(): Row[] {
  const address = new URL('posts.jsonl', DATA_FOLDER)
  return existsSync(address) ? linesOf(address) : []
}

function linesOf(address: URL): Row[] {
  return readFileSync(address, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
}

/** One row in ten is kept for validation, chosen by a hash of its id. */
export function isValidation(set: string, row: Row): boolean {
  return createHash('sha256').update(`${set}:${row.id}`).digest().readUInt32BE(0) % 10 === 0
}

/** What two copies of one text have in common: its letters and digits without links, mentions and case. */
export function sameText(text: string): string {
  return text
    .toLowerCase()
    .replace(/https?:\/\/\S+|@\w+/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Stars as a sentiment, as the product reads them. */
export function sentimentOfStars(stars: number): Sentiment {
  return stars >= 4 ? 'positive' : stars <= 2 ? 'negative' : 'neutral'
}

function onlyKnown(lesson: { sentiment: Sentiment | undefined }): Lesson {
  return lesson.sentiment ? { sentiment: lesson.sentiment } : {}
}

function oneOf(intents: readonly Intent[], label: unknown): Partial<Record<Intent, 0 | 1>> {
  const found = intents.find((intent) => intent === label)
  return found ? { [found]: 1 } : {}
}

/** An opinion about a named brand is praise or a complaint; the brand sets carry no other intent. */
function towardsBrand(label: unknown): Lesson {
  const sentiment = sentimentOf(label)
  const intents = { praise: sentiment === 'positive' ? 1 : 0, complaint: sentiment === 'negative' ? 1 : 0 } as const
  return { ...onlyKnown({ sentiment }), intents, intentWeight: 0.5 }
}

/** App reviews name bugs, wishes and experiences; a bare rating is praise or a complaint by its stars. */
function appReview(row: Row): Lesson {
  const labels = new Set(row.labels as string[])
  const stars = Number(row.rating)
  const sentiment = Number.isFinite(stars) ? sentimentOfStars(stars) : undefined
  const intents: Partial<Record<Intent, 0 | 1>> = {
    ...NONE_OF(['hiring', 'event', 'launch', 'promotional', 'industry_insight']),
    bug_report: labels.has('bug_report') ? 1 : 0,
    feedback: labels.has('feature_request') ? 1 : 0,
    testimonial: labels.has('user_experience') ? 1 : 0,
  }
  if (sentiment === 'positive') Object.assign(intents, { praise: 1, complaint: 0 })
  if (sentiment === 'negative') Object.assign(intents, { praise: 0, complaint: 1 })
  return { ...onlyKnown({ sentiment }), intents }
}

/** The intents that some training set has examples of, in the order of INTENTS. */
export const LEARNED_INTENTS: Intent[] = INTENTS.filter((intent) => intent !== 'churn_intent' && intent !== 'pricing')
