import type { MentionFilter } from '../../domain/filter/fields.ts'
import { type Id, toId } from '../../kernel/ids.ts'
import type { StoredView } from '../../store/views.ts'
import { filterToApi } from '../filters/filter-shape.ts'

/** A saved view as callers see it. */
export interface View {
  id: Id<'vw'>
  name: string
  description: string
  filter: MentionFilter
  version: number
  /** The address of its feed, which shows the mentions to whoever has it. */
  feedUrl: string
  createdAt: string
  updatedAt: string
}

export function viewToApi(view: StoredView, publicUrl: string): View {
  const id = toId('vw', view.id)
  return {
    id,
    name: view.name,
    description: view.description,
    filter: filterToApi(view.filter),
    version: view.version,
    feedUrl: `${publicUrl}/v1/views/${id}/feed.xml?token=${view.feedToken}`,
    createdAt: view.createdAt.toISOString(),
    updatedAt: view.updatedAt.toISOString(),
  }
}
