import { isDeepStrictEqual } from 'node:util'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { foldName } from '../../kernel/text.ts'
import { noSuchView } from '../../queries/views/get-view.ts'
import { type View, viewToApi } from '../../queries/views/view-shape.ts'
import { lockView, type StoredView, updateView as storeView } from '../../store/filter/views.ts'
import { missingInFilter } from '../mentions/missing-in-filter.ts'
import type { WritingContext } from '../writing.ts'
import { refuseDuplicate } from './create-view.ts'

/** Absent fields stay, the filter is replaced as a whole. */
export interface ViewChange {
  name?: string | undefined
  description?: string | null | undefined
  filter?: MentionFilter | undefined
  ifVersion?: number | undefined
}

function changedView(view: StoredView, { name, description, filter }: ViewChange): StoredView {
  return {
    ...view,
    name: name ?? view.name,
    description: description === undefined ? view.description : (description ?? ''),
    filter: filter ?? view.filter,
  }
}

/** Equal values keep the version. */
export async function updateView(
  writing: WritingContext,
  id: Uuid,
  { name, description, filter, ifVersion }: ViewChange,
): Promise<View | Refusal<'not_found' | 'stale_version' | 'duplicate_view'>> {
  const { db, workspaceId, clock } = writing
  return refuseDuplicate(writing, name, () =>
    db.transaction(async (tx) => {
      const view = await lockView(tx, workspaceId, id)
      if (view === null) return noSuchView()
      if (ifVersion !== undefined && ifVersion !== view.version)
        return refuse('stale_version', `The view has version ${view.version} by now; read it again`)
      const missing = filter === undefined ? null : await missingInFilter(tx, workspaceId, filter)
      if (missing !== null) return missing
      const changed = changedView(view, { name, description, filter })
      if (isDeepStrictEqual(changed, view)) return viewToApi(view, writing)
      const next = { ...changed, version: view.version + 1, updatedAt: clock.now() }
      await storeView(tx, next, foldName(next.name))
      return viewToApi(next, writing)
    }),
  )
}
