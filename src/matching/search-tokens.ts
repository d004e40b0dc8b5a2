import { withoutAccents } from './accents.ts'
import { foldedForm } from './fold.ts'
import { multiplierOf, TextScan } from './text-scan.ts'

/**
 * The folded tokens of a text in order: words with their digits and marks; every character of Chinese, Japanese, Thai
 * and their like, every Hangul syllable and every pictograph by itself. Punctuation and underscores part tokens.
 */
export function tokens(text: string): string[] {
  const scan = new TextScan(multiplierOf(1), Math.max(64, 2 * text.length))
  const folded = foldedForm(text)
  scan.addFolded(folded)
  return Array.from({ length: scan.count }, (_, token) => folded.slice(scan.starts[token]! - 1, scan.ends(token) - 1))
}

/**
 * What stands behind so many UTF-16 units of a word does not count in searches, which bounds every index over words.
 */
const SEARCHED_UNITS = 40

/** The distinct words under which a search finds texts: their tokens without accents, of long ones the beginning. */
export function searchWords(texts: Iterable<string>): string[] {
  const words = new Set<string>()
  for (const text of texts) for (const token of tokens(text)) words.add(searchForm(token))
  return [...words]
}

function searchForm(token: string): string {
  const word = withoutAccents(token)
  if (word.length <= SEARCHED_UNITS) return word
  // Half of a pair is no character.
  return word.slice(0, (word.charCodeAt(SEARCHED_UNITS - 1) & 0xfc00) === 0xd800 ? SEARCHED_UNITS - 1 : SEARCHED_UNITS)
}

/** A word that somebody looks for, or, where it `begins`, every word that begins with it. */
export interface SearchTerm {
  word: string
  begins: boolean
}

/**
 * The words of a question. An asterisk behind a word of at least `shortest` characters asks for everything that begins
 * with it; behind a character that is a token by itself it says nothing, because there whole words are found by their
 * characters.
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

/** True for a character of a script without spaces, of which each is a token. */
function standsAlone(token: string): boolean {
  return tokens(token + token).length > 1
}

/**
 * The distinct tokens of a text as signed 64-bit numbers (FNV-1a over the UTF-8 bytes of the token), the same on every
 * machine and for ever, so that they can be stored: what full-text search keeps of a post and looks for.
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
