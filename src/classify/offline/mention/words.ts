import { bucketOf, pair, SENTENCE_START } from '../text/features.ts'
import type { TextReading } from '../text/reading.ts'
import { hasStem } from '../text/terms.ts'
import { hashOfWord, KIND, MAX_CHARACTERS, mix } from '../text/tokens.ts'
import { bestOccurrence } from './occurrences.ts'
import type { Occurrence } from './standings.ts'

/** Hashed words by their place to the term, and how much each group counts. The order is part of the model's format. */
export const WORD_GROUPS = [
  { name: 'near', strength: 1 },
  { name: 'sentence', strength: 1 },
  { name: 'sentence-pairs', strength: 0.75 },
  { name: 'title', strength: 0.75 },
  { name: 'text', strength: 1 },
  { name: 'text-pairs', strength: 0.75 },
  { name: 'context', strength: 0.4 },
] as const
export const WORD_BITS = 13

/** The distinct buckets of each group, one group after another. The arrays are reused. */
export interface MentionWords {
  bucket: Int32Array
  /** Group `g` lies between `end[g - 1]` and `end[g]`. */
  end: Int32Array
  seen: Int32Array
  count: number
  /** A hash for each token. */
  hash: Int32Array
}

export function newMentionWords(): MentionWords {
  return {
    bucket: new Int32Array(WORD_GROUPS.length << WORD_BITS),
    end: new Int32Array(WORD_GROUPS.length),
    seen: new Int32Array((1 << WORD_BITS) >> 5),
    count: 0,
    hash: new Int32Array(MAX_CHARACTERS + 1),
  }
}

/** The term itself stands for any term. `context` holds the stems of the keyword's context. */
export function mentionWords(
  reading: TextReading,
  occurrences: readonly Occurrence[],
  context: Iterable<number>,
  into: MentionWords,
): void {
  const beginning = Math.min(reading.tokens.count, MOST_TOKENS)
  const best = bestOccurrence(occurrences)
  putHashes(reading, occurrences, Math.max(beginning, (best?.to ?? 0) + MOST_NEAR + 1), into.hash)
  into.count = 0
  if (best !== null) addNear(reading, best, into)
  closeGroup(into, NEAR)
  if (best !== null) addHashes(into, SENTENCE, best.from, best.to + 1)
  closeGroup(into, SENTENCE)
  if (best !== null) addPairs(reading, into, SENTENCE_PAIRS, best.from, best.to + 1)
  closeGroup(into, SENTENCE_PAIRS)
  addHashes(into, TITLE, 0, titleTokens(reading, beginning))
  closeGroup(into, TITLE)
  addHashes(into, TEXT, 0, beginning)
  closeGroup(into, TEXT)
  addPairs(reading, into, TEXT_PAIRS, 0, beginning)
  closeGroup(into, TEXT_PAIRS)
  for (const stem of context) addHash(into, CONTEXT, stem)
  closeGroup(into, CONTEXT)
}

/** Writes a hash for each of the first `most` tokens. */
function putHashes(
  { tokens, features, stem }: TextReading,
  occurrences: readonly Occurrence[],
  most: number,
  into: Int32Array,
): void {
  const count = Math.min(tokens.count, most)
  for (let at = 0; at < count; at += 1)
    into[at] = hasStem(tokens, at) ? mix(stem[at]!, features.negated[at]!) : tokens.hash[at]!
  for (const { first, last } of occurrences) for (let at = first; at <= last; at += 1) into[at] = TERM
}

function addHash(words: MentionWords, group: number, hash: number): void {
  const value = bucketOf(mix(hash, SALT + group)) & MASK
  const bit = 1 << (value & 31)
  if ((words.seen[value >> 5]! & bit) !== 0) return
  words.seen[value >> 5]! |= bit
  words.bucket[words.count] = value
  words.count += 1
}

function closeGroup({ bucket, end, seen, count }: MentionWords, group: number): void {
  for (let at = group === 0 ? 0 : end[group - 1]!; at < count; at += 1) seen[bucket[at]! >> 5] = 0
  end[group] = count
}

/** Three words on each side, the next ones apart, and the pair that encloses the term. */
function addNear({ tokens: { count } }: TextReading, { first, last }: Occurrence, words: MentionWords): void {
  const { hash } = words
  for (let step = 1; step <= MOST_NEAR; step += 1) {
    const distance = step > 1 ? 1 : 0
    if (first >= step) addHash(words, NEAR, mix(hash[first - step]!, BEFORE + distance))
    if (last + step < count) addHash(words, NEAR, mix(hash[last + step]!, BEHIND + distance))
  }
  if (first > 0 && last + 1 < count) addHash(words, NEAR, pair(hash[first - 1]!, hash[last + 1]!))
}

function addHashes(words: MentionWords, group: number, from: number, to: number): void {
  for (let at = from; at < to; at += 1) addHash(words, group, words.hash[at]!)
}

function addPairs({ tokens }: TextReading, words: MentionWords, group: number, from: number, to: number): void {
  let before = SENTENCE_START
  for (let at = from; at < to; at += 1) {
    const hash = words.hash[at]!
    addHash(words, group, pair(before, hash))
    before = tokens.kind[at] === KIND.stop ? SENTENCE_START : hash
  }
}

function titleTokens({ tokens, titleEnd }: TextReading, most: number): number {
  let count = 0
  while (count < most && tokens.end[count]! <= titleEnd) count += 1
  return count
}

const MASK = (1 << WORD_BITS) - 1
const SALT = 7000
const [NEAR, SENTENCE, SENTENCE_PAIRS, TITLE, TEXT, TEXT_PAIRS, CONTEXT] = [0, 1, 2, 3, 4, 5, 6] as const
/** In tokens on each side of the term. */
const MOST_NEAR = 3
const BEFORE = 10
const BEHIND = 20
const TERM = hashOfWord('<term>')
/** Longer posts say what they are about in their beginning. */
const MOST_TOKENS = 500
