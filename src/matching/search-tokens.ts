import { withoutAccents } from './accents.ts'
import { foldedForm } from './fold.ts'
import { multiplierOf, TextScan } from './text-scan.ts'

/**
 * Words with digits and marks; every character of a script without spaces, Hangul syllable and pictograph by itself.
 * Punctuation and underscores separate tokens.
 */
export function tokens(text: string): string[] {
  return tokensBy(scanFor(text), text)
}

/** Serves every part of the text as well. */
function scanFor(text: string): TextScan {
  return new TextScan(multiplierOf(1), Math.max(64, 2 * text.length))
}

function tokensBy(scan: TextScan, text: string): string[] {
  const folded = foldedForm(text)
  scan.clear()
  scan.addFolded(folded)
  return Array.from({ length: scan.count }, (_, token) => folded.slice(scan.starts[token]! - 1, scan.ends(token) - 1))
}

/** UTF-16 units of a word; the bound of every index over words. */
const SEARCHED_UNITS = 40

/** Without accents, truncated to SEARCHED_UNITS. */
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

/** With `begins` a prefix. */
export interface SearchTerm {
  word: string
  begins: boolean
}

/**
 * An asterisk after at least `shortest` characters makes a prefix, except after a character that is a token by itself.
 */
export function searchTerms(question: string, shortest: number): SearchTerm[] {
  const parts = question.split(/[*＊]/)
  const scan = scanFor(question)
  const terms = new Map<string, SearchTerm>()
  for (const [place, part] of parts.entries()) {
    const words = tokensBy(scan, part)
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

/** Signed 64-bit FNV-1a of the UTF-8 bytes. Stored, so they must never change. */
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
