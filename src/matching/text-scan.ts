import * as classes from './character-classes.ts'
import { BARRIER, classBeyond, codeOf, entryOf, FOLDED, foldedUnit, learn } from './characters.ts'
import { Normaliser } from './normaliser.ts'

// Copied for speed: see characters.ts.
const { DROPPED, LETTER, MARK, ODD, SINGLE, SPECIAL, SURROGATE, UNKNOWN, UNNORMALISED, WORD } = classes

/** Between two fields, so that no phrase spans them. */
const FIELD_END = 0x6a09e667
const START = 0x2c1b3c6d
/** Each removal moves the rest of the text; after this many the rest is normalised. */
const MAX_MOVES = 8
const SPACE = 0x20

const FOLDING = new Normaliser('folded')
const COMPOSING = new Normaliser('composed')

/** `write` calls this after checks that take as long as the copy. */
interface Utf16Buffer extends Buffer {
  ucs2Write(text: string, offset: number, length: number): number
}

function utf16Buffer(units: number): Utf16Buffer {
  return Buffer.from(new ArrayBuffer(2 * units)) as Utf16Buffer
}

/** Odd and well mixed. */
export function multiplierOf(seed: number): number {
  let mixed = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)
  return (mixed ^ (mixed >>> 13)) | 1
}

/** Never 0, which marks free slots. */
function finished(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  mixed ^= mixed >>> 15
  return mixed === 0 ? 1 : mixed
}

/** Never 0. */
export function joined(path: number, token: number): number {
  let mixed = Math.imul(path, 0x3c6ef372 | 1) + token
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed ^= mixed >>> 14
  return mixed === 0 ? 1 : mixed
}

/**
 * Most texts are copied once and read through the tables; from the first character that expands or depends on its
 * neighbours, the rest is normalised first.
 *
 * Longer than 300 lines: its ways of reading share arrays and must agree on every token, and its two long loops would
 * be slower in parts.
 */
export class TextScan {
  /** Each field between barriers. */
  units: Uint16Array
  count = 0
  hashes: Int32Array
  starts: Int32Array
  end = 0
  /** A folded field has lost its case. */
  caseLost = false
  private bytes: Utf16Buffer
  private readonly multiplier: number
  private readonly fields: string[] = []
  private fieldCount = 0
  private exactScan: TextScan | null = null
  private exactReady = false

  /** Odd and secret, so that nobody can craft collisions. */
  constructor(multiplier: number, capacity = 4096) {
    this.multiplier = multiplier
    this.bytes = utf16Buffer(capacity)
    this.units = new Uint16Array(this.bytes.buffer)
    this.hashes = new Int32Array(capacity)
    this.starts = new Int32Array(capacity)
    this.units[0] = BARRIER
  }

  clear(): void {
    this.count = 0
    this.end = 0
    this.caseLost = false
    this.fieldCount = 0
    this.exactReady = false
  }

  add(text: string): void {
    this.fields[this.fieldCount] = text
    this.fieldCount += 1
    const from = this.begin()
    const stop = this.readPlain(from, this.write(from, text))
    if (stop === this.end) return
    this.caseLost = true
    this.readFolded(stop, this.replace(stop, FOLDING))
  }

  /** Token n here is token n there. */
  exact(): TextScan {
    if (!this.caseLost) return this
    this.exactScan ??= new TextScan(this.multiplier, this.units.length)
    if (!this.exactReady) {
      this.exactScan.clear()
      for (let field = 0; field < this.fieldCount; field += 1) this.exactScan.addComposed(this.fields[field]!)
      this.exactReady = true
    }
    return this.exactScan
  }

  /** Folded already, or its hashes are not used. */
  addFolded(text: string): void {
    const from = this.begin()
    this.readFolded(from, this.write(from, text))
  }

