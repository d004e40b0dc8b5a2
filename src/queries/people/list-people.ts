import type { PeopleFilter } from '../../domain/person/person.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { peopleCondition } from './people-condition.ts'
import { type Person, readPeople } from './person-shape.ts'
import { filterOfSegment } from './segments.ts'

export const PEOPLE_SORTS = ['mentions', 'recent', 'reach', 'new', 'name'] as const
export type PeopleSort = (typeof PEOPLE_SORTS)[number]

export interface PeopleSearch {
  filter: PeopleFilter
  /** A segment whose conditions must hold as well. */
  segmentId: Uuid | null
  sort: PeopleSort
}

/** `total` is counted before paging. */
export async function listPeople(
  reading: QueryContext,
  search: PeopleSearch,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: Person[]; total: number } | Refusal<'not_found'>> {
  const { db, workspaceId } = reading
  const filters = await filtersOf(reading, search)
  if (isRefusal(filters)) return filters
  const rows = await db.query<{ id: Uuid }>(
    sql`${selectPeople(workspaceId, filters, search.sort)} limit ${limit} offset ${offset}`,
  )
  // The last page gives the total without a count.
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0)
  const total = isLast ? offset + rows.length : await countPeople(reading, filters)
  const ids = rows.map((row) => row.id)
  return { data: await readPeople(db, workspaceId, ids), total }
}

/** Ids only, in order. */
export async function findPeople(
  reading: QueryContext,
  search: PeopleSearch,
  limit: number,
): Promise<Uuid[] | Refusal<'not_found'>> {
  const filters = await filtersOf(reading, search)
  if (isRefusal(filters)) return filters
  const rows = await reading.db.query<{ id: Uuid }>(
    sql`${selectPeople(reading.workspaceId, filters, search.sort)} limit ${limit}`,
  )
  return rows.map((row) => row.id)
}

async function filtersOf(
  reading: QueryContext,
  { filter, segmentId }: PeopleSearch,
): Promise<PeopleFilter[] | Refusal<'not_found'>> {
  if (segmentId === null) return [filter]
  const further = await filterOfSegment(reading, segmentId)
  return isRefusal(further) ? further : [filter, further]
}

function selectPeople(workspaceId: Uuid, filters: readonly PeopleFilter[], sort: PeopleSort): Statement<{ id: Uuid }> {
  const condition = peopleCondition(workspaceId, filters)
  // A person has the id and name of their first account.
  if (sort === 'name')
    return sql`select p.id from account a join person p on p.workspace_id = a.workspace_id and p.id = a.id
      where a.workspace_id = ${workspaceId} and a.person_id = a.id and ${condition} order by ${ORDERS.name}`
  return sql`select p.id from person p where ${condition} order by ${ORDERS[sort]}`
}

/** Each order has an index. */
const ORDERS: Readonly<Record<PeopleSort, Statement<unknown>>> = {
  mentions: sql`p.mentions desc, p.id desc`,
  recent: sql`p.last_seen_at desc nulls last, p.id desc`,
  reach: sql`p.followers desc nulls last, p.id desc`,
  new: sql`p.first_seen_at desc nulls last, p.id desc`,
  name: sql`lower(left(coalesce(a.name, a.handle), 100)), a.id`,
}

async function countPeople({ db, workspaceId }: QueryContext, filters: readonly PeopleFilter[]): Promise<number> {
  const isEverybody = filters.every((filter) => Object.values(filter).every((value) => value === undefined))
  const [row] = await db.query<{ total: number }>(
    isEverybody
      ? sql`select coalesce((select people from people_total where workspace_id = ${workspaceId}), 0) as total`
      : sql`select count(*) as total from person p where ${peopleCondition(workspaceId, filters)}`,
  )
  return row!.total
}
