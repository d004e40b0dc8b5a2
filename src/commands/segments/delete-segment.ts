import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { noSuchSegment } from '../../queries/people/segments.ts'
import { deleteSegment as removeSegment } from '../../store/person/segments.ts'
import type { WritingContext } from '../writing.ts'

export async function deleteSegment(
  { db, workspaceId }: WritingContext,
  id: Uuid,
): Promise<undefined | Refusal<'not_found'>> {
  return (await db.transaction((tx) => removeSegment(tx, workspaceId, id))) ? undefined : noSuchSegment()
}