  /** False, and to be cleared, when it cannot be folded unit by unit. */
  addTerm(text: string): boolean {
    const from = this.begin()
    this.reserve(from + text.length + 2)
    const { units } = this
    let to = from
    for (let at = 0; at < text.length; at += 1) {
      const entry = entryOf(FOLDED, text.charCodeAt(at))
      if ((entry & ODD) !== 0) return false
      const unit = foldedUnit(entry)
      if (unit !== SPACE || (to > from && units[to - 1] !== SPACE)) units[to++] = unit
    }
    if (to > from && units[to - 1] === SPACE) to -= 1
    return this.readPlain(from, this.close(to)) === to
  }

  /** The units `start..stop`, folded or plain. */
  addTermUnits(pool: Uint16Array, start: number, stop: number): boolean {
    const from = this.begin()
    const end = from + stop - start
    this.reserve(end + 2)
    const { units } = this
    for (let at = start; at < stop; at += 1) {
      const entry = entryOf(FOLDED, pool[at]!)
      if ((entry & ODD) !== 0) return false
      units[from + at - start] = foldedUnit(entry)
    }
    return this.readPlain(from, this.close(end)) === end
  }

  ends(token: number): number {
    let at = this.starts[token]!
    const kind = this.classAt(at)
    at += (kind & SURROGATE) === 0 ? 1 : 2
    if ((kind & LETTER) === 0) return at
    while (at < this.end && (this.classAt(at) & (LETTER | MARK)) !== 0)
      at += (this.classAt(at) & SURROGATE) === 0 ? 1 : 2
    return at
  }

  private addComposed(text: string): void {
    const from = this.begin()
    this.write(from, text)
    this.readFolded(from, this.replace(from, COMPOSING))
  }

  /** Returns the new end. */
  private replace(from: number, normaliser: Normaliser): number {
    normaliser.read(this.units, from, this.end)
    const { units, length } = normaliser
    this.reserve(from + length + 2)
    this.units.set(units.subarray(0, length), from)
    return this.close(from + length)
  }

  private begin(): number {
    if (this.end > 0) {
      this.hashes[this.count] = FIELD_END
      this.starts[this.count] = this.end
      this.count += 1
    }
    return this.end + 1
  }

  private write(from: number, text: string): number {
    this.reserve(from + text.length + 2)
    this.bytes.ucs2Write(text, 2 * from, 2 * text.length)
    return this.close(from + text.length)
  }

  private close(to: number): number {
    this.units[to] = BARRIER
    this.end = to
    return to
  }

  private reserve(size: number): void {
    if (size <= this.units.length) return
    const capacity = Math.max(size, 2 * this.units.length)
    const bytes = utf16Buffer(capacity)
    bytes.set(this.bytes)
    this.bytes = bytes
    this.units = new Uint16Array(bytes.buffer)
    const { hashes, starts } = this
    this.hashes = new Int32Array(capacity)
    this.hashes.set(hashes)
    this.starts = new Int32Array(capacity)
    this.starts.set(starts)
  }

