import { isAddress } from './address.ts'
import * as classes from './character-classes.ts'
import { classBeyond, codeOf, entryOf, FOLDED, isWordAt, isWordBefore } from './characters.ts'
import { foldTerm, plainForm, spaced } from './fold.ts'
import type { Packed } from './phrase-flags.ts'
import * as flags from './phrase-flags.ts'
import { TextScan } from './text-scan.ts'

// Copied for speed: see characters.ts.
const { GAP, HANGUL, LETTER, MARK, SURROGATE } = classes
const {
  ADDRESS,
  ANCHOR,
  ANCHOR_SHIFT,
  CASED,
  ENDS_WORD,
  LENGTH,
  MIXED_GAP,
  OPEN_END,
  OPEN_START,
  STARTS_WORD,
  SYMBOLS,
} = flags

const SPACE = 0x20
const HYPHEN = 0x2d
const DOT = 0x2e
const COLON = 0x3a
const FIRST = 1

/** A view of its reader's arrays, valid until the next read. */
export interface MatchPhrase {
  packed: Packed
  /** Folded or plain; `packed` has their number. */
  units: Uint16Array
  offset: number
  /** The path in the trie: token hashes; for symbols the first unit, or the first two unless a gap follows. */
  path: Int32Array
  depth: number
}

/** For one index: hashes depend on the multiplier. */
export class PhraseReader {
  private readonly scan: TextScan
  private readonly casedScan: TextScan
  private readonly symbols = new Int32Array(2)
  private readonly phrase: MatchPhrase

  constructor(multiplier: number) {
    this.scan = new TextScan(multiplier, 256)
    this.casedScan = new TextScan(multiplier, 256)
    this.phrase = { packed: 0, units: this.scan.units, offset: FIRST, path: this.scan.hashes, depth: 0 }
  }

  /** Null when nothing visible is left. Throws RangeError when too long. */
  term(text: string, caseSensitive: boolean): MatchPhrase | null {
    const { scan } = this
    scan.clear()
    let plain: string | null = null
    if (caseSensitive || !scan.addTerm(text)) {
      plain = caseSensitive ? spaced(plainForm(text)) : null
      scan.clear()
      scan.addFolded(foldTerm(plain ?? text))
    }
    return scan.end === FIRST ? null : this.read(plain, 0)
  }

  /** From stored characters. */
  reread(pool: Uint16Array, from: number, to: number, packed: Packed): MatchPhrase {
    const { scan } = this
    scan.clear()
    if (!scan.addTermUnits(pool, from, to)) {
      const characters = String.fromCharCode(...pool.subarray(from, to))
      scan.clear()
      scan.addFolded((packed & CASED) === 0 ? characters : foldTerm(characters))
    }
    return this.located(packed, scan)
  }

  /** Case never counts; an asterisk at an end stands for the rest of the word. */
  wildcard(folded: string): MatchPhrase {
    const core = folded.replace(/^\*+|\*+$/g, '')
    const open =
      (folded.startsWith('*') && !core.startsWith(' ') ? OPEN_START : 0) |
      (folded.endsWith('*') && !core.endsWith(' ') ? OPEN_END : 0)
    this.scan.clear()
    this.scan.addFolded(spaced(core))
    return this.read(null, open)
  }

  private read(plain: string | null, open: number): MatchPhrase {
    const { scan } = this
    const symbols = scan.count === 0
    // Symbols have no case.
    const source = plain === null || symbols ? scan : this.readCased(plain)
    const length = source.end - FIRST
    if (length > LENGTH) throw new RangeError(`a term of ${length} characters is too long to be matched`)
    const anchor = symbols ? 0 : source.starts[0]! - FIRST
    let packed = length | (anchor << ANCHOR_SHIFT) | open | punctuationOf(scan)
    if (source !== scan) packed |= CASED
    if ((open & OPEN_START) === 0 && startsWord(scan.units)) packed |= STARTS_WORD
    if ((open & OPEN_END) === 0 && endsWord(scan.units, scan.end)) packed |= ENDS_WORD
    if (symbols) packed |= SYMBOLS
    return this.located(packed, source)
  }

  private readCased(plain: string): TextScan {
    this.casedScan.clear()
    this.casedScan.addFolded(plain)
    return this.casedScan
  }

  private located(packed: Packed, source: TextScan): MatchPhrase {
    const { phrase, scan, symbols } = this
    phrase.packed = packed
    phrase.units = source.units
    if ((packed & SYMBOLS) === 0) {
      phrase.path = scan.hashes
      phrase.depth = scan.count
      return phrase
    }
    const [first, second] = [scan.units[FIRST]!, scan.units[FIRST + 1]!]
    symbols[0] = symbolHash(first)
    symbols[1] = symbolHash(second)
    phrase.path = symbols
    phrase.depth = lengthOf(packed) === 1 || second === SPACE ? 1 : 2
    return phrase
  }
}

export function lengthOf(packed: Packed): number {
  return packed & LENGTH
}

export function fromFirstCharacter(packed: Packed): Packed {
  return packed & ~ANCHOR
}

const SYMBOL_SALT = 0x2545f491

export function symbolHash(unit: number): number {
  return Math.imul(unit + 1, SYMBOL_SALT) | 1
}

