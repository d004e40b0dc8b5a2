import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from '../../src/kernel/csv.ts'
import { csvLine as pageLine } from '../../web/src/kit/csv.ts'

const piece = fc.constantFrom(
  '=',
  '+',
  '-',
  '@',
  '\uff1d',
  ';',
  '\t',
  '\r',
  '\n',
  ' ',
  '\u200b',
  '"',
  ',',
  "'",
  'a',
  '1',
)
const cell = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.integer(),
  fc.constant(null),
)

test('the dashboard writes lines of CSV as the service does', () => {
  expect(pageLine(['=1+1', '-2', 'plain', 3, null])).toBe("'=1+1,'-2,plain,3,\r\n")
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 5 }), (cells) => {
      expect(pageLine(cells)).toBe(csvLine(cells))
    }),
  )
})
