import { z } from 'zod'
import { SENTIMENTS, type Sentiment } from '../../../domain/mention/classification.ts'
import { type Refusal, refuse, refuseField } from '../../../domain/refusal/refusal.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import { entriesOf } from '../fields.ts'
import { Unsayable } from '../filters/alternative.ts'
import {
  ALWAYS,
  engagedIs,
  keywordIn,
  keywordNotIn,
  languageIn,
  languageNotIn,
  relevanceIn,
  relevanceNotIn,
  sentimentIn,
  sentimentNotIn,
  sourceIn,
  sourceNotIn,
  tagIn,
  tagNotIn,
} from '../filters/conditions.ts'
import { KEYWORDS_MAX } from '../filters/mention-filter.ts'
import type { Condition, Tree } from '../filters/tree.ts'
import { FILTER_SLUGS } from '../platforms.ts'

const STORED = [
  'Keywords',
  'Source',
  'Sentiment',
  'Language',
  'Tags',
  'RelevanceScore',
  'Engaged',
  'RelevantOnly',
  'TwitterFollowerCount',
] as const
type StoredField = (typeof STORED)[number]

/** Fields of the other vendor that a feed here cannot hold. */
const OFF: ReadonlyMap<string, string> = new Map([
  ['Bookmarked', 'mentions have no bookmarks'],
  ['TimeRange', 'a feed holds no time'],
  ['Content', 'use `search` of POST /mentions'],
  ['StartDate', 'a feed holds no time'],
  ['EndDate', 'a feed holds no time'],
  ['Author', 'use `author` of POST /mentions'],
])

const LISTS_MAX = 50
const VALUES_MAX = 5000
const OPERATORS = ['in', 'not in', 'equals', '=', '>=', '<='] as const

const condition = z
  .strictObject({
    field: z.enum([...STORED, ...OFF.keys()] as [string, ...string[]]),
    operator: z.enum(OPERATORS).default('in'),
    values: z.string().max(VALUES_MAX).meta({ description: 'Comma-separated.' }),
  })
  .superRefine(({ field, operator, values }, context) => {
    if (!isStored(field)) return
    const problem = problemOf(field, operator, entriesOf(values))
    if (problem !== null)
      context.addIssue({ code: 'custom', message: problem.message, path: [problem.path], input: values })
  })

type FeedCondition = z.output<typeof condition>

export const simpleFiltersIn = z
  .strictObject({ conditions: z.array(condition).max(LISTS_MAX) })
  .meta({ id: 'SimpleFilters', description: 'Conditions that must all hold.' })

const operator = z.enum(['AND', 'OR'])

