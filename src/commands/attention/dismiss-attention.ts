import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { AttentionItem } from '../../queries/attention/attention-shape.ts'
import { getAttention } from '../../queries/attention/get-attention.ts'
import { dismissItem } from '../../store/attention/items.ts'
import type { WritingContext } from '../writing.ts'

/** The item does not open again before its condition has ended once. */
export async function dismissAttention(
  { db, clock, workspaceId }: WritingContext,
  id: Uuid,
): Promise<AttentionItem | Refusal<'not_found'>> {
  return await db.transaction(async (tx) => {
    await dismissItem(tx, workspaceId, id, clock.now())
    return await getAttention({ db: tx, workspaceId }, id)
  })
}
