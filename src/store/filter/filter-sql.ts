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
import { type Platform, platformNumber } from '../../domain/platform/platforms.ts'
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

const CODED: ReadonlyMap<Attribute, (value: string) => number> = new Map<Attribute, (value: string) => number>([
  ['platform', (value) => platformNumber(value as Platform)],
  ['status', (value) => (MENTION_STATUSES as readonly string[]).indexOf(value)],
  ['sentiment', (value) => (SENTIMENTS as readonly string[]).indexOf(value)],
])
const COLUMN_TYPES: ReadonlyMap<Attribute, string> = new Map<Attribute, string>([
  ['keywordId', 'uuid'],
  ['groupId', 'uuid'],
  ['keywordKind', 'text'],
  ['language', 'text'],
])

/** Few accounts by id, many as a statement that selects them. */
export type Accounts = readonly Uuid[] | { readonly selecting: Condition }

export interface WordBeginning {
  /** With hashes of common words, for mentions from before the bits. */
  readonly facets: readonly string[]
  readonly commonBits: number
  /** So frequent that a scan of the newest mentions soon finds some. */
  readonly often: boolean
}

/** `longer`: words with the prefix that mentions may contain. */
export function beginningOf(
  workspaceId: Uuid,
  beginning: string,
  longer: readonly string[],
): Omit<WordBeginning, 'often'> {
  const common = COMMON_WORDS.filter((word) => word.startsWith(beginning))
  const words = new Set([beginning, ...longer, ...common])
  return { facets: [...words].map((word) => facetHash(workspaceId, 'word', word)), commonBits: commonWordBits(common) }
}

export interface FilterFacts {
  workspaceId: Uuid
  wordsOf: WordsOf
  beginning(word: string): WordBeginning
  /** Checks the prefix in each scanned mention instead of in the index, the default. */
  inEach?(beginning: WordBeginning): boolean
  accountsTagged(tags: readonly string[]): Accounts
}

/** Must agree with the in-memory predicate of rules on every mention. */
export function filterCondition(filter: MentionFilter, facts: FilterFacts): Condition {
  const all = groupConditions(filter, facts)
  if (filter.anyOf) all.push(anyGroup(filter.anyOf, facts))
  return conjunction(all)
}

const FACET_KINDS = { linkHosts: 'host', authorKeys: 'author' } as const satisfies Record<string, FacetKind>

/** The index cannot exclude hosts or authors, so each mention is checked. */
const LEAVING_OUT = FILTER_NAMES.filter((name) => {
  const { test } = FILTER_FIELDS[name]
  return test.test === 'shares_none' && test.attribute in FACET_KINDS
})

/** Above this, one lookup among all values is faster than comparing list by list. */
const COMPARED_MAX = 40

/**
 * With many excluded hosts and authors, one lookup checks all of them: hardly any mention has one. The other conditions
 * come first by themselves, so that an index serves them.
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

export function byAccounts(workspaceId: Uuid, accounts: Accounts): Condition {
  if ('selecting' in accounts) return sql`m.account_id in (${accounts.selecting})`
  const exact = sql`m.account_id = any(${accounts}::uuid[])`
  if (accounts.length > FACETS_OF_ACCOUNTS_MAX) return exact
  return sql`(m.facets && ${accounts.map((id) => accountFacet(workspaceId, id))}::bigint[] and ${exact})`
}

export function notByAccounts(accounts: Accounts): Condition {
  return 'selecting' in accounts
    ? sql`(m.account_id is null or m.account_id not in (${accounts.selecting}))`
    : sql`(m.account_id is null or m.account_id <> all(${accounts}::uuid[]))`
}

/** More index lookups take longer than they save. */
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
      // A partial index has this form.
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

function coded(attribute: Attribute, value: FilterValue): Condition {
  const codeOf = CODED.get(attribute)
  const values = listOf(value).map((entry) => codeOf?.(String(entry)) ?? entry)
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

/** An index does not help with very many words or mentions. */
export function beginsInRow({ facets, commonBits }: Omit<WordBeginning, 'often'>): Condition {
  const among = hasFacetOf(facets)
  return commonBits === 0 ? among : sql`((m.common_words & ${commonBits}::int) <> 0 or ${among})`
}

function hasFacetOf(facets: readonly string[]): Condition {
  return sql`exists (select from unnest(m.facets) one (facet) where one.facet = any(${facets}::bigint[]))`
}

export function mentionsBeginning(workspaceId: Uuid, { facets, commonBits }: WordBeginning): Condition {
  return sql`(select mentions_saying(${workspaceId}::uuid, ${facets}::bigint[], ${commonFacet(workspaceId)}::bigint,
      ${commonBits}::int))`
}

/**
 * Mentions from before the bits have token hashes of common words. The planner expects many rows of `>=`, and few of
 * `=`: for a common word it should walk the list unless the hash is rare.
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
