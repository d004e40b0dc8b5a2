import { inPortions } from '../kernel/portions.ts'
import type { Reader, Statement } from './database.ts'

/** Per statement, so that none holds many locks for long. */
export const PORTION = 1000

/** `statement` deletes at most `PORTION` rows and returns them. Returns the number of deleted rows. */
export function deleteInPortions(db: Reader, statement: Statement<unknown>): Promise<number> {
  return inPortions(PORTION, async () => (await db.query(statement)).length)
}
