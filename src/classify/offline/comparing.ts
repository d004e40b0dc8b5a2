import { addBucket, type Buckets, pair } from './features.ts'
import { softmax } from './heads.ts'
import { type Head, headOf, type Parts } from './model-file.ts'
import type { Reading } from './reading.ts'
import { hashesOf, hashOfWord, KIND, lowerOf, mix, type Tokens } from './tokens.ts'

/** What a text says of the keyword beside something else; `none` when it compares nothing with it. */
export const COMPARED = ['none', 'better', 'worse'] as const
export type Compared = (typeof COMPARED)[number]

/** The features of how a text speaks of the keyword: bucket numbers, of which the first `count` entries count. */
export interface Aspects extends Buckets {
  /** Whether a word sets one thing against another at all. */
  measured: boolean
}

export interface Comparing {
  head: Head
  aspects: Aspects
  scores: Float64Array
}

export function newComparing(model: Parts): Comparing {
  return { head: headOf(model, 'intents.comparing'), aspects: newAspects(), scores: new Float64Array(COMPARED.length) }
}

export function newAspects(): Aspects {
  return { bucket: new Int32Array(MOST_ASPECTS), count: 0, measured: false }
}

/** How the text compares the keyword, which it names at `place`, with something else, and how likely that is right. */
export function comparedWith(reading: Reading, place: Place, { head, aspects, scores }: Comparing): { compared: Compared; probability: number } {
  aspectsOf(reading, place, aspects)
  // What the head learned from always names two things: of plain blame or praise it would make a comparison as well.
  if (!aspects.measured) return { compared: 'none', probability: 1 }
  const mask = (1 << head.bits) - 1
  scores.fill(0)
  for (let at = 0; at < aspects.count; at += 1) {
    const row = (aspects.bucket[at]! & mask) * COMPARED.length
    for (let label = 0; label < COMPARED.length; label += 1) scores[label]! += head.weights[row + label]!
  }
  const value = 1 / Math.sqrt(aspects.count || 1)
  for (let label = 0; label < COMPARED.length; label += 1) scores[label] = scores[label]! * head.scale[label]! * value + head.bias[label]!
  softmax(scores, 1)
  let best = 0
  for (let label = 1; label < COMPARED.length; label += 1) if (scores[label]! > scores[best]!) best = label
  return { compared: COMPARED[best]!, probability: scores[best]! }
}

export interface Place {
  start: number
  end: number
}

/** Where the text first names the keyword, or null. */
export function placeOf(tokens: Tokens, term: string): Place | null {
  const wanted = term.toLowerCase()
  if (wanted === '') return null
  const start = tokens.text.slice(0, MOST_CHARACTERS).toLowerCase().indexOf(wanted)
  return start < 0 ? null : { start, end: start + wanted.length }
}

/** What the words beside the keyword do to it. */
export interface Fate {
  /** "A Globex alternative", "a replacement for Globex", "we switched from Globex": something else is set in its place. */
  replaced: boolean
  /** "We stopped using Globex", "ditching Globex", "we switched from Globex": its writer goes. */
  left: boolean
}

export function fateOf(tokens: Tokens, term: string): Fate {
  const fate: Fate = { replaced: false, left: false }
  const wanted = term.toLowerCase()
  const text = tokens.text.slice(0, MOST_CHARACTERS).toLowerCase()
  let token = 0
  let from = wanted === '' ? -1 : text.indexOf(wanted)
  for (let places = 0; from >= 0 && places < MOST_PLACES; from = text.indexOf(wanted, from + wanted.length)) {
    if (LETTER.test(text.charAt(from - 1)) || LETTER.test(text.charAt(from + wanted.length))) continue
    places += 1
    while (token < tokens.count && tokens.end[token]! <= from) token += 1
    const first = token
    while (token < tokens.count && tokens.start[token]! < from + wanted.length) token += 1
    // An article may stand between.
    const link = first > 0 && ARTICLES.has(tokens.hash[first - 1]!) ? first - 2 : first - 1
    const ahead = link < 0 ? 0 : tokens.hash[link]!
    const before = link < 1 ? 0 : tokens.hash[link - 1]!
    if (token < tokens.count && REPLACING.has(tokens.hash[token]!)) fate.replaced = true
    if (REPLACED.get(ahead)?.has(before)) fate.replaced = true
    const leaves = LEAVING.has(ahead) ? link : LEFT.get(ahead)?.has(before) ? link - 1 : -1
    // "I can't stop using it", "don't ditch it".
    if (leaves >= 0 && !(leaves > 0 && STAYING.has(tokens.hash[leaves - 1]!))) fate.left = true
  }
  return fate
}

/**
 * Fills in words and pairs of words with the side of the keyword on which they stand and about how far behind it, and the
 * order of the words that carry a comparison ("is … better … than"), up to a few sentences behind the keyword.
 */
