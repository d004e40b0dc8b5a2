import { pieceOf } from './composition.ts'
import { foldedForm, plainForm } from './fold.ts'

/**
 * Entry bit: the low bits are the only piece of the form. Otherwise they are place and number of the pieces; 0 is
 * unknown.
 */
export const ONE = 1 << 30
export const COUNT_SHIFT = 24
export const PLACE = (1 << COUNT_SHIFT) - 1
export const COUNT = 0x1f << COUNT_SHIFT
/** Entry bit: the character holds the iota subscript. */
export const IOTA = 1 << 31
export const MOST_PIECES = COUNT >> COUNT_SHIFT

/** The form of each character by itself, computed at first use; bounded by the number of code points. */
export class Forms {
  pieces: Int32Array = new Int32Array(256)
  // Pages that no text has needed take no memory.
  private readonly entries = new Int32Array(0x110000)
  // Not 0, because the entry of an empty form is the place alone.
  private end = 1
  private readonly piecesOf: (character: string) => number[]

  constructor(piecesOf: (character: string) => number[]) {
    this.piecesOf = piecesOf
  }

  /** The entry of a code point or lone surrogate. May replace `pieces`. */
  entry(code: number): number {
    const known = this.entries[code]!
    return known === 0 ? this.learn(code) : known
  }

  private learn(code: number): number {
    const character = String.fromCodePoint(code)
    const form = this.piecesOf(character)
    const hasIota = character.normalize('NFKD').includes('\u0345')
    const entry = (form.length === 1 ? ONE | form[0]! : this.place(form)) | (hasIota ? IOTA : 0)
    this.entries[code] = entry
    return entry
  }

  private place(form: readonly number[]): number {
    const { end } = this
    if (end + form.length > this.pieces.length) {
      const grown = new Int32Array(2 * this.pieces.length)
      grown.set(this.pieces)
      this.pieces = grown
    }
    this.pieces.set(form, end)
    this.end += form.length
    return (form.length << COUNT_SHIFT) | end
  }
}

const decomposed = (text: string) =>
  Array.from(text.normalize('NFKD'), (character) => pieceOf(character.codePointAt(0)!))
const unitsOf = (text: string) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))

/** Each character decomposed; invisible characters are empty. */
export const DECOMPOSED = new Forms((character) => decomposed(plainForm(character)))
export const FOLDED_DECOMPOSED = new Forms((character) => decomposed(foldedForm(character)))
/** The form of a character whose neighbours do not affect it; pieces are UTF-16 units here. */
export const COMPOSED_ALONE = new Forms((character) => unitsOf(plainForm(character)))
export const FOLDED_ALONE = new Forms((character) => unitsOf(foldedForm(character)))
