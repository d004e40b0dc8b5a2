import type { PreparedKeyword } from '../keyword/keyword.ts'
import { type Directions, nearness } from '../model/directions.ts'
import { KIND, type Tokens } from '../text/tokens.ts'
import { hashesOfList } from '../text/word-list.ts'
import { EVIDENCE_AT } from './evidence.ts'
import { isCapital, type NeighbourStanding, stemAt, weighBefore, weighBehind } from './neighbours.ts'

/** Evidence at one of the term's first occurrences counts for the whole post. */
export function weighPlaces(
  directions: Directions,
  keyword: PreparedKeyword,
  tokens: Tokens,
  values: Float64Array,
): void {
  const capitals = capitalsOf(tokens)
  const headline = capitals >= 0.6
  const standing: NeighbourStanding = { keyword, tokens, headline, values }
  let found = 0
  for (let token = 0; token < tokens.count && found < MOST_PLACES; token += 1) {
    const size = sizeAt(keyword, tokens, token)
    if (size === 0) continue
    found += 1
    const begins = weighBefore(standing, token)
    weighBehind(standing, token + size - 1)
    weighWriting(standing, token, token + size - 1, begins)
    weighAround(directions, standing, token, token + size - 1)
    token += size - 1
  }
  values[EVIDENCE_AT.repeated] = found > 1 ? 1 : 0
  if (headline) values[EVIDENCE_AT['in-headline']] = 1
  if (capitals === 0) values[EVIDENCE_AT['writes-small']] = 1
  values[EVIDENCE_AT.trade] = tradeOf(tokens)
}

/** 0 without words of buying, using or running a product or company, near 1 with many. */
function tradeOf(tokens: Tokens): number {
  let count = 0
  for (let token = 0; token < tokens.count && token < MOST_TRADED; token += 1)
    if (tokens.kind[token] === KIND.word && TRADE.has(tokens.hash[token]!)) count += 1
  return 1 - Math.exp(-count / 2)
}

/** `begins` says that a part of the text begins with the term. */
function weighWriting(
  { keyword, tokens, headline, values }: NeighbourStanding,
  first: number,
  last: number,
  begins: boolean,
): void {
  const hash = tokens.hash[last]!
  if (keyword.plurals.includes(hash) && !keyword.words.includes(hash)) values[EVIDENCE_AT.plural] = 1
  if (tokens.shouted[first] === 1) values[EVIDENCE_AT.shouted] = 1
  else if (!isCapital(tokens, first)) values[EVIDENCE_AT.small] = 1
  else if (!begins && !headline) values[EVIDENCE_AT['as-name']] = 1
}

function weighAround(
  directions: Directions,
  { keyword, tokens, values }: NeighbourStanding,
  first: number,
  last: number,
): void {
  if (keyword.direction === null) return
  let around = Number.NEGATIVE_INFINITY
  for (let token = Math.max(0, first - REACH); token <= Math.min(tokens.count - 1, last + REACH); token += 1) {
    if (token >= first && token <= last) continue
    const word = tokens.kind[token] === KIND.word ? directions.placeOf(stemAt(tokens, token)) : -1
    if (word >= 0) around = Math.max(around, nearness(directions, word, keyword.direction))
  }
  if (around > values[EVIDENCE_AT.around]!) values[EVIDENCE_AT.around] = around
}

/** Tokens that the term takes at `token`; 0 when the term is not there. */
function sizeAt({ words, plurals }: PreparedKeyword, tokens: Tokens, token: number): number {
  const most = words.length - 1
  if (most < 0 || token + most >= tokens.count) return 0
  for (let word = 0; word < most; word += 1) if (tokens.hash[token + word] !== words[word]) return 0
  const hash = tokens.hash[token + most]!
  return hash === words[most] || plurals.includes(hash) ? words.length : 0
}

/** Share of capitalized words, 0 to 1; high in headlines. */
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

const TRADE = hashesOfList('relevance/words/trade')
/** Tokens that are searched for words of trade. */
const MOST_TRADED = 400
/** Words on each side of the term. */
const REACH = 4
const MOST_PLACES = 3
