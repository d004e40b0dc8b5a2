import {
  type Attribute,
  FILTER_FIELDS,
  FILTER_NAMES,
  type FilterGroup,
  type FilterName,
  type FilterValue,
  MENTION_STATUSES,
  type MentionFilter,
  type Test,
} from '../domain/filter/fields.ts'
import { listOf } from '../domain/filter/predicate.ts'
import { type Intent, intentBits, RELEVANCE_THRESHOLD, SENTIMENTS } from '../domain/mention/classification.ts'
import { PLATFORMS } from '../domain/post/platform.ts'
import type { Uuid } from '../kernel/ids.ts'
import { type Statement, sql } from './database.ts'
import { type FacetKind, facetHash } from './facets.ts'

type Condition = Statement<unknown>

/** Where each attribute stands: columns of mention `m` and of its keyword `k`. Sets are told apart below. */
const COLUMNS: Readonly<Record<Exclude<Attribute, 'intents' | 'linkHosts' | 'authorKeys'>, Condition>> = {
  keywordId: sql`m.keyword_id`,
  keywordKind: sql`k.kind`,
  groupId: sql`k.group_id`,
  platform: sql`m.platform`,
  status: sql`m.status`,
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

/**
 * The filter as a condition over mention `m` joined with keyword `k`: the interpreter that lists use. It must agree with
 * the predicate of rules on every mention.
 */
export function filterCondition(workspaceId: Uuid, filter: MentionFilter): Condition {
  const all = groupConditions(workspaceId, filter)
  if (filter.anyOf)
    all.push(
      sql`(${sql.join(
        filter.anyOf.map((group) => conjunction(groupConditions(workspaceId, group))),
        sql` or `,
      )})`,
    )
  return conjunction(all)
}

function groupConditions(workspaceId: Uuid, group: FilterGroup): Condition[] {
  return FILTER_NAMES.flatMap((name: FilterName) => {
    const value = group[name]
    return value === undefined ? [] : [condition(workspaceId, FILTER_FIELDS[name].test, value)]
  })
}

function conjunction(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
}

function condition(workspaceId: Uuid, test: Test, value: FilterValue): Condition {
  switch (test.test) {
    case 'one_of':
      return sql`${column(test.attribute)} = any(${coded(test.attribute, value)})`
    case 'none_of':
      return sql`(${column(test.attribute)} is null or ${column(test.attribute)} <> all(${coded(test.attribute, value)}))`
    case 'shares':
      return test.attribute === 'intents'
        ? sql`(m.intents & ${intentBits(listOf(value) as Intent[])}) <> 0`
        : sql`m.facets && ${facetsOf(workspaceId, test.attribute, value)}`
    case 'shares_none':
      return test.attribute === 'intents'
        ? sql`(m.intents is null or (m.intents & ${intentBits(listOf(value) as Intent[])}) = 0)`
        : sql`not (m.facets && ${facetsOf(workspaceId, test.attribute, value)})`
    case 'at_least':
      return sql`${column(test.attribute)} >= ${Number(value)}::float8`
    case 'at_most':
      return sql`${column(test.attribute)} <= ${Number(value)}::float8`
    case 'is':
      return value === true ? sql`${column(test.attribute)} is true` : sql`${column(test.attribute)} is not true`
    case 'relevant':
      return value === true ? sql`m.relevance >= ${RELEVANCE_THRESHOLD}` : sql`(m.relevance is null or m.relevance < ${RELEVANCE_THRESHOLD})`
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

const FACET_KINDS = { linkHosts: 'host', authorKeys: 'author' } as const satisfies Record<string, FacetKind>

function facetsOf(workspaceId: Uuid, attribute: keyof typeof FACET_KINDS, value: FilterValue): Condition {
  return sql`${listOf(value).map((entry) => facetHash(workspaceId, FACET_KINDS[attribute], String(entry)))}::bigint[]`
}
