import { NEGATED } from '../text/features.ts'
import type { TextReading } from '../text/reading.ts'
import { hashesOf, hashOfWord, KIND, type Kind, lowerOf, mix, type Tokens } from '../text/tokens.ts'
import { hashesOfList } from '../text/word-list.ts'
import { knownLength, type Rivals, rivalNameOf } from './rivals.ts'

export interface LineUpPlace {
  start: number
  end: number
}

/**
 * Words around the keyword. `FIRST` and `SECOND` replace the two compared things and `NAME` other known names, so that
 * training covers every pair. Only the first `count` entries are valid.
 */
export interface LineUp {
  count: number
  plain: Int32Array
  /** Salted in the reach of a negation. */
  word: Int32Array
  kind: Uint8Array
  /** One of TONE. */
  tone: Uint8Array
  /** One of STANDING. */
  standing: Uint8Array
  /** -1 when the text has no other name. */
  first: number
  second: number
  swapped: boolean
}

/** "Heavier" is `gradual`. */
export const TONE = { none: 0, good: 1, bad: 2, gradual: 3 } as const
/** `known` is a rival of anything, `rival` a rival of the keyword. */
const STANDING = { word: 0, named: 1, known: 2, rival: 3 } as const
export const FIRST = hashOfWord('<first>')
export const SECOND = hashOfWord('<second>')
export const NAME = hashOfWord('<name>')
/** In words on either side of the keyword. */
const FAR = 60
export const MOST_LINED_UP = 2 * FAR + 1

export function newLineUp(): LineUp {
  const numbers = () => new Int32Array(MOST_LINED_UP)
  const bytes = () => new Uint8Array(MOST_LINED_UP)
  return {
    count: 0,
    plain: numbers(),
    word: numbers(),
    kind: bytes(),
    tone: bytes(),
    standing: bytes(),
    first: -1,
    second: -1,
    swapped: false,
  }
}

/** False with neither a comparing word nor a known rival, or with neither a name nor a measure. */
export function lineUp(reading: TextReading, place: LineUpPlace, rivals: Rivals, into: LineUp): boolean {
  const { tokens } = reading
  let own = 0
  while (own < tokens.count && tokens.end[own]! <= place.start) own += 1
  let behind = own
  while (behind < tokens.count && tokens.start[behind]! < place.end) behind += 1
  const from = Math.max(0, own - FAR)
  const end = Math.min(tokens.count, behind + FAR)
  const against = own === behind ? undefined : rivals.get(rivalNameOf(tokens, own, behind))
  const measured = isMeasured(tokens, from, own) || isMeasured(tokens, behind, end)
  if (!measured && against === undefined) return false
  into.count = 0
  putWords(reading, from, own, rivals, against, into)
  const keyword = into.count
  put(into, FIRST, FIRST, KIND.word, TONE.none, STANDING.word)
  putWords(reading, behind, end, rivals, against, into)
  const rival = rivalOf(into, keyword)
  if (rival < 0 ? !isMeasuredByAll(into, keyword) : !measured && into.standing[rival] !== STANDING.rival) return false
  into.swapped = rival >= 0 && rival < keyword
  into.first = into.swapped ? rival : keyword
  into.second = into.swapped ? keyword : rival
  name(into, into.first, FIRST)
  if (into.second >= 0) name(into, into.second, SECOND)
  return true
}

function putWords(
  { tokens, features }: TextReading,
  from: number,
  end: number,
  rivals: Rivals,
  against: ReadonlySet<number> | undefined,
  into: LineUp,
): void {
  for (let at = from; at < end; ) {
    const length = knownLength(rivals, tokens, at, end)
    if (length > 0) {
      put(
        into,
        NAME,
        NAME,
        KIND.word,
        TONE.none,
        against?.has(rivalNameOf(tokens, at, at + length)) ? STANDING.rival : STANDING.known,
      )
      at += length
      continue
    }
    const hash = tokens.hash[at]!
    const standing = looksNamed(tokens, at) ? STANDING.named : STANDING.word
    put(
      into,
      hash,
      features.negated[at] === 1 ? mix(hash, NEGATED) : hash,
      tokens.kind[at]! as Kind,
      toneOf(tokens, at),
      standing,
    )
    at += 1
  }
}

function put(into: LineUp, plain: number, word: number, kind: Kind, tone: number, standing: number): void {
  const at = into.count
  into.plain[at] = plain
  into.word[at] = word
  into.kind[at] = kind
  into.tone[at] = tone
  into.standing[at] = standing
  into.count = at + 1
}

