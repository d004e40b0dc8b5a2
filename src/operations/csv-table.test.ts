import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { parseCsv } from '../../test/csv.ts'
import { type CsvColumns, csvTable } from './csv-table.ts'

const COLUMNS: CsvColumns<{ id: number; text: string }> = [
  ['id', ({ id }) => id],
  ['text', ({ text }) => text],
]

async function* portionsOf<Item>(...portions: Item[][]): AsyncIterable<Item[]> {
  yield* portions
}

test('a table has the names of its columns and a line for every item, in their order', async () => {
  let table = ''
  for await (const piece of csvTable(
    COLUMNS,
    portionsOf(
      [
        { id: 1, text: 'a' },
        { id: 2, text: 'b\n=1' },
      ],
      [],
      [{ id: 3, text: '' }],
    ),
  ))
    table += piece
  expect(parseCsv(table)).toEqual([
    ['id', 'text'],
    ['1', 'a'],
    ['2', "b\n'=1"],
    ['3', ''],
  ])
})

test('other work gets its turn between the lines of one large portion', async () => {
  const portion = Array.from({ length: 500 }, (_, id) => ({ id, text: `x${'\n'.repeat(3998)}y` }))
  let turns = 0
  let done = false
  const others = (async () => {
    for (; !done; turns += 1) await nextTurn()
  })()
  let lines = -1
  for await (const piece of csvTable(COLUMNS, portionsOf(portion))) lines += piece.split('\r\n').length - 1
  done = true
  await others
  expect(lines).toBe(500)
  expect(turns).toBeGreaterThan(50)
})
