import type { PeopleFilter } from '../../domain/person/person.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { peopleCondition } from './people-condition.ts'

export interface Segment {
  id: Id<'seg'>
  name: string
  description: string
  filter: PeopleFilter
  /** Current number of people. */
  count: number
  version: number
  createdAt: string
  updatedAt: string
}

interface Row {
  id: Uuid
  name: string
  description: string
  filter: PeopleFilter
  version: number
  created_at: Date
  updated_at: Date
}

/** Oldest first. */
export async function listSegments(reading: QueryContext): Promise<Segment[]> {
  return showSegments(reading, sql`true`)
}

export async function getSegment(reading: QueryContext, id: Uuid): Promise<Segment | Refusal<'not_found'>> {
  const [segment] = await showSegments(reading, sql`s.id = ${id}`)
  return segment ?? noSuchSegment()
}

export async function filterOfSegment(
  { db, workspaceId }: QueryContext,
  id: Uuid,
): Promise<PeopleFilter | Refusal<'not_found'>> {
  const [segment] = await db.query<{ filter: PeopleFilter }>(
    sql`select filter from segment where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return segment?.filter ?? noSuchSegment()
}

export function noSuchSegment(): Refusal<'not_found'> {
  return refuse('not_found', 'There is no segment with this id')
}

async function showSegments({ db, workspaceId }: QueryContext, condition: Statement<unknown>): Promise<Segment[]> {
  const rows = await db.query<Row>(sql`
    select s.id, s.name, s.description, s.filter, s.version, s.created_at, s.updated_at from segment s
      where s.workspace_id = ${workspaceId} and ${condition} order by s.id`)
  const counts = await countPeople({ db, workspaceId }, rows)
  return rows.map((row, at) => ({
    id: toId('seg', row.id),
    name: row.name,
    description: row.description,
    filter: row.filter,
    count: counts[at]!,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }))
}

/** One statement for all filters. */
async function countPeople(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
  rows: readonly Pick<Row, 'filter'>[],
): Promise<number[]> {
  if (rows.length === 0) return []
  const counts = rows.map(
    ({ filter }, place) =>
      sql`select ${place}::int as place, count(*) as count from person p
          where ${peopleCondition(workspaceId, [filter])}`,
  )
  const found = await db.query<{ count: number }>(sql`${sql.join(counts, sql` union all `)} order by place`)
  return found.map((row) => row.count)
}