function punctuationOf({ units, end }: TextScan): number {
  let flags = 0
  let mayBeAddress = false
  for (let at = FIRST; at < end; at += 1) {
    const unit = units[at]!
    if (unit === DOT || unit === COLON) mayBeAddress = true
    else if (unit === HYPHEN && (units[at - 1] === SPACE || units[at + 1] === SPACE)) flags = MIXED_GAP
  }
  return mayBeAddress && isAddress(String.fromCharCode(...units.subarray(FIRST, end))) ? flags | ADDRESS : flags
}

function startsWord(units: Uint16Array): boolean {
  return (kindAt(units, FIRST) & (LETTER | HANGUL | MARK)) !== 0
}

function endsWord(units: Uint16Array, end: number): boolean {
  for (let at = end - 1; at >= FIRST; at -= 1) {
    if (at > FIRST && (units[at]! & 0xfc00) === 0xdc00) at -= 1
    const kind = kindAt(units, at)
    if ((kind & MARK) === 0) return (kind & (LETTER | HANGUL)) !== 0
  }
  return false
}

/** Folded text has no lone surrogates. */
function kindAt(units: Uint16Array, at: number): number {
  const entry = entryOf(FOLDED, units[at]!)
  return (entry & SURROGATE) === 0 ? entry : classBeyond(codeOf(units[at]!, units[at + 1]!))
}

/** `at` is the place of the first token, or without one of the first character. */
export function standsAt(
  units: Uint16Array,
  table: Uint32Array,
  at: number,
  pool: Uint16Array,
  offset: number,
  packed: Packed,
): boolean {
  if ((packed & MIXED_GAP) !== 0) return mixedStandsAt(units, table, at, pool, offset, packed)
  const end = offset + (packed & LENGTH)
  const anchor = offset + ((packed & ANCHOR) >>> ANCHOR_SHIFT)
  let to = at
  for (let next = anchor; next < end; next += 1) {
    const wanted = pool[next]!
    const entry = table[units[to]!]!
    if (wanted === SPACE) {
      if ((entry & GAP) === 0) return false
      do to += 1
      while ((table[units[to]!]! & GAP) !== 0)
    } else {
      if ((entry & 0xffff) !== wanted) return false
      to += 1
    }
  }
  if ((packed & ENDS_WORD) !== 0 && isWordAt(units, table, to)) return false
  let from = at
  for (let next = anchor - 1; next >= offset; next -= 1) {
    const wanted = pool[next]!
    const entry = table[units[from - 1]!]!
    if (wanted === SPACE) {
      if ((entry & GAP) === 0) return false
      do from -= 1
      while ((table[units[from - 1]!]! & GAP) !== 0)
    } else {
      if ((entry & 0xffff) !== wanted) return false
      from -= 1
    }
  }
  return (packed & STARTS_WORD) === 0 || !isWordBefore(units, table, from)
}

/** For phrases such as `jack - jones`, whose hyphens beside spaces must be in the gap. */
function mixedStandsAt(
  units: Uint16Array,
  table: Uint32Array,
  at: number,
  pool: Uint16Array,
  offset: number,
  packed: Packed,
): boolean {
  const end = offset + (packed & LENGTH)
  const anchor = offset + ((packed & ANCHOR) >>> ANCHOR_SHIFT)
  const isGap = (index: number) => (table[units[index]!]! & GAP) !== 0
  const partOfGap = (index: number) => pool[index] === SPACE || pool[index] === HYPHEN
  let to = at
  for (let next = anchor; next < end; ) {
    if (partOfGap(next)) {
      const start = next
      while (next < end && partOfGap(next)) next += 1
      const from = to
      while (isGap(to)) to += 1
      if (!gapHolds(pool, start, next, units, table, from, to, false, next === end)) return false
    } else {
      if ((table[units[to]!]! & 0xffff) !== pool[next]) return false
      to += 1
      next += 1
    }
  }
  if ((packed & ENDS_WORD) !== 0 && isWordAt(units, table, to)) return false
  let from = at
  for (let next = anchor; next > offset; ) {
    if (partOfGap(next - 1)) {
      const stop = next
      while (next > offset && partOfGap(next - 1)) next -= 1
      const last = from
      while (isGap(from - 1)) from -= 1
      if (!gapHolds(pool, next, stop, units, table, from, last, next === offset, false)) return false
    } else {
      if ((table[units[from - 1]!]! & 0xffff) !== pool[next - 1]) return false
      from -= 1
      next -= 1
    }
  }
  return (packed & STARTS_WORD) === 0 || !isWordBefore(units, table, from)
}

/**
 * In the pattern `start..stop` a space is any part of a gap; an open end needs only a part. All alternatives are
 * followed at once, in time of the product of both lengths.
 */
function gapHolds(
  pool: Uint16Array,
  start: number,
  stop: number,
  units: Uint16Array,
  table: Uint32Array,
  from: number,
  to: number,
  openStart: boolean,
  openEnd: boolean,
): boolean {
  const steps = stop - start
  const reached = new Uint8Array(steps + 1)
  reached[0] = 1
  for (let at = from; at < to; at += 1) {
    const isHyphen = (table[units[at]!]! & 0xffff) === HYPHEN
    for (let step = steps; step > 0; step -= 1) {
      const isSpace = pool[start + step - 1] === SPACE
      const before = reached[step - 1]!
      if (isSpace) reached[step] = before | reached[step]!
      else reached[step] = isHyphen ? before : 0
    }
    if (!openStart) reached[0] = 0
    if (openEnd && reached[steps] === 1) return true
  }
  return reached[steps] === 1
}
