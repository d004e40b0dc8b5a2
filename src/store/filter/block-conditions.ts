import type { Attribute, Test } from '../../domain/filter/field.ts'
import {
  FILTER_FIELDS,
  FILTER_NAMES,
  type FilterGroup,
  type FilterValue,
  type MentionFilter,
} from '../../domain/filter/fields.ts'
import { listOf } from '../../domain/filter/predicate.ts'
import { type Intent, intentBits, RELEVANCE_THRESHOLD, SENTIMENTS } from '../../domain/mention/classification.ts'
import { type Platform, platformBits } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../database.ts'
import { NO_MENTION, setsOf } from './block-sets.ts'
import { facetHash, isCommonWord } from './facets.ts'
import { type FilterFacts, mentionsBeginning, type WordBeginning } from './filter-sql.ts'

type Condition = Statement<unknown>

type SaidFacts = Pick<FilterFacts, 'workspaceId' | 'wordsOf' | 'beginning'>

const NO_KEYWORD = sql`B'0'::bit(4096)`

export const NO_RELEVANCE = sql`B'0'::bit(101)`

/** One of 4096 bits a keyword, by the last twelve bits of its id, so that few share one. */
export function keywordBits(id: Condition): Condition {
  return sql`coalesce(bit_or(set_bit(${NO_KEYWORD}, ('x' || right(${id}::text, 3))::bit(12)::int, 1)), ${NO_KEYWORD})`
}

/**
 * Holds for every block summary `b` with mentions that meet the filters; null when summaries tell nothing about them.
 */
export function blockCondition(
  filters: readonly MentionFilter[],
  published: { since: Date | null; until: Date | null },
  facts: SaidFacts,
): Condition | null {
  const { workspaceId } = facts
  const required = filters.map(({ anyOf: _, ...group }) => group)
  const sets = required.flatMap(setsOf)
  const all = [...required.flatMap((group) => groupConditions(workspaceId, group)), ...meeting(sets)]
  for (const { anyOf = [] } of filters) {
    const groups = anyOf.map((group) => [
      ...groupConditions(workspaceId, group),
      ...meeting([...sets, ...setsOf(group)]),
      ...indexed(group, facts),
    ])
    // A group without conditions may match in every block.
    if (groups.length > 0 && groups.every((group) => group.length > 0))
      all.push(sql`(${sql.join(groups.map(conjunction), sql` or `)})`)
  }
  if (published.since !== null) all.push(sql`b.published_max >= ${published.since}`)
  if (published.until !== null) all.push(sql`b.published_min < ${published.until}`)
  return all.length === 0 ? null : conjunction(all)
}

function conjunction(conditions: readonly Condition[]): Condition {
  return sql`(${sql.join(conditions, sql` and `)})`
}

/** A single set says no more than the summary's other columns. */
function meeting(sets: readonly Condition[]): Condition[] {
  return sets.length < 2 ? [] : [sql`(${sql.join(sets, sql` & `)}) <> ${NO_MENTION}`]
}

/** Looks hosts and words up in the token hash index, once a statement; where they are rare, it names their blocks. */
function indexed({ linkHosts, q }: FilterGroup, { workspaceId, wordsOf, beginning }: SaidFacts): Condition[] {
  const hosts =
    linkHosts === undefined ? [] : listOf(linkHosts).map((host) => facetHash(workspaceId, 'host', String(host)))
  const said = q === undefined ? [] : wordsOf(String(q))
  // The longest word is likely the rarest; common words are not in the index.
  const whole = said.filter(({ word, begins }) => !begins && !isCommonWord(word)).map(({ word }) => word)
  const [word] = whole.toSorted((first, second) => second.length - first.length)
  const words = word === undefined ? [] : [facetHash(workspaceId, 'word', word)]
  const found = [hosts, words]
    .filter((facets) => facets.length > 0)
    .map((facets) => {
      const blocks = sql`(select blocks_with_facets(${workspaceId}::uuid, ${facets}::bigint[]))`
      return sql`(${blocks} is null or b.last_id = any(${blocks}::uuid[]))`
    })
  const begun = said.filter(({ begins }) => begins).map((word) => beginning(word.word))
  return [
    ...found,
    ...begun
      .filter(({ often }) => !often)
      .map((item) => sql`b.last_id = any(${blocksBeginning(workspaceId, item)}::uuid[])`),
  ]
}

