import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { deleteWorkspacePlace } from '../../store/source/workspace-places.ts'
import type { WritingContext } from '../writing.ts'

/** Mentions that the source brought stay. A place that nobody names any more is dropped within the hour. */
export async function deleteNamedSource(
  { db, workspaceId }: WritingContext,
  id: Uuid,
): Promise<undefined | Refusal<'not_found'>> {
  const isDeleted = await db.transaction((tx) => deleteWorkspacePlace(tx, workspaceId, id))
  return isDeleted ? undefined : refuse('not_found', 'There is no such feed or forum in this workspace.')
}