export function aspectsOf({ tokens, features }: Reading, place: Place, into: Aspects): void {
  const { kind, hash, start, end } = tokens
  into.count = 0
  into.measured = false
  let before = 0
  let behind = 0
  let marks = 0
  for (let at = 0; at < tokens.count && behind < FAR && into.count < MOST_ASPECTS - ASPECTS_PER_TOKEN; at += 1) {
    const own = start[at]! < place.end && end[at]! > place.start
    if (own && before === KEYWORD) continue
    const word = own ? KEYWORD : hash[at]!
    const side = own ? 0 : end[at]! <= place.start ? 1 : 2
    if (side === 2) behind += 1
    const gradual = !own && kind[at] === KIND.word && looksGradual(tokens, at)
    into.measured ||= gradual || (!own && MEASURES.has(word))
    if (side > 0) {
      addBucket(into, features.negated[at] === 1 ? mix(word, NEGATED) : word)
      addBucket(into, mix(mix(word, SIDED), side * 8 + (side === 2 ? Math.min(3, behind >> 2) : 0)))
      if (gradual) addBucket(into, mix(mix(GRADUAL, SIDED), side))
    }
    addBucket(into, mix(mix(pair(before, word), PAIRED), side))
    if (own || gradual || MARKS.has(word) || kind[at] === KIND.stop) marks = addMark(into, marks, gradual && !MARKS.has(word) ? GRADUAL : word)
    before = word
  }
}

const RECENT = new Int32Array(4)

/** Pairs the mark with the four before it, and in threes where the keyword begins. */
function addMark(into: Aspects, marks: number, mark: number): number {
  const count = Math.min(marks, RECENT.length)
  for (let back = 1; back <= count; back += 1) {
    const earlier = RECENT[(marks - back) % RECENT.length]!
    addBucket(into, mix(pair(earlier, mark), ORDERED))
    if (back > 1 && earlier === KEYWORD) addBucket(into, mix(pair(pair(earlier, RECENT[(marks - back + 1) % RECENT.length]!), mark), ORDERED + 1))
  }
  RECENT[marks % RECENT.length] = mark
  return marks + 1
}

/** "cheaper", "lighter", and words that only look alike, save the commonest of those. */
function looksGradual(tokens: Tokens, at: number): boolean {
  const last = tokens.end[at]!
  const { text } = tokens
  if (last - tokens.start[at]! < 5 || lowerOf(text.charCodeAt(last - 1)) !== 114 || lowerOf(text.charCodeAt(last - 2)) !== 101) return false
  return !NOT_GRADUAL.has(tokens.hash[at]!)
}

/** The first 2,000 characters are searched for the keyword, and 60 words behind it read. */
const MOST_CHARACTERS = 2000
const FAR = 60
const MOST_ASPECTS = 4096
const ASPECTS_PER_TOKEN = 16
const KEYWORD = hashOfWord('<keyword>')
const GRADUAL = hashOfWord('<gradual>')
const NEGATED = 0x5bd1
const SIDED = 77
const PAIRED = 78
const ORDERED = 79
const MARKS = hashesOf(
  "than vs versus over as like but and or not no n't never less more better worse best worst inferior superior prefer preferred beats beat compared unlike while whereas though although if because so too enough instead rather only even far much is are was has have had isn't aren't wasn't doesn't don't didn't can't won't faster slower easier harder cheaper als besser schlechter que mejor peor mieux meilleur pire melhor pior meglio peggio",
)
/** Words without which hardly anything is compared; others that look gradual do as well. */
const MEASURES = hashesOf(
  'than vs versus over like better worse best worst inferior superior prefer prefers preferred preferable beats beat beating compared compare comparison unlike instead rather more less most least win wins winner outperform outperforms outperformed same equally alternative match matches before ahead behind als besser schlechter lieber mehr weniger que mejor peor más menos mieux meilleur meilleure pire plus moins melhor pior mais meglio peggio migliore più meno',
)
const MOST_PLACES = 4
const REPLACING = hashesOf(
  'alternative alternatives replacement replacements competitor competitors clone rival substitute substitutes alternativen ersatz alternativa alternativas',
)
const ARTICLES = hashesOf('a an the your our my')
/** What stands before the keyword by the word between them. */
const linked = (links: Record<string, string>): ReadonlyMap<number, ReadonlySet<number>> =>
  new Map(Object.entries(links).map(([link, before]) => [hashOfWord(link), hashesOf(before)] as const))
const REPLACED = linked({
  to: 'alternative alternatives competitor competitors compared',
  for: 'replacement replacements substitute substitutes alternative alternatives',
  of: 'instead competitor competitors clone rival',
  from: 'switched switching switch moved moving migrated migrating migrate',
  with: 'compared compare competes competing compete',
})
const LEAVING = hashesOf('ditch ditched ditching cancelled canceled cancelling canceling dumped dumping uninstalled uninstalling')
const LEFT = linked({
  using: 'stopped stop quit stopping',
  from: 'switched switching moved moving migrated migrating away churned unsubscribed',
  off: 'moved moving migrated migrating',
  with: 'churned',
  of: 'rid',
})
/** Beside the keyword it makes it a part of another word, which names nobody. */
const LETTER = /[\p{L}\p{N}_]/u
const STAYING = hashesOf("not n't never can't cannot couldn't don't didn't won't wouldn't shouldn't haven't nobody why")
const NOT_GRADUAL = hashesOf(
  'other another whether however never ever over after under water power paper either neither together computer number user server developer player later order matter member rather former consider',
)