function blocksBeginning(workspaceId: Uuid, beginning: WordBeginning): Condition {
  return sql`(select array_agg(distinct held.last_id)
      from unnest(${mentionsBeginning(workspaceId, beginning)}) said (id)
    cross join lateral (select o.last_id from mention_block o where o.workspace_id = ${workspaceId}
      and o.last_id >= said.id order by o.last_id limit 1) held)`
}

function groupConditions(workspaceId: Uuid, group: FilterGroup): Condition[] {
  const single = FILTER_NAMES.flatMap((name) => {
    const value = group[name]
    return value === undefined ? [] : (condition(workspaceId, FILTER_FIELDS[name].test, value) ?? [])
  })
  return [...single, ...relevanceBetween(group)]
}

/** For the lower bound alone `relevance_max` says as much. */
function relevanceBetween({ minRelevance, maxRelevance }: FilterGroup): Condition[] {
  if (maxRelevance === undefined) return []
  const wanted = Array.from({ length: 101 }, (_, relevance) =>
    relevance >= Number(minRelevance ?? 0) && relevance <= Number(maxRelevance) ? '1' : '0',
  )
  return [sql`(b.relevances & ${wanted.join('')}::bit(101)) <> ${NO_RELEVANCE}`]
}

function condition(workspaceId: Uuid, test: Test, value: FilterValue): Condition | null {
  switch (test.test) {
    case 'one_of':
      return oneOf(workspaceId, test.attribute, listOf(value))
    case 'none_of':
      return test.attribute === 'platform'
        ? sql`(b.platforms & ~${platformBits(listOf(value) as Platform[])}::int) <> 0`
        : null
    case 'shares':
      return test.attribute === 'intents' ? sql`(b.intents & ${intentBits(listOf(value) as Intent[])}::int) <> 0` : null
    case 'at_least':
      return sql`${sql.ref(`b.${test.attribute}_max`)} >= ${Number(value)}::float8`
    case 'at_most':
      return test.attribute === 'followers' ? sql`b.followers_min <= ${Number(value)}::float8` : null
    case 'is':
      return flagged(test.attribute, value === true)
    case 'relevant':
      return value === true
        ? sql`b.relevance_max >= ${RELEVANCE_THRESHOLD}`
        : sql`(b.relevance_min is null or b.relevance_min < ${RELEVANCE_THRESHOLD})`
    case 'shares_none':
    case 'says':
      return null
  }
}

function flagged(attribute: (Test & { test: 'is' })['attribute'], wanted: boolean): Condition | null {
  switch (attribute) {
    case 'isReply':
      return wanted ? sql`b.replies` : sql`b.own_posts`
    case 'automated':
    case 'delivered':
    case 'failed':
      return wanted ? sql.ref(`b.${attribute}`) : null
    case 'unassigned':
      return null
  }
}

function oneOf(
  workspaceId: Uuid,
  attribute: Attribute,
  values: readonly (string | number | boolean)[],
): Condition | null {
  switch (attribute) {
    case 'keywordId':
      return keywordsAmong(sql`select unnest(${values}::uuid[]) as id`)
    case 'groupId':
      return keywordsAmong(
        sql`select id from keyword where workspace_id = ${workspaceId} and group_id = any(${values}::uuid[])`,
      )
    case 'keywordKind':
      return keywordsAmong(
        sql`select id from keyword where workspace_id = ${workspaceId} and kind = any(${values}::text[])`,
      )
    case 'platform':
      return sql`(b.platforms & ${platformBits(values as Platform[])}::int) <> 0`
    case 'sentiment':
      return sql`(b.sentiments & ${bits(SENTIMENTS, values)}::int) <> 0`
    case 'rating':
      return sql`(b.ratings & ${values.reduce<number>((sum, rating) => sum | (1 << Number(rating)), 0)}::int) <> 0`
    case 'language':
      return sql`b.languages && ${values}::text[]`
    default:
      return null
  }
}

/** Holds for every block with a mention of one of the keywords. */
export function keywordsAmong(ids: Condition): Condition {
  return sql`(b.keywords & (select ${keywordBits(sql`wanted.id`)} from (${ids}) wanted)) <> ${NO_KEYWORD}`
}

function bits(list: readonly string[], values: readonly (string | number | boolean)[]): number {
  return values.reduce<number>((sum, value) => sum | (1 << list.indexOf(String(value))), 0)
}
