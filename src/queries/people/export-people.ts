import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import type { QueryContext } from '../reading.ts'
import { findPeople, type PeopleSearch } from './list-people.ts'
import { type Person, readPeople } from './person-shape.ts'

export const PEOPLE_EXPORT_MAX = 5000
const PORTION = 500

export interface PeopleExport {
  truncated: boolean
  /** Each batch is a short statement, in constant memory. */
  portions: AsyncIterable<Person[]>
}

/** In list order. The people are fixed at the start, their data is read on the way. */
export async function exportPeople(
  reading: QueryContext,
  search: PeopleSearch,
): Promise<PeopleExport | Refusal<'not_found'>> {
  const ids = await findPeople(reading, search, PEOPLE_EXPORT_MAX + 1)
  if (isRefusal(ids)) return ids
  return { truncated: ids.length > PEOPLE_EXPORT_MAX, portions: portionsOf(reading, ids.slice(0, PEOPLE_EXPORT_MAX)) }
}

async function* portionsOf(
  { db, workspaceId }: QueryContext,
  ids: Parameters<typeof readPeople>[2],
): AsyncIterable<Person[]> {
  for (let at = 0; at < ids.length; at += PORTION) yield await readPeople(db, workspaceId, ids.slice(at, at + PORTION))
}
