import { softmaxOf } from '../model/heads.ts'
import { headOf, type ModelFileHead, type Parts } from '../model/model-file.ts'
import type { TextReading } from '../text/reading.ts'
import { hashesOf, hashOfWord, KIND, type Tokens } from '../text/tokens.ts'
import { hashesOfList } from '../text/word-list.ts'
import { type Aspects, aspectsOf, newAspects } from './aspects.ts'
import { type LineUp, type LineUpPlace, lineUp, looksGradual, looksNamed, newLineUp } from './line-up.ts'
import { type Rivals, rivalsOf } from './rivals.ts'

/** `none` when the text compares nothing with the keyword. */
export const COMPARED = ['none', 'better', 'worse'] as const
export type Compared = (typeof COMPARED)[number]

export interface Comparing {
  /** Rates the first thing against the second. */
  head: ModelFileHead
  rivals: Rivals
  text: LineUp
  aspects: Aspects
  scores: Float64Array
}

/** @throws Error when the model's parts do not fit one another */
export function newComparing(model: Parts): Comparing {
  return {
    head: headOf(model, 'intents.comparing', COMPARED),
    rivals: rivalsOf(model),
    text: newLineUp(),
    aspects: newAspects(),
    scores: new Float64Array(COMPARED.length),
  }
}

export interface Comparison {
  compared: Compared
  /** 0 to 1, of `compared`. */
  probability: number
  /** False when known words set the keyword against nothing. */
  measured: boolean
}

export function comparedWith(
  reading: TextReading,
  place: LineUpPlace,
  { head, rivals, text, aspects, scores }: Comparing,
): Comparison {
  // Training texts always name two things: the head would take plain blame for a comparison.
  if (!lineUp(reading, place, rivals, text)) return { compared: 'none', probability: 1, measured: false }
  aspectsOf(text, aspects)
  softmaxOf(head, aspects, scores)
  let best = 0
  for (let label = 1; label < COMPARED.length; label += 1) if (scores[label]! > scores[best]!) best = label
  return {
    compared: text.swapped ? SWAPPED[COMPARED[best]!] : COMPARED[best]!,
    probability: scores[best]!,
    measured: true,
  }
}

const SWAPPED = { none: 'none', better: 'worse', worse: 'better' } as const

export function placeOf(tokens: Tokens, term: string): LineUpPlace | null {
  const wanted = term.toLowerCase()
  const start = wanted === '' ? -1 : nextPlace(beginningOf(tokens), wanted, 0)
  return start < 0 ? null : { start, end: start + wanted.length }
}

/** `text` is lower case. Names inside words do not count. */
function nextPlace(text: string, wanted: string, from: number): number {
  let start = text.indexOf(wanted, from)
  while (start >= 0 && (LETTER.test(text.charAt(start - 1)) || LETTER.test(text.charAt(start + wanted.length))))
    start = text.indexOf(wanted, start + 1)
  return start
}

function beginningOf({ text }: Tokens): string {
  return text.slice(0, MOST_CHARACTERS).toLowerCase()
}

export interface Fate {
  /** "A Globex alternative", "we switched from Globex". */
  replaced: boolean
  /** "We stopped using Globex". */
  left: boolean
  /** "Acme vs Globex", whoever wins. */
  matched: boolean
}

export function fateOf(tokens: Tokens, term: string): Fate {
  const fate: Fate = { replaced: false, left: false, matched: false }
  const wanted = term.toLowerCase()
  const text = beginningOf(tokens)
  let token = 0
  let from = wanted === '' ? -1 : nextPlace(text, wanted, 0)
  for (
    let places = 0;
    from >= 0 && places < MOST_PLACES;
    places += 1, from = nextPlace(text, wanted, from + wanted.length)
  ) {
    while (token < tokens.count && tokens.end[token]! <= from) token += 1
    const first = token
    while (token < tokens.count && tokens.start[token]! < from + wanted.length) token += 1
    const link = first > 0 && ARTICLES.has(tokens.hash[first - 1]!) ? first - 2 : first - 1
    const ahead = link < 0 ? 0 : tokens.hash[link]!
    const before = link < 1 ? 0 : tokens.hash[link - 1]!
    if (token < tokens.count && REPLACING.has(tokens.hash[token]!)) fate.replaced = true
    if (REPLACED.get(ahead)?.has(before)) fate.replaced = true
    for (let at = Math.max(0, first - MATCH_REACH); at < tokens.count && at < token + MATCH_REACH; at += 1)
      fate.matched ||= MATCHING.has(tokens.hash[at]!)
    const left = LEFT.get(ahead)?.has(before) ? link - 1 : -1
    const leaves = LEAVING.has(ahead) ? link : left
    // "I can't stop using it", "don't ditch it".
    if (leaves >= 0 && !(leaves > 0 && STAYING.has(tokens.hash[leaves - 1]!))) fate.left = true
  }
  return fate
}

