import { BEGINNING_MIN } from '../../domain/filter/beginnings.ts'
import {
  FILTER_FIELDS,
  FILTER_NAMES,
  type FilterGroup,
  type MentionFilter,
  type WordsOf,
} from '../../domain/filter/fields.ts'
import { listOf } from '../../domain/filter/predicate.ts'
import { filterOfRule } from '../../domain/filter/rule-filter.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { searchTerms } from '../../matching/index.ts'
import { type Statement, sql } from '../../store/database.ts'
import {
  type Accounts,
  type Beginning,
  byAccounts,
  type FilterFacts,
  filterCondition,
  notByAccounts,
} from '../../store/filter/filter-sql.ts'
import type { Reading } from '../reading.ts'
import { beginningsIn, readBeginnings } from './beginnings.ts'

/** Which mentions are meant, as callers say it: all of this must hold. */
export interface MentionSearch {
  filters: readonly MentionFilter[]
  /** What this alert rule would send. */
  alertId: Uuid | null
  /** What this saved view shows. */
  viewId: Uuid | null
  /** Mentions by this person, whether muted or not. */
  personId: Uuid | null
  /** Mentions by muted people as well, which are hidden otherwise. */
  includeMuted: boolean
  assigneeId: Uuid | null
  /** Only what is snoozed, which is hidden otherwise. */
  snoozed: boolean
  /** Publication time: from `since` on, and before `until`. */
  since: Date | null
  until: Date | null
  /** Time of the match: from `createdSince` on, and before `createdUntil`. */
  createdSince: Date | null
  createdUntil: Date | null
  /** These and no others; null for all. */
  ids: readonly Uuid[] | null
}

/** Every mention that lists show without being asked for anything. */
export const EVERY_MENTION: MentionSearch = {
  filters: [],
  alertId: null,
  viewId: null,
  personId: null,
  includeMuted: false,
  assigneeId: null,
  snoozed: false,
  since: null,
  until: null,
  createdSince: null,
  createdUntil: null,
  ids: null,
}

/** A search with all that it refers to, read at one moment. */
export interface ResolvedSearch
  extends Pick<MentionSearch, 'assigneeId' | 'snoozed' | 'since' | 'until' | 'createdSince' | 'createdUntil' | 'ids'> {
  filters: readonly MentionFilter[]
  facts: FilterFacts
  /** Whose mentions are wanted; null for everybody's. */
  wanted: Accounts | null
  /** Whose mentions are hidden; null when nobody's are. */
  hidden: Accounts | null
}

/**
 * Reads what a search refers to: the rule, the view, the person, who is tagged or muted, and the words with the
 * beginnings that it asks for. Unknown rules and views are refused, and beginnings of too many words.
 */
export async function resolveSearch(
  reading: Pick<Reading, 'db' | 'workspaceId'>,
  search: MentionSearch,
): Promise<ResolvedSearch | Refusal<'not_found' | 'validation_error'>> {
  const rule = search.alertId === null ? null : await readRule(reading, search.alertId)
  if (isRefusal(rule)) return rule
  const view = search.viewId === null ? null : await readView(reading, search.viewId)
  if (isRefusal(view)) return view
  const filters = [...search.filters, rule, view].filter((filter) => filter !== null)
  const beginning = await readBeginnings(reading, filters, wordsOf)
  if (isRefusal(beginning)) return beginning
  const { assigneeId, snoozed, since, until, createdSince, createdUntil, ids } = search
  return {
    filters,
    facts: { workspaceId: reading.workspaceId, wordsOf, beginning, accountsTagged: await readTagged(reading, filters) },
    wanted: search.personId === null ? null : await readAccountsOf(reading, search.personId),
    hidden: search.includeMuted || search.personId !== null ? null : { selecting: selectMuted(reading.workspaceId) },
    assigneeId,
    snoozed,
    since,
    until,
    createdSince,
    createdUntil,
    ids,
  }
}

/** Whether a search asks for nothing but mentions of people who are not hidden, and that are awake. */
export function asksNothing({
  filters,
  wanted,
  assigneeId,
  snoozed,
  since,
  until,
  createdSince,
  createdUntil,
  ids,
}: ResolvedSearch): boolean {
  const others = [wanted, assigneeId, since, until, createdSince, createdUntil, ids]
  return (
    !snoozed && others.every((other) => other === null) && filters.every((filter) => Object.keys(filter).length === 0)
  )
}

const wordsOf: WordsOf = (text) => searchTerms(text, BEGINNING_MIN)

/**
 * The search of whoever goes through mentions anyway: beginnings that `inEach` holds of are looked for in each, and not
 * in the index before.
 */
export function goingThrough(search: ResolvedSearch, inEach: (beginning: Beginning) => boolean): ResolvedSearch {
  return { ...search, facts: { ...search.facts, inEach } }
}

/** Whether the search asks for words by their beginnings, which are those that were known when it was resolved. */
export function asksBeginnings({ filters }: ResolvedSearch): boolean {
  return filters.some((filter) => beginningsIn(filter, wordsOf).length > 0)
}

/**
 * What joins keyword `k` to mention `m` where the search asks for something of the keyword itself, and nothing
 * otherwise: it is there in any case.
 */
export function keywordJoin({ filters }: ResolvedSearch): Statement<unknown> {
  const asked = filters.flatMap(({ anyOf = [], ...conditions }) => [conditions, ...anyOf]).some(asksKeyword)
  return asked ? sql`join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id` : sql``
}

