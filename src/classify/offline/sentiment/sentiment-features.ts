import { addFeature, type Features, NEGATED, pair, SENTENCE_START, takeBack } from '../text/features.ts'
import { stemHash } from '../text/terms.ts'
import { HASH_START, hashOfWord, KIND, lowerOf, MAX_CHARACTERS, mix, type Tokens } from '../text/tokens.ts'

/** What the sentiment reads of a text beyond what every head reads. Reused from text to text. */
export interface MoodFeatures {
  /**
   * For each token what its vector is looked up by: the stem of a word, else the token's own hash, or 0 when it is part
   * of a turned phrase.
   */
  sign: Int32Array
  /** For each token how it stands to the keyword: 0 far away, else how near and on which side. */
  side: Uint8Array
  /** True when the text takes some blame back. */
  takesBack: boolean
  /** Buckets of the text: those that every head reads, then the sentiment's own. */
  count: number
}

export function newMoodFeatures(tokens: Tokens): MoodFeatures {
  return {
    sign: new Int32Array(tokens.hash.length),
    side: new Uint8Array(tokens.hash.length),
    takesBack: false,
    count: 0,
  }
}

/**
 * Adds the finer features of a text behind those that `extractFeatures` has found: words whether negated or not, pairs
 * with one word between, stems, four characters in a row of English words, words of blame that a negation takes back,
 * and the words around the keyword. `features.count` stays as it is.
 */
export function extractMoodFeatures(tokens: Tokens, features: Features, term: string, into: MoodFeatures): void {
  const common = features.count
  findSides(tokens, term, into)
  into.takesBack = false
  let before = SENTENCE_START
  let beforeThat = SENTENCE_START
  for (let at = 0; at < tokens.count; at += 1) {
    const kind = tokens.kind[at]!
    const hash = tokens.hash[at]!
    into.sign[at] = hash
    if (kind === KIND.stop || kind === KIND.comma) {
      if (kind === KIND.stop) beforeThat = before = SENTENCE_START
      continue
    }
    const turned = features.turned[at] === 1
    if (turned) {
      into.takesBack = true
      into.sign[at] = 0
    }
    addFeature(features, turned ? TURNED : mix(hash, PLAIN))
    if (kind !== KIND.unspaced) addFeature(features, mix(pair(beforeThat, hash), APART))
    beforeThat = before
    before = hash
    if (into.side[at]! > 0) addFeature(features, mix(mix(hash, BESIDE), into.side[at]!))
    // What the two words of a turned phrase say alone must not be counted: they have no stem, no characters and no
    // vector.
    if (turned || (kind !== KIND.word && kind !== KIND.hashtag)) continue
    const stem = stemHash(tokens.text, tokens.start[at]!, tokens.end[at]!)
    into.sign[at] = stem
    addFeature(features, features.negated[at] === 1 ? mix(mix(stem, STEM), NEGATED) : mix(stem, STEM))
    if (features.english) addFours(tokens, at, features)
  }
  into.count = features.count
  takeBack(features, common)
}

/** Four characters in a row of the first characters of a word, with marks for its edges. */
function addFours(tokens: Tokens, at: number, features: Features): void {
  const { text } = tokens
  const start = tokens.start[at]!
  const end = Math.min(tokens.end[at]!, start + 24)
  let first = EDGE
  let second = lowerOf(text.charCodeAt(start))
  let third = start + 1 < end ? lowerOf(text.charCodeAt(start + 1)) : EDGE
  for (let place = start + 2; place <= end; place += 1) {
    const fourth = place < end ? lowerOf(text.charCodeAt(place)) : EDGE
    addFeature(features, mix(mix(mix(mix(FOURS, first), second), third), fourth))
    first = second
    second = third
    third = fourth
  }
}

/** Marks the words up to four before and behind the first places of the keyword. */
function findSides({ text, count, start }: Tokens, term: string, { side }: MoodFeatures): void {
  side.fill(0, 0, count)
  if (term === '') return
  const lower = text.slice(0, MAX_CHARACTERS).toLowerCase()
  let token = 0
  let from = lower.indexOf(term)
  for (let place = 0; from >= 0 && place < MOST_PLACES; place += 1) {
    const end = from + term.length
    while (token < count && start[token]! < from) token += 1
    const first = token
    while (token < count && start[token]! < end) token += 1
    for (let near = 1; near <= REACH; near += 1) {
      if (first - near >= 0 && token > first) side[first - near] ||= BEFORE + ((near + 1) >> 1)
      if (token > first && token - 1 + near < count) side[token - 1 + near] ||= BEHIND + ((near + 1) >> 1)
    }
    from = lower.indexOf(term, end)
  }
}

const REACH = 4
const MOST_PLACES = 4
const BEHIND = 10
const BEFORE = 20
const PLAIN = 0x222
const APART = 0x333
const STEM = 0x99
const BESIDE = 0x6666
const TURNED = hashOfWord('<turned>')
const EDGE = 60
const FOURS = mix(HASH_START, hashOfWord('<four>'))
