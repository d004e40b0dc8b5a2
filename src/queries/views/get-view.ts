import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { readViews } from '../../store/filter/views.ts'
import type { QueryContext } from '../reading.ts'
import { type View, viewToApi } from './view-shape.ts'

/** One view, or not_found. */
export async function getView(reading: QueryContext, id: Uuid): Promise<View | Refusal<'not_found'>> {
  const [view] = await readViews(reading.db, reading.workspaceId, sql`v.id = ${id}`)
  return view ? viewToApi(view, reading) : noSuchView()
}

export function noSuchView(): Refusal<'not_found'> {
  return refuse('not_found', 'There is no view with this id')
}
