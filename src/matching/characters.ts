import * as classes from './character-classes.ts'
import { pieceOf, SECOND } from './composition.ts'
import { composedForm, foldedForm, plainForm } from './fold.ts'

// In CommonJS, each use of an imported constant is a property read, which made hot loops up to five times slower. So
// modules on this path copy their imports.
const {
  CONTINUES,
  DROPPED,
  GAP,
  HANGUL,
  JOIN,
  LETTER,
  MARK,
  PICTURE,
  SOLO,
  SURROGATE,
  UNKNOWN,
  UNNORMALISED,
  WORD,
  WORD_PART,
} = classes

/**
 * Filled by block at first use. The low half of an entry is the unit, folded in `FOLDED` and cased in `PLAIN`; the high
 * half its class.
 */

const UNIT = 0xffff

/** Separates fields; in no form of a text. */
export const BARRIER = 0xffff

export const FOLDED = new Uint32Array(0x10000).fill(UNKNOWN)
export const PLAIN = new Uint32Array(0x10000).fill(UNKNOWN)
/** Classes >>> 16 from U+10000 on; 0 is unknown. */
const BEYOND = new Uint16Array(0x100000)
const BEYOND_OTHER = 1 << 15

const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u
const COMBINING = /\p{M}/u
const HANGUL_LETTER = /^\p{Script=Hangul}$/u
const CONTINUING = /^[\p{M}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u
const PICTOGRAPH = /^[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]$/u
/** Scripts without word boundaries by UAX #29, and Javanese and Balinese. */
const UNSPACED_SCRIPTS = [
  'scx=Han',
  'scx=Hiragana',
  'scx=Katakana',
  'Script=Bopomofo',
  'Script=Tangut',
  'Script=Nushu',
  'Script=Khitan_Small_Script',
  'Script=Thai',
  'Script=Lao',
  'Script=Khmer',
  'Script=Myanmar',
  'Script=Tai_Le',
  'Script=New_Tai_Lue',
  'Script=Tai_Tham',
  'Script=Tai_Viet',
  'Script=Ahom',
  'Script=Javanese',
  'Script=Balinese',
]
const UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS.map((script) => `\\p{${script}}`).join('')}]$`, 'u')

const ANYWHERE = /^\p{Script=Inherited}$/u

function classOf(character: string): number {
  const unspaced = UNSPACED.test(character)
  if (COMBINING.test(character)) return unspaced && !ANYWHERE.test(character) ? MARK | SOLO : MARK
  if (LETTER_OR_DIGIT.test(character)) {
    if (unspaced) return SOLO
    return HANGUL_LETTER.test(character) ? HANGUL : WORD
  }
  if (character === '_') return JOIN
  if (character === ' ' || character === '-') return GAP
  return PICTOGRAPH.test(character) ? PICTURE : 0
}

function fill(block: number): void {
  for (let unit = block << 8; unit < (block + 1) << 8; unit += 1) {
    const [folded, plain] = entriesOf(unit)
    FOLDED[unit] = folded
    PLAIN[unit] = plain
  }
}

function entriesOf(unit: number): readonly [folded: number, plain: number] {
  if (unit === BARRIER) return [unit | UNNORMALISED, unit | UNNORMALISED]
  if (unit >= 0xd800 && unit <= 0xdfff) return [unit | SURROGATE, unit | SURROGATE]
  const character = String.fromCharCode(unit)
  const plain = plainForm(character)
  if (plain === '') return [unit | DROPPED | CONTINUES, unit | DROPPED | CONTINUES]
  const bound = CONTINUING.test(composedForm(character)) ? UNNORMALISED | CONTINUES : 0
  if (plain.length > 1) {
    const odd = unit | UNNORMALISED | bound | (COMBINING.test(character) ? MARK : 0)
    return [odd, odd]
  }
  const folded = foldedForm(character)
  const kind = classOf(plain) | bound
  if (folded.length === 1) return [folded.charCodeAt(0) | kind, plain.charCodeAt(0) | kind]
  const odd = (kind & WORD) === 0 ? kind | UNNORMALISED : (kind ^ LETTER) | UNNORMALISED
  return [unit | odd, plain.charCodeAt(0) | odd]
}

export function entryOf(table: Uint32Array, unit: number): number {
  const entry = table[unit]!
  if ((entry & UNKNOWN) === 0) return entry
  fill(unit >>> 8)
  return table[unit]!
}

export function learn(unit: number): void {
  if ((FOLDED[unit]! & UNKNOWN) !== 0) fill(unit >>> 8)
}

export function classBeyond(code: number): number {
  const at = code - 0x10000
  let known = BEYOND[at]!
  if (known === 0) {
    const character = String.fromCodePoint(code)
    let kind = classOf(character)
    if (foldedForm(character) !== character || (kind & (MARK | WORD)) !== 0) kind |= UNNORMALISED
    if (plainForm(character) === '') kind |= DROPPED | CONTINUES
    if (CONTINUING.test(composedForm(character)) || ((kind & WORD) !== 0 && (pieceOf(code) & SECOND) !== 0))
      kind |= CONTINUES
    known = kind === 0 ? BEYOND_OTHER : kind >>> 16
    BEYOND[at] = known
  }
  return known === BEYOND_OTHER ? 0 : known << 16
}

export function codeOf(high: number, low: number): number {
  return ((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000
}

export function isWordBefore(units: Uint16Array, table: Uint32Array, at: number): boolean {
  let before = at
  for (;;) {
    const unit = units[before - 1]!
    const entry = table[unit]!
    if ((entry & (MARK | SURROGATE)) === 0) return (entry & WORD_PART) !== 0
    if ((entry & MARK) !== 0) {
      before -= 1
      continue
    }
    const kind = classBeyond(codeOf(units[before - 2]!, unit))
    if ((kind & MARK) === 0) return (kind & WORD_PART) !== 0
    before -= 2
  }
}

export function isWordAt(units: Uint16Array, table: Uint32Array, at: number): boolean {
  const entry = table[units[at]!]!
  if ((entry & SURROGATE) === 0) return (entry & (WORD_PART | MARK)) !== 0
  return (classBeyond(codeOf(units[at]!, units[at + 1]!)) & (WORD_PART | MARK)) !== 0
}

export function foldedUnit(entry: number): number {
  return entry & UNIT
}

// Needed by nearly every text; surrogates and the barrier are read without an UNKNOWN check.
for (const block of [0x00, 0x01, 0x20, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xff]) fill(block)
