import type { PreparedKeyword } from '../keyword/keyword.ts'
import { stemHash } from '../text/terms.ts'
import { hashOfWord, isWordCode, KIND, lowerOf, type Tokens } from '../text/tokens.ts'
import { wordsOfList } from '../text/word-list.ts'
import { EVIDENCE_AT } from './evidence.ts'

export interface NeighbourStanding {
  keyword: PreparedKeyword
  tokens: Tokens
  /** Most words are capitalized, so a capital says nothing. */
  headline: boolean
  /** In the order of EVIDENCE. */
  values: Float64Array
}

/** `first` is the term's first word. Returns whether a part of the text begins with the term. */
export function weighBefore({ keyword, tokens, headline, values }: NeighbourStanding, first: number): boolean {
  const sign = signBefore(tokens, first)
  if (first === 0 || sign === SIGN.edge) {
    values[EVIDENCE_AT.first] = 1
    return true
  }
  if (sign === SIGN.list) {
    values[EVIDENCE_AT['after-list']] = 1
    return false
  }
  const word = first - 1
  const group = BEFORE.get(tokens.hash[word]!)
  if (group !== undefined) values[EVIDENCE_AT[group]] = 1
  if (isNumeric(tokens, word)) values[EVIDENCE_AT['after-number']] = 1
  else if (group === undefined && tokens.kind[word] === KIND.word) {
    if (keyword.wanted.has(stemAt(tokens, word))) values[EVIDENCE_AT['after-context']] = 1
    else if (!headline && isCapital(tokens, word)) values[EVIDENCE_AT['after-name']] = 1
  }
  return false
}

/** `last` is the term's last word. */
export function weighBehind({ keyword, tokens, headline, values }: NeighbourStanding, last: number): void {
  const sign = signBehind(tokens, last)
  const word = last + 1
  const isEnd = sign === SIGN.edge || word >= tokens.count
  if (isEnd || sign === SIGN.list) {
    values[isEnd ? EVIDENCE_AT.last : EVIDENCE_AT['before-list']] = 1
    return
  }
  const group = BEHIND.get(tokens.hash[word]!)
  if (group !== undefined) values[EVIDENCE_AT[group]] = 1
  if (isNumeric(tokens, word)) values[EVIDENCE_AT['before-number']] = 1
  else if (group === undefined && tokens.kind[word] === KIND.word) {
    const capital = isCapital(tokens, word)
    if (keyword.wanted.has(stemAt(tokens, word))) values[EVIDENCE_AT['before-context']] = 1
    else if (!headline && capital) values[EVIDENCE_AT['before-name']] = 1
    if (!capital) values[EVIDENCE_AT['before-word']] = 1
  }
}

/** The sign between two words: `edge` ends or begins a part of the text, `list` separates items. */
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

export function isCapital(tokens: Tokens, token: number): boolean {
  const code = tokens.text.charCodeAt(tokens.start[token]!)
  return isWordCode(code) && lowerOf(code) !== code
}

export function stemAt(tokens: Tokens, token: number): number {
  return stemHash(tokens.text, tokens.start[token]!, tokens.end[token]!)
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
