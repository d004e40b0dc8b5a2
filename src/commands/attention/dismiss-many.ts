import type { AttentionKind } from '../../domain/attention/kinds.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { dismissItems, knownItems } from '../../store/attention/items.ts'
import type { WritingContext } from '../writing.ts'

export interface DismissedItems {
  /** Counts only items that were open. */
  dismissed: number
  /** Ids unknown to the workspace. */
  skipped: { id: Id<'att'>; code: 'not_found' }[]
}

export async function dismissMany(
  { db, clock, workspaceId }: WritingContext,
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
