import type { Subject } from '../../contract.ts'
import { holdsPhrase, phraseSet } from '../cues/cues.ts'
import { addDirection, type Directions, dotOf, makeUnit } from '../model/directions.ts'
import { eachStem, LEAST_RARITY, type Rarity, rarityOf, weightOfRarity } from '../text/terms.ts'
import { hashesOf, hashOfWord, KIND, newTokens, type Tokens, tokenise } from '../text/tokens.ts'
import { hashesOfList } from '../text/word-list.ts'

export interface PreparedKeyword {
  kind: Subject['keyword']['kind']
  /** Lower case, words separated by single spaces. */
  term: string
  words: readonly number[]
  /** Hashes of the last word with "s" and "'s". */
  plurals: readonly number[]
  /** The term where it is a host name such as "acme.com". */
  host: string | null
  /** Letters and digits of the term; null for fewer than three. */
  label: string | null
  /** True for a word in the model, which unlike a coined name has other senses. */
  isWord: boolean
  /** Weights by stem. */
  wanted: Map<number, number>
  /** Weights of excluded words by stem ("not the fruit"). */
  unwanted: Map<number, number>
  /** Unit sum of the wanted words' directions, if any. */
  direction: Float64Array | null
  strongest: readonly { place: number; weight: number }[]
  /** Unit direction of the term's other senses and the excluded words, or zeros. */
  otherSense: Float64Array
  /** Cosine with the context's direction, -1 to 1. */
  termNearness: number
  own: ReadonlySet<number>
  everySense: boolean
}

export function prepareKeyword(
  rarities: Rarity,
  directions: Directions,
  { keyword, keywordContext, companyContext }: Pick<Subject, 'keyword' | 'keywordContext' | 'companyContext'>,
): PreparedKeyword {
  const tokens = newTokens()
  const term = plainTerm(keyword.term)
  const own = new Set<number>()
  tokenise(term, tokens)
  eachStem(tokens, (stem) => {
    own.add(stem)
  })
  const label = labelOf(term)
  const last = term.split(' ').at(-1)!
  const prepared: PreparedKeyword = {
    kind: keyword.kind,
    term,
    words: [...tokens.hash.subarray(0, tokens.count)],
    plurals: [hashOfWord(`${last}s`), hashOfWord(`${last}'s`)],
    host: hostOf(term),
    label: label.length < 3 ? null : label,
    isWord: own.size === 1 && [...own].every((stem) => directions.placeOf(stem) >= 0),
    wanted: new Map(),
    unwanted: new Map(),
    direction: null,
    strongest: [],
    otherSense: new Float64Array(directions.dimensions),
    termNearness: 0,
    own,
    everySense: false,
  }
  // The company's description is less specific than the keyword's context.
  if (companyContext) gather(rarities, companyContext, 0.7, own, prepared, tokens)
  if (keywordContext) {
    gather(rarities, keywordContext, 1, own, prepared, tokens)
    tokenise(keywordContext, tokens)
    prepared.everySense = asksForEverySense(tokens)
  }
  point(prepared, directions)
  return prepared
}

export function plainTerm(term: string): string {
  return term
    .normalize('NFKC')
    .trim()
    .replace(/^[@#]/, '')
    .replace(/[\s-]+/g, ' ')
    .toLowerCase()
}

export function labelOf(term: string): string {
  return term.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** The part of the term's direction orthogonal to the context's stands for other senses. */
function point(prepared: PreparedKeyword, directions: Directions): void {
  const context = sumOf(prepared.wanted, directions)
  if (!makeUnit(context)) return
  const other = sumOf(new Map([...prepared.own].map((stem) => [stem, 1])), directions)
  makeUnit(other)
  prepared.direction = context
  prepared.termNearness = dotOf(other, context)
  for (let at = 0; at < other.length; at += 1) other[at]! -= prepared.termNearness * context[at]!
  makeUnit(other)
  const excluded = sumOf(prepared.unwanted, directions)
  makeUnit(excluded)
  prepared.otherSense = other.map((value, at) => value + excluded[at]!)
  makeUnit(prepared.otherSense)
  prepared.strongest = [...prepared.wanted]
    .map(([stem, weight]) => ({ place: directions.placeOf(stem), weight }))
    .filter(({ place }) => place >= 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_STRONGEST)
}

function sumOf(words: ReadonlyMap<number, number>, directions: Directions): Float64Array {
  const sum = new Float64Array(directions.dimensions)
  for (const [stem, weight] of words) {
    const place = directions.placeOf(stem)
    if (place >= 0) addDirection(directions, place, weight, sum)
  }
  return sum
}

/** Words after an exclusion are unwanted up to the end of the clause. */
function gather(
  rarities: Rarity,
  context: string,
  weight: number,
  own: ReadonlySet<number>,
  into: PreparedKeyword,
  tokens: Tokens,
): void {
  tokenise(context, tokens)
  let excluding = false
  let last = 0
  eachStem(tokens, (stem, at) => {
    for (; last < at; last += 1) if (tokens.kind[last] === KIND.stop) excluding = false
    if (EXCLUDING.has(tokens.hash[at]!)) excluding = true
    else if (RESUMING.has(tokens.hash[at]!)) excluding = false
    const rarity = rarityOf(rarities, stem)
    if (rarity < LEAST_RARITY || own.has(stem)) return
    const target = excluding ? into.unwanted : into.wanted
    if (target.size < MOST_WORDS) target.set(stem, Math.max(target.get(stem) ?? 0, weight * weightOfRarity(rarity)))
  })
  for (const stem of into.wanted.keys()) into.unwanted.delete(stem)
}

/** Finds "all mentions matter" in contexts without an exclusion. */
function asksForEverySense(tokens: Tokens): boolean {
  let excluding = false
  for (let at = 0; at < tokens.count; at += 1) if (EXCLUDING.has(tokens.hash[at]!)) excluding = true
  return !excluding && holdsPhrase(tokens, EVERY_SENSE)
}

function hostOf(term: string): string | null {
  return /^[\p{L}\p{N}]+(?:[. ][\p{L}\p{N}]+)*\.[a-z]{2,12}$/u.test(term) ? term.replaceAll(' ', '-') : null
}

const MOST_WORDS = 400
const MOST_STRONGEST = 12
const EXCLUDING = hashesOfList('keyword/words/excluding')
const RESUMING = hashesOf('but only relevant')
const nouns = ['post', 'posts', 'mention', 'mentions', 'use', 'sense', 'meaning', 'text', 'comment', 'article']
const wide = ['every', 'any', 'all', 'each']
const EVERY_SENSE = phraseSet([
  ...wide.flatMap((word) => nouns.map((noun) => `${word} ${noun}`)),
  ...nouns.map((noun) => `whatever ${noun}`),
  'anything about',
  'everything about',
  'anything that mentions',
  'everything that mentions',
  'all senses',
  'all meanings',
  'any kind of post',
  'no matter',
  'regardless of',
])
