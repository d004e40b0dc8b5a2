import { negatedBy, negates } from './negation.ts'
import { HASH_START, hashOfWord, KIND, lowerOf, mix, type Tokens } from './tokens.ts'
import { hashesOfList } from './word-list.ts'

/**
 * Changes whenever tokens, features or what any part of the model reads change, so that a model is never read with
 * others than it was trained on.
 */
export const FEATURE_VERSION = 4
/** Features fall into 2^20 buckets; a head with fewer buckets uses the low bits. */
export const FEATURE_BITS = 20
const BUCKETS = 1 << FEATURE_BITS
/** Features of a text beyond these are left out. */
export const MOST_FEATURES = 1 << 16

/** Bucket numbers, of which the first `count` entries count; reused. */
export interface Buckets {
  count: number
  bucket: Int32Array
}

/** Bucket numbers without repeats. */
export interface Distinct extends Buckets {
  /** A bit for every bucket that is there: few enough bytes to stay near the processor. */
  seen: Int32Array
}

export function newDistinct(most: number): Distinct {
  return { count: 0, bucket: new Int32Array(most), seen: new Int32Array(BUCKETS >> 5) }
}

/** The features of one text. Reused from text to text. */
export interface Features extends Distinct {
  /** For each token the bucket of its single-word feature, or -1. */
  ofToken: Int32Array
  /** For each token 1 when it stands in the reach of a negation. */
  negated: Uint8Array
  /** For each token 1 when it is a word of blame that a negation takes back, or that negation. */
  turned: Uint8Array
  /** True when the text reads as English, in which case it has no character features. */
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

/**
 * Words and pairs of words, with words in the reach of a negation apart, signs and emphasis, and for texts that do not
 * read as English also the characters of their words, which carry over inflections that were never seen.
 */
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

/** The hash of a text's length in words, in steps of about 40 per cent. */
export function lengthFeature(words: number): number {
  return mix(LENGTH, Math.min(12, Math.floor(2 * Math.log2(words + 1))))
}

/** Hash of an ordered pair of tokens. */
export function pair(first: number, second: number): number {
  return Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77)
}

/** Spreads all bits of a hash over the low ones, which number the bucket. */
export function bucketOf(hash: number): number {
  let value = hash
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return (value ^ (value >>> 16)) & (BUCKETS - 1)
}

/** Adds the bucket of a hash, also one that is there already. */
export function addBucket(into: Buckets, hash: number): void {
  into.bucket[into.count] = bucketOf(hash)
  into.count += 1
}

/** Adds the bucket of a hash where it is not there yet and there is room left; answers the bucket. */
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

/** Takes back the features behind the first `count`; their buckets can still be read. */
export function takeBack(from: Distinct, count: number): void {
  for (let at = count; at < from.count; at += 1) from.seen[from.bucket[at]! >> 5]! &= ~(1 << (from.bucket[at]! & 31))
  from.count = count
}

/** Adds three to five characters in a row of the beginning of a word, with marks for its edges. */
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

/** One word in seven or more is an English function word that other languages hardly use. */
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

/** The reach of a negation in words; a comma or the end of a sentence ends it earlier. */
const NEGATION_REACH = 4
const ENGLISH = hashesOfList('text/words/english')
/** So many characters of a word have their runs counted. */
const MOST_LETTERS = 24
const CHARACTERS = mix(HASH_START, 7)
/** `<` before a word, `>` behind it. */
const EDGE = 60
export const SENTENCE_START = hashOfWord('<start>')
const STOP = hashOfWord('<stop>')
const STRETCHED = hashOfWord('<stretched>')
const SHOUTED = hashOfWord('<shouted>')
const LENGTH = hashOfWord('<length>')
/** Sets a word in the reach of a negation apart. */
export const NEGATED = 0x5bd1
