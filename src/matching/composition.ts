/**
 * Node.js only normalises whole strings, so the order of marks and the composing pairs are derived from that: orders at
 * first use, all pairs at once in about 10 ms.
 */

/**
 * The code point in the low 21 bits, then its order among marks (0 for a starter), then whether it can be second of a
 * pair.
 */
export type Piece = number
export const CODE = 0x1fffff
export const ORDER_SHIFT = 21
export const ORDER = 0x7f << ORDER_SHIFT
export const SECOND = 1 << 28

/** One mark of each canonical combining class but 0, ascending. */
const ORDERED = String.fromCodePoint(
  ...[
    0x334, 0x16ff0, 0x93c, 0x3099, 0x94d, 0x5b0, 0x5b1, 0x5b2, 0x5b3, 0x5b4, 0x5b5, 0x5b6, 0x5b7, 0x5b8, 0x5b9, 0x5bb,
    0x5bc, 0x5bd, 0x5bf,
  ],
  ...[
    0x5c1, 0x5c2, 0xfb1e, 0x64b, 0x64c, 0x64d, 0x618, 0x619, 0x61a, 0x651, 0x652, 0x670, 0x711, 0xc55, 0xc56, 0xe38,
    0xe48, 0xeb8, 0xec8,
  ],
  ...[
    0xf71, 0xf72, 0xf74, 0x321, 0x1dce, 0x31b, 0x1dfa, 0x316, 0x59a, 0x302e, 0x1d16d, 0x5ae, 0x300, 0x315, 0x35c, 0x35d,
    0x345,
  ],
)
const REPRESENTATIVES = [...ORDERED]

/** No pair composes from here on. */
const LAST = 0x20000
/** Nor here: ideographs, Hangul, surrogates, private use. */
const WITHOUT_PAIRS = [
  [0x3400, 0xa000],
  [0xac00, 0xf900],
  [0x17000, 0x1b000],
] as const
const CHUNK = 64

const SLOTS = 4096
const FIELDS = 3

/** Open addressing: first, second, composition. */
const PAIRS = new Int32Array(FIELDS * SLOTS)
const SECONDS = new Set<number>()
let filled = false

export function pieceOf(code: number): Piece {
  if (isVowelOrEnd(code)) return code | SECOND
  if (!filled) fill()
  return code | (orderOf(String.fromCodePoint(code)) << ORDER_SHIFT) | (SECONDS.has(code) ? SECOND : 0)
}

/** 0 for none. Both must have been passed to `pieceOf`. */
export function together(first: number, second: number): number {
  if (isVowelOrEnd(second)) return hangulTogether(first, second)
  let slot = slotOf(first, second)
  while (PAIRS[slot] !== 0 && (PAIRS[slot] !== first || PAIRS[slot + 1] !== second)) slot = slotAfter(slot)
  return PAIRS[slot + 2]!
}

function slotOf(first: number, second: number): number {
  return FIELDS * (Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) >>> 20)
}

function slotAfter(slot: number): number {
  return slot + FIELDS === PAIRS.length ? 0 : slot + FIELDS
}

const SYLLABLES = 0xac00
const CONSONANTS = 0x1100
const VOWELS = 0x1161
const BEFORE_ENDS = 0x11a7
const [CONSONANT_COUNT, VOWEL_COUNT, END_COUNT] = [19, 21, 28]

function isVowelOrEnd(code: number): boolean {
  return (code >= VOWELS && code < VOWELS + VOWEL_COUNT) || (code > BEFORE_ENDS && code < BEFORE_ENDS + END_COUNT)
}

function hangulTogether(first: number, second: number): number {
  if (second < VOWELS + VOWEL_COUNT) {
    const consonant = first - CONSONANTS
    return consonant >= 0 && consonant < CONSONANT_COUNT
      ? SYLLABLES + (consonant * VOWEL_COUNT + second - VOWELS) * END_COUNT
      : 0
  }
  const syllable = first - SYLLABLES
  const isOpen = syllable >= 0 && syllable < CONSONANT_COUNT * VOWEL_COUNT * END_COUNT && syllable % END_COUNT === 0
  return isOpen ? first + second - BEFORE_ENDS : 0
}