  /**
   * Returns the end, or where normalisation must begin. One function, because it sees every character of every post;
   * rare cases leave it early.
   */
  private readPlain(from: number, until: number): number {
    const { units, hashes, starts, multiplier } = this
    const table = FOLDED
    let count = this.count
    let to = until
    let at = from
    let moves = 0
    while (at < to) {
      let entry = table[units[at]!]!
      if ((entry & WORD) !== 0) {
        const start = at
        let hash = START
        do {
          hash = Math.imul(hash ^ (entry & 0xffff), multiplier)
          at += 1
          entry = table[units[at]!]!
        } while ((entry & WORD) !== 0)
        if ((entry & (UNKNOWN | DROPPED)) === 0 || at >= to) {
          hashes[count] = finished(hash)
          starts[count] = start
          count += 1
          if (at >= to) break
        } else {
          // The token may go on, so it is read again.
          if ((entry & UNKNOWN) !== 0) learn(units[at]!)
          else if (moves++ < MAX_MOVES) to = this.remove(at, to)
          else return this.stop(from, count)
          at = start
          continue
        }
      }
      if ((entry & SPECIAL) === 0) {
        at += 1
      } else if ((entry & SINGLE) !== 0 && (entry & UNNORMALISED) === 0) {
        hashes[count] = finished(Math.imul(START ^ (entry & 0xffff), multiplier))
        starts[count] = at
        count += 1
        at += 1
      } else if ((entry & SURROGATE) !== 0) {
        const kind = this.pairClass(at, to)
        if ((kind & UNNORMALISED) !== 0) return this.stop(from, count)
        if ((kind & SINGLE) !== 0) {
          hashes[count] = finished(Math.imul(Math.imul(START ^ units[at]!, multiplier) ^ units[at + 1]!, multiplier))
          starts[count] = at
          count += 1
        }
        at += 2
      } else if ((entry & UNKNOWN) !== 0) {
        learn(units[at]!)
      } else if ((entry & DROPPED) !== 0 && moves++ < MAX_MOVES) {
        to = this.remove(at, to)
      } else {
        return this.stop(from, count)
      }
    }
    this.count = count
    return to
  }

  /** The last token may change with what follows. Returns its start. */
  private stop(from: number, count: number): number {
    if (count === this.count) return from
    this.count = count - 1
    return this.starts[count - 1]!
  }

  /** Normalisation replaces a lone surrogate. */
  private pairClass(at: number, to: number): number {
    const high = this.units[at]!
    const low = at + 1 < to ? this.units[at + 1]! : 0
    if (high > 0xdbff || (low & 0xfc00) !== 0xdc00) return UNNORMALISED
    return classBeyond(codeOf(high, low))
  }

  private remove(at: number, to: number): number {
    this.units.copyWithin(at, at + 1, to)
    return this.close(to - 1)
  }

  /**
   * Marks belong to tokens here. A fast loop reads usual letters; the rest of a token from a long letter on is slower.
   */
  private readFolded(from: number, to: number): void {
    const { units, hashes, starts, multiplier } = this
    const table = FOLDED
    let { count } = this
    let at = from
    while (at < to) {
      const start = at
      let entry = table[units[at]!]!
      let hash = START
      if ((entry & WORD) !== 0) {
        do {
          hash = Math.imul(hash ^ (entry & 0xffff), multiplier)
          at += 1
          entry = table[units[at]!]!
        } while ((entry & (WORD | MARK)) !== 0)
      }
      if (at === start && (entry & SINGLE) !== 0) {
        hash = Math.imul(hash ^ (entry & 0xffff), multiplier)
        at += 1
      } else if ((entry & SPECIAL) !== 0 && at < to) {
        let kind = this.classAt(at)
        if (at > start || (kind & LETTER) !== 0) {
          for (; at < to && (kind & (LETTER | MARK)) !== 0; kind = this.classAt(at)) {
            hash = Math.imul(hash ^ (table[units[at]!]! & 0xffff), multiplier)
            at += 1
            if ((kind & SURROGATE) !== 0) {
              hash = Math.imul(hash ^ units[at]!, multiplier)
              at += 1
            }
          }
        } else {
          at += (kind & SURROGATE) === 0 ? 1 : 2
          if ((kind & SINGLE) === 0) continue
          hash = this.hashOf(start, at)
        }
      } else if (at === start) {
        at += 1
        continue
      }
      hashes[count] = finished(hash)
      starts[count] = start
      count += 1
    }
    this.count = count
  }

  private classAt(at: number): number {
    const entry = entryOf(FOLDED, this.units[at]!)
    return (entry & SURROGATE) === 0 ? entry : classBeyond(codeOf(this.units[at]!, this.units[at + 1]!)) | SURROGATE
  }

  private hashOf(from: number, to: number): number {
    let hash = START
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (FOLDED[this.units[at]!]! & 0xffff), this.multiplier)
    return hash
  }
}
