import type { PreparedKeyword } from '../keyword/keyword.ts'
import { addDirection, type Directions, dotOf, makeUnit, nearness } from '../model/directions.ts'
import type { Reading } from '../text/reading.ts'
import { hasStem, LEAST_RARITY, type Rarity, rarityOf, stemHash, weightOfRarity } from '../text/terms.ts'
import { hashOfWord, isWordCode, KIND, lowerOf, type Tokens } from '../text/tokens.ts'
import { hashesOfList, wordsOfList } from '../text/word-list.ts'

/** What the logistic of relevance weighs, in this order. Changing it asks for training again. */
export const EVIDENCE = [
  // How near the post's words lie to the context, and to the other senses of the term.
  'near',
  'near-known',
  'near-squared',
  'nearest-word',
  'nearest-words',
  'nearest-pair',
  'nearest-pairs',
  'around',
  'other',
  'other-word',
  'other-words',
  'shared',
  'term-near',
  'known',
  // What stands before the term.
  'after-the',
  'after-a',
  'after-possessive',
  'after-preposition',
  'after-to',
  'after-modal',
  'after-of',
  'after-list',
  'after-number',
  'after-name',
  'after-context',
  'first',
  // What stands behind it.
  'before-of',
  'before-preposition',
  'before-particle',
  'before-verb',
  'before-list',
  'before-product-word',
  'before-number',
  'before-name',
  'before-context',
  'before-word',
  'last',
  // How it is written.
  'plural',
  'as-name',
  'small',
  'shouted',
  'in-headline',
  'repeated',
  // Whether the post speaks as people speak of products and companies, and has capitals at all.
  'trade',
  'writes-small',
] as const

/** What a post says of itself besides the numbers: a word that the context names, and one that it excludes. */
export interface Evidence {
  /** In the order of EVIDENCE; reused. */
  values: Float64Array
  /** Where the post's telling words point, of length 1 or nothing but zeros; reused. */
  direction: Float64Array
  /** The first telling words of the post, each once, and how much each says; reused, `telling` of them count. */
  stems: Int32Array
  weights: Float64Array
  telling: number
  /** Those of them that have a direction. */
  known: number
  shared: string | null
  excluded: string | null
  /** The weights of the excluded words that the post holds. */
  unwanted: number
}

export function newEvidence(directions: Directions): Evidence {
  return {
    values: new Float64Array(EVIDENCE.length),
    direction: new Float64Array(directions.dimensions),
    stems: new Int32Array(MOST_STEMS),
    weights: new Float64Array(MOST_STEMS),
    telling: 0,
    known: 0,
    shared: null,
    excluded: null,
    unwanted: 0,
  }
}

/**
 * Gathers what speaks for and against a post being about the keyword's sense. Linear in the length of the text. What
 * the post is about is only looked at where a context or marks ask for it.
 */
export function gatherEvidence(
  rarities: Rarity,
  directions: Directions,
  keyword: PreparedKeyword,
  reading: Reading,
  into: Evidence,
  marked: boolean,
): void {
  into.values.fill(0)
  into.direction.fill(0)
  into.telling = 0
  into.known = 0
  into.shared = null
  into.excluded = null
  into.unwanted = 0
  if (marked || keyword.wanted.size > 0 || keyword.unwanted.size > 0)
    subject(rarities, directions, keyword, reading, into)
  places(directions, keyword, reading.tokens, into.values)
}

const at = Object.fromEntries(EVIDENCE.map((name, index) => [name, index])) as Record<(typeof EVIDENCE)[number], number>