/** More marks are sorted by counting. */
const FEW = 8
const COUNTS = new Int32Array(1 + (ORDER >>> ORDER_SHIFT))
const COUNTED = new Int32Array(COUNTS.length / 32)
let sorted = new Int32Array(128)

/** Stable and linear; only up to FEW by insertion. */
export function sortMarks(pieces: Int32Array, from: number, to: number): void {
  if (to - from <= FEW) {
    for (let next = from + 1; next < to; next += 1) {
      const piece = pieces[next]!
      let at = next
      for (; at > from && (pieces[at - 1]! & ORDER) > (piece & ORDER); at -= 1) pieces[at] = pieces[at - 1]!
      pieces[at] = piece
    }
    return
  }
  if (to - from > sorted.length) sorted = new Int32Array(2 * (to - from))
  for (let at = from; at < to; at += 1) {
    const order = (pieces[at]! & ORDER) >>> ORDER_SHIFT
    COUNTS[order]! += 1
    COUNTED[order >>> 5]! |= 1 << order
  }
  let before = 0
  for (let word = 0; word < COUNTED.length; word += 1) {
    for (let bits = COUNTED[word]!; bits !== 0; bits &= bits - 1) {
      const order = 32 * word + lowestBit(bits)
      const count = COUNTS[order]!
      COUNTS[order] = before
      before += count
    }
  }
  for (let at = from; at < to; at += 1) {
    const order = (pieces[at]! & ORDER) >>> ORDER_SHIFT
    sorted[COUNTS[order]!] = pieces[at]!
    COUNTS[order]! += 1
  }
  for (let at = from; at < to; at += 1) pieces[at] = sorted[at - from]!
  for (let word = 0; word < COUNTED.length; word += 1) {
    for (let bits = COUNTED[word]!; bits !== 0; bits &= bits - 1) COUNTS[32 * word + lowestBit(bits)] = 0
    COUNTED[word] = 0
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

function fill(): void {
  for (const character of decomposing()) {
    const parts = [...character.normalize('NFD')]
    // Singletons and exclusions.
    if (parts.length === 1 || parts.join('').normalize('NFC') !== character) continue
    const second = parts.pop()!.codePointAt(0)!
    const first = parts.join('').normalize('NFC').codePointAt(0)!
    SECONDS.add(second)
    let slot = slotOf(first, second)
    while (PAIRS[slot] !== 0) slot = slotAfter(slot)
    PAIRS.set([first, second, character.codePointAt(0)!], slot)
  }
  filled = true
}

/** One normalisation rules out most chunks. */
function decomposing(): string[] {
  const found: string[] = []
  for (let from = 0; from < LAST; from += CHUNK) {
    if (WITHOUT_PAIRS.some(([first, end]) => from >= first && from < end)) continue
    let chunk = ''
    for (let code = from; code < from + CHUNK; code += 1) chunk += String.fromCodePoint(code)
    if (!isStable(chunk)) for (const character of chunk) if (!isStable(character)) found.push(character)
  }
  return found
}

function isStable(text: string): boolean {
  return text.normalize('NFD') === text
}

function isBefore(mark: string, other: string): boolean {
  return !isStable(other + mark)
}

/** Twice the place of the representative; a class of a later Unicode version lies between two. 0 for a starter. */
function orderOf(character: string): number {
  if (
    !isStable(character) ||
    !(isBefore(REPRESENTATIVES[0]!, character) || isBefore(character, REPRESENTATIVES.at(-1)!))
  )
    return 0
  let [low, high] = [0, REPRESENTATIVES.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(REPRESENTATIVES[middle]!, character)) low = middle + 1
    else high = middle
  }
  const isKnown = low < REPRESENTATIVES.length && !isBefore(character, REPRESENTATIVES[low]!)
  return isKnown ? 2 * low + 2 : 2 * low + 1
}
