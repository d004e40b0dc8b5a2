import { type IdPrefix, toId, type Uuid } from '../kernel/ids.ts'
import type { Reader, Statement } from '../store/database.ts'

/** The id of what stands in the way of a change, for its refusal; nothing when it has gone meanwhile. */
export async function existing(
  reader: Reader,
  prefix: IdPrefix,
  statement: Statement<{ id: Uuid }>,
): Promise<{ existingId?: string }> {
  const [found] = await reader.query<{ id: Uuid }>(statement)
  return found === undefined ? {} : { existingId: toId(prefix, found.id) }
}
