import * as classes from './character-classes.ts'
import { classBeyond, codeOf, entryOf, FOLDED, PLAIN } from './characters.ts'
import * as composition from './composition.ts'
import { MARKS_IN_A_ROW } from './fold.ts'
import type { Forms } from './forms.ts'
import * as formsModule from './forms.ts'
import { doubled } from './memory.ts'

// Copied for speed: see characters.ts.
const { CONTINUES, DROPPED, MARK, ODD, SURROGATE, UNNORMALISED } = classes
const { CODE, ORDER, SECOND, sortMarks, together } = composition
const { COUNT, COUNT_SHIFT, DECOMPOSED, FOLDED_DECOMPOSED, IOTA, MOST_PIECES, ONE, PLACE } = formsModule

/** Runs up to this length, whose form is at most twice as long, are cached. */
const REMEMBERED = 4
const SLOT_BITS = 11
/** Two words of the run, its length, four words of its form, its length. */
const SLOT_WORDS = 8
const RUN_LENGTH = 2
const FORM = 3
const FORM_LENGTH = 7
const ALPHA = 0x3b1
const ETA = 0x3b7
const OMEGA = 0x3c9

/**
 * Looks most characters up; only runs of interacting characters are normalised (UAX #15).
 *
 * Folding decomposed characters and composing once equals folding after composing, except for the iota subscript: runs
 * with it and a letter that takes it take both steps.
 */
export class Normaliser {
  units: Uint16Array = new Uint16Array(8192)
  length = 0
  private readonly table: Uint32Array
  private readonly parts: Forms
  private readonly alone: Forms
  private pieces: Int32Array = new Int32Array(512)
  private spare: Int32Array = new Int32Array(512)
  private count = 0
  private readonly memory = new Int32Array(SLOT_WORDS << SLOT_BITS)

  constructor(form: 'folded' | 'composed') {
    const folds = form === 'folded'
    this.table = folds ? FOLDED : PLAIN
    this.parts = folds ? FOLDED_DECOMPOSED : DECOMPOSED
    this.alone = folds ? formsModule.FOLDED_ALONE : formsModule.COMPOSED_ALONE
  }

  read(source: Uint16Array, from: number, to: number): void {
    const { table } = this
    this.length = 0
    this.reserve(to - from)
    let at = from
    while (at < to) {
      const { units } = this
      let { length } = this
      let entry = entryOf(table, source[at]!)
      while ((entry & ODD) === 0) {
        const next = at + 1 < to ? entryOf(table, source[at + 1]!) : 0
        if ((next & (CONTINUES | SURROGATE)) !== 0) break
        units[length++] = entry & 0xffff
        at += 1
        if (at === to) break
        entry = next
      }
      this.length = length
      if (at < to) at = this.readRun(source, at, to)
    }
  }

  /** As `read`, and returns from where to where in the source the run of each unit goes. Slower. */
  trace(source: Uint16Array): { froms: number[]; tos: number[] } {
    const froms: number[] = []
    const tos: number[] = []
    this.length = 0
    this.reserve(source.length)
    for (let at = 0; at < source.length; ) {
      const end = this.readRun(source, at, source.length)
      while (froms.length < this.length) {
        froms.push(at)
        tos.push(end)
      }
      at = end
    }
    return { froms, tos }
  }

  /** Returns where the next run starts. */
  private readRun(source: Uint16Array, at: number, to: number): number {
    const code = characterAt(source, at, to)
    let end = at + (code < 0x10000 ? 1 : 2)
    if (end === to || (this.kindAt(source, end, to) & CONTINUES) === 0) {
      if (code < 0x10000 || (classBeyond(code) & UNNORMALISED) !== 0) this.writeAlone(this.alone.entry(code))
      else this.take(code)
    } else {
      end = this.endOfRun(source, at, to)
      if (end - at > REMEMBERED) this.normalise(source, at, end)
      else this.recall(source, at, end - at)
    }
    this.reserve(to - end)
    return end
  }

  private recall(source: Uint16Array, at: number, size: number): void {
    const { memory } = this
    const low = source[at]! | (source[at + 1]! << 16)
    const high = size > 2 ? source[at + 2]! | (size > 3 ? source[at + 3]! << 16 : 0) : 0
    const slot = (Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> (32 - SLOT_BITS)) * SLOT_WORDS
    if (memory[slot] !== low || memory[slot + 1] !== high || memory[slot + RUN_LENGTH] !== size) {
      const { length } = this
      this.normalise(source, at, at + size)
      if (this.length - length > 2 * REMEMBERED) return
      memory[slot] = low
      memory[slot + 1] = high
      memory[slot + RUN_LENGTH] = size
      for (let word = 0; word < 4; word += 1) {
        memory[slot + FORM + word] = this.units[length + 2 * word]! | (this.units[length + 2 * word + 1]! << 16)
      }
      memory[slot + FORM_LENGTH] = this.length - length
      return
    }
    const { length, units } = this
    const formLength = memory[slot + FORM_LENGTH]!
    for (let word = 0; 2 * word < formLength; word += 1) {
      const pair = memory[slot + FORM + word]!
      units[length + 2 * word] = pair
      units[length + 2 * word + 1] = pair >>> 16
    }
    this.length = length + formLength
  }

