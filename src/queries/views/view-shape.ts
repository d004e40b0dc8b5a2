import type { MentionFilter } from '../../domain/filter/fields.ts'
import { feedUrlOf } from '../../domain/view/feed.ts'
import { type Id, toId } from '../../kernel/ids.ts'
import type { StoredView } from '../../store/filter/views.ts'
import { filterToApi } from '../filters/filter-shape.ts'
import type { QueryContext } from '../reading.ts'

export interface View {
  id: Id<'vw'>
  name: string
  description: string
  filter: MentionFilter
  version: number
  /** Gives access to the mentions; null for readers who may not have it. */
  feedUrl: string | null
  createdAt: string
  updatedAt: string
}

export function viewToApi(view: StoredView, installation: Pick<QueryContext, 'publicUrl' | 'sealer'>): View {
  return {
    id: toId('vw', view.id),
    name: view.name,
    description: view.description,
    filter: filterToApi(view.filter),
    version: view.version,
    feedUrl: feedUrlOf(installation, view),
    createdAt: view.createdAt.toISOString(),
    updatedAt: view.updatedAt.toISOString(),
  }
}
