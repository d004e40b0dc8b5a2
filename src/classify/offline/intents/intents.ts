import { INTENTS, type Intent, type Sentiment } from '../../../domain/mention/classification.ts'
import type { Platform } from '../../../domain/platform/platforms.ts'
import {
  type Compared,
  type Comparing,
  comparedWith,
  type Fate,
  fateOf,
  isSplitComparison,
  newComparing,
  placeOf,
} from '../comparing/comparing.ts'
import type { LineUpPlace } from '../comparing/line-up.ts'
import { addCues, holdsPhrase, phraseSet } from '../cues/cues.ts'
import { ASKING, signCount, signsOf, VENUES, type Venue, venueOf } from '../cues/signs.ts'
import type { Directions } from '../model/directions.ts'
import { headOf, type ModelFileHead, numbersOf, type Parts } from '../model/model-file.ts'
import { newSums, type PackedRows, packRows, sumRows } from '../model/packed-rows.ts'
import { addFeature, bucketOf, MOST_FEATURES, takeBack } from '../text/features.ts'
import type { TextReading } from '../text/reading.ts'
import { hasStem } from '../text/terms.ts'
import { KIND, mix, type Tokens } from '../text/tokens.ts'
import { hashesOfList } from '../text/word-list.ts'
import { newSpelling, SPELLED, spellingOdds } from './spelling.ts'

export const PURPOSES = [...INTENTS, 'none'] as const

/** Kinds of texts with their own thresholds. */
export const LINED = [...VENUES, 'starred'] as const
export type Lined = (typeof LINED)[number]

export function linedOf(venue: Venue, stars: number | null): Lined {
  return venue === 'reviews' && stars !== null ? 'starred' : venue
}

export interface IntentPurpose {
  /** In the order of INTENTS. */
  intents: Intent[]
  /** Natural log odds above the threshold of each of PURPOSES. */
  evidence: Float64Array
  /** Signs beside the words, see `signsOf`. */
  signs: Float64Array
  compared: Compared
  /** 0 to 1; 0 when the text does not name the keyword. */
  comparedSurely: number
}

export interface IntentInput {
  platform: Platform
  term: string
  /** Stars out of five of a review, else null. */
  stars: number | null
  tone: Float64Array
}

/** The result is valid until the next call. */
export type PurposeOf = (reading: TextReading, given: IntentInput) => IntentPurpose

/** @throws Error when the model's parts do not fit one another */
export function purposeJudge(model: Parts, directions: Directions): PurposeOf {
  const head = headOf(model, 'intents', PURPOSES)
  const signHead = headOf(model, 'intents.signs', PURPOSES)
  const rows = packRows(head.weights, head.labels.length)
  const heads: Heads = { head, rows, sums: newSums(rows), signHead, given: new Int32Array(signCount(directions)) }
  const lines = numbersOf(model, 'intents.lines')
  if (lines.length !== LINED.length * PURPOSES.length || signCount(directions) > 1 << signHead.bits)
    throw new Error('the classifier model is damaged: its parts on intents do not fit together')
  const comparing = newComparing(model)
  const spelling = newSpelling(model)
  const cues = new Float64Array(INTENTS.length)
  const signs = new Float64Array(signCount(directions))
  const purpose: IntentPurpose = {
    intents: [],
    evidence: new Float64Array(PURPOSES.length),
    signs,
    compared: 'none',
    comparedSurely: 0,
  }
  return (reading, { platform, term, stars, tone }) => {
    const venue = venueOf(platform)
    const { evidence } = purpose
    addCues(reading.tokens, cues)
    signsOf(reading, { venue, stars, cues, tone }, directions, signs)
    scorePurposes(heads, reading, venue, signs, evidence)
    const spelled = SPELLED[venue]
    if (spelled !== undefined)
      evidence[INTENTS.indexOf(spelled.intent)]! += spellingOdds(spelling, reading.tokens.text, venue)
    const from = LINED.indexOf(linedOf(venue, stars)) * PURPOSES.length
    for (let at = 0; at < PURPOSES.length; at += 1) evidence[at]! -= lines[from + at]!
    const place = placeOf(reading.tokens, term)
    const fate = place === null ? UNTOUCHED : fateOf(reading.tokens, term)
    weighComparison(purpose, comparing, reading, place, cues, fate)
    if (place !== null && isDestination(reading.tokens, place)) {
      evidence[CHURN] = -1
      cues[CHURN] = 0
    }
    for (const at of [CHURN, PRICING]) if (cues[at] === 0) evidence[at] = -1
    if (reading.counts.words < LEAST_WORDS) sayLittle(purpose, venue)
    heedPhrases(evidence, cues, reading, fate)
    purpose.intents = INTENTS.filter((_, at) => evidence[at]! > 0)
    return purpose
  }
}

