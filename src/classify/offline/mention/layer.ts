import {
  INTENTS,
  type Intent,
  RELEVANCE_THRESHOLD,
  SENTIMENTS,
  type Sentiment,
} from '../../../domain/mention/classification.ts'
import { sigmoid } from '../model/heads.ts'
import { headOf, type ModelFileHead, numbersOf, type Parts } from '../model/model-file.ts'
import { hasContext } from '../relevance/odds.ts'
import type { Relevance } from '../relevance/relevance.ts'
import type { Findings } from './findings.ts'
import { bestOccurrence } from './occurrences.ts'
import type { Standing } from './standings.ts'
import { TRAITS, traitWriter } from './traits.ts'
import { mentionWords, newMentionWords, WORD_BITS, WORD_GROUPS } from './words.ts'

/** What the layer decides of a mention: whether the post means the term, is worth reading, and how it speaks of it. */
export const MENTION_TASKS = ['meant', 'worth', 'positive', 'negative', ...INTENTS] as const
export const TRAIT_BITS = 10

export interface MentionModel {
  /** A row of weights for each of TRAITS. */
  traits: ModelFileHead
  /** The scale of each of TRAITS. */
  scales: readonly number[]
  words: ModelFileHead
  /** The log-odds at which each task is decided. */
  lines: readonly number[]
  /** For a verdict on the sentiment: a weight of its margin, and the bias of each of SENTIMENTS. */
  sureness: readonly number[]
  /** For each of INTENTS the share of mentions with it among those of each of SENTIMENTS. */
  tied: readonly number[]
}

/** @throws Error when the model's parts do not fit one another */
export function mentionModelOf(model: Parts): MentionModel {
  const parts = {
    traits: headOf(model, 'mention.traits', MENTION_TASKS),
    scales: numbersOf(model, 'mention.scales'),
    words: headOf(model, 'mention.words', MENTION_TASKS),
    lines: numbersOf(model, 'mention.lines'),
    sureness: numbersOf(model, 'mention.sureness'),
    tied: numbersOf(model, 'mention.tied'),
  }
  if (parts.scales.length !== TRAITS.length || parts.words.bits !== WORD_BITS || parts.traits.bits !== TRAIT_BITS)
    throw new Error('the classifier model weighs other traits of mentions: train it again')
  return parts
}

/** Log-odds of MENTION_TASKS above their lines, valid until the next call. */
export type MentionOdds = (findings: Findings) => Float64Array

export function mentionOdds({ traits, scales, words, lines }: MentionModel): MentionOdds {
  const traitsOf = traitWriter()
  const found = newMentionWords()
  const odds = new Float64Array(MENTION_TASKS.length)
  const sums = new Float64Array(MENTION_TASKS.length)
  return (findings) => {
    sums.fill(0)
    addTraits(traits, scales, traitsOf(findings), sums)
    for (let task = 0; task < odds.length; task += 1)
      odds[task] = sums[task]! * traits.scale[task]! + traits.bias[task]! - lines[task]!
    mentionWords(findings.reading, findings.occurrences, findings.keyword.wanted.keys(), found)
    for (const [group, { strength }] of WORD_GROUPS.entries()) {
      const from = group === 0 ? 0 : found.end[group - 1]!
      const to = found.end[group]!
      if (from === to) continue
      sums.fill(0)
      addRows(words.weights, found.bucket, from, to, sums)
      const share = strength / Math.sqrt(to - from)
      for (let task = 0; task < odds.length; task += 1) odds[task]! += sums[task]! * words.scale[task]! * share
    }
    return odds
  }
}

function addTraits(
  { weights }: ModelFileHead,
  scales: readonly number[],
  traits: Float64Array,
  into: Float64Array,
): void {
  for (let at = 0; at < traits.length; at += 1) {
    if (traits[at] === 0) continue
    const value = traits[at]! * scales[at]!
    const row = at * into.length
    for (let task = 0; task < into.length; task += 1) into[task]! += value * weights[row + task]!
  }
}

function addRows(weights: Int8Array, bucket: Int32Array, from: number, to: number, into: Float64Array): void {
  for (let at = from; at < to; at += 1) {
    const row = bucket[at]! * into.length
    for (let task = 0; task < into.length; task += 1) into[task]! += weights[row + task]!
  }
}

/** The layer was learned from keywords with a context in posts that name the term. */
export function isDecidedByLayer({ keyword, occurrences }: Pick<Findings, 'keyword' | 'occurrences'>): boolean {
  return occurrences.length > 0 && hasContext(keyword)
}

/**
 * Relevance from 0 to 100: 70 and more where the post is worth reading, less where it names the term in passing, below
 * 40 where it means something else.
 */
export function mentionScore(
  odds: Float64Array,
  findings: Pick<Findings, 'occurrences'> & { relevance: Pick<Relevance, 'own' | 'trust' | 'moved'> },
): number {
  const worth = BAND_START + (1 - BAND_START) * sigmoid(odds[WORTH]!)
  const band = Math.log(worth / (1 - worth))
  const capped = isOnlyBeside(findings) && odds[WORTH]! < HARDLY_WORTH ? Math.min(band, BESIDE) : band
  const own =
    capped +
    OTHER_SENSE * Math.min(0, odds[MEANT]! - SURELY_MEANT) +
    OWN_SHARE * Math.min(0, findings.relevance.own - UNLIKELY_MEANT)
  const { trust, moved } = findings.relevance
  return Math.round(100 * sigmoid(trust * own + moved))
}

