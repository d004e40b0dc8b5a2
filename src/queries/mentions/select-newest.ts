import type { Test } from '../../domain/filter/field.ts'
import { FILTER_FIELDS, FILTER_NAMES } from '../../domain/filter/fields.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import { blockCondition } from '../../store/filter/block-conditions.ts'
import type { FilterFacts, WordBeginning } from '../../store/filter/filter-sql.ts'
import { blockRanges, type Direction } from '../../store/filter/mention-blocks.ts'
import type { QueryContext } from '../reading.ts'
import { type FoundRow, MENTION_COLUMNS } from './mention-rows.ts'
import { asksNothing, goingThrough, keywordJoin, type ResolvedSearch } from './search.ts'
import { searchCondition } from './search-condition.ts'

/** The rows that a search finds, without order and limit. */
export function selectFound<Row>(
  columns: Statement<Row>,
  workspaceId: Uuid,
  search: ResolvedSearch,
  at: Date,
): Statement<Row> {
  return sql<Row>`select ${columns} from mention m ${keywordJoin(search)}
      where ${searchCondition(workspaceId, search, at)}`
}

/** The position where a list continues. */
export interface Behind {
  id: Uuid
  included: boolean
}

interface Newest {
  workspaceId: Uuid
  search: ResolvedSearch
  at: Date
  behind: Behind | null
  /** Newest first by default. */
  direction?: Direction
  /** Excluded. */
  before?: Uuid
  limit: number
}

/**
 * The newest or oldest mentions of a search behind `behind`, at most `limit`. Rare mentions are found by block
 * summaries, unless an index of their own finds them.
 */
export function selectNewest<Row>(
  columns: Statement<Row>,
  { workspaceId, search: asked, at, behind, direction = 'newest', before, limit }: Newest,
): Statement<Row> {
  const search = goingThrough(asked, isOften)
  const asksForNothing = search.filters.length === 0 && search.since === null && search.until === null
  // Without a block condition the query still walks all blocks: left alone, the planner may read and sort everything.
  const mayHold =
    asksForNothing || hasIndexOfItsOwn(search)
      ? null
      : (blockCondition(search.filters, search, search.facts) ?? sql`true`)
  const found = (what: Statement<Row>) =>
    sql<Row>`${selectFound(what, workspaceId, search, at)}
        and ${furtherThan(behind, direction)}${before === undefined ? sql`` : sql` and m.id < ${before}`}`
  const order = direction === 'newest' ? sql`desc` : sql`asc`
  if (mayHold === null) return sql<Row>`${found(columns)} order by m.id ${order} limit ${limit}`
  return sql<Row>`
    select ${columns} from (${blockRanges(
      workspaceId,
      sql`${mayHold} and ${madeWithin(search)}
        and ${before === undefined ? sql`true` : sql`b.after_id < ${before}`}`,
      { from: behind?.id ?? null, direction },
    )}) s
    cross join lateral (${found(sql`m.*`)} and m.id > s.after_id and m.id <= s.last_id
      order by m.id ${order} offset 0) m
    order by s.last_id ${order}, m.id ${order} limit ${limit}`
}

function furtherThan(behind: Behind | null, direction: Direction): Statement<unknown> {
  if (behind === null) return sql`true`
  if (direction === 'newest') return behind.included ? sql`m.id <= ${behind.id}` : sql`m.id < ${behind.id}`
  return behind.included ? sql`m.id >= ${behind.id}` : sql`m.id > ${behind.id}`
}

/** Holds for every block `b` with mentions of the match time. */
export function madeWithin({ createdSince, createdUntil }: ResolvedSearch): Statement<unknown> {
  const since = createdSince === null ? sql`true` : sql`b.last_id >= ${firstUuidAt(createdSince)}`
  const until = createdUntil === null ? sql`true` : sql`b.after_id < ${firstUuidAt(createdUntil)}`
  return sql`(${since} and ${until})`
}

/** Hold for blocks `b` of which every mention is of the times that a search asks for. */
export function whollyWithin({ since, until, createdSince, createdUntil }: ResolvedSearch): Statement<unknown>[] {
  return [
    since && sql`b.published_min >= ${since}`,
    until && sql`b.published_max < ${until}`,
    createdSince && sql`b.after_id >= ${firstUuidAt(createdSince)}`,
    createdUntil && sql`b.last_id < ${firstUuidAt(createdUntil)}`,
  ].filter((condition) => condition !== null)
}

/** Searches by plain columns use a prepared plan: planning took as long as running. */
export async function readNewest(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
  newest: Omit<Newest, 'workspaceId'>,
): Promise<FoundRow[]> {
  return await db.query(selectNewest(MENTION_COLUMNS, { workspaceId, ...newest }), {
    recurs: asksPlainColumns(newest.search),
  })
}

/** Fields without an index, reached only by the order of ids. */
const PLAIN: ReadonlySet<string> = new Set(FILTER_NAMES.filter((name) => isPlain(FILTER_FIELDS[name].test)))

function isPlain(test: Test): boolean {
  if (test.test === 'says') return false
  return (
    !('attribute' in test) ||
    !['keywordId', 'keywordKind', 'groupId', 'status', 'tags', 'linkHosts', 'authorKeys', 'unassigned'].includes(
      test.attribute,
    )
  )
}

function asksPlainColumns(search: ResolvedSearch): boolean {
  const { filters } = search
  if (filters.length === 0 || !asksNothing({ ...search, filters: [] })) return false
  return filters.every((filter) => Object.keys(filter).every((name) => PLAIN.has(name)))
}

/** Words (except the most frequent), hosts and people are in the index of token hashes, triage in its own. */
function hasIndexOfItsOwn({ wanted, assigneeId, snoozed, filters, facts, ids, writtenBy }: ResolvedSearch): boolean {
  if (writtenBy !== undefined || wanted !== null || assigneeId !== null || snoozed || ids !== null) return true
  return filters.some(
    ({ q, linkHosts, tags, status, unassigned }) =>
      (q !== undefined && asksIndex(String(q), facts)) ||
      [linkHosts, tags].some((value) => value !== undefined) ||
      status === 'ignored' ||
      status === 'done' ||
      unassigned === false,
  )
}

/** All words except frequent prefixes. */
function asksIndex(q: string, { wordsOf, beginning }: FilterFacts): boolean {
  const words = wordsOf(q)
  return words.length === 0 || words.some(({ word, begins }) => !begins || !isOften(beginning(word)))
}

/** Whether a scan in id order soon finds words with the prefix. */
export function isOften({ often }: WordBeginning): boolean {
  return often
}