/** The words of the post, each counted once, beside the context's. */
function subject(
  rarities: Rarity,
  directions: Directions,
  keyword: PreparedKeyword,
  { tokens, stem: stemOf }: Reading,
  into: Evidence,
): void {
  const { values, direction, stems } = into
  const { direction: wantedSense, otherSense } = keyword
  const near = newBest()
  const pairs = newBest()
  const other = newBest()
  const { unit, dimensions } = directions
  let wanted = 0
  for (let token = 0; token < tokens.count && into.telling < MOST_STEMS; token += 1) {
    if (!hasStem(tokens, token)) continue
    const stem = stemOf[token]!
    const rarity = rarityOf(rarities, stem)
    if (rarity < LEAST_RARITY || keyword.own.has(stem) || holds(stems, into.telling, stem)) continue
    const weight = weightOfRarity(rarity)
    stems[into.telling] = stem
    into.weights[into.telling] = weight
    into.telling += 1
    const asked = keyword.wanted.get(stem)
    const excluded = keyword.unwanted.get(stem)
    if (asked !== undefined) {
      wanted += asked
      into.shared ??= tokens.text.slice(tokens.start[token]!, tokens.end[token]!)
    }
    if (excluded !== undefined) {
      into.unwanted += excluded
      into.excluded ??= tokens.text.slice(tokens.start[token]!, tokens.end[token]!)
    }
    const place = directions.placeOf(stem)
    if (place < 0) continue
    into.known += 1
    if (wantedSense === null) {
      addDirection(directions, place, weight, direction)
      continue
    }
    // One walk over the word's numbers, since most of the time goes here.
    let toWanted = 0
    let toOther = 0
    for (let step = 0; step < dimensions; step += 1) {
      const value = unit[place + step]!
      toWanted += value * wantedSense[step]!
      toOther += value * otherSense[step]!
      direction[step]! += weight * value
    }
    addBest(near, weight * toWanted)
    addBest(other, weight * toOther)
    if (into.known <= MOST_PAIRED) addBest(pairs, weight * nearestOf(directions, place, keyword.strongest))
  }
  makeUnit(direction)
  const cosine = wantedSense === null ? 0 : dotOf(direction, wantedSense)
  values[at.near] = cosine
  values[at['near-known']] = cosine * Math.min(1, into.known / 4)
  values[at['near-squared']] = Math.max(0, cosine) ** 2
  values[at['nearest-words']] = meanOf(near)
  values[at['nearest-word']] = near[0]!
  values[at['nearest-pairs']] = meanOf(pairs)
  values[at['nearest-pair']] = pairs[0]!
  values[at.other] = dotOf(direction, otherSense)
  values[at['other-words']] = meanOf(other)
  values[at['other-word']] = other[0]!
  values[at.shared] = 1 - Math.exp(-wanted / 1.2)
  values[at['term-near']] = keyword.termNearness
  values[at.known] = Math.log1p(into.known)
}

function nearestOf({ unit, dimensions }: Directions, place: number, strongest: PreparedKeyword['strongest']): number {
  let best = 0
  // Four at a time, whose sums do not wait for one another; the first is repeated where four are not left.
  for (let at = 0; at < strongest.length; at += 4) {
    const first = strongest[at]!
    const second = strongest[at + 1] ?? first
    const three = strongest[at + 2] ?? first
    const four = strongest[at + 3] ?? first
    let toOne = 0
    let toTwo = 0
    let toThree = 0
    let toFour = 0
    for (let step = 0; step < dimensions; step += 1) {
      const value = unit[place + step]!
      toOne += value * unit[first.place + step]!
      toTwo += value * unit[second.place + step]!
      toThree += value * unit[three.place + step]!
      toFour += value * unit[four.place + step]!
    }
    best = Math.max(best, toOne * first.weight, toTwo * second.weight, toThree * three.weight, toFour * four.weight)
  }
  return best
}

function holds(stems: Int32Array, count: number, stem: number): boolean {
  for (let at = 0; at < count; at += 1) if (stems[at] === stem) return true
  return false
}

/** The three largest numbers so far. */
function newBest(): Float64Array {
  return new Float64Array(3).fill(Number.NEGATIVE_INFINITY)
}

function addBest(best: Float64Array, value: number): void {
  if (value <= best[2]!) return
  if (value > best[0]!) {
    best[2] = best[1]!
    best[1] = best[0]!
    best[0] = value
  } else if (value > best[1]!) {
    best[2] = best[1]!
    best[1] = value
  } else best[2] = value
}

/** Their mean; one that is absent becomes nought. */
function meanOf(best: Float64Array): number {
  let sum = 0
  for (let rank = 0; rank < 3; rank += 1) {
    if (best[rank] === Number.NEGATIVE_INFINITY) best[rank] = 0
    sum += best[rank]!
  }
  return sum / 3
}

