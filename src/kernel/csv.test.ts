import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCsv } from '../../test/csv.ts'
import { fasterThanLinear } from '../../test/growth.ts'
import { csvLine } from './csv.ts'

/** What a spreadsheet takes for a formula, however it is dressed up. */
const FORMULAS = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  ' =1',
  '\t=1',
  '\u00a0@x',
  '\u200b=1',
  '\u202e=1',
  '\ufeff-1',
  '\n+1',
  '\r\n=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  '=',
  '-',
]
const BREAKS = ['\tx', '\rx', '\nx']
const HARMLESS = ['', 'a=b', '1-2', 'a@b', '(=1)', "'=1", '"=1"', 'Ünï', '火箭', '#=1', ' a']

test.each([...FORMULAS, ...BREAKS])('%j is no formula any more', (text) => {
  const [[there]] = parseCsv(csvLine([text])) as [[string]]
  expect([there.startsWith("'"), withoutApostrophes(there)]).toEqual([true, text])
})

test.each(HARMLESS)('%j stays as it is', (text) => {
  expect(parseCsv(csvLine(['x', text]))).toEqual([['x', text]])
})

test.each([
  ["hi;=1+cmd|' /C calc'!A0", "hi;'=1+cmd|' /C calc'!A0"],
  ['a\t=1', "a\t'=1"],
  ['hi\n =1\nx', "hi\n '=1\nx"],
  ['a;;\u200b@x;+1', "a;;\u200b'@x;'+1"],
  ['a; b\n- c', 'a; b\n- c'],
  ['a  =1', 'a  =1'],
  [`x${'\n'.repeat(4000)}=1`, `x${'\n'.repeat(4000)}'=1`],
  [`x${'\n'.repeat(100_000)}y`, `x${'\n'.repeat(100_000)}y`],
])('%j holds no formula where some spreadsheets cut lines', (text, safe) => {
  expect(parseCsv(csvLine(['x', text]))).toEqual([['x', safe]])
})

test('values that are no texts are written plainly, and nothing is an empty cell', () => {
  expect(csvLine([null, 0, -1.5, true, false])).toBe(',0,-1.5,true,false\r\n')
})

test('every text comes back from whoever reads RFC 4180, but for the apostrophe in front of a formula', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom('"', ',', '\r', '\n', '=', ' ', '\t', '\0', '\u2028', '\u202e', 'a', '\u00e9', '\ud83d\ude80'),
        { maxLength: 12 },
      )
      .map((parts) => parts.join('')),
    fc.constantFrom(...FORMULAS, 'x'.repeat(65_536), '","'.repeat(1000)),
  )
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 }), (lines) => {
      const read = parseCsv(lines.map(csvLine).join(''))
      expect(read.map((cells) => cells.length)).toEqual(lines.map(() => 3))
      for (const [at, line] of lines.entries())
        for (const [place, cell] of line.entries()) {
          const there = read[at]![place]!
          // Nothing but apostrophes is added, and no part that might be taken for a cell begins like a formula.
          expect(withoutApostrophes(there)).toBe(withoutApostrophes(cell))
          for (const part of there.split(/[;\t\r\n]/)) expect(part).not.toMatch(/^\s*[=+@]/)
          expect(there).not.toMatch(/^\s*-/)
        }
    }),
    { numRuns: 500 },
  )
})

test.each(['\n', '\t', '; ', '\u200b\r', ' '])('the time of a cell grows no faster than a run of %j in it', (unit) => {
  expect(
    fasterThanLinear(
      (text) => csvLine([text]),
      (length) => `x${unit.repeat(length / unit.length)}y`,
    ),
  ).toBeNull()
})

function withoutApostrophes(text: string): string {
  return text.replaceAll("'", '')
}