  /** The run ends before a character that does not depend on it. */
  private endOfRun(source: Uint16Array, from: number, to: number): number {
    let kind = this.kindAt(source, from, to)
    let marks = (kind & (MARK | DROPPED)) === MARK ? 1 : 0
    let at = from + (isPair(source, from, to) ? 2 : 1)
    for (; at < to; at += (kind & SURROGATE) === 0 ? 1 : 2) {
      kind = this.kindAt(source, at, to)
      if ((kind & CONTINUES) === 0) break
      if ((kind & DROPPED) !== 0) continue
      marks = (kind & MARK) === 0 ? 0 : marks + 1
      // Sorting is not linear, so more marks form another run.
      if (marks > MARKS_IN_A_ROW) break
    }
    return at
  }

  private normalise(source: Uint16Array, from: number, to: number): void {
    if (!this.decompose(source, from, to, this.parts)) {
      this.decompose(source, from, to, DECOMPOSED)
      this.compose()
      this.decomposeAgain()
    }
    this.compose()
    const { count, pieces } = this
    this.reserve(2 * count)
    for (let at = 0; at < count; at += 1) this.take(pieces[at]! & CODE)
  }

  /** False when folding takes two steps. */
  private decompose(source: Uint16Array, from: number, to: number, parts: Forms): boolean {
    const inOneStep = parts === FOLDED_DECOMPOSED
    this.count = 0
    for (let at = from; at < to; at += 1) {
      const code = characterAt(source, at, to)
      const entry = parts.entry(code)
      this.add(parts, entry)
      if ((entry & IOTA) !== 0 && inOneStep && this.takesIota()) return false
      if (code >= 0x10000) at += 1
    }
    this.sort()
    return true
  }

  private takesIota(): boolean {
    for (let at = 0; at < this.count; at += 1) {
      const code = this.pieces[at]! & CODE
      if (code === ALPHA || code === ETA || code === OMEGA) return true
    }
    return false
  }

  /** The second step of folding. */
  private decomposeAgain(): void {
    const { count, pieces } = this
    this.pieces = this.spare.length < pieces.length ? new Int32Array(pieces.length) : this.spare
    this.spare = pieces
    this.count = 0
    for (let at = 0; at < count; at += 1) this.add(FOLDED_DECOMPOSED, FOLDED_DECOMPOSED.entry(pieces[at]! & CODE))
    this.sort()
  }

  private add(parts: Forms, entry: number): void {
    if (this.count + MOST_PIECES > this.pieces.length) this.pieces = doubled(this.pieces)
    const { pieces } = this
    if ((entry & ONE) !== 0) {
      pieces[this.count++] = entry & ~(ONE | IOTA)
      return
    }
    const place = entry & PLACE
    const end = place + ((entry & COUNT) >>> COUNT_SHIFT)
    for (let at = place; at < end; at += 1) pieces[this.count++] = parts.pieces[at]!
  }

  private sort(): void {
    const { count, pieces } = this
    for (let from = 0; from < count; from += 1) {
      if ((pieces[from]! & ORDER) === 0) continue
      let to = from + 1
      let isSorted = true
      for (; to < count && (pieces[to]! & ORDER) !== 0; to += 1) {
        if ((pieces[to]! & ORDER) < (pieces[to - 1]! & ORDER)) isSorted = false
      }
      if (!isSorted) sortMarks(pieces, from, to)
      from = to
    }
  }

  private compose(): void {
    const { count, pieces } = this
    let starter = -1
    let kept = 0
    let before = 0
    for (let at = 0; at < count; at += 1) {
      const piece = pieces[at]!
      const order = piece & ORDER
      if ((piece & SECOND) !== 0 && starter >= 0 && (kept === starter + 1 || (before !== 0 && before < order))) {
        const both = together(pieces[starter]! & CODE, piece & CODE)
        if (both !== 0) {
          pieces[starter] = both
          continue
        }
      }
      if (order === 0) starter = kept
      before = order
      pieces[kept++] = piece
    }
    this.count = kept
  }

  private writeAlone(entry: number): void {
    const { units } = this
    if ((entry & ONE) !== 0) {
      units[this.length++] = entry
      return
    }
    const { pieces } = this.alone
    const place = entry & PLACE
    const count = (entry & COUNT) >>> COUNT_SHIFT
    const { length } = this
    for (let at = 0; at < count; at += 1) units[length + at] = pieces[place + at]!
    this.length = length + count
  }

  private take(code: number): void {
    if (code < 0x10000) {
      this.units[this.length++] = code
    } else {
      this.units[this.length++] = 0xd7c0 + (code >> 10)
      this.units[this.length++] = 0xdc00 + (code & 0x3ff)
    }
  }

  private reserve(more: number): void {
    const needed = this.length + more + 2 * MOST_PIECES
    if (needed <= this.units.length) return
    const grown = new Uint16Array(2 * needed)
    grown.set(this.units.subarray(0, this.length))
    this.units = grown
  }

  private kindAt(source: Uint16Array, at: number, to: number): number {
    const entry = entryOf(this.table, source[at]!)
    if ((entry & SURROGATE) === 0) return entry
    return isPair(source, at, to) ? classBeyond(codeOf(source[at]!, source[at + 1]!)) | SURROGATE : 0
  }
}

function isPair(source: Uint16Array, at: number, to: number): boolean {
  return (source[at]! & 0xfc00) === 0xd800 && at + 1 < to && (source[at + 1]! & 0xfc00) === 0xdc00
}

function characterAt(source: Uint16Array, at: number, to: number): number {
  return isPair(source, at, to) ? codeOf(source[at]!, source[at + 1]!) : source[at]!
}