/** How the term stands at its first few places; what is true of one of them is true of the post. */
function places(directions: Directions, keyword: PreparedKeyword, tokens: Tokens, values: Float64Array): void {
  const capitals = capitalsOf(tokens)
  const headline = capitals >= 0.6
  let found = 0
  for (let token = 0; token < tokens.count && found < MOST_PLACES; token += 1) {
    const size = sizeAt(keyword, tokens, token)
    if (size === 0) continue
    found += 1
    place(directions, keyword, tokens, token, token + size - 1, headline, values)
    token += size - 1
  }
  values[at.repeated] = found > 1 ? 1 : 0
  if (headline) values[at['in-headline']] = 1
  if (capitals === 0) values[at['writes-small']] = 1
  values[at.trade] = tradeOf(tokens)
}

/** Words of buying, using and running a product or a company: none 0, many 1. */
function tradeOf(tokens: Tokens): number {
  let count = 0
  for (let token = 0; token < tokens.count && token < MOST_TRADED; token += 1)
    if (tokens.kind[token] === KIND.word && TRADE.has(tokens.hash[token]!)) count += 1
  return 1 - Math.exp(-count / 2)
}

function place(
  directions: Directions,
  keyword: PreparedKeyword,
  tokens: Tokens,
  first: number,
  last: number,
  headline: boolean,
  values: Float64Array,
): void {
  const yes = (name: (typeof EVIDENCE)[number]) => {
    values[at[name]] = 1
  }
  const ahead = signBefore(tokens, first)
  const begins = first === 0 || ahead === SIGN.edge
  if (begins) yes('first')
  else if (ahead === SIGN.list) yes('after-list')
  else {
    const group = BEFORE.get(tokens.hash[first - 1]!)
    if (group) yes(group)
    if (isNumeric(tokens, first - 1)) yes('after-number')
    else if (!group && tokens.kind[first - 1] === KIND.word) {
      if (keyword.wanted.has(stemAt(tokens, first - 1))) yes('after-context')
      else if (!headline && isCapital(tokens, first - 1)) yes('after-name')
    }
  }
  const behind = signBehind(tokens, last)
  if (behind === SIGN.edge || last + 1 >= tokens.count) yes('last')
  else if (behind === SIGN.list) yes('before-list')
  else {
    const group = BEHIND.get(tokens.hash[last + 1]!)
    if (group) yes(group)
    if (isNumeric(tokens, last + 1)) yes('before-number')
    else if (!group && tokens.kind[last + 1] === KIND.word) {
      if (keyword.wanted.has(stemAt(tokens, last + 1))) yes('before-context')
      else if (!headline && isCapital(tokens, last + 1)) yes('before-name')
      if (!isCapital(tokens, last + 1)) yes('before-word')
    }
  }
  if (keyword.plurals.includes(tokens.hash[last]!) && !keyword.words.includes(tokens.hash[last]!)) yes('plural')
  if (tokens.shouted[first] === 1) yes('shouted')
  else if (!isCapital(tokens, first)) yes('small')
  else if (!begins && !headline) yes('as-name')
  if (keyword.direction !== null) {
    let around = Number.NEGATIVE_INFINITY
    for (let token = Math.max(0, first - REACH); token <= Math.min(tokens.count - 1, last + REACH); token += 1) {
      if (token >= first && token <= last) continue
      const word = tokens.kind[token] === KIND.word ? directions.placeOf(stemAt(tokens, token)) : -1
      if (word >= 0) around = Math.max(around, nearness(directions, word, keyword.direction))
    }
    if (around > values[at.around]!) values[at.around] = around
  }
}

/** How many tokens the term takes here; 0 when it does not stand here. */
function sizeAt({ words, plurals }: PreparedKeyword, tokens: Tokens, token: number): number {
  const most = words.length - 1
  if (most < 0 || token + most >= tokens.count) return 0
  for (let word = 0; word < most; word += 1) if (tokens.hash[token + word] !== words[word]) return 0
  const hash = tokens.hash[token + most]!
  return hash === words[most] || plurals.includes(hash) ? words.length : 0
}

function stemAt(tokens: Tokens, token: number): number {
  return stemHash(tokens.text, tokens.start[token]!, tokens.end[token]!)
}