const OF_KEYWORD = FILTER_NAMES.filter((name) => {
  const { test } = FILTER_FIELDS[name]
  return 'attribute' in test && (test.attribute === 'groupId' || test.attribute === 'keywordKind')
})

function asksKeyword(group: FilterGroup): boolean {
  return OF_KEYWORD.some((name) => group[name] !== undefined)
}

/** The search as a condition over mention `m` with what `keywordJoin` joins; `at` tells what is still snoozed. */
export function searchCondition(workspaceId: Uuid, search: ResolvedSearch, at: Date): Statement<unknown> {
  const { filters, facts, wanted, hidden, assigneeId, snoozed, since, until, createdSince, createdUntil, ids } = search
  const conditions = [sql`m.workspace_id = ${workspaceId}`, ...filters.map((filter) => filterCondition(filter, facts))]
  if (wanted !== null) conditions.push(byAccounts(workspaceId, wanted))
  if (hidden !== null) conditions.push(notByAccounts(hidden))
  if (assigneeId !== null) conditions.push(sql`m.assignee_id = ${assigneeId}`)
  conditions.push(snoozed ? sql`m.snoozed_until > ${at}` : sql`(m.snoozed_until is null or m.snoozed_until <= ${at})`)
  if (since !== null) conditions.push(sql`m.published_at >= ${since}`)
  if (until !== null) conditions.push(sql`m.published_at < ${until}`)
  // An id holds the time at which its mention was made.
  if (createdSince !== null) conditions.push(sql`m.id >= ${firstUuidAt(createdSince)}`)
  if (createdUntil !== null) conditions.push(sql`m.id < ${firstUuidAt(createdUntil)}`)
  if (ids !== null) conditions.push(sql`m.id = any(${ids}::uuid[])`)
  return sql.join(conditions, sql` and `)
}

async function readRule(
  { db, workspaceId }: Pick<Reading, 'db' | 'workspaceId'>,
  id: Uuid,
): Promise<MentionFilter | Refusal<'not_found'>> {
  const [row] = await db.query<{ filter: MentionFilter }>(
    sql`select filter from alert where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return row ? filterOfRule(row.filter) : refuse('not_found', 'There is no alert rule with this id')
}

async function readView(
  { db, workspaceId }: Pick<Reading, 'db' | 'workspaceId'>,
  id: Uuid,
): Promise<MentionFilter | Refusal<'not_found'>> {
  const [row] = await db.query<{ filter: MentionFilter }>(
    sql`select filter from saved_view where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return row?.filter ?? refuse('not_found', 'There is no view with this id')
}

/**
 * The accounts of a person. Somebody of whom nothing is kept yet, or who was merged into another, is found by their
 * first account.
 */
async function readAccountsOf(
  { db, workspaceId }: Pick<Reading, 'db' | 'workspaceId'>,
  personId: Uuid,
): Promise<Uuid[]> {
  const rows = await db.query<{ id: Uuid }>(sql`
    select id from account where workspace_id = ${workspaceId}
      and person_id = coalesce((select person_id from account where workspace_id = ${workspaceId} and id = ${personId}),
        ${personId})`)
  return rows.length === 0 ? [personId] : rows.map((row) => row.id)
}

/** More accounts than these are selected where they are compared, instead of going to and fro. */
const ACCOUNTS_MAX = 1000

/**
 * The accounts of muted people. Lists select them where they compare them: going to and fro for the few that there are
 * took longer.
 */
function selectMuted(workspaceId: Uuid): Statement<{ id: Uuid }> {
  return sql<{ id: Uuid }>`
    select a.id from person p join account a on a.workspace_id = p.workspace_id and a.person_id = p.id
      where p.workspace_id = ${workspaceId} and p.muted`
}

/**
 * The accounts of muted people one by one while they are few, so that an index finds their mentions; null when nobody
 * is muted.
 */
export async function readMuted({ db, workspaceId }: Pick<Reading, 'db' | 'workspaceId'>): Promise<Accounts | null> {
  const selecting = selectMuted(workspaceId)
  const rows = await db.query<{ id: Uuid }>(sql`${selecting} limit ${ACCOUNTS_MAX + 1}`)
  if (rows.length === 0) return null
  return rows.length > ACCOUNTS_MAX ? { selecting } : rows.map((row) => row.id)
}

/** Who has the tags that the filters name. */
async function readTagged(
  { db, workspaceId }: Pick<Reading, 'db' | 'workspaceId'>,
  filters: readonly MentionFilter[],
): Promise<FilterFacts['accountsTagged']> {
  const named = [...new Set(filters.flatMap(tagsIn))]
  if (named.length === 0) return () => []
  const rows = await db.query<{ id: Uuid; tags: string[] }>(sql`
    select a.id, p.tags from person p join account a on a.workspace_id = p.workspace_id and a.person_id = p.id
    where p.workspace_id = ${workspaceId} and p.tags <> '{}' and p.tags && ${named}::text[] limit ${ACCOUNTS_MAX + 1}`)
  if (rows.length > ACCOUNTS_MAX) {
    return (tags) => ({
      selecting: sql`select a.id from person p join account a on a.workspace_id = p.workspace_id and a.person_id = p.id
        where p.workspace_id = ${workspaceId} and p.tags <> '{}' and p.tags && ${tags}::text[]`,
    })
  }
  return (tags) => rows.filter((row) => row.tags.some((tag) => tags.includes(tag))).map((row) => row.id)
}

function tagsIn({ anyOf = [], ...conditions }: MentionFilter): string[] {
  return [conditions, ...anyOf].flatMap(({ tags = [], notTags = [] }) =>
    [...listOf(tags), ...listOf(notTags)].map(String),
  )
}
