import { pieceOf } from './composition.ts'
import { foldedForm, plainForm } from './fold.ts'

/** The low bits are the only piece; otherwise place and number of the pieces. 0 is unknown. */
export const ONE = 1 << 30
export const COUNT_SHIFT = 24
export const PLACE = (1 << COUNT_SHIFT) - 1
export const COUNT = 0x1f << COUNT_SHIFT
/** Holds the iota subscript. */
export const IOTA = 1 << 31
export const MOST_PIECES = COUNT >> COUNT_SHIFT

const PAGE_BITS = 10
const PAGE_SIZE = 1 << PAGE_BITS
/** Read where no code point of a page is known yet; never written. */
const EMPTY_PAGE = new Int32Array(PAGE_SIZE)

/** Computed at first use; bounded by the number of code points. */
export class Forms {
  pieces: Int32Array = new Int32Array(256)
  /** Entries by code point, in pages because texts use few of them. */
  private readonly pages: Int32Array[] = Array.from({ length: 0x110000 >> PAGE_BITS }, () => EMPTY_PAGE)
  // Not 0, because an empty form is its place alone.
  private end = 1
  private readonly piecesOf: (character: string) => number[]

  constructor(piecesOf: (character: string) => number[]) {
    this.piecesOf = piecesOf
  }

  /** May replace `pieces`. */
  entry(code: number): number {
    const known = this.pages[code >> PAGE_BITS]![code & (PAGE_SIZE - 1)]!
    return known === 0 ? this.learn(code) : known
  }

  private learn(code: number): number {
    const character = String.fromCodePoint(code)
    const form = this.piecesOf(character)
    const hasIota = character.normalize('NFKD').includes('\u0345')
    const entry = (form.length === 1 ? ONE | form[0]! : this.place(form)) | (hasIota ? IOTA : 0)
    this.pageFor(code)[code & (PAGE_SIZE - 1)] = entry
    return entry
  }

  private pageFor(code: number): Int32Array {
    const at = code >> PAGE_BITS
    if (this.pages[at] === EMPTY_PAGE) this.pages[at] = new Int32Array(PAGE_SIZE)
    return this.pages[at]!
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

export const DECOMPOSED = new Forms((character) => decomposed(plainForm(character)))
export const FOLDED_DECOMPOSED = new Forms((character) => decomposed(foldedForm(character)))
/** For characters whose neighbours do not affect them, as UTF-16 units. */
export const COMPOSED_ALONE = new Forms((character) => unitsOf(plainForm(character)))
export const FOLDED_ALONE = new Forms((character) => unitsOf(foldedForm(character)))