/**
 * What sign stands between a word and its neighbour: one that ends or begins a part of the text, one of a list, or
 * none.
 */
const SIGN = { none: 0, edge: 1, list: 2 } as const

function signBefore({ text, start }: Tokens, token: number): number {
  let place = start[token]! - 1
  while (place > 0 && text.charCodeAt(place) === 32) place -= 1
  return SIGN_OF.get(text.charCodeAt(place)) ?? SIGN.none
}

function signBehind({ text, end }: Tokens, token: number): number {
  let place = end[token]!
  while (place < text.length && text.charCodeAt(place) === 32) place += 1
  return place >= text.length ? SIGN.edge : (SIGN_OF.get(text.charCodeAt(place)) ?? SIGN.none)
}

function isNumeric(tokens: Tokens, token: number): boolean {
  if (tokens.kind[token] === KIND.number || tokens.kind[token] === KIND.code) return true
  if (tokens.kind[token] !== KIND.word) return false
  const end = Math.min(tokens.end[token]!, tokens.start[token]! + 8)
  for (let place = tokens.start[token]!; place < end; place += 1) {
    const code = tokens.text.charCodeAt(place)
    if (code >= 48 && code <= 57) return true
  }
  return false
}

function isCapital(tokens: Tokens, token: number): boolean {
  const code = tokens.text.charCodeAt(tokens.start[token]!)
  return isWordCode(code) && lowerOf(code) !== code
}

/** The share of words that begin with a capital: most of them do in headlines. */
function capitalsOf(tokens: Tokens): number {
  let words = 0
  let capitals = 0
  for (let token = 0; token < tokens.count; token += 1) {
    if (tokens.kind[token] !== KIND.word || tokens.end[token]! - tokens.start[token]! < 2) continue
    words += 1
    if (isCapital(tokens, token)) capitals += 1
  }
  return words === 0 ? 0 : capitals / words
}

function groups<Name extends string>(words: Record<Name, readonly string[]>): ReadonlyMap<number, Name> {
  return new Map(
    (Object.keys(words) as Name[]).flatMap((name) => words[name].map((word) => [hashOfWord(word), name] as const)),
  )
}

const BEFORE = groups({
  'after-the': ['the', 'this', 'that', 'these', 'those'],
  'after-a': ['a', 'an', 'another', 'every', 'each'],
  'after-possessive': ['my', 'your', 'his', 'her', 'our', 'their'],
  'after-preposition': ['on', 'in', 'for', 'with', 'using', 'from', 'at', 'via', 'into', 'through', 'use', 'used'],
  'after-to': ['to'],
  'after-modal': [
    'will',
    'would',
    'can',
    'could',
    'may',
    'might',
    'should',
    'must',
    'cannot',
    "can't",
    "won't",
    'does',
    "doesn't",
    'did',
    "didn't",
  ],
  'after-of': ['of', 'by'],
  'after-list': ['and', 'or', 'vs', 'versus', 'like', 'than'],
})
const BEHIND = groups({
  'before-of': ['of'],
  'before-preposition': ['in', 'between', 'at', 'to', 'from', 'with', 'for', 'on'],
  'before-particle': [
    'over',
    'up',
    'out',
    'down',
    'into',
    'through',
    'ahead',
    'large',
    'larger',
    'away',
    'off',
    'around',
  ],
  'before-verb': ['is', 'was', 'has', 'are', 'were', 'will', 'just', 'does', 'can', 'keeps'],
  'before-list': ['and', 'or', 'vs', 'versus'],
  'before-product-word': wordsOfList('relevance/words/product'),
})
const SIGN_OF = new Map([
  ...[...'.!?:"“”()[]{}|>•…\n'].map((sign) => [sign.charCodeAt(0), SIGN.edge] as const),
  ...[...',/&+'].map((sign) => [sign.charCodeAt(0), SIGN.list] as const),
])
const TRADE = hashesOfList('relevance/words/trade')
/** Of so many words of a text. */
const MOST_TRADED = 400
/** Words around the term whose nearness counts by itself. */
const REACH = 4
const MOST_PLACES = 3
const MOST_STEMS = 64
/** Words of the post that are compared with each of the context's one by one. */
const MOST_PAIRED = 24
