import { FILTER_FIELDS, FILTER_NAMES, type Test } from '../../domain/filter/fields.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { blockCondition } from '../../store/block-conditions.ts'
import { type Statement, sql } from '../../store/database.ts'
import { stretches } from '../../store/mention-blocks.ts'
import type { Reading } from '../reading.ts'
import { type FoundRow, MENTION_COLUMNS } from './mention-shape.ts'
import { keywordJoin, type ResolvedSearch, searchCondition } from './search.ts'

/** The rows of a workspace's mentions that a search finds, as a statement to be ordered and limited. */
export function selectFound<Row>(columns: Statement<Row>, workspaceId: Uuid, search: ResolvedSearch, at: Date): Statement<Row> {
  return sql<Row>`select ${columns} from mention m ${keywordJoin(search)} where ${searchCondition(workspaceId, search, at)}`
}

/** Which of the mentions that a search finds: those of `workspaceId` behind `behind` where it is given, itself included or not, at most `limit`. */
interface Newest {
  workspaceId: Uuid
  search: ResolvedSearch
  at: Date
  behind: { id: Uuid; included: boolean } | null
  limit: number
}

/**
 * The newest mentions that a search finds, as a statement: those behind `behind` where it is given, itself included or not, at most `limit`. What
 * is rare is looked for in the stretches of mentions that may hold it; what an index of its own finds is left to that.
 */
export function selectNewest<Row>(columns: Statement<Row>, { workspaceId, search, at, behind, limit }: Newest): Statement<Row> {
  const asksNothing = search.filters.length === 0 && search.since === null && search.until === null
  // A list that asks for what no block tells walks through all of them: left to itself the planner may read everything and sort it.
  const mayHold = asksNothing || hasIndexOfItsOwn(search) ? null : (blockCondition(search.filters, search, search.facts) ?? sql`true`)
  const further = behind === null ? sql`true` : behind.included ? sql`m.id <= ${behind.id}` : sql`m.id < ${behind.id}`
  if (mayHold === null) return sql<Row>`${selectFound(columns, workspaceId, search, at)} and ${further} order by m.id desc limit ${limit}`
  return sql<Row>`
    select ${columns} from (${stretches(workspaceId, mayHold, behind?.id ?? null)}) s
    cross join lateral (${selectFound(sql`m.*`, workspaceId, search, at)} and m.id > s.after_id and m.id <= s.last_id and ${further} order by m.id desc offset 0) m
    order by s.last_id desc, m.id desc limit ${limit}`
}

/**
 * The mentions of `selectNewest`. What is looked for in stretches by plain columns alone is found in the same way whatever the
 * values are, and planning it took as long as finding it.
 */
export async function readNewest(
  { db, workspaceId }: Pick<Reading, 'db' | 'workspaceId'>,
  { search, at, behind, limit }: Omit<Newest, 'workspaceId'>,
): Promise<FoundRow[]> {
  return await db.query(selectNewest(MENTION_COLUMNS, { workspaceId, search, at, behind, limit }), { recurs: asksPlainColumns(search) })
}

/** Fields of columns that no index has, so that nothing but the order of the ids leads to them. */
const PLAIN: ReadonlySet<string> = new Set(FILTER_NAMES.filter((name) => isPlain(FILTER_FIELDS[name].test)))

function isPlain(test: Test): boolean {
  if (test.test === 'says') return false
  return !('attribute' in test) || !['keywordId', 'keywordKind', 'groupId', 'status', 'tags', 'linkHosts', 'authorKeys'].includes(test.attribute)
}

function asksPlainColumns({ filters, wanted, assigneeId, snoozed, since, until }: ResolvedSearch): boolean {
  if (filters.length === 0 || wanted !== null || assigneeId !== null || snoozed || since !== null || until !== null) return false
  return filters.every((filter) => Object.keys(filter).every((name) => PLAIN.has(name)))
}

/** Words, apart from the most common, hosts and people stand in the index over facets, and what somebody has taken care of in one of its own. */
function hasIndexOfItsOwn({ wanted, assigneeId, snoozed, filters }: ResolvedSearch): boolean {
  if (wanted !== null || assigneeId !== null || snoozed) return true
  return filters.some(
    ({ q, linkHosts, tags, status }) => [q, linkHosts, tags].some((value) => value !== undefined) || status === 'ignored' || status === 'done',
  )
}
