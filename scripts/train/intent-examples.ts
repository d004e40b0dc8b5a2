import { createHash } from 'node:crypto'
import type { PURPOSES } from '../../src/classify/offline/intents/intents.ts'
import type { Platform } from '../../src/domain/platform/platforms.ts'
import { isValidation, type Row, rowsOf, withoutCopies } from './data.ts'
import { purposeSeeds } from './intent-seeds.ts'
import { issueSeeds } from './issue-seeds.ts'
import { pairings } from './relevance.ts'
import { reviewSeeds } from './review-seeds.ts'

export type Purpose = (typeof PURPOSES)[number]
type Known = Partial<Record<Purpose, 0 | 1>>

/** A text and what is known of its purpose: nothing is learned of purposes that `known` does not name. */
export interface PurposeExample {
  set: string
  row: Row
  platform: Platform
  /** The keyword, where the set has one. */
  term: string | null
  stars: number | null
  known: Known
  /** How much it counts; rows of chatter, of which only the absence of purposes is known, count little. */
  weight: number
}

interface PurposeSet {
  name: string
  platform: Platform | ((row: Row) => Platform)
  /** Null where a row teaches nothing. */
  known: (row: Row) => Known | null
  weight: number
  /** The share of the rows that is taken. */
  share?: number
  term?: (row: Row) => string
  stars?: (row: Row) => number | null
  /**
   * Where the same might stand as well, though the set has none of its kind there: it is learned there too, and counts
   * little.
   */
  elsewhere?: (row: Row) => Platform
}

const none = (purposes: readonly Purpose[]) => Object.fromEntries(purposes.map((purpose) => [purpose, 0])) as Known
const flag = (value: boolean) => (value ? 1 : 0)
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
  'none',
] as const
const CHATTER = none([
  'bug_report',
  'buy_intent',
  'churn_intent',
  'comparison',
  'event',
  'feedback',
  'hiring',
  'industry_insight',
  'launch',
  'promotional',
  'testimonial',
])
const LITTLE = 0.15
const ELSEWHERE_WEIGHT = 0.05
const SEED_WEIGHT = 0.6
/** What a seed of another purpose has not; praise and complaints may stand beside anything. */
const SEEDED: readonly Purpose[] = [
  'bug_report',
  'buy_intent',
  'churn_intent',
  'event',
  'feedback',
  'hiring',
  'industry_insight',
  'launch',
  'promotional',
  'testimonial',
]
/** What a review of another kind has not. */
const REVIEW: readonly Purpose[] = [
  'bug_report',
  'feedback',
  'testimonial',
  'none',
  'launch',
  'industry_insight',
  'hiring',
  'event',
  'promotional',
]
/** What an issue of another kind has not. */
const ISSUE: readonly Purpose[] = [
  'bug_report',
  'feedback',
  'question',
  'launch',
  'industry_insight',
  'hiring',
  'event',
  'promotional',
  'testimonial',
  'none',
]
const ISSUE_WEIGHT = 1
/** Without one of these a text asks nothing. */
const ASKING = /\?|\b(?:how|what|which|where|why|who|when|any(?:one|body)|can|could|does|help|wondering|advice|tips)\b/i
/** Without one of these a text does not speak of prices. */
const MONEY = new RegExp(
  [
    String.raw`pric|cost|expens|cheap|fee\b|fees|pay|paid|charg|bill|subscri`,
    'free|discount|worth|afford|money|budget|deal|sale|[$€£]',
  ].join('|'),
  'i',
)

