import * as classes from './character-classes.ts'
import { classBeyond, entryOf, FOLDED, isWordAt, isWordBefore } from './characters.ts'
import { foldTerm, plainForm, spaced } from './fold.ts'
import type { Packed } from './phrase-flags.ts'
import * as flags from './phrase-flags.ts'
import { TextScan } from './text-scan.ts'

// Copied for speed, as characters.ts explains.
const { GAP, HANGUL, LETTER, MARK } = classes
const { ADDRESS, ANCHOR, ANCHOR_SHIFT, CASED, ENDS_WORD, LENGTH, MIXED_GAP, OPEN_END, OPEN_START, STARTS_WORD, SYMBOLS } = flags

const SPACE = 0x20

/** A phrase ready to be looked for. */
export interface Phrase {
  /** The characters: folded, or plain when the case counts. */
  characters: string
  packed: Packed
  /** The hashes of its tokens in order; empty for a phrase of symbols. */
  path: Int32Array
}

/** Reads terms for one index: hashes depend on the multiplier. */
export class PhraseReader {
  private readonly scan: TextScan
  private readonly casedScan: TextScan

  constructor(multiplier: number) {
    this.scan = new TextScan(multiplier, 256)
    this.casedScan = new TextScan(multiplier, 256)
  }

  /** A term in the form it is looked for, or null when nothing visible is left of it, which nothing holds. */
  term(text: string, caseSensitive: boolean): Phrase | null {
    const plain = caseSensitive ? spaced(plainForm(text)) : null
    const folded = foldTerm(plain ?? text)
    return folded === '' ? null : this.read(folded, plain, 0)
  }

  /** The same phrase again from its characters. */
  reread(characters: string, packed: Packed): Phrase {
    const cased = (packed & CASED) !== 0
    this.scan.clear()
    this.scan.addFolded(cased ? foldTerm(characters) : characters)
    return { characters, packed, path: this.scan.hashes.slice(0, this.scan.count) }
  }

  /**
   * A required or excluded term, folded and not of stars alone: case never counts, and a star at an end stands for the
   * rest of the word.
   */
  wildcard(folded: string): Phrase {
    const core = folded.replace(/^\*+|\*+$/g, '')
    const open = (folded.startsWith('*') && !core.startsWith(' ') ? OPEN_START : 0) | (folded.endsWith('*') && !core.endsWith(' ') ? OPEN_END : 0)
    return this.read(spaced(core), null, open)
  }

  private read(folded: string, plain: string | null, open: number): Phrase {
    const { scan } = this
    scan.clear()
    scan.addFolded(folded)
    const symbols = scan.count === 0
    // Without letters there is no case, and symbols are always looked for in folded form.
    const characters = plain === null || symbols ? folded : plain
    if (characters.length > LENGTH) throw new RangeError(`a term of ${characters.length} characters is too long to be matched`)
    const anchor = symbols ? 0 : this.anchorOf(characters)
    let packed = characters.length | (anchor << ANCHOR_SHIFT) | open
    if (plain !== null && !symbols) packed |= CASED
    if ((open & OPEN_START) === 0 && startsWord(folded)) packed |= STARTS_WORD
    if ((open & OPEN_END) === 0 && endsWord(folded)) packed |= ENDS_WORD
    if (/ -|- /.test(folded)) packed |= MIXED_GAP
    if (symbols) packed |= SYMBOLS
    if (isAddress(folded)) packed |= ADDRESS
    return { characters, packed, path: scan.hashes.slice(0, scan.count) }
  }

  private anchorOf(characters: string): number {
    this.casedScan.clear()
    this.casedScan.addFolded(characters)
    return this.casedScan.starts[0]! - 1
  }
}

export function lengthOf(packed: Packed): number {
  return packed & LENGTH
}

/** The same phrase, to be compared from its first character instead of its first token. */
export function fromFirstCharacter(packed: Packed): Packed {
  return packed & ~ANCHOR
}

/** Whether the first character belongs to a word: a letter or digit of a script with spaces, or a mark on nothing. */
function startsWord(text: string): boolean {
  return (kindOf(text.codePointAt(0)!) & (LETTER | HANGUL | MARK)) !== 0
}

/** Whether the last character is, or stands on, a letter or digit of a script with spaces. */
function endsWord(text: string): boolean {
  for (const character of [...text].reverse()) {
    const kind = kindOf(character.codePointAt(0)!)
    if ((kind & MARK) === 0) return (kind & (LETTER | HANGUL)) !== 0
  }
  return false
}

function kindOf(code: number): number {
  return code > 0xffff ? classBeyond(code) : entryOf(FOLDED, code)
}

/** The two-letter top-level domains: countries. Without them `node.js` would be taken for a domain. */
const COUNTRIES = new Set(
  (
    'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz ' +
    'de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ' +
    'ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om ' +
    'pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ' +
    'ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'
  ).split(' '),
)
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,62})\.)+(xn--[a-z0-9-]{1,59}|[\p{L}\p{M}]{2,24})(?::\d{1,5})?(?:[/?#]\S*)?$/u
const SCHEME = /^[a-z][a-z0-9+.-]{0,20}:\/\/\S/

/** Whether a folded term looks like a domain or an address, so that links are searched for it. */
export function isAddress(folded: string): boolean {
  if (SCHEME.test(folded)) return true
  const top = DOMAIN.exec(folded)?.[1]
  return top !== undefined && (!/^[a-z]{2}$/.test(top) || COUNTRIES.has(top))
}

/**
 * Whether a phrase stands in a text where its first token (or, without one, its first character) is at `at`. The
 * phrase is the units of `pool` from `offset` on; `table` is the one of the form that it is in.
 */
export function standsAt(units: Uint16Array, table: Uint32Array, at: number, pool: Uint16Array, offset: number, packed: Packed): boolean {
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

/** `standsAt` for phrases such as `jack - jones`, whose hyphens beside spaces have to be in the gap, too. */
function mixedStandsAt(units: Uint16Array, table: Uint32Array, at: number, pool: Uint16Array, offset: number, packed: Packed): boolean {
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

const HYPHEN = 0x2d

/**
 * Whether the gap `from..to` of a text is one that the spaces (any part of a gap) and hyphens (themselves) of
 * `start..stop` describe; with an open start or end only a part of it has to be. All ways are followed at once, so the
 * time is that of the product of the two lengths.
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
      reached[step] = isSpace ? reached[step - 1]! | reached[step]! : isHyphen ? reached[step - 1]! : 0
    }
    if (!openStart) reached[0] = 0
    if (openEnd && reached[steps] === 1) return true
  }
  return reached[steps] === 1
}
