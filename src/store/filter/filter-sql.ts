import type { Attribute, SetAttribute, Test } from '../../domain/filter/field.ts'
import {
  FILTER_FIELDS,
  FILTER_NAMES,
  type FilterGroup,
  type FilterName,
  type FilterValue,
  type MentionFilter,
  type WantedWord,
  type WordsOf,
} from '../../domain/filter/fields.ts'
import { listOf } from '../../domain/filter/predicate.ts'
import { type Intent, intentBits, RELEVANCE_THRESHOLD, SENTIMENTS } from '../../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../database.ts'
import {
  accountFacet,
  COMMON_WORDS,
  commonFacet,
  commonWordBits,
  type FacetKind,
  facetHash,
  isCommonWord,
} from './facets.ts'

type Condition = Statement<unknown>

/** Where each attribute stands: columns of mention `m` and of its keyword `k`. Sets are told apart below. */
const COLUMNS: Readonly<Record<Exclude<Attribute, SetAttribute | 'words'>, Condition>> = {
  keywordId: sql`m.keyword_id`,
  keywordKind: sql`k.kind`,
  groupId: sql`k.group_id`,
  platform: sql`m.platform`,
  status: sql`m.status`,
  delivered: sql`m.delivered`,
  failed: sql`m.failed`,
  unassigned: sql`(m.assignee_id is null)`,
  relevance: sql`m.relevance`,
  confidence: sql`m.confidence`,
  sentiment: sql`m.sentiment`,
  automated: sql`m.automated`,
  language: sql`m.language`,
  followers: sql`m.followers`,
  isReply: sql`m.is_reply`,
  rating: sql`m.rating`,
  likes: sql`m.likes`,
  reposts: sql`m.reposts`,
  replies: sql`m.replies`,
  quotes: sql`m.quotes`,
  views: sql`m.views`,
  bookmarks: sql`m.bookmarks`,
}

/** Attributes that are stored as the place of their word in a list, and the type of the stored column. */
const CODED: ReadonlyMap<Attribute, readonly string[]> = new Map<Attribute, readonly string[]>([
  ['platform', PLATFORMS],
  ['status', MENTION_STATUSES],
  ['sentiment', SENTIMENTS],
])
const COLUMN_TYPES: ReadonlyMap<Attribute, string> = new Map<Attribute, string>([
  ['keywordId', 'uuid'],
  ['groupId', 'uuid'],
  ['keywordKind', 'text'],
  ['language', 'text'],
])

/** Some accounts of a workspace: one by one while they are few, and otherwise as a statement that selects their ids. */
export type Accounts = readonly Uuid[] | { readonly selecting: Condition }

/** What the mentions of a workspace that have a word with some beginning are found by. */
export interface Beginning {
  /** The words, and common ones as they stood among the facets before they had bits. */
  readonly facets: readonly string[]
  readonly commonBits: number
  /** Whether so many of the newest mentions have such a word that whoever goes through them soon finds some. */
  readonly often: boolean
}

/** The beginning of a word, and the words with it that mentions of the workspace may say. */
export function beginningOf(workspaceId: Uuid, beginning: string, longer: readonly string[]): Omit<Beginning, 'often'> {
  const common = COMMON_WORDS.filter((word) => word.startsWith(beginning))
  const words = new Set([beginning, ...longer, ...common])
  return { facets: [...words].map((word) => facetHash(workspaceId, 'word', word)), commonBits: commonWordBits(common) }
}

/** What the condition of a filter depends on beyond the filter itself. */
export interface FilterFacts {
  workspaceId: Uuid
  wordsOf: WordsOf
  /** What is known of the beginning of a word that a filter asks for. */
  beginning(word: string): Beginning
  /**
   * Which beginnings are looked for in each mention that is gone through; all are looked up in the index unless told
   * otherwise.
   */
  inEach?(beginning: Beginning): boolean
  /** The accounts of people who have at least one of these tags. */
  accountsTagged(tags: readonly string[]): Accounts
}

/**
 * The filter as a condition over mention `m` joined with keyword `k`: the interpreter that lists use. It must agree
 * with the predicate of rules on every mention.
 */
export function filterCondition(filter: MentionFilter, facts: FilterFacts): Condition {
  const all = groupConditions(filter, facts)
  if (filter.anyOf) all.push(anyGroup(filter.anyOf, facts))
  return conjunction(all)
}

const FACET_KINDS = { linkHosts: 'host', authorKeys: 'author' } as const satisfies Record<string, FacetKind>

/**
 * Fields that leave out mentions for a host or an author: the index over facets cannot help with them, so each mention
 * is looked at.
 */
