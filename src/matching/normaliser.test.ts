import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entryOf, PLAIN } from './characters.ts'
import { foldedForm, plainForm } from './fold.ts'
import { Normaliser } from './normaliser.ts'
import { randomText } from './random-text.suite.ts'

const folding = new Normaliser('folded')
const composing = new Normaliser('composed')

/** Whoever reads the form looks each unit up, which folds quotes, dashes and spaces. */
function readThroughTable(units: ArrayLike<number>): string {
  return Array.from(units, (unit) => String.fromCharCode(entryOf(PLAIN, unit) & 0xffff)).join('')
}

function formBy(normaliser: Normaliser, text: string): string {
  normaliser.read(unitsOf(text), 0, text.length)
  return readThroughTable(normaliser.units.subarray(0, normaliser.length))
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
}

function agrees(text: string): boolean {
  return (
    formBy(composing, text) === readThroughTable(unitsOf(plainForm(text))) &&
    formBy(folding, text) === readThroughTable(unitsOf(foldedForm(text)))
  )
}

/** Ideographs that are all alike and private use are left out; of Hangul syllables a few of each kind are enough. */
const RANGES = [
  [0, 0x3400, 1],
  [0x9f00, 0xac00, 1],
  [0xac00, 0xd7a4, 13],
  [0xd7a4, 0xe100, 1],
  [0xf900, 0x17000, 1],
  [0x1b000, 0x20000, 1],
  [0x2f700, 0x2fb00, 1],
  [0xe0000, 0xe0200, 1],
] as const

function* characters(): Generator<string> {
  for (const [from, end, step] of RANGES) {
    for (let code = from; code < end; code += step)
      yield code >= 0xd800 && code < 0xe000 ? String.fromCharCode(code) : String.fromCodePoint(code)
  }
}

/** Marks of several orders, one that never moves, parts of syllables, what is invisible, what is half. */
const BESIDE = [
  '\u0301',
  '\u0316',
  '\u0345',
  '\u0338',
  '\u3099',
  '\u0f71',
  '\u11a8',
  '\u1161',
  '\u09be',
  '\u200d\u0308',
  '\ud800',
]

describe('the normaliser agrees with normalising whole strings', () => {
  test('on every character alone, between letters and beside others that may change it', { timeout: 300_000 }, () => {
    const wrong: string[] = []
    for (const character of characters()) {
      const beside = BESIDE.map((mark) => `${character}${mark} ${mark}${character}`).join('.')
      if (!agrees(`${character} a${character}b.${beside}`)) wrong.push(character)
    }
    expect(wrong).toEqual([])
  })

  test('on random text', () => {
    fc.assert(
      fc.property(randomText(40), (text) => agrees(text)),
      { numRuns: 20_000 },
    )
  })
})