/** "Mehr Speicher als Globex" and the like: the head was trained in English, and cues need adjacent words. */
export function isSplitComparison(tokens: Tokens, place: LineUpPlace): boolean {
  let named = false
  let more = -1
  for (let at = 0; at < tokens.count && tokens.start[at]! < MOST_CHARACTERS; at += 1) {
    if (isKeyword(tokens, at, place)) named = true
    const kind = tokens.kind[at]!
    if (kind >= KIND.stop && kind !== KIND.symbol && kind !== KIND.unspaced) {
      if (kind !== KIND.comma) named = false
      more = -1
    } else if (BY.has(tokens.hash[at]!) && more >= 0 && at - more <= STRETCH) {
      const than = at + 1 < tokens.count && BEFORE_NAMES.has(tokens.hash[at + 1]!) ? at + 2 : at + 1
      if (than >= tokens.count) return false
      if (isKeyword(tokens, than, place) || (named && looksNamed(tokens, than))) return true
    } else if (MORE.has(tokens.hash[at]!) || (kind === KIND.word && looksGradual(tokens, at))) more = at
  }
  return false
}

function isKeyword({ start, end }: Tokens, at: number, place: LineUpPlace): boolean {
  return start[at]! < place.end && end[at]! > place.start
}

const MOST_CHARACTERS = 2000
const MOST_PLACES = 4
/** In words: names may have several. */
const MATCH_REACH = 3
const MATCHING = hashesOf('vs versus')
const REPLACING = hashesOf(
  'alternative alternatives replacement replacements competitor competitors clone rival substitute substitutes ' +
    'alternativen ersatz alternativa alternativas',
)
const ARTICLES = hashesOf('a an the your our my')
/** Words before each linking word. */
const linked = (links: Record<string, string>): ReadonlyMap<number, ReadonlySet<number>> =>
  new Map(Object.entries(links).map(([link, before]) => [hashOfWord(link), hashesOf(before)] as const))
const REPLACED = linked({
  to: 'alternative alternatives competitor competitors compared',
  for: 'replacement replacements substitute substitutes alternative alternatives',
  of: 'instead competitor competitors clone rival',
  from: 'switched switching switch moved moving migrated migrating migrate',
  with: 'compared compare competes competing compete',
})
const LEAVING = hashesOf(
  'ditch ditched ditching cancelled canceled cancelling canceling dumped dumping uninstalled uninstalling',
)
const LEFT = linked({
  using: 'stopped stop quit stopping',
  from: 'switched switching moved moving migrated migrating away churned unsubscribed',
  off: 'moved moving migrated migrating',
  with: 'churned',
  of: 'rid',
})
/** These scripts have no spaces or join particles to names. */
const JOINED_SCRIPTS = [
  'scx=Han',
  'scx=Hiragana',
  'scx=Katakana',
  'sc=Thai',
  'sc=Lao',
  'sc=Khmer',
  'sc=Myanmar',
  'sc=Hangul',
]
const JOINED = JOINED_SCRIPTS.map((script) => `\\p{${script}}`).join('')
const LETTER = new RegExp(String.raw`(?![${JOINED}])[\p{L}\p{N}_]`, 'u')
/** In words. */
const STRETCH = 4
const MORE = hashesOfList('comparing/words/more-or-less')
const BY = hashesOf('als que di del della dello')
const BEFORE_NAMES = hashesOfList('comparing/words/before-names')
const STAYING = hashesOf("not n't never can't cannot couldn't don't didn't won't wouldn't shouldn't haven't nobody why")
