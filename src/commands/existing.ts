import { type IdPrefix, toId, type Uuid } from '../kernel/ids.ts'
import type { Reader, Statement } from '../store/database.ts'

/** The id of the row that prevents a change, for its refusal. Empty when the row has been deleted meanwhile. */
export async function existing(
  reader: Reader,
  prefix: IdPrefix,
  statement: Statement<{ id: Uuid }>,
): Promise<{ existingId?: string }> {
  const [found] = await reader.query<{ id: Uuid }>(statement)
  return found === undefined ? {} : { existingId: toId(prefix, found.id) }
}
