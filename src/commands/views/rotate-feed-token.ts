import type { Refusal } from '../../domain/refusal/refusal.ts'
import { renewed } from '../../domain/view/feed.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { foldName } from '../../kernel/text.ts'
import { noSuchView } from '../../queries/views/get-view.ts'
import { type View, viewToApi } from '../../queries/views/view-shape.ts'
import { lockView, updateView } from '../../store/filter/views.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { WritingContext } from '../writing.ts'

/** The previous feed address stops working. */
export async function rotateFeedToken(writing: WritingContext, id: Uuid): Promise<View | Refusal<'not_found'>> {
  const { db, workspaceId, clock } = writing
  return db.transaction(async (tx) => {
    const view = await lockView(tx, workspaceId, id)
    if (view === null) return noSuchView()
    const next = { ...renewed(view), updatedAt: clock.now() }
    await updateView(tx, next, foldName(next.name))
    await recordAudit(
      tx,
      { workspaceId, kind: 'feed.rotated', target: { id: toId('vw', id), name: next.name }, data: {} },
      next.updatedAt,
    )
    return viewToApi(next, writing)
  })
}
