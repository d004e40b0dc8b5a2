import type { AttentionKind } from '../../domain/attention/kinds.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { dismissItems, knownItems } from '../../store/attention/items.ts'
import type { Writing } from '../writing.ts'

export interface DismissedItems {
  /** Items that were open. */
  dismissed: number
  /** Ids that the workspace does not have. */
  skipped: { id: Id<'att'>; code: 'not_found' }[]
}

/**
 * Takes several open items out of sight in one step, by their ids or all of a kind. Those that are not open stay as
 * they are.
 */
export async function dismissMany(
  { db, clock, workspaceId }: Writing,
  which: { ids: readonly Uuid[] } | { kind: AttentionKind },
): Promise<DismissedItems> {
  return await db.transaction(async (tx) => {
    const ids = 'ids' in which ? [...new Set(which.ids)] : []
    const known = await knownItems(tx, workspaceId, ids)
    const dismissed = await dismissItems(tx, workspaceId, which, clock.now())
    return {
      dismissed,
      skipped: ids.filter((id) => !known.has(id)).map((id) => ({ id: toId('att', id), code: 'not_found' as const })),
    }
  })
}
