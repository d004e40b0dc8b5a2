import { negatedBy, negates } from './negation.ts'
import { HASH_START, hashOfWord, KIND, lowerOf, mix, type Tokens } from './tokens.ts'
import { hashesOfList } from './word-list.ts'

/** Raise with every change of model inputs: a model only fits the inputs of its training. */
export const FEATURE_VERSION = 4
/** A head with fewer buckets uses the low bits. */
export const FEATURE_BITS = 20
const BUCKETS = 1 << FEATURE_BITS
export const MOST_FEATURES = 1 << 16

/** Only the first `count` entries are valid. */
export interface Buckets {
  count: number
  bucket: Int32Array
}

export interface Distinct extends Buckets {
  /** One bit per bucket: 128 KB fit into the processor cache. */
  seen: Int32Array
}

export function newDistinct(most: number): Distinct {
  return { count: 0, bucket: new Int32Array(most), seen: new Int32Array(BUCKETS >> 5) }
}

export interface Features extends Distinct {
  /** The bucket of each single word, or -1. */
  ofToken: Int32Array
  negated: Uint8Array
  /** 1 for a negated word of blame and its negation. */
  turned: Uint8Array
  english: boolean
}

export function newFeatures(tokens: Tokens): Features {
  return {
    ...newDistinct(MOST_FEATURES),
    ofToken: new Int32Array(tokens.hash.length),
    negated: new Uint8Array(tokens.hash.length),
    turned: new Uint8Array(tokens.hash.length),
    english: false,
  }
}

/** Character features cover inflections missing from training. */
export function extractFeatures(tokens: Tokens, into: Features): void {
  takeBack(into, 0)
  into.english = readsAsEnglish(tokens)
  let negatedUntil = -1
  let before = SENTENCE_START
  let shouted = 0
  let words = 0
  for (let at = 0; at < tokens.count; at += 1) {
    const kind = tokens.kind[at]!
    const hash = tokens.hash[at]!
    into.turned[at] = 0
    if (kind === KIND.stop || kind === KIND.comma) {
      negatedUntil = -1
      into.negated[at] = 0
      if (kind === KIND.stop) before = SENTENCE_START
      into.ofToken[at] = hash === STOP ? -1 : addFeature(into, hash)
      continue
    }
    if (kind === KIND.question || kind === KIND.exclamation) negatedUntil = -1
    const negated = at <= negatedUntil
    into.negated[at] = negated ? 1 : 0
    const by = negated ? negatedBy(tokens, at) : -1
    if (by >= 0) into.turned[by] = into.turned[at] = 1
    into.ofToken[at] = addFeature(into, negated ? mix(hash, NEGATED) : hash)
    if (kind !== KIND.unspaced) addFeature(into, pair(before, hash))
    before = hash
    shouted += tokens.shouted[at]!
    if (tokens.stretched[at] === 1) addFeature(into, STRETCHED)
    if (kind <= KIND.hashtag) words += 1
    if (kind === KIND.word && negates(tokens, at)) negatedUntil = at + NEGATION_REACH
    if (kind === KIND.unspaced) addUnspaced(tokens, at, into)
    else if (!into.english && by < 0 && (kind === KIND.word || kind === KIND.hashtag)) addCharacters(tokens, at, into)
  }
  if (shouted > 0) addFeature(into, mix(SHOUTED, Math.min(shouted, 3)))
  addFeature(into, lengthFeature(words))
}

/** In steps of about 40 per cent. */
export function lengthFeature(words: number): number {
  return mix(LENGTH, Math.min(12, Math.floor(2 * Math.log2(words + 1))))
}

export function pair(first: number, second: number): number {
  return Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77)
}

/** Mixes all bits into the low ones. */
export function bucketOf(hash: number): number {
  let value = hash
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return (value ^ (value >>> 16)) & (BUCKETS - 1)
}

export function addBucket(into: Buckets, hash: number): void {
  into.bucket[into.count] = bucketOf(hash)
  into.count += 1
}

/** Skips a present bucket and a full list. Returns the bucket. */
export function addFeature(into: Distinct, hash: number): number {
  const bucket = bucketOf(hash)
  const bit = 1 << (bucket & 31)
  if ((into.seen[bucket >> 5]! & bit) === 0 && into.count < into.bucket.length) {
    into.seen[bucket >> 5]! |= bit
    into.bucket[into.count] = bucket
    into.count += 1
  }
  return bucket
}

/** Removed bucket numbers stay readable. */
export function takeBack(from: Distinct, count: number): void {
  for (let at = count; at < from.count; at += 1) from.seen[from.bucket[at]! >> 5]! &= ~(1 << (from.bucket[at]! & 31))
  from.count = count
}

/** Runs of three to five characters, edges marked. */
function addCharacters(tokens: Tokens, at: number, into: Features): void {
  const start = tokens.start[at]!
  const end = Math.min(tokens.end[at]!, start + MOST_LETTERS)
  for (let from = start - 1; from <= end - 2; from += 1) {
    let hash = CHARACTERS
    for (let length = 1; length <= 5 && from + length - 1 <= end; length += 1) {
      const place = from + length - 1
      const isInside = place >= start && place < end
      const edge = place < start ? EDGE : EDGE + 2
      hash = mix(hash, isInside ? lowerOf(tokens.text.charCodeAt(place)) : edge)
      if (length >= 3) addFeature(into, hash)
    }
  }
}

function addUnspaced(tokens: Tokens, at: number, into: Features): void {
  const end = tokens.end[at]!
  for (let from = tokens.start[at]!; from < end; from += 1) {
    let hash = mix(HASH_START, 11)
    for (let length = 1; length <= 3 && from + length <= end; length += 1) {
      hash = mix(hash, tokens.text.charCodeAt(from + length - 1))
      addFeature(into, hash)
    }
  }
}

/** Function words rare in other languages: at least one in seven words. */
function readsAsEnglish(tokens: Tokens): boolean {
  let words = 0
  let english = 0
  for (let at = 0; at < tokens.count; at += 1) {
    if (tokens.kind[at] === KIND.unspaced) words += 4
    if (tokens.kind[at] !== KIND.word) continue
    words += 1
    if (ENGLISH.has(tokens.hash[at]!)) english += 1
  }
  return english * 7 >= words && english > 0
}

/** In words; a comma or sentence end stops the reach. */
const NEGATION_REACH = 4
const ENGLISH = hashesOfList('text/words/english')
const MOST_LETTERS = 24
const CHARACTERS = mix(HASH_START, 7)
const EDGE = 60
export const SENTENCE_START = hashOfWord('<start>')
const STOP = hashOfWord('<stop>')
const STRETCHED = hashOfWord('<stretched>')
const SHOUTED = hashOfWord('<shouted>')
const LENGTH = hashOfWord('<length>')
export const NEGATED = 0x5bd1