const SETS: readonly PurposeSet[] = [
  {
    name: 'weak_intents',
    platform: (row) => (isOfHackerNews(row) ? 'hackernews' : 'reddit'),
    known: (row) => ({ ...none(WEAK), [String(row.label)]: 1 }),
    weight: 1,
    // Its launches and questions are all of Hacker News, its reports, wishes and bargains all of Reddit.
    elsewhere: (row) => (isOfHackerNews(row) ? 'reddit' : 'hackernews'),
  },
  {
    name: 'appreviews_maalej',
    platform: 'googleplay',
    known: reviewed,
    weight: 1,
    stars: (row) => (Number.isFinite(row.rating) ? Number(row.rating) : null),
  },
  {
    name: 'purchase_intent',
    platform: 'x',
    known: (row) => ({ buy_intent: flag(row.purchase_intent === 'yes'), hiring: 0, event: 0 }),
    weight: 2,
    term: (row) => String(row.entity),
  },
  {
    name: 'comparison_compsent19',
    platform: 'reddit',
    known: (row) => ({ ...none(['hiring', 'event', 'launch']), comparison: flag(row.comparison === true) }),
    weight: 0.4,
    term: (row) => String(row.object_a),
  },
  {
    name: 'youtube_spam',
    platform: 'youtube',
    known: (row) => ({
      ...none(['bug_report', 'hiring', 'comparison', 'buy_intent', 'event', 'launch']),
      promotional: flag(row.spam === true),
    }),
    weight: 2,
  },
  {
    name: 'twitter_entity',
    platform: 'x',
    known: (row) => opinion(row.label),
    weight: 0.5,
    share: 0.45,
    term: (row) => String(row.entity),
  },
  { name: 'apple_dfe', platform: 'x', known: (row) => opinion(row.label), weight: 0.5, term: () => 'apple' },
  { name: 'brand_emotion_sxsw', platform: 'x', known: (row) => opinion(row.sentiment), weight: 0.5, share: 0.6 },
  { name: 'vader_amazon', platform: 'trustpilot', known: (row) => opinion(row.sentiment), weight: 0.5, share: 0.6 },
  {
    name: 'corporate_messaging',
    platform: 'x',
    known: () => none(['hiring', 'bug_report', 'buy_intent', 'testimonial', 'complaint']),
    weight: LITTLE,
  },
  {
    name: 'tweeteval_sentiment',
    platform: 'x',
    known: (row) => ({ ...CHATTER, ...(row.sentiment === 'negative' ? {} : { complaint: 0 }) }),
    weight: LITTLE,
    share: 0.08,
  },
  {
    name: 'tweet_extraction',
    platform: 'x',
    known: () => ({ ...CHATTER, praise: 0, complaint: 0 }),
    weight: LITTLE,
    share: 0.12,
  },
  { name: 'goemotions', platform: forumOf, known: felt, weight: LITTLE, share: 0.12 },
]

/**
 * All texts that teach purposes, those kept for validation apart; a text that is kept in one set is learned from none.
 */
export function purposeExamples(): { training: PurposeExample[]; validation: PurposeExample[] } {
  const training: PurposeExample[] = []
  const validation: PurposeExample[] = []
  for (const set of SETS) {
    for (const row of rowsOf(set.name)) {
      const kept = isValidation(set.name, row)
      const known = set.known(row)
      if (known === null || (!kept && !isTaken(set, row))) continue
      const platform = typeof set.platform === 'function' ? set.platform(row) : set.platform
      const example = {
        set: set.name,
        row,
        platform,
        term: set.term?.(row) ?? null,
        stars: null,
        known: { ...silent(row.text), ...known },
        weight: set.weight,
      }
      ;(kept ? validation : training).push(example)
      if (set.elsewhere !== undefined && !kept)
        training.push({ ...example, platform: set.elsewhere(row), weight: ELSEWHERE_WEIGHT })
      const stars = set.stars?.(row) ?? null
      // The same review once without its stars, once with them.
      if (stars !== null && !kept) training.push({ ...example, stars })
    }
  }
  training.push(...ownRows())
  return { training: withoutCopies(training, validation), validation }
}

