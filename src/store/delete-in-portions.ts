import { inPortions } from '../kernel/portions.ts'
import type { Reader, Statement } from './database.ts'

/** Rows that one statement of a cleanup deletes at most, so that no statement holds many locks for long. */
export const PORTION = 1000

/**
 * Repeats a statement that deletes at most `PORTION` rows and returns one row for each, until it deletes fewer. Returns
 * the number of deleted rows.
 */
export function deleteInPortions(db: Reader, statement: Statement<unknown>): Promise<number> {
  return inPortions(PORTION, async () => (await db.query(statement)).length)
}
