import * as classes from './character-classes.ts'
import { BARRIER, classBeyond, codeOf, entryOf, FOLDED, foldedUnit, learn, PLAIN } from './characters.ts'
import { caseFolded, JOINER, MARKS_IN_A_ROW, withoutJoiners } from './fold.ts'

// Copied for speed, as characters.ts explains.
const { DROPPED, LETTER, MARK, ODD_WORD, SINGLE, SPECIAL, SURROGATE, UNFOLDED, UNKNOWN, UNNORMALISED, WORD } = classes
/** What may not be in a term that is read unit by unit. */
const ODD = DROPPED | MARK | ODD_WORD | SURROGATE | UNFOLDED | UNNORMALISED

/** What the tokens of two fields are parted by: a phrase never reaches from one field into the next. */
const FIELD_END = 0x6a09e667
const START = 0x2c1b3c6d
/** Removing one invisible character moves the rest of the text, so a text with many is normalised as a whole. */
const MAX_MOVES = 8

/** The multiplier of the token hashes for a seed: odd, and with bits all over. */
export function multiplierOf(seed: number): number {
  let mixed = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)
  return (mixed ^ (mixed >>> 13)) | 1
}

const JOINER_UNIT = JOINER.charCodeAt(0)
const REPLACEMENT = 0xfffd
const REGISTERED = 0xae
const APOSTROPHE = 0x27
const SPACE = 0x20

/** What is written for a unit before it is normalised; fold.ts says why. */
function substitute(unit: number): number {
  if (unit === 0xb4) return APOSTROPHE
  if (unit === 0x2120 || unit === 0x2122) return REGISTERED
  return unit === BARRIER ? REPLACEMENT : unit
}

/** Room for one text on its way to being normalised. */
class Scratch {
  private bytes = Buffer.from(new ArrayBuffer(8192))
  private units: Uint16Array = new Uint16Array(this.bytes.buffer)

  of(length: number): Uint16Array {
    if (length > this.units.length) {
      this.bytes = Buffer.from(new ArrayBuffer(4 * length))
      this.units = new Uint16Array(this.bytes.buffer)
    }
    return this.units
  }

  text(length: number): string {
    return this.bytes.toString('utf16le', 0, 2 * length)
  }
}
const SCRATCH = new Scratch()

/** Mixes the hash of a token so that all of its bits count; never 0, which marks free slots. */
function finished(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  mixed ^= mixed >>> 15
  return mixed === 0 ? 1 : mixed
}

/** The hash of a path of tokens from the hash of the path without its last token; never 0. */
export function joined(path: number, token: number): number {
  let mixed = Math.imul(path, 0x3c6ef372 | 1) + token
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed ^= mixed >>> 14
  return mixed === 0 ? 1 : mixed
}

/**
 * The tokens of a text: a run of letters, digits and their marks is one; every character of a script without spaces, of
 * Hangul, and every pictograph is its own. Punctuation is none; who finds a path of tokens compares the characters.
 *
 * Most texts need no normalisation: they are copied once and read through the tables as they are. When a character
 * turns up that needs its neighbours, the field is normalised; when it holds a letter that folds to several, the field
 * is folded as well. `units` holds the field in whichever form was needed.
 *
 * This file is longer than 300 lines because its ways of reading a field write the same arrays and have to agree on
 * every token; two of them are long loops that would be slower in parts.
 */
export class TextScan {
  /** The characters, each field between barriers. */
  units: Uint16Array
  /** Number of tokens. */
  count = 0
  /** Hash and place in `units` of each token. */
  hashes: Int32Array
  starts: Int32Array
  /** The end of the last field in `units`. */
  end = 0
  /** Some field is folded, so that its typed case is not in `units`. */
  caseLost = false
  private bytes: Buffer
  private readonly multiplier: number
  private readonly fields: string[] = []
  private fieldCount = 0
  private exactScan: TextScan | null = null
  private exactReady = false

  /** `multiplier` is odd and secret, so that nobody can write tokens that share a hash. */
  constructor(multiplier: number, capacity = 4096) {
    this.multiplier = multiplier
    this.bytes = Buffer.from(new ArrayBuffer(2 * capacity))
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

  /** Reads one more field. */
  add(text: string): void {
    this.fields[this.fieldCount] = text
    this.fieldCount += 1
    const from = this.begin()
    const firstToken = this.count
    if (this.readPlain(from, this.write(from, text))) return
    this.count = firstToken
    const composed = this.composed(from, text)
    if (this.readAny(from, this.write(from, withoutJoiners(composed)), false)) return
    this.count = firstToken
    this.caseLost = true
    this.readAny(from, this.write(from, withoutJoiners(caseFolded(composed))), true)
  }

  /** The same tokens over characters that keep their case: token n here is token n there. */
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

  /** Reads a field that is known to be folded already, or whose hashes nobody looks at. */
  addFolded(text: string): void {
    const from = this.begin()
    this.readAny(from, this.write(from, text), true)
  }

  /**
   * Reads a term as `foldTerm` makes it: folded, with single spaces. False, and to be cleared, when it holds characters
   * whose folding needs more than a look at each unit.
   */
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
    return this.readPlain(from, this.close(to))
  }

  /** Where a token ends in `units`. */
  ends(token: number): number {
    let at = this.starts[token]!
    const kind = this.classAt(at)
    at += (kind & SURROGATE) === 0 ? 1 : 2
    if ((kind & LETTER) === 0) return at
    while (at < this.end && (this.classAt(at) & (LETTER | MARK)) !== 0) at += (this.classAt(at) & SURROGATE) === 0 ? 1 : 2
    return at
  }