function name(into: LineUp, at: number, as: number): void {
  into.plain[at] = as
  into.word[at] = as
  into.kind[at] = KIND.word
  into.tone[at] = TONE.none
}

/**
 * -1 for none. A known rival after the keyword comes first, then names after, then before; "than" reverses the last
 * two.
 */
function rivalOf(text: LineUp, keyword: number): number {
  const { standing, plain, count } = text
  const known = standing.indexOf(STANDING.rival, keyword)
  if (known >= 0 && known < count) return known
  let behind = keyword + 1
  while (behind < count && standing[behind] === STANDING.word && !ends(text, behind)) behind += 1
  let before = keyword - 1
  while (before >= 0 && standing[before] === STANDING.word && !ends(text, before)) before -= 1
  const namedBehind = behind < count && standing[behind] !== STANDING.word
  const namedBefore = before >= 0 && standing[before] !== STANDING.word
  const isSecond = THAN.has(plain[keyword - 1] ?? 0) || THAN.has(plain[keyword - 2] ?? 0)
  if (namedBefore && (isSecond || !namedBehind)) return before
  return namedBehind ? behind : -1
}

/** "Better than anything" is a comparison without a second name. */
function isMeasuredByAll(text: LineUp, keyword: number): boolean {
  for (let at = keyword + 1; at < text.count && !ends(text, at); at += 1) if (BY.has(text.plain[at]!)) return true
  return false
}

/** "vs." ends no sentence. */
function ends({ kind, plain }: LineUp, at: number): boolean {
  const value = kind[at]
  return (value === KIND.stop && plain[at - 1] !== VERSUS) || value === KIND.question || value === KIND.exclamation
}

/** "More than 300" and "over 300" compare nothing. */
function isMeasured(tokens: Tokens, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) {
    const counted = countedBy(tokens, at)
    if (counted > 0) at += counted
    else if (MEASURES.has(tokens.hash[at]!) || (tokens.kind[at] === KIND.word && looksGradual(tokens, at))) return true
  }
  return false
}

/** The words up to a number that they qualify, or 0. */
function countedBy({ hash, kind, count }: Tokens, at: number): number {
  if (!COUNTING.has(hash[at]!)) return 0
  const number = at + 1 < count && COUNTED_BY.has(hash[at + 1]!) ? at + 2 : at + 1
  return number < count && kind[number] === KIND.number ? number - at : 0
}

/** Common sentence openings are no names. */
export function looksNamed({ text, kind, hash, start, end }: Tokens, at: number): boolean {
  if (kind[at] !== KIND.word || end[at]! - start[at]! < 2) return false
  const code = text.charCodeAt(start[at]!)
  return lowerOf(code) !== code && !OPENING.has(hash[at]!)
}

function toneOf(tokens: Tokens, at: number): number {
  if (tokens.kind[at] !== KIND.word) return TONE.none
  return TONES.get(tokens.hash[at]!) ?? (looksGradual(tokens, at) ? TONE.gradual : TONE.none)
}

/** "Cheaper" and other words in "er", except those that do not compare. */
export function looksGradual(tokens: Tokens, at: number): boolean {
  const last = tokens.end[at]!
  const { text } = tokens
  if (
    last - tokens.start[at]! < 5 ||
    lowerOf(text.charCodeAt(last - 1)) !== 114 ||
    lowerOf(text.charCodeAt(last - 2)) !== 101
  )
    return false
  return !NOT_GRADUAL.has(tokens.hash[at]!)
}

/** Words between a thing and its measure. */
const THAN = hashesOf('than over vs versus to unlike beats beat as wie que')
const BY = hashesOf('than als que di')
const VERSUS = hashOfWord('vs')
const COUNTING = hashesOf('more less over fewer under mehr weniger más menos plus moins mais più meno')
const COUNTED_BY = hashesOf('than als de que di do')
const MEASURES = hashesOfList('comparing/words/measures')
const NOT_GRADUAL = hashesOfList('comparing/words/not-gradual')
const TONES: ReadonlyMap<number, number> = new Map([
  ...tonesOf('comparing/words/better', TONE.good),
  ...tonesOf('comparing/words/worse', TONE.bad),
])

function tonesOf(list: string, tone: number): (readonly [number, number])[] {
  return [...hashesOfList(list)].map((hash) => [hash, tone] as const)
}

const OPENING = hashesOfList('comparing/words/sentence-openings')
