import { FOLDED, PLAIN } from './characters.ts'
import { fromFirstCharacter, lengthOf, standsAt } from './phrase.ts'
import { CASED, MIXED_GAP, OPEN_END, OPEN_START, type Packed, SYMBOLS } from './phrase-flags.ts'
import type { SearchedText } from './prepared-text.ts'

export function holdsPhrase(
  text: SearchedText,
  pool: Uint16Array,
  offset: number,
  packed: Packed,
  first: number,
): boolean {
  if ((packed & (SYMBOLS | OPEN_START | OPEN_END)) !== 0) return holdsCharacters(text, pool, offset, packed)
  const { places } = text
  const cased = (packed & CASED) !== 0
  const table = cased ? PLAIN : FOLDED
  for (let token = places.first(first); token >= 0; token = places.next(token, first)) {
    const scan = cased ? text.scan.exact() : text.scan
    if (standsAt(scan.units, table, scan.starts[token]!, pool, offset, packed)) return true
  }
  return false
}

function holdsCharacters(text: SearchedText, pool: Uint16Array, offset: number, packed: Packed): boolean {
  const { folded, scan } = text
  const start = solidStart(pool, offset, packed)
  for (let at = folded.indexOf(start); at >= 0; at = folded.indexOf(start, at + 1)) {
    if (standsAt(scan.units, FOLDED, at, pool, offset, fromFirstCharacter(packed))) return true
  }
  return false
}

/** Every occurrence starts with it. */
function solidStart(pool: Uint16Array, offset: number, packed: Packed): string {
  const characters = String.fromCharCode(...pool.subarray(offset, offset + lengthOf(packed)))
  const gap = (packed & MIXED_GAP) === 0 ? characters.indexOf(' ') : characters.search(/[ -]/)
  return gap < 0 ? characters : characters.slice(0, Math.max(1, gap))
}