  private addComposed(text: string): void {
    const from = this.begin()
    this.readAny(from, this.write(from, withoutJoiners(this.composed(from, text))), true)
  }

  /**
   * NFKC of a text without what is invisible, as `composedForm` makes it, only faster: the characters are gone through
   * once, at `from`, with the tables. Joiners stay in between long runs of marks.
   */
  private composed(from: number, text: string): string {
    const to = this.write(from, text)
    const { units } = this
    const visible = SCRATCH.of(to - from + Math.ceil(text.length / MARKS_IN_A_ROW))
    let length = 0
    let marks = 0
    for (let at = from; at < to; at += 1) {
      const unit = units[at]!
      const entry = entryOf(FOLDED, unit)
      const isPair = (entry & SURROGATE) !== 0 && unit < 0xdc00 && at + 1 < to && (units[at + 1]! & 0xfc00) === 0xdc00
      const kind = isPair ? classBeyond(codeOf(unit, units[at + 1]!)) : entry
      if ((kind & DROPPED) === 0) {
        marks = (kind & MARK) === 0 ? 0 : marks + 1
        if (marks > MARKS_IN_A_ROW) {
          visible[length++] = JOINER_UNIT
          marks = 1
        }
        visible[length++] = (entry & SURROGATE) === 0 ? substitute(unit) : isPair ? unit : REPLACEMENT
        if (isPair) visible[length++] = units[at + 1]!
      }
      if (isPair) at += 1
    }
    return SCRATCH.text(length).normalize('NFKC')
  }

  private begin(): number {
    if (this.end > 0) {
      this.hashes[this.count] = FIELD_END
      this.starts[this.count] = this.end
      this.count += 1
    }
    return this.end + 1
  }

  /** Copies a text to `from` and sets the barrier behind it; answers where it ends. */
  private write(from: number, text: string): number {
    this.reserve(from + text.length + 2)
    this.bytes.write(text, 2 * from, 'utf16le')
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
    const bytes = Buffer.from(new ArrayBuffer(2 * capacity))
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
   * Reads text as it was written. False when it has to be normalised first. This loop sees every character of every
   * post, so it is one function, and the rare cases leave it as early as they can.
   */
  private readPlain(from: number, until: number): boolean {
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
        if ((entry & (UNKNOWN | DROPPED | SURROGATE)) === 0 || at >= to) {
          hashes[count] = finished(hash)
          starts[count] = start
          count += 1
          if (at >= to) break
        } else if ((entry & SURROGATE) === 0) {
          // The token may go on behind an invisible or unknown character: read it again once that is settled.
          if ((entry & UNKNOWN) !== 0) learn(units[at]!)
          else if (moves++ < MAX_MOVES) to = this.remove(at, to)
          else return false
          at = start
          continue
        } else {
          if ((this.pairClass(at, to) & (UNNORMALISED | UNFOLDED)) !== 0) return false
          hashes[count] = finished(hash)
          starts[count] = start
          count += 1
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
        if ((kind & (UNNORMALISED | UNFOLDED)) !== 0) return false
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
        return false
      }
    }
    this.count = count
    return true
  }

  /** The class of the pair at `at`; a half without its other half has to be replaced, which normalising does. */
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
   * Reads normalised text. False when it has to be folded first; never false when it is (`folded`). One function for
   * the same reason as `readPlain`.
   */
  private readAny(from: number, to: number, folded: boolean): boolean {
    const { units, multiplier } = this
    const table = FOLDED
    let at = from
    while (at < to) {
      const start = at
      let kind = this.classAt(at)
      let hash = START
      if ((kind & LETTER) !== 0) {
        for (; at < to; kind = this.classAt(at)) {
          if (!folded && (kind & (UNFOLDED | UNNORMALISED)) !== 0) {
            // A lower-case letter may make one character with a mark where the upper-case letter does not.
            if ((kind & UNFOLDED) !== 0 || (at > start && this.isCased(at - 1))) return false
          }
          if ((kind & (LETTER | MARK)) === 0) break
          hash = Math.imul(hash ^ (table[units[at]!]! & 0xffff), multiplier)
          at += 1
          if ((kind & SURROGATE) !== 0) {
            hash = Math.imul(hash ^ units[at]!, multiplier)
            at += 1
          }
        }
        this.push(start, finished(hash))
      } else {
        if ((kind & UNFOLDED) !== 0 && !folded) return false
        at += (kind & SURROGATE) === 0 ? 1 : 2
        if ((kind & SINGLE) !== 0) this.push(start, this.hashOf(start, at))
      }
    }
    return true
  }

  /** Whether the unit at `at` is a capital letter. */
  private isCased(at: number): boolean {
    return foldedUnit(FOLDED[this.units[at]!]!) !== foldedUnit(PLAIN[this.units[at]!]!)
  }

  private classAt(at: number): number {
    const entry = entryOf(FOLDED, this.units[at]!)
    return (entry & SURROGATE) === 0 ? entry : classBeyond(codeOf(this.units[at]!, this.units[at + 1]!)) | SURROGATE
  }

  private hashOf(from: number, to: number): number {
    let hash = START
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (FOLDED[this.units[at]!]! & 0xffff), this.multiplier)
    return finished(hash)
  }

  private push(at: number, hash: number): void {
    this.hashes[this.count] = hash
    this.starts[this.count] = at
    this.count += 1
  }
}
