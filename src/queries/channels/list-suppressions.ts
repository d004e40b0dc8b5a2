import type { SuppressionReason } from '../../domain/channel/suppression.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { type Id, toId } from '../../kernel/ids.ts'
import { selectSuppressions } from '../../store/channel/suppressions.ts'
import { pageOf, readPlace } from '../cursor.ts'
import type { QueryContext } from '../reading.ts'

export interface SuppressionView {
  id: Id<'sup'>
  email: string
  reason: SuppressionReason
  createdAt: string
}

export interface SuppressionPage {
  data: SuppressionView[]
  nextCursor: string | null
}

const SORT = 'suppressions'

/** Newest first. A removed suppression does not invalidate a cursor. */
export async function listSuppressions(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<SuppressionPage | Refusal<'invalid_cursor'>> {
  const place = cursor === null ? null : readPlace(SORT, cursor, 1)
  if (cursor !== null && place === null)
    return refuse('invalid_cursor', 'The cursor cannot be read or belongs to another sort')
  const after = place === null ? null : { createdAt: new Date(place.marks[0]!), id: place.last }
  const rows = await selectSuppressions(db, workspaceId, { after, limit: limit + 1 })
  const { shown, nextCursor } = pageOf(rows, limit, SORT, ({ createdAt }) => [createdAt.getTime()])
  return {
    data: shown.map(({ id, email, reason, createdAt }) => ({
      id: toId('sup', id),
      email,
      reason,
      createdAt: createdAt.toISOString(),
    })),
    nextCursor,
  }
}