const LEAVING_OUT = FILTER_NAMES.filter((name) => {
  const { test } = FILTER_FIELDS[name]
  return test.test === 'shares_none' && test.attribute in FACET_KINDS
})

/**
 * Comparing the facets of a mention with more values, list after list, takes longer than looking each of them up in all
 * values at once.
 */
const COMPARED_MAX = 40

/**
 * Whether one of the groups holds. Where they leave out very many hosts and authors, all of them are looked up in a
 * mention at once: hardly any mention has one of them, and then nothing is left out by any group. What the groups ask
 * for besides stands first and by itself, so that it is looked at first, and an index finds it.
 */
function anyGroup(groups: readonly FilterGroup[], facts: FilterFacts): Condition {
  const whole = disjunction(groups.map((group) => groupConditions(group, facts)))
  const named = groups.flatMap((group) =>
    LEAVING_OUT.flatMap((name) => facetsNamed(facts.workspaceId, name, group[name])),
  )
  if (named.length <= COMPARED_MAX) return whole
  const without = (group: FilterGroup): FilterGroup =>
    Object.fromEntries(Object.entries(group).filter(([name]) => !LEAVING_OUT.includes(name as FilterName)))
  const asked = disjunction(groups.map((group) => groupConditions(without(group), facts)))
  return sql`(${asked} and (not ${hasFacetOf([...new Set(named)])} or ${whole}))`
}

function facetsNamed(workspaceId: Uuid, name: FilterName, value: FilterValue | undefined): string[] {
  const { test } = FILTER_FIELDS[name]
  return value !== undefined && test.test === 'shares_none'
    ? facetHashes(workspaceId, test.attribute as keyof typeof FACET_KINDS, value)
    : []
}

function disjunction(groups: readonly (readonly Condition[])[]): Condition {
  return sql`(${sql.join(groups.map(conjunction), sql` or `)})`
}

/**
 * Mentions by these accounts. Where they are few enough the one index over facets finds them among millions of others.
 */
export function byAccounts(workspaceId: Uuid, accounts: Accounts): Condition {
  if ('selecting' in accounts) return sql`m.account_id in (${accounts.selecting})`
  const exact = sql`m.account_id = any(${accounts}::uuid[])`
  if (accounts.length > FACETS_OF_ACCOUNTS_MAX) return exact
  return sql`(m.facets && ${accounts.map((id) => accountFacet(workspaceId, id))}::bigint[] and ${exact})`
}

/** Mentions by others than these accounts, also those of nobody who can be told. */
export function notByAccounts(accounts: Accounts): Condition {
  return 'selecting' in accounts
    ? sql`(m.account_id is null or m.account_id not in (${accounts.selecting}))`
    : sql`(m.account_id is null or m.account_id <> all(${accounts}::uuid[]))`
}

/** Looking up each of more accounts in the index takes longer than it saves. */
const FACETS_OF_ACCOUNTS_MAX = 300

function groupConditions(group: FilterGroup, facts: FilterFacts): Condition[] {
  return FILTER_NAMES.flatMap((name: FilterName) => {
    const value = group[name]
    return value === undefined ? [] : [condition(FILTER_FIELDS[name].test, value, facts)]
  })
}

function conjunction(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
}

function condition(test: Test, value: FilterValue, facts: FilterFacts): Condition {
  switch (test.test) {
    case 'one_of':
      return sql`${column(test.attribute)} = any(${coded(test.attribute, value)})`
    case 'none_of':
      return sql`(${column(test.attribute)} is null
          or ${column(test.attribute)} <> all(${coded(test.attribute, value)}))`
    case 'shares':
      return sharing(test.attribute, value, facts)
    case 'shares_none':
      return sharingNone(test.attribute, value, facts)
    case 'says':
      return saying(facts.wordsOf(String(value)), facts)
    case 'at_least':
      return sql`${column(test.attribute)} >= ${Number(value)}::float8`
    case 'at_most':
      return sql`${column(test.attribute)} <= ${Number(value)}::float8`
    case 'is':
      // In this form, for which there is an index.
      if (test.attribute === 'unassigned')
        return value === true ? sql`m.assignee_id is null` : sql`m.assignee_id is not null`
      return value === true ? sql`${column(test.attribute)} is true` : sql`${column(test.attribute)} is not true`
    case 'relevant':
      return value === true
        ? sql`m.relevance >= ${RELEVANCE_THRESHOLD}`
        : sql`(m.relevance is null or m.relevance < ${RELEVANCE_THRESHOLD})`
  }
}

