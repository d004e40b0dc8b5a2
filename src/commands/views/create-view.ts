import type { MentionFilter } from '../../domain/filter/fields.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { foldName } from '../../kernel/text.ts'
import { type View, viewToApi } from '../../queries/views/view-shape.ts'
import { sql, violatesUnique } from '../../store/database.ts'
import { insertView } from '../../store/filter/views.ts'
import { existing } from '../existing.ts'
import { missingInFilter } from '../mentions/missing-in-filter.ts'
import { once } from '../once.ts'
import { refusesMore } from '../workspaces/refuses-more.ts'
import type { WritingContext } from '../writing.ts'

export interface NewView {
  name: string
  description?: string | null | undefined
  filter: MentionFilter
  requestId?: string | undefined
}

/** Names are unique without regard to letter case. */
export async function createView(
  writing: WritingContext,
  { requestId, ...input }: NewView,
): Promise<View | Refusal<'duplicate_view' | 'not_found' | 'conflict' | 'request_conflict'>> {
  const { clock, workspaceId } = writing
  const { name, description, filter } = input
  const at = clock.now()
  const view = {
    workspaceId,
    id: newUuid(at),
    name,
    description: description ?? '',
    filter,
    version: 1,
    feedVersion: 1,
    feedHash: null,
    createdAt: at,
    updatedAt: at,
  }
  return refuseDuplicate(writing, name, () =>
    once<View | Refusal<'not_found' | 'conflict'>>(
      writing,
      { operation: 'create-view', requestId, body: input },
      async (tx) => {
        const missing = await missingInFilter(tx, workspaceId, filter)
        if (missing !== null) return missing
        const full = await refusesMore(tx, workspaceId, 'views')
        if (full !== null) return full
        await insertView(tx, view, foldName(name))
        return viewToApi(view, writing)
      },
    ),
  )
}

/** Turns a unique violation into a refusal. */
export async function refuseDuplicate<Result>(
  { db, workspaceId }: WritingContext,
  name: string | undefined,
  work: () => Promise<Result>,
): Promise<Result | Refusal<'duplicate_view'>> {
  try {
    return await work()
  } catch (error) {
    if (violatesUnique(error, 'saved_view_name')) {
      const same = sql<{
        id: Uuid
      }>`select id from saved_view where workspace_id = ${workspaceId} and name_folded = ${foldName(name ?? '')}`
      return refuse('duplicate_view', 'A view with this name exists.', await existing(db, 'vw', same))
    }
    throw error
  }
}
