import { type ArchiveRow, insertArchived, readColumns } from '../../store/archive/archive-rows.ts'
import { type Database, refusesValues, type Transaction, type ValuesRefused } from '../../store/database.ts'
import { ArchiveProblem, type RowPlace, rowProblem } from './archive-problem.ts'
import type { ArchiveBatch } from './read-archive.ts'

/** What an archive has to change so that the server takes a batch that it refused with `error`. Changes nothing. */
export async function nameRefusedRow(
  db: Database,
  { table, rows }: ArchiveBatch,
  error: Error,
  insert: (tx: Transaction, batch: ArchiveBatch) => Promise<void>,
): Promise<ArchiveProblem> {
  for (const located of rows) {
    const refusal = await refusalOf(db, (tx) => insert(tx, { table, rows: [located] }))
    if (refusal instanceof ArchiveProblem) return refusal
    if (refusal === null) continue
    const place = { line: located.line, table }
    const column = refusal.column ?? (await malformedColumn(db, place, located.row))
    return rowProblem(place, column, `is refused: ${refusal.message}`)
  }
  const [first, last] = [rows[0]!.line, rows.at(-1)!.line]
  return new ArchiveProblem(`Lines ${first} to ${last}: the rows of ${table} are refused together: ${error.message}.`)
}

class Undone extends Error {}

/** Null when the server would take what `work` writes. */
async function refusalOf(
  db: Database,
  work: (tx: Transaction) => Promise<void>,
): Promise<ValuesRefused | ArchiveProblem | null> {
  try {
    await db.transaction(async (tx) => {
      await work(tx)
      throw new Undone()
    })
  } catch (error) {
    if (refusesValues(error) || error instanceof ArchiveProblem) return error
    if (!(error instanceof Undone)) throw error
  }
  return null
}

/** Values of a wrong form, which are refused before a row is. */
const MALFORMED = '22'

async function malformedColumn(db: Database, { table }: RowPlace, row: ArchiveRow): Promise<string | null> {
  for (const column of (await readColumns(db, table)).keys()) {
    if (!(column in row)) continue
    const refusal = await refusalOf(db, (tx) => insertArchived(tx, table, [{ [column]: row[column] }]))
    if (refusal !== null && 'code' in refusal && refusal.code.startsWith(MALFORMED)) return column
  }
  return null
}