function column(attribute: Attribute): Condition {
  return COLUMNS[attribute as keyof typeof COLUMNS]
}

/** The wanted values as a typed array of what the column holds. */
function coded(attribute: Attribute, value: FilterValue): Condition {
  const list = CODED.get(attribute)
  const values = listOf(value).map((entry) => (list ? list.indexOf(String(entry)) : entry))
  return sql`${values}::${sql.raw(COLUMN_TYPES.get(attribute) ?? 'int')}[]`
}

function sharing(attribute: SetAttribute, value: FilterValue, facts: FilterFacts): Condition {
  switch (attribute) {
    case 'intents':
      return sql`(m.intents & ${intentBits(listOf(value) as Intent[])}) <> 0`
    case 'tags':
      return byAccounts(facts.workspaceId, facts.accountsTagged(listOf(value).map(String)))
    default:
      return sql`m.facets && ${facetsOf(facts.workspaceId, attribute, value)}`
  }
}

function sharingNone(attribute: SetAttribute, value: FilterValue, facts: FilterFacts): Condition {
  switch (attribute) {
    case 'intents':
      return sql`(m.intents is null or (m.intents & ${intentBits(listOf(value) as Intent[])}) = 0)`
    case 'tags':
      return notByAccounts(facts.accountsTagged(listOf(value).map(String)))
    default:
      return sql`not (m.facets && ${facetsOf(facts.workspaceId, attribute, value)})`
  }
}

function saying(words: readonly WantedWord[], facts: FilterFacts): Condition {
  if (words.length === 0) return sql`false`
  const { workspaceId, inEach } = facts
  const whole = words.filter(({ begins }) => !begins).map(({ word }) => word)
  const begun = words.filter(({ begins }) => begins).map(({ word }) => facts.beginning(word))
  return conjunction([
    ...(whole.length === 0 ? [] : [sayingWhole(whole, workspaceId)]),
    ...begun.map((item) =>
      inEach?.(item) ? beginsInRow(item) : sql`m.id = any(${mentionsBeginning(workspaceId, item)}::uuid[])`,
    ),
  ])
}

/**
 * Whether mention `m` has one of the words, by its own facets: the index could not help where there are very many of
 * either.
 */
export function beginsInRow({ facets, commonBits }: Omit<Beginning, 'often'>): Condition {
  const among = hasFacetOf(facets)
  return commonBits === 0 ? among : sql`((m.common_words & ${commonBits}::int) <> 0 or ${among})`
}

/** Whether mention `m` has one of these facets: the server looks each facet up among them, however many they are. */
function hasFacetOf(facets: readonly string[]): Condition {
  return sql`exists (select from unnest(m.facets) one (facet) where one.facet = any(${facets}::bigint[]))`
}

/** The ids of all mentions that have one of the words, looked up once for a statement. */
export function mentionsBeginning(workspaceId: Uuid, { facets, commonBits }: Beginning): Condition {
  return sql`(select mentions_saying(${workspaceId}::uuid, ${facets}::bigint[], ${commonFacet(workspaceId)}::bigint,
      ${commonBits}::int))`
}

/**
 * Mentions of before the common words had bits have facets for them. That all bits are there is asked for with `>=`,
 * because the planner expects many rows of it and hardly any of `=`: for a common word it is to walk a list, unless its
 * facet is rare.
 */
function sayingWhole(words: readonly string[], workspaceId: Uuid): Condition {
  const having = (facets: readonly string[]) => sql`m.facets @> ${facets}::bigint[]`
  const hashed = (some: readonly string[]) => having(some.map((word) => facetHash(workspaceId, 'word', word)))
  const common = words.filter(isCommonWord)
  if (common.length === 0) return hashed(words)
  const bits = sql`${commonWordBits(common)}::int`
  const marked = sql`(m.common_words & ${bits}) >= ${bits}`
  const rare = words.filter((word) => !isCommonWord(word))
  return rare.length === 0
    ? sql`((${having([commonFacet(workspaceId)])} and ${marked}) or ${hashed(common)})`
    : sql`(${hashed(rare)} and (${marked} or ${hashed(common)}))`
}

function facetsOf(workspaceId: Uuid, attribute: keyof typeof FACET_KINDS, value: FilterValue): Condition {
  return sql`${facetHashes(workspaceId, attribute, value)}::bigint[]`
}

function facetHashes(workspaceId: Uuid, attribute: keyof typeof FACET_KINDS, value: FilterValue): string[] {
  return listOf(value).map((entry) => facetHash(workspaceId, FACET_KINDS[attribute], String(entry)))
}
