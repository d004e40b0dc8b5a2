import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CsvCell, csvLine } from '../kernel/csv.ts'

/** The columns of a table in their order. */
export type CsvColumns<Item> = readonly (readonly [name: string, cell: (item: Item) => CsvCell])[]

/**
 * Characters that are made before whatever else waits in the process gets its turn: some milliseconds of work, however
 * long the lines are.
 */
const PIECE = 32_768

/** A table as it is made: the names of the columns, and a line for each item of each portion. */
export async function* csvTable<Item>(
  columns: CsvColumns<Item>,
  portions: AsyncIterable<readonly Item[]>,
): AsyncIterable<string> {
  yield csvLine(columns.map(([name]) => name))
  for await (const items of portions) {
    let piece = ''
    for (const item of items) {
      piece += csvLine(columns.map(([, cell]) => cell(item)))
      if (piece.length < PIECE) continue
      yield piece
      piece = ''
      await nextTurn()
    }
    if (piece !== '') yield piece
  }
}
