import type { TextReading } from '../text/reading.ts'
import { hasStem, stemHash } from '../text/terms.ts'
import { hashOfWord, KIND, MAX_CHARACTERS, type Tokens } from '../text/tokens.ts'
import { wordsOfList } from '../text/word-list.ts'

/** Subjects that words and phrases of the lists in `themes/` speak of, at most 31 in all. */
const LISTED = [
  'price',
  'payment',
  'leaving',
  'quitting',
  'buying',
  'experience',
  'wishing',
  'proposing',
  'fault',
  'malfunction',
  'report-form',
  'comparing',
  'choosing',
  'launching',
  'making',
  'advertising',
  'asking',
  'market',
  'praising',
  'complaining',
  'hiring',
  'event',
  'craft',
  'environment',
  'talking',
] as const
/** The order is part of the model's format. */
export const THEMES = [...LISTED, 'amount'] as const

/** For each token the themes whose word or phrase begins there, a bit for each of THEMES. The array is reused. */
export type ThemeBits = Int32Array

export function newThemeBits(): ThemeBits {
  return new Int32Array(MAX_CHARACTERS + 1)
}

export function themesOf({ tokens, stem }: Pick<TextReading, 'tokens' | 'stem'>, into: ThemeBits): void {
  for (let at = 0; at < tokens.count; at += 1) {
    let bits = 0
    if (hasStem(tokens, at)) {
      const hash = tokens.hash[at]!
      bits = bitsFrom(PHRASES.get(hash), tokens, stem, at)
      if (stem[at] !== hash) bits |= bitsFrom(PHRASES.get(stem[at]!), tokens, stem, at)
    } else if (isAmount(tokens, at)) bits = AMOUNT
    into[at] = bits
  }
}

interface Phrase {
  bit: number
  rest: readonly Word[]
}

/** A word fits by its letters or by its stem. */
interface Word {
  hash: number
  stem: number
}

function bitsFrom(phrases: readonly Phrase[] | undefined, tokens: Tokens, stem: Int32Array, at: number): number {
  let bits = 0
  if (phrases !== undefined)
    for (const { bit, rest } of phrases) if ((bits & bit) === 0 && follows(tokens, stem, at + 1, rest)) bits |= bit
  return bits
}

function follows(tokens: Tokens, stem: Int32Array, from: number, rest: readonly Word[]): boolean {
  if (from + rest.length > tokens.count) return false
  for (let at = 0; at < rest.length; at += 1) {
    const token = from + at
    const word = rest[at]!
    if (tokens.hash[token] !== word.hash && !(hasStem(tokens, token) && stem[token] === word.stem)) return false
  }
  return true
}

/** A number with the sign of a currency before or behind it; most such signs are no tokens. */
function isAmount({ text, kind, start, end }: Tokens, at: number): boolean {
  if (kind[at] !== KIND.number) return false
  return isCurrency(text, start[at]! - 1, -1) || isCurrency(text, end[at]!, 1)
}

/** One blank may stand between. */
function isCurrency(text: string, at: number, step: -1 | 1): boolean {
  return CURRENCIES.has(text.charCodeAt(text.charCodeAt(at) === BLANK ? at + step : at))
}

const BLANK = 32
/** Dollar, pound, yen, euro and rupee. */
const CURRENCIES: ReadonlySet<number> = new Set([...'$£¥€₹'].map((sign) => sign.charCodeAt(0)))
const AMOUNT = 1 << THEMES.indexOf('amount')
const PHRASES = phraseTable()

function phraseTable(): ReadonlyMap<number, readonly Phrase[]> {
  const table = new Map<number, Phrase[]>()
  for (const theme of LISTED) {
    const bit = 1 << THEMES.indexOf(theme)
    for (const entry of wordsOfList(`mention/themes/${theme}`)) {
      const [first, ...rest] = entry.split(' ').map((word) => ({
        hash: hashOfWord(word),
        stem: stemHash(word, 0, word.length),
      }))
      const phrase = { bit, rest }
      for (const key of new Set([first!.hash, first!.stem])) table.set(key, [...(table.get(key) ?? []), phrase])
    }
  }
  return table
}