/** Posts about ambiguous words are ordinary posts, and the seeds were written for this project. */
function ownRows(): PurposeExample[] {
  const chatter = pairings().map(({ text, term }, at): PurposeExample => {
    const known = none(['hiring', 'event', 'promotional', 'launch'])
    const row = { id: String(at), text }
    return { set: 'relevance_reddit', row, platform: forumOf(row), term, stars: null, known, weight: LITTLE }
  })
  const seeds = purposeSeeds().map(({ text, purpose }, at): PurposeExample => {
    const known: Known = { ...silent(text), ...none(SEEDED), ...(purpose === 'none' ? {} : { [purpose]: 1 }) }
    return {
      set: 'seeds',
      row: { id: String(at), text },
      platform: 'x',
      term: null,
      stars: null,
      known,
      weight: SEED_WEIGHT,
    }
  })
  const issues = issueSeeds().map(({ title, text, purpose }): PurposeExample => {
    const known: Known = { ...silent(text), ...none(ISSUE), [purpose]: 1 }
    // All forms of an issue are one row, so that none is judged by what was learned from another.
    return {
      set: 'issues',
      row: { id: title, text },
      platform: 'github',
      term: null,
      stars: null,
      known,
      weight: ISSUE_WEIGHT,
    }
  })
  const reviews = reviewSeeds().map(({ text, purpose }, at): PurposeExample => {
    const known: Known = { ...silent(text), ...none(REVIEW), [purpose]: 1 }
    return {
      set: 'seeds',
      row: { id: `review ${at}`, text },
      platform: 'googleplay',
      term: null,
      stars: null,
      known,
      weight: SEED_WEIGHT,
    }
  })
  return [...chatter, ...seeds, ...issues, ...reviews]
}

/**
 * Every other post of Reddit stands for what is said in passing on Hacker News, of which no set holds any: from threads
 * that show things, ask and hire alone it would be learned that nothing else is ever written there.
 */
function forumOf({ id }: Row): Platform {
  return createHash('sha256').update(`forum:${id}`).digest().readUInt8(0) % 2 === 0 ? 'reddit' : 'hackernews'
}

/** What a text without any word or sign of it has not. */
function silent(text: string): Known {
  return { ...(MONEY.test(text) ? {} : { pricing: 0 }), ...(ASKING.test(text) ? {} : { question: 0 }) }
}

function isOfHackerNews(row: Row): boolean {
  return String(row.source).startsWith('hn')
}

function isTaken({ name, share }: PurposeSet, row: Row): boolean {
  return (
    share === undefined ||
    createHash('sha256').update(`share:${name}:${row.id}`).digest().readUInt32BE(0) / 2 ** 32 < share
  )
}

/** An opinion about a named brand is praise or a complaint. */
function opinion(label: unknown): Known | null {
  if (label !== 'positive' && label !== 'negative' && label !== 'neutral') return null
  return { praise: flag(label === 'positive'), complaint: flag(label === 'negative') }
}

/** App reviews name bugs, wishes and experiences; a bare rating is praise or a complaint by its stars. */
function reviewed(row: Row): Known {
  const labels = new Set(row.labels as string[])
  const stars = Number(row.rating)
  return {
    ...none(['hiring', 'event', 'launch', 'promotional', 'industry_insight']),
    bug_report: flag(labels.has('bug_report')),
    feedback: flag(labels.has('feature_request')),
    testimonial: flag(labels.has('user_experience')),
    none: flag(!labels.has('bug_report') && !labels.has('feature_request') && !labels.has('user_experience')),
    ...moodOfStars(stars),
  }
}

function moodOfStars(stars: number): { praise?: 0 | 1; complaint?: 0 | 1 } {
  if (stars >= 4) return { praise: 1, complaint: 0 }
  return stars <= 2 ? { praise: 0, complaint: 1 } : {}
}

/** Curious and confused comments with a question mark ask; what annoys or disappoints is left open. */
function felt(row: Row): Known {
  const feelings = new Set(row.emotions as string[])
  const wonders = feelings.has('curiosity') || feelings.has('confusion')
  const asks = row.text.includes('?')
  const annoyed = ['annoyance', 'disappointment', 'anger', 'disgust', 'disapproval'].some((feeling) =>
    feelings.has(feeling),
  )
  return {
    ...CHATTER,
    ...(wonders === asks ? { question: asks ? 1 : 0 } : {}),
    ...(annoyed ? {} : { complaint: 0 }),
  }
}
