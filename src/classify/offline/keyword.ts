import type { Subject } from '../contract.ts'
import { holdsPhrase, phraseSet } from './cues.ts'
import { type Directions, unit } from './directions.ts'
import type { Model } from './model-file.ts'
import { eachStem, rarityOf } from './terms.ts'
import { hashOfWord, KIND, newTokens, type Tokens, tokenise } from './tokens.ts'

/** A keyword and what the team says of itself, prepared once for all posts that match it. */
export interface PreparedKeyword {
  kind: Subject['keyword']['kind']
  /** Lower case, white space and hyphens as single spaces. */
  term: string
  /** The term as a host name ("acme.com"), or null. */
  host: string | null
  /** How rare the term's commonest word is; an everyday word below about 7 has other senses. */
  rarity: number
  /** Words that the contexts say matter, with their weight. */
  wanted: Map<number, number>
  /** Words that the contexts exclude ("not the fruit"). */
  unwanted: Map<number, number>
  /** Where the wanted words point together, of length 1; null when none of them has a direction. */
  direction: Float64Array | null
  /** The term's own words, which every matching post shares. */
  own: ReadonlySet<number>
  /** True when the context asks for every post about the term, in whatever sense. */
  everySense: boolean
}

export function prepareKeyword(
  model: Pick<Model, 'rarity'>,
  directions: Directions,
  { keyword, keywordContext, companyContext }: Pick<Subject, 'keyword' | 'keywordContext' | 'companyContext'>,
): PreparedKeyword {
  const tokens = newTokens()
  const term = keyword.term
    .normalize('NFKC')
    .trim()
    .replace(/^[@#]/, '')
    .replace(/[\s-]+/g, ' ')
    .toLowerCase()
  const own = new Set<number>()
  let rarity = 12
  tokenise(term, tokens)
  eachStem(tokens, (stem) => {
    own.add(stem)
    rarity = Math.min(rarity, rarityOf(model, stem))
  })
  const prepared: PreparedKeyword = {
    kind: keyword.kind,
    term,
    host: hostOf(term),
    rarity,
    wanted: new Map(),
    unwanted: new Map(),
    direction: null,
    own,
    everySense: false,
  }
  // The company's own description is about the company as a whole, so a word of it says less than one of the keyword's.
  if (companyContext) gather(model, companyContext, 0.7, own, prepared, tokens)
  if (keywordContext) {
    gather(model, keywordContext, 1, own, prepared, tokens)
    tokenise(keywordContext, tokens)
    prepared.everySense = asksForEverySense(tokens)
  }
  const sum = new Float64Array(directions.dimensions)
  for (const [stem, weight] of prepared.wanted) directions.add(stem, weight, sum)
  prepared.direction = unit(sum)
  return prepared
}

/** Adds a context's words: those behind a word of exclusion, up to the end of the clause, are unwanted. */
function gather(model: Pick<Model, 'rarity'>, context: string, weight: number, own: ReadonlySet<number>, into: PreparedKeyword, tokens: Tokens): void {
  tokenise(context, tokens)
  let excluding = false
  let last = 0
  eachStem(tokens, (stem, at) => {
    for (; last < at; last += 1) if (tokens.kind[last] === KIND.stop) excluding = false
    if (EXCLUDING.has(tokens.hash[at]!)) excluding = true
    else if (RESUMING.has(tokens.hash[at]!)) excluding = false
    const rarity = rarityOf(model, stem)
    if (rarity < LEAST_RARITY || own.has(stem)) return
    const target = excluding ? into.unwanted : into.wanted
    if (target.size < MOST_WORDS) target.set(stem, Math.max(target.get(stem) ?? 0, weight * Math.min(1, (rarity - 2) / 6)))
  })
  for (const stem of into.wanted.keys()) into.unwanted.delete(stem)
}

/** "Every post that …, in whatever sense", "all mentions matter": a wide word and a word for posts, and no exclusion. */
function asksForEverySense(tokens: Tokens): boolean {
  let excluding = false
  for (let at = 0; at < tokens.count; at += 1) if (EXCLUDING.has(tokens.hash[at]!)) excluding = true
  return !excluding && holdsPhrase(tokens, EVERY_SENSE)
}

function hostOf(term: string): string | null {
  return /^[\p{L}\p{N}]+(?:[. ][\p{L}\p{N}]+)*\.[a-z]{2,12}$/u.test(term) ? term.replaceAll(' ', '-') : null
}

const LEAST_RARITY = 3.6
const MOST_WORDS = 400
const EXCLUDING = new Set(
  'not never except excluding exclude ignore ignoring unlike irrelevant without nor nicht außer pas sauf excepto'.split(' ').map(hashOfWord),
)
const RESUMING = new Set('but only relevant'.split(' ').map(hashOfWord))
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
