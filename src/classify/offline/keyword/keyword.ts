import type { Subject } from '../../contract.ts'
import { holdsPhrase, phraseSet } from '../cues/cues.ts'
import { addDirection, type Directions, dotOf, makeUnit } from '../model/directions.ts'
import { eachStem, LEAST_RARITY, type Rarity, rarityOf, weightOfRarity } from '../text/terms.ts'
import { hashesOf, hashOfWord, KIND, newTokens, type Tokens, tokenise } from '../text/tokens.ts'
import { hashesOfList } from '../text/word-list.ts'

/** A keyword and what the team says of itself, prepared once for all posts that match it. */
export interface PreparedKeyword {
  kind: Subject['keyword']['kind']
  /** Lower case, white space and hyphens as single spaces. */
  term: string
  /** The hashes of the term's words. */
  words: readonly number[]
  /** The hash of its last word in the plural, with and without an apostrophe. */
  plurals: readonly number[]
  /** The term as a host name ("acme.com"), or null. */
  host: string | null
  /**
   * The term as the name part of a host ("acme" of "acme.com"): letters and digits only; null for one of fewer than
   * three.
   */
  label: string | null
  /**
   * True for a single word of which the model knows the use; such a term has other senses, where a coined name has
   * none.
   */
  isWord: boolean
  /** Words that the contexts say matter, with their weight. */
  wanted: Map<number, number>
  /** Words that the contexts exclude ("not the fruit"). */
  unwanted: Map<number, number>
  /** Where the wanted words point together, of length 1; null when none of them has a direction. */
  direction: Float64Array | null
  /** Places and weights of the wanted words that say most. */
  strongest: readonly { place: number; weight: number }[]
  /** Where the term's other senses lie, and words that the context excludes: of length 1, or nothing but zeros. */
  otherSense: Float64Array
  /** How near the term's own direction lies to the context's, -1 to 1. */
  termNearness: number
  /** The term's own words, which every matching post shares. */
  own: ReadonlySet<number>
  /** True when the context asks for every post about the term, in whatever sense. */
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
  // The company's own description is about the company as a whole, so a word of it says less than one of the keyword's.
  if (companyContext) gather(rarities, companyContext, 0.7, own, prepared, tokens)
  if (keywordContext) {
    gather(rarities, keywordContext, 1, own, prepared, tokens)
    tokenise(keywordContext, tokens)
    prepared.everySense = asksForEverySense(tokens)
  }
  point(prepared, directions)
  return prepared
}

/** The term as it is looked for in texts: in lower case, without the sign of a handle or a hashtag, its words apart. */
export function plainTerm(term: string): string {
  return term
    .normalize('NFKC')
    .trim()
    .replace(/^[@#]/, '')
    .replace(/[\s-]+/g, ' ')
    .toLowerCase()
}

/** The letters and digits of a term, in lower case. */
export function labelOf(term: string): string {
  return term.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Finds where the context points, and where the term points beside it: there lie its other senses. */
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

/** Adds a context's words: those behind a word of exclusion, up to the end of the clause, are unwanted. */
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

/**
 * "Every post that …, in whatever sense", "all mentions matter": a wide word and a word for posts, and no exclusion.
 */
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