/** Praise needs a positive text, a complaint a negative one; stars of a review decide both. */
export function intentsFitting({ intents }: IntentPurpose, sentiment: Sentiment, stars: number | null): Intent[] {
  const found = new Set(intents.filter((intent) => fits(intent, sentiment, stars)))
  if (stars !== null && stars >= 4) found.add('praise')
  if (stars !== null && stars <= 2) found.add('complaint')
  return INTENTS.filter((intent) => found.has(intent))
}

/** Under videos a bare link is often an advertisement, so that evidence stays. */
function sayLittle(purpose: IntentPurpose, venue: Venue): void {
  const promoted = purpose.evidence[PROMOTIONAL]!
  purpose.evidence.fill(-1)
  purpose.compared = 'none'
  if (venue === 'video') purpose.evidence[PROMOTIONAL] = promoted
}

/** Plain phrases overrule the head. */
function heedPhrases(evidence: Float64Array, cues: Float64Array, reading: TextReading, { replaced, left }: Fate): void {
  if (reading.counts.questions > 0 && (cues[QUESTION]! >= ASKING_PHRASE || asksPlainly(reading.tokens)))
    raise(evidence, QUESTION)
  if (replaced && holdsPhrase(reading.tokens, MAKING)) raise(evidence, PROMOTIONAL)
  if (left) raise(evidence, CHURN)
  for (const at of OPINIONS) if (cues[at]! >= OPINION_PHRASE) raise(evidence, at)
  for (let at = 0; at < cues.length; at += 1)
    if (cues[at]! >= PLAIN_PHRASE) evidence[at] = Math.max(evidence[at]!, cues[at]! - PLAIN_PHRASE + SLIGHT)
}

function raise(evidence: Float64Array, at: number): void {
  evidence[at] = Math.max(evidence[at]!, SLIGHT)
}

function asksPlainly({ kind, hash, count }: Tokens): boolean {
  let asking = false
  let begins = true
  for (let at = 0; at < count; at += 1) {
    if (kind[at] === KIND.question && asking) return true
    if (kind[at] === KIND.stop || kind[at] === KIND.question || kind[at] === KIND.exclamation) begins = true
    else if (begins) {
      asking = ASKING.has(hash[at]!)
      begins = false
    }
  }
  return false
}

interface Heads {
  head: ModelFileHead
  rows: PackedRows
  sums: Int32Array
  signHead: ModelFileHead
  given: Int32Array
}

function scorePurposes(
  { head, rows, sums, signHead, given }: Heads,
  reading: TextReading,
  venue: Venue,
  signs: Float64Array,
  into: Float64Array,
): void {
  const labels = PURPOSES.length
  const count = purposeRows(reading, venue, head.bits, ROWS)
  sumRows(rows, ROWS, count, sums)
  let many = 0
  for (let at = 0; at < signs.length; at += 1) if (signs[at] !== 0) given[many++] = at
  for (let label = 0; label < labels; label += 4) sumSigns(signHead.weights, signs, given, many, label)
  const value = 1 / Math.sqrt(count || 1)
  for (let label = 0; label < labels; label += 1)
    into[label] = sums[label]! * head.scale[label]! * value + PARTS[label]! * signHead.scale[label]! + head.bias[label]!
}

/** Four labels at once, because their sums do not wait for one another. */
function sumSigns(weights: Int8Array, signs: Float64Array, given: Int32Array, count: number, label: number): void {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  for (let at = 0; at < count; at += 1) {
    const sign = signs[given[at]!]!
    const place = given[at]! * PURPOSES.length + label
    first += sign * weights[place]!
    second += sign * weights[place + 1]!
    third += sign * weights[place + 2]!
    fourth += sign * weights[place + 3]!
  }
  PARTS[label] = first
  PARTS[label + 1] = second
  PARTS[label + 2] = third
  PARTS[label + 3] = fourth
}

