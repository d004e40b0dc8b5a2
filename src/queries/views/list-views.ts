import { readViews } from '../../store/filter/views.ts'
import type { QueryContext } from '../reading.ts'
import { type View, viewToApi } from './view-shape.ts'

/** Oldest first. */
export async function listViews(reading: QueryContext): Promise<View[]> {
  return (await readViews(reading.db, reading.workspaceId)).map((view) => viewToApi(view, reading))
}
