import { inPortions } from '../kernel/portions.ts'
import type { Reader, Statement } from './database.ts'

/** Rows that one statement deletes at most when old ones are tidied away: none is to hold many locks for long. */
export const PORTION = 1000

/**
 * Repeats a statement that deletes at most `PORTION` rows, and answers one for each of them, until fewer go. Answers
 * how many went.
 */
export function deleteInPortions(db: Reader, statement: Statement<unknown>): Promise<number> {
  return inPortions(PORTION, async () => (await db.query(statement)).length)
}
