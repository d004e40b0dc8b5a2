import { inBatches } from '../kernel/batches.ts'
import type { Reader, Statement } from './database.ts'

/** Per statement, so that none holds many locks for long. */
export const DELETE_BATCH = 1000

/** `statement` deletes at most `DELETE_BATCH` rows and returns them. Returns the number of deleted rows. */
export function deleteInBatches(db: Reader, statement: Statement<unknown>): Promise<number> {
  return inBatches(DELETE_BATCH, async () => (await db.query(statement)).length)
}