export const advancedFiltersIn = z
  .strictObject({
    top_level_operator: operator,
    groups: z
      .array(
        z.strictObject({
          group_operator: operator,
          conditions: z.array(condition).min(1).max(LISTS_MAX),
          isSingleCondition: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(LISTS_MAX),
  })
  .meta({ id: 'AdvancedFilters', description: 'Groups of conditions.' })

export interface FeedFilters {
  simpleFilters?: z.output<typeof simpleFiltersIn> | null | undefined
  advancedFilters?: z.output<typeof advancedFiltersIn> | null | undefined
}

function isStored(field: string): field is StoredField {
  return (STORED as readonly string[]).includes(field)
}

/** What is wrong with a condition, apart from keywords that do not exist. */
function problemOf(
  field: StoredField,
  operator: FeedCondition['operator'],
  values: readonly string[],
): { path: 'operator' | 'values'; message: string } | null {
  const wrong = (message: string) => ({ path: 'values' as const, message })
  if (values.length === 0) return wrong('must not be empty')
  if (values.length > LISTS_MAX) return wrong(`must have at most ${LISTS_MAX} entries`)
  if (field === 'TwitterFollowerCount') {
    if (!['>=', '<=', '='].includes(operator)) return { path: 'operator', message: 'must be >=, <= or =' }
    return values.length === 1 && /^\d{1,15}$/.test(values[0]!) ? null : wrong('must be one whole number')
  }
  // Refused by name later, because the vendor takes it.
  if (field === 'RelevanceScore' && (operator === '>=' || operator === '<=')) return null
  if (operator === '>=' || operator === '<=') return { path: 'operator', message: 'must be in, not in or equals' }
  const unknown = values.find((value) => !VALUES[field](value))
  if (unknown !== undefined) return wrong(MEANT[field])
  const isTrue = field === 'Engaged' || field === 'RelevantOnly'
  return isTrue && operator === 'not in' ? { path: 'operator', message: 'must be in or equals' } : null
}

type ListField = Exclude<StoredField, 'TwitterFollowerCount'>

const VALUES: Readonly<Record<ListField, (value: string) => boolean>> = {
  Keywords: (value) => /^[1-9]\d{0,14}$/.test(value),
  Source: (value) => FILTER_SLUGS.includes(value),
  Sentiment: (value) => (SENTIMENTS as readonly string[]).includes(value.toLowerCase()),
  Language: (value) => /^[A-Za-z]{2}$/.test(value),
  Tags: (value) => value.length <= 100,
  RelevanceScore: (value) => /^[012]$/.test(value),
  Engaged: (value) => /^(?:true|1)$/i.test(value),
  RelevantOnly: (value) => /^(?:true|1)$/i.test(value),
}

const MEANT: Readonly<Record<ListField, string>> = {
  Keywords: 'must be numbers of keywords',
  Source: 'must be known sources',
  Sentiment: 'must be positive, neutral or negative',
  Language: 'must be languages of ISO 639-1, such as en',
  Tags: 'must be tags of at most 100 characters',
  RelevanceScore: 'must be 0, 1 or 2',
  Engaged: 'must be true',
  RelevantOnly: 'must be true',
}

/** Every condition with its path. */
export function conditionsWithPath({
  simpleFilters,
  advancedFilters,
}: FeedFilters): { path: string; condition: FeedCondition }[] {
  const simple = (simpleFilters?.conditions ?? []).map((item, at) => ({
    path: `simpleFilters.conditions.${at}`,
    condition: item,
  }))
  const advanced = (advancedFilters?.groups ?? []).flatMap(({ conditions }, group) =>
    conditions.map((item, at) => ({ path: `advancedFilters.groups.${group}.conditions.${at}`, condition: item })),
  )
  return [...simple, ...advanced]
}

/** The keywords that the filters name, which must exist. */
export function keywordsNamed(filters: FeedFilters): { path: string; numbers: number[] }[] {
  return conditionsWithPath(filters).flatMap(({ path, condition: { field, values } }) =>
    field === 'Keywords' ? [{ path: `${path}.values`, numbers: entriesOf(values).map(Number) }] : [],
  )
}

/** What a feed cannot hold, by name. */
export function offIn(filters: FeedFilters): Refusal<'feature_disabled'> | null {
  for (const { condition: item } of conditionsWithPath(filters)) {
    const reason = OFF.get(item.field)
    if (reason !== undefined) return refuse('feature_disabled', `${item.field} is not available in feeds: ${reason}.`)
  }
  return null
}

export function missingKeyword(path: string): Refusal<'validation_error'> {
  return refuseField(path, `must be at most ${KEYWORDS_MAX} keywords of this workspace`)
}

/** Throws `Unsayable`. No filters mean everything. */
export function feedTreeOf({ simpleFilters, advancedFilters }: FeedFilters, ids: ReadonlyMap<number, Uuid>): Tree {
  const read = (conditions: readonly FeedCondition[]) => conditions.map((item) => conditionOf(item, ids))
  if (advancedFilters)
    return {
      operator: advancedFilters.top_level_operator,
      groups: advancedFilters.groups.map(({ group_operator, conditions }) => ({
        operator: group_operator,
        conditions: read(conditions),
      })),
    }
  return { operator: 'AND', groups: [{ operator: 'AND', conditions: read(simpleFilters?.conditions ?? []) }] }
}

function conditionOf({ field, operator: how, values }: FeedCondition, ids: ReadonlyMap<number, Uuid>): Condition {
  const entries = entriesOf(values)
  const isNot = how === 'not in'
  switch (field as StoredField) {
    case 'Keywords': {
      const known = entries.flatMap((entry) => ids.get(Number(entry)) ?? [])
      return isNot ? keywordNotIn(known) : keywordIn(known)
    }
    case 'Source':
      return isNot ? sourceNotIn(entries) : sourceIn(entries)
    case 'Sentiment': {
      const sentiments = entries.map((entry) => entry.toLowerCase() as Sentiment)
      return isNot ? sentimentNotIn(sentiments) : sentimentIn(sentiments)
    }
    case 'Language': {
      const languages = entries.map((entry) => entry.toLowerCase())
      return isNot ? languageNotIn(languages) : languageIn(languages)
    }
    case 'Tags':
      return isNot ? tagNotIn(entries) : tagIn(entries)
    case 'RelevanceScore': {
      if (how === '>=' || how === '<=') throw new Unsayable(`RelevanceScore ${how}`)
      const scores = entries.map(Number)
      return isNot ? relevanceNotIn(scores) : relevanceIn(scores)
    }
    case 'RelevantOnly':
      return relevanceIn([0, 1])
    case 'Engaged':
      return engagedIs(true)
    case 'TwitterFollowerCount':
      return followersOf(how, Number(entries[0]))
    default:
      return ALWAYS
  }
}

function followersOf(how: FeedCondition['operator'], count: number): Condition {
  return [{ ...(how === '<=' ? {} : { minFollowers: count }), ...(how === '>=' ? {} : { maxFollowers: count }) }]
}
