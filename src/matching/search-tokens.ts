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
