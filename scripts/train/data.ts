import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { SENTIMENTS, type Sentiment } from '../../src/domain/mention/classification.ts'
import type { Platform } from '../../src/domain/platform/platforms.ts'

/** Where the labelled sets lie; they are not part of the repository and never shipped. */
export const DATA_FOLDER = new URL('../../../shared/data/', import.meta.url)

export type Row = Record<string, unknown> & { id: string; text: string }

interface TrainingSet {
  name: string
  /** Where its texts come from, or whose texts they read like. */
  platform: Platform
  /** How much a row of this set counts for sentiment: more for small sets, whose way of writing would else go under. */
  weight: number
  /** What the row says of sentiment, if anything; sets without it lend their texts, and teach other stages. */
  sentiment: (row: Row) => Sentiment | undefined
}

const named = (value: unknown): Sentiment | undefined => SENTIMENTS.find((sentiment) => sentiment === value)
const plain = (row: Row) => named(row.sentiment)
const labelled = (row: Row) => named(row.label)
const byStars = (row: Row) => (Number.isFinite(row.rating) ? sentimentOfStars(Number(row.rating)) : undefined)
/** Joy and optimism speak well of something, anger and sadness ill. */
const byEmotion = (row: Row) => (row.emotion === 'joy' || row.emotion === 'optimism' ? 'positive' : 'negative')
const nothing = () => undefined

/** The sets that train the shipped model: tier A, and the two with CC BY 4.0 at their origin. */
export const TRAINING_SETS: TrainingSet[] = [
  { name: 'tweeteval_sentiment', platform: 'x', weight: 0.8, sentiment: plain },
  { name: 'umsab_multilingual', platform: 'x', weight: 1.8, sentiment: plain },
  { name: 'twitter_entity', platform: 'x', weight: 2, sentiment: labelled },
  { name: 'brand_emotion_sxsw', platform: 'x', weight: 5, sentiment: plain },
  { name: 'apple_dfe', platform: 'x', weight: 4, sentiment: labelled },
  { name: 'tweet_extraction', platform: 'x', weight: 2.5, sentiment: plain },
  { name: 'tweeteval_emotion', platform: 'x', weight: 0.5, sentiment: byEmotion },
  { name: 'goemotions', platform: 'reddit', weight: 0.9, sentiment: plain },
  { name: 'vader_tweets', platform: 'x', weight: 4.5, sentiment: plain },
  { name: 'vader_amazon', platform: 'trustpilot', weight: 1.5, sentiment: plain },
  { name: 'vader_nyt', platform: 'news', weight: 1, sentiment: plain },
  { name: 'se_stackoverflow', platform: 'stackoverflow', weight: 1.3, sentiment: plain },
  { name: 'se_github', platform: 'github', weight: 1.8, sentiment: plain },
  { name: 'appreviews_maalej', platform: 'googleplay', weight: 1.2, sentiment: byStars },
  { name: 'weak_intents', platform: 'reddit', weight: 0, sentiment: nothing },
  { name: 'purchase_intent', platform: 'x', weight: 0, sentiment: nothing },
  { name: 'comparison_compsent19', platform: 'hackernews', weight: 0, sentiment: nothing },
  { name: 'youtube_spam', platform: 'youtube', weight: 0, sentiment: nothing },
]

/** Where a set's texts come from. Seeds, which are no set, count as the largest family. */
export function platformOf(set: string): Platform {
  return TRAINING_SETS.find(({ name }) => name === set)?.platform ?? 'x'
}

/** What the opinion of a row is about, in lower case, where its set says so; else empty. */
export function termOf(set: string, row: Row): string {
  return (set === 'twitter_entity' || set === 'apple_dfe') && typeof row.entity === 'string'
    ? row.entity.toLowerCase()
    : ''
}

/** Rows of a set, the complete development part where there is one; empty when the set is not there. */
export function rowsOf(set: string): Row[] {
  for (const folder of ['full', 'sets']) {
    const address = new URL(`${folder}/${set}/dev.jsonl`, DATA_FOLDER)
    if (existsSync(address)) return linesOf(address)
  }
  return []
}

export function linesOf(address: URL): Row[] {
  return readFileSync(address, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
}

/** All rows are cut in so many parts; each is judged by weights that were learned from the others. */
export const TENTHS = 10

/** Which tenth a row is in, from 0 on, by a hash of its id. */
export function tenthOf(set: string, { id }: Pick<Row, 'id'>): number {
  return createHash('sha256').update(`${set}:${id}`).digest().readUInt32BE(0) % TENTHS
}

/**
 * The option with the tenth that a process leaves out; without it, all rows are learned, as for the weights that are
 * shipped.
 */
export const APART = 'apart'
const given = process.argv.indexOf(`--${APART}`)
const KEPT_APART = given < 0 ? null : Number(process.argv[given + 1])

/** Whether this process keeps the row for validation. */
export function isValidation(set: string, row: Row): boolean {
  return tenthOf(set, row) === KEPT_APART
}

/**
 * What may be learned when `kept` is kept for validation: a text of it is learned from no row, whichever set and tenth
 * that is in.
 */
export function withoutCopies<One extends { row: Pick<Row, 'text'> }>(
  learned: readonly One[],
  kept: readonly { row: Pick<Row, 'text'> }[],
): One[] {
  const texts = new Set(kept.map(({ row }) => sameText(row.text)))
  return learned.filter(({ row }) => !texts.has(sameText(row.text)))
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
  if (stars >= 4) return 'positive'
  return stars <= 2 ? 'negative' : 'neutral'
}
