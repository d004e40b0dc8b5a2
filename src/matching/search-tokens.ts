import { withoutAccents } from './accents.ts'
import { foldedForm } from './fold.ts'
import { multiplierOf, TextScan } from './text-scan.ts'

/**
 * The folded tokens of a text in order: words with their digits and marks; every character of a script without spaces,
 * Hangul syllable and pictograph by itself. Punctuation and underscores separate tokens.
 */
export function tokens(text: string): string[] {
  const scan = new TextScan(multiplierOf(1), Math.max(64, 2 * text.length))
  const folded = foldedForm(text)
  scan.addFolded(folded)
  return Array.from({ length: scan.count }, (_, token) => folded.slice(scan.starts[token]! - 1, scan.ends(token) - 1))
}

/** Search ignores the rest of a longer word, in UTF-16 units, which bounds every index over words. */
const SEARCHED_UNITS = 40

/** The distinct words for search: tokens without accents, truncated to SEARCHED_UNITS. */
export function searchWords(texts: Iterable<string>): string[] {
  const words = new Set<string>()
  for (const text of texts) for (const token of tokens(text)) words.add(searchForm(token))
  return [...words]
}

function searchForm(token: string): string {
  const word = withoutAccents(token)
  if (word.length <= SEARCHED_UNITS) return word
  // Never cuts a surrogate pair.
  return word.slice(0, (word.charCodeAt(SEARCHED_UNITS - 1) & 0xfc00) === 0xd800 ? SEARCHED_UNITS - 1 : SEARCHED_UNITS)
}

/** A searched word, or with `begins` a prefix. */
export interface SearchTerm {
  word: string
  begins: boolean
}

/**
 * The words of a query. An asterisk after a word of at least `shortest` characters makes it a prefix; after a character
 * that is a token by itself it has no effect.
 */
export function searchTerms(question: string, shortest: number): SearchTerm[] {
  const parts = question.split(/[*＊]/)
  const terms = new Map<string, SearchTerm>()
  for (const [place, part] of parts.entries()) {
    const words = tokens(part)
    const reached = place < parts.length - 1 && /[\p{L}\p{N}\p{M}]$/u.test(part)
    for (const [at, token] of words.entries()) {
      const word = searchForm(token)
      const begins =
        reached &&
        at === words.length - 1 &&
        [...word].length >= shortest &&
        word.length < SEARCHED_UNITS &&
        !standsAlone(token)
      terms.set(`${word}${begins ? '*' : ''}`, { word, begins })
    }
  }
  return [...terms.values()]
}

function standsAlone(token: string): boolean {
  return tokens(token + token).length > 1
}

/**
 * The distinct tokens of a text as signed 64-bit FNV-1a hashes of their UTF-8 bytes. Stored by full-text search, so
 * they must never change.
 */
export function searchTokens(text: string): bigint[] {
  return [...new Set(tokens(text))].map(fnv64)
}

const OFFSET = 0xcbf29ce484222325n
const PRIME = 0x100000001b3n

function fnv64(token: string): bigint {
  let hash = OFFSET
  for (const byte of Buffer.from(token)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME)
  return BigInt.asIntN(64, hash)
}