/** Returns the number of rows. Features have a row for all venues and one for their venue, stems only the latter. */
export function purposeRows(
  { tokens, features, stem }: TextReading,
  venue: Venue,
  bits: number,
  into: Int32Array,
): number {
  const mask = (1 << bits) - 1
  const salt = LOCAL + VENUES.indexOf(venue)
  const common = features.count
  for (let at = 0; at < tokens.count; at += 1) {
    if (!hasStem(tokens, at) || features.turned[at] === 1) continue
    addFeature(features, mix(stem[at]!, features.negated[at] === 1 ? NEGATED_STEM : STEM))
  }
  const { bucket, count } = features
  let rows = 0
  for (let at = 0; at < count; at += 1) {
    const pooled = bucket[at]! & mask
    if (at < common) into[rows++] = pooled
    into[rows++] = bucketOf(mix(pooled, salt)) & mask
  }
  takeBack(features, common)
  return rows
}

/** The words around the name decide; "vs" and the like settle a doubt. */
function weighComparison(
  purpose: IntentPurpose,
  comparing: Comparing,
  reading: TextReading,
  place: LineUpPlace | null,
  cues: Float64Array,
  fate: Fate,
): void {
  const found = place === null ? null : comparedWith(reading, place, comparing)
  purpose.compared = found?.compared ?? 'none'
  purpose.comparedSurely = found?.probability ?? 0
  if (found === null) return
  const cue = cues[COMPARISON]!
  const { english } = reading.features
  const open = found.probability < NO_DOUBT || (!english && !found.measured)
  const phrased = cue >= (english ? SURE_COMPARISON : FOREIGN_COMPARISON)
  const sure =
    fate.replaced ||
    fate.matched ||
    (open && phrased) ||
    (!english && place !== null && isSplitComparison(reading.tokens, place))
  cues[COMPARISON] = 0
  const unseen = sure ? SLIGHT : -found.probability
  purpose.evidence[COMPARISON] = found.compared === 'none' ? unseen : found.probability
}

/** "Switching to" is no churn; "my subscription to" is no switch. */
function isDestination(tokens: Tokens, place: LineUpPlace): boolean {
  for (let at = 0; at < tokens.count && tokens.start[at]! < place.end; at += 1) {
    if (tokens.start[at]! < place.start || at === 0 || !TOWARDS.has(tokens.hash[at - 1]!)) continue
    return at < 2 || !BOUND.has(tokens.hash[at - 2]!)
  }
  return false
}

function fits(intent: Intent, sentiment: Sentiment, stars: number | null): boolean {
  if (intent === 'praise') return sentiment === 'positive'
  if (intent === 'complaint') return sentiment === 'negative'
  return !(stars !== null && (intent === 'hiring' || intent === 'launch' || intent === 'event'))
}

const UNTOUCHED: Fate = { replaced: false, left: false, matched: false }
const COMPARISON = INTENTS.indexOf('comparison')
/** In words: shorter texts say too little for the head. */
const LEAST_WORDS = 4
/** Cue weights that decide alone. */
const PLAIN_PHRASE = 2.9
/** Cue weight that decides beside a question mark. */
const ASKING_PHRASE = 1.5
/** Cue weight that decides; `intentsFitting` checks the sentiment. */
const OPINION_PHRASE = 1.5
/** Writers who name their own work as a replacement advertise. */
const MAKING = phraseSet([
  ...[
    "i'm building",
    'i am building',
    "we're building",
    'we are building',
    'i built',
    'we built',
    'i made',
    'we made',
    'i created',
    'we created',
  ],
  ...[
    'i developed',
    'we developed',
    'i launched',
    'we launched',
    'we just started',
    'been working on',
    "i'm working on",
    "we're working on",
  ],
  ...[
    'my product',
    'our product',
    'my tool',
    'our tool',
    'my app',
    'our app',
    'my startup',
    'our startup',
    'check it out',
    'try it',
  ],
])
export const OPINIONS = [INTENTS.indexOf('praise'), INTENTS.indexOf('complaint')]
const SURE_COMPARISON = 2.5
/** From this probability on a phrase alone makes no comparison. */
const NO_DOUBT = 0.8
/** Lower, because comparisons were trained in English. */
const FOREIGN_COMPARISON = 2
const SLIGHT = 0.1
const LOCAL = 1000
const STEM = 2000
const NEGATED_STEM = 2001
export const MOST_ROWS = 2 * MOST_FEATURES
const ROWS = new Int32Array(MOST_ROWS)
const PARTS = new Float64Array(PURPOSES.length + 3)
const QUESTION = INTENTS.indexOf('question')
const PROMOTIONAL = INTENTS.indexOf('promotional')
/** Trained on seeds with few counterexamples. */
const CHURN = INTENTS.indexOf('churn_intent')
const PRICING = INTENTS.indexOf('pricing')
const TOWARDS = hashesOfList('intents/words/towards')
const BOUND = hashesOfList('intents/words/bound')
