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
import type { Uuid } from '../../kernel/ids.ts'
import { searchTerms } from '../../matching/index.ts'
import { type Statement, sql } from '../../store/database.ts'
import type { Accounts, FilterFacts, WordBeginning } from '../../store/filter/filter-sql.ts'
import type { QueryContext } from '../reading.ts'
import { beginningsIn, readBeginnings } from './beginnings.ts'
import { EVERY_REVIEW, type ReviewFacts } from './review-search.ts'

/** All conditions must hold. */
export interface MentionSearch {
  filters: readonly MentionFilter[]
  /** What this rule would send. */
  alertId: Uuid | null
  /** What this view shows. */
  viewId: Uuid | null
  /** Includes the person's mentions when muted. */
  personId: Uuid | null
  /** Whether to include mentions of muted people. */
  includeMuted: boolean
  assigneeId: Uuid | null
  /** Only snoozed mentions, which are hidden otherwise. */
  snoozed: boolean
  /** Publication time: `since` included, `until` excluded. */
  since: Date | null
  until: Date | null
  /** Match time: `createdSince` included, `createdUntil` excluded. */
  createdSince: Date | null
  createdUntil: Date | null
  /** Null means all. */
  ids: readonly Uuid[] | null
  /** Text within title, body, handle or shown name of the author, without regard to letter case. */
  containing?: string
  writtenBy?: WrittenBy
  /** Reviews that say all of this. */
  review?: ReviewFacts
}

/** An author by a normal form, and by the handle where others may be shown under the same name. */
export interface WrittenBy {
  key: string
  /** In lower case, without @ or u/. */
  handle: string | null
}

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

/** A search with everything it refers to. */
export interface ResolvedSearch
  extends Pick<
    MentionSearch,
    | 'assigneeId'
    | 'snoozed'
    | 'since'
    | 'until'
    | 'createdSince'
    | 'createdUntil'
    | 'ids'
    | 'containing'
    | 'writtenBy'
    | 'review'
  > {
  filters: readonly MentionFilter[]
  facts: FilterFacts
  /** Null means everybody. */
  wanted: Accounts | null
  /** Null means nobody. */
  hidden: Accounts | null
}

/**
 * Reads the rule, view, person, tags, mutes and prefixes of a search. Refuses unknown rules and views, and prefixes of
 * too many words.
 */
export async function resolveSearch(
  reading: Pick<QueryContext, 'db' | 'workspaceId'>,
  search: MentionSearch,
): Promise<ResolvedSearch | Refusal<'not_found' | 'validation_error'>> {
  const rule = search.alertId === null ? null : await readRule(reading, search.alertId)
  if (isRefusal(rule)) return rule
  const view = search.viewId === null ? null : await readView(reading, search.viewId)
  if (isRefusal(view)) return view
  const reviews = search.review === undefined ? null : EVERY_REVIEW
  const filters = [...search.filters, rule, view, reviews].filter((filter) => filter !== null)
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
    ...(search.containing === undefined ? {} : { containing: search.containing }),
    ...(search.writtenBy === undefined ? {} : { writtenBy: search.writtenBy }),
    ...(search.review === undefined ? {} : { review: search.review }),
  }
}

/** Whether a search has no conditions except the hidden people and the snooze. */
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
  containing,
  writtenBy,
  review,
}: ResolvedSearch): boolean {
  const others = [
    wanted,
    assigneeId,
    since,
    until,
    createdSince,
    createdUntil,
    ids,
    containing ?? null,
    writtenBy ?? null,
    review ?? null,
  ]
  return (
    !snoozed && others.every((other) => other === null) && filters.every((filter) => Object.keys(filter).length === 0)
  )
}

const wordsOf: WordsOf = (text) => searchTerms(text, BEGINNING_MIN)

/** For a scan of mentions: prefixes that fit `inEach` are tested on each row instead of the index. */
export function goingThrough(search: ResolvedSearch, inEach: (beginning: WordBeginning) => boolean): ResolvedSearch {
  return { ...search, facts: { ...search.facts, inEach } }
}

/** Whether the search has prefixes; their words were read when it was resolved. */
export function asksBeginnings({ filters }: ResolvedSearch): boolean {
  return filters.some((filter) => beginningsIn(filter, wordsOf).length > 0)
}

/** Joins keyword `k` only when the search has a condition on it: the keyword always exists. */
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

async function readRule(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
  id: Uuid,
): Promise<MentionFilter | Refusal<'not_found'>> {
  const [row] = await db.query<{ filter: MentionFilter }>(
    sql`select filter from alert where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return row ? filterOfRule(row.filter) : refuse('not_found', 'There is no alert rule with this id')
}

async function readView(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
  id: Uuid,
): Promise<MentionFilter | Refusal<'not_found'>> {
  const [row] = await db.query<{ filter: MentionFilter }>(
    sql`select filter from saved_view where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return row?.filter ?? refuse('not_found', 'There is no view with this id')
}

/** A person without a stored row, or merged into another, is found by the first account. */
async function readAccountsOf(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
  personId: Uuid,
): Promise<Uuid[]> {
  const rows = await db.query<{ id: Uuid }>(sql`
    select id from account where workspace_id = ${workspaceId}
      and person_id = coalesce((select person_id from account where workspace_id = ${workspaceId} and id = ${personId}),
        ${personId})`)
  return rows.length === 0 ? [personId] : rows.map((row) => row.id)
}

/** With more accounts, conditions select them in SQL. */
const ACCOUNTS_MAX = 1000

/** A subquery in lists: reading the few accounts first took longer. */
function selectMuted(workspaceId: Uuid): Statement<{ id: Uuid }> {
  return sql<{ id: Uuid }>`
    select a.id from person p join account a on a.workspace_id = p.workspace_id and a.person_id = p.id
      where p.workspace_id = ${workspaceId} and p.muted`
}

/** Ids while they are few, so that an index finds their mentions; null when nobody is muted. */
export async function readMuted({
  db,
  workspaceId,
}: Pick<QueryContext, 'db' | 'workspaceId'>): Promise<Accounts | null> {
  const selecting = selectMuted(workspaceId)
  const rows = await db.query<{ id: Uuid }>(sql`${selecting} limit ${ACCOUNTS_MAX + 1}`)
  if (rows.length === 0) return null
  return rows.length > ACCOUNTS_MAX ? { selecting } : rows.map((row) => row.id)
}

/** The accounts with the filters' tags. */
async function readTagged(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
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
