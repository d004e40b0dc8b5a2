import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { noSuchView } from '../../queries/views/get-view.ts'
import { deleteView as removeView } from '../../store/filter/views.ts'
import type { WritingContext } from '../writing.ts'

/** The view's feed ends too. */
export async function deleteView(
  { db, workspaceId }: WritingContext,
  id: Uuid,
): Promise<undefined | Refusal<'not_found'>> {
  return (await db.transaction((tx) => removeView(tx, workspaceId, id))) ? undefined : noSuchView()
}