/** Whether the term stands only in parts of a post that say nothing of it, such as the fields of a form. */
export function isOnlyBeside({ occurrences }: Pick<Findings, 'occurrences'>): boolean {
  const best = bestOccurrence(occurrences)
  return best !== null && BESIDE_STANDINGS.has(best.standing)
}

/** Writes probabilities of SENTIMENTS, and returns the sentiment toward the term. */
export function mentionSentiment(odds: Float64Array, probabilities: Float64Array): Sentiment {
  const positive = Math.exp(Math.min(MOST_ODDS, odds[POSITIVE]!))
  const negative = Math.exp(Math.min(MOST_ODDS, odds[NEGATIVE]!))
  const sum = 1 + positive + negative
  for (const [at, sentiment] of SENTIMENTS.entries())
    probabilities[at] = { positive, neutral: 1, negative }[sentiment] / sum
  if (positive > 1 && positive >= negative) return 'positive'
  return negative > 1 ? 'negative' : 'neutral'
}

/** What speaks for the sentiment being right, in the order of `MentionModel.sureness`. */
export function marginSigns(odds: ArrayLike<number>, sentiment: Sentiment): number[] {
  const [positive, negative] = [odds[POSITIVE]!, odds[NEGATIVE]!]
  const margin = { positive, negative, neutral: -Math.max(positive, negative) }[sentiment]
  return [Math.max(-MOST_ODDS, Math.min(MOST_ODDS, margin)), ...SENTIMENTS.map((item) => Number(item === sentiment))]
}

/** 0 to 1: how often such a sentiment was right among terms that the weights had not seen. */
export function mentionSureness(
  { sureness }: Pick<MentionModel, 'sureness'>,
  odds: Float64Array,
  sentiment: Sentiment,
): number {
  const signs = marginSigns(odds, sentiment)
  return sigmoid(signs.reduce((sum, sign, at) => sum + sign * sureness[at]!, 0))
}

/**
 * Changes `odds` by what feedback of the team changed: sentiments from `before` to `after`, the probabilities of
 * SENTIMENTS, and relevance. Intents move as far as they go along with a sentiment.
 */
export function leanMention(
  { tied }: Pick<MentionModel, 'tied'>,
  odds: Float64Array,
  sentiment: { before: ArrayLike<number>; after: ArrayLike<number> },
  { trust, moved }: Pick<Relevance, 'trust' | 'moved'>,
): void {
  odds[WORTH] = trust * odds[WORTH]! + moved
  const { before, after } = sentiment
  if (SENTIMENTS.every((_, at) => before[at] === after[at])) return
  const [positive, neutral, negative] = ORDER.map((at) => after[at]!)
  odds[POSITIVE] = Math.log(positive! / neutral!)
  odds[NEGATIVE] = Math.log(negative! / neutral!)
  for (const intent of INTENTS.keys())
    odds[FIRST_INTENT + intent]! += Math.log(shareOf(tied, intent, after) / shareOf(tied, intent, before))
}

function shareOf(tied: readonly number[], intent: number, probabilities: ArrayLike<number>): number {
  return SENTIMENTS.reduce((sum, _, at) => sum + tied[intent * SENTIMENTS.length + at]! * probabilities[at]!, 0)
}

/** An opinion fits the sentiment, and a post in passing says of the term only what such posts are written for. */
export function mentionIntents(odds: ArrayLike<number>): Intent[] {
  const leaning = odds[POSITIVE]! - odds[NEGATIVE]!
  return INTENTS.filter((intent, at) => {
    if (odds[FIRST_INTENT + at]! <= 0) return false
    if (intent === 'praise' && leaning < 0) return false
    if (intent === 'complaint' && leaning > 0) return false
    return odds[WORTH]! > HARDLY_WORTH || IN_PASSING.has(intent)
  })
}

const MEANT = MENTION_TASKS.indexOf('meant')
const WORTH = MENTION_TASKS.indexOf('worth')
const POSITIVE = MENTION_TASKS.indexOf('positive')
const NEGATIVE = MENTION_TASKS.indexOf('negative')
export const FIRST_INTENT = MENTION_TASKS.indexOf(INTENTS[0])
const MOST_ODDS = 6
const ORDER = (['positive', 'neutral', 'negative'] as const).map((sentiment) => SENTIMENTS.indexOf(sentiment))
/** The score of a post in passing begins where relevance does. */
const BAND_START = RELEVANCE_THRESHOLD / 100
/** How much log-odds against the meaning lower the score, from a small doubt on; found on folds over terms. */
const OTHER_SENSE = 0.3
const SURELY_MEANT = 2
/** The same for the log-odds by the words of the context alone. */
const OWN_SHARE = 0.4
const UNLIKELY_MEANT = -0.4
/** Log-odds of worth below which a term beside the text counts as noise. */
const HARDLY_WORTH = -0.5
/** Log-odds of the score 39. */
const BESIDE = Math.log(0.39 / 0.61)
/** What a post may be for that names the term in passing. */
const IN_PASSING: ReadonlySet<Intent> = new Set(['event', 'feedback', 'hiring', 'launch', 'promotional'])
const BESIDE_STANDINGS: ReadonlySet<Standing> = new Set([
  'heading',
  'field',
  'tags',
  'code',
  'comment',
  'signature',
  'link',
])
