import { z } from 'zod'
import type { FieldForm, FilterField } from '../domain/filter/field.ts'
import {
  ANY_OF_MAX,
  FILTER_FIELDS,
  FILTER_NAMES,
  type FilterGroup,
  type FilterName,
  type FilterValue,
  type MentionFilter,
} from '../domain/filter/fields.ts'
import { INTENTS, RELEVANCE_THRESHOLD, SENTIMENTS } from '../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../domain/mention/status.ts'
import { PLATFORMS, PLATFORMS_NAMED_MAX } from '../domain/platform/platforms.ts'
import { refuseContradictions } from './bounds.ts'
import { IN_JSON, IN_QUERY, valueIn, valueOut } from './filter-values.ts'
import { idIn, listIn } from './shapes.ts'

// Everything here is derived from the one table of fields, so that a new field appears in every list and rule at once.

/** The filter of a rule as callers send it, parsed to what is stored. Replaces the one before as a whole. */
export const ruleFilterIn = filterIn(namesWhere((field) => field.inRules))
  .superRefine(refuseBelowFloor)
  .meta({
    id: 'RuleFilterInput',
    description:
      'Mentions that the rule sends. All conditions must match and, with `anyOf`, at least one of its ' +
      'groups. An empty list of `keywordIds` or `groupIds`, left when the last one was deleted, ' +
      'matches nothing.',
  })

/** The filter of a rule as it is shown. */
export const filterOut = filterShape(
  namesWhere((field) => field.inRules),
  valueOut,
).meta({
  id: 'RuleFilter',
  description: 'Mentions that the rule sends. Author links, handles and names are normalized.',
})

/** The filter of a saved view as callers send it, parsed to what is stored. Replaces the one before as a whole. */
export const viewFilterIn = filterIn(FILTER_NAMES).meta({
  id: 'ViewFilterInput',
  description:
    'Mentions that the view shows. All conditions must match and, with `anyOf`, at least one of its ' +
    'groups. An empty list of ids, left when the last keyword or group was deleted, matches nothing, ' +
    'and in a not-list everything.',
})

/** The fields of `viewFilterIn`, for bodies with further conditions. */
export const viewFilterFields = fieldsWithGroups(FILTER_NAMES, (form) => valueIn(form, IN_JSON), groupIn(FILTER_NAMES))

/** The filter of a saved view as it is shown. */
export const viewFilterOut = filterShape(FILTER_NAMES, valueOut).meta({
  id: 'ViewFilter',
  description: 'Mentions that the view shows. Author links, handles and names are normalized.',
})

/**
 * The filter parameters of every list of mentions; spread them into `query` and hand the result to `filtersFromQuery`.
 */
export const mentionFilterQuery = {
  ...fieldsOf(FILTER_NAMES, (form) => valueIn(form, IN_QUERY)),
  status: listIn(z.enum(MENTION_STATUSES), MENTION_STATUSES.length)
    .optional()
    .meta({ description: 'Mentions with one of these statuses.' }),
  keywordId: listIn(idIn('kw'), 50).optional().meta({ description: 'Mentions of one keyword, or of several.' }),
  platform: listIn(z.enum(PLATFORMS), PLATFORMS_NAMED_MAX)
    .optional()
    .meta({ description: 'Posts on one platform, or on several.' }),
  sentiment: listIn(z.enum(SENTIMENTS), 3).optional().meta({ description: 'Mentions with one of these sentiments.' }),
  intent: listIn(z.enum(INTENTS), 20).optional().meta({ description: 'Mentions with one of these intents.' }),
  anyOf: anyOfQuery().optional(),
}

/** The parsed `mentionFilterQuery`. */
export type MentionFilterQuery = z.output<z.ZodObject<typeof mentionFilterQuery>>

/**
 * The filters that parameters ask for, all of which must hold. Other parameters may stand beside those of the filter. A
 * parameter in the singular and its list are conditions of their own. Stored filters have one status, so that several
 * are groups.
 */
export function filtersFromQuery(query: MentionFilterQuery): MentionFilter[] {
  const group: Record<string, FilterValue> = {}
  for (const name of FILTER_NAMES) if (name !== 'status' && query[name] !== undefined) group[name] = query[name]
  const [status, ...others] = new Set(query.status)
  if (status !== undefined && others.length === 0) group['status'] = status
  const single: Record<string, FilterValue> = {}
  for (const [name, list] of SINGLES) if (query[name] !== undefined) single[list] = query[name]
  const filters: MentionFilter[] = [query.anyOf === undefined ? group : { ...group, anyOf: query.anyOf }, single]
  if (status !== undefined && others.length > 0)
    filters.push({ anyOf: [status, ...others].map((item) => ({ status: item })) })
  return filters.filter((filter) => Object.keys(filter).length > 0)
}

const SINGLES = [
  ['keywordId', 'keywordIds'],
  ['platform', 'platforms'],
  ['sentiment', 'sentiments'],
  ['intent', 'intents'],
] as const

/** Names of parameters that say in the singular what a list of the filter says too. */
export const SINGLE_FILTERS: ReadonlySet<string> = new Set(SINGLES.map(([name]) => name))

/** A rule without a floor of its own sends nothing from below the threshold. */
function refuseBelowFloor({ minRelevance, maxRelevance }: MentionFilter, context: z.core.$RefinementCtx): void {
  if (minRelevance !== undefined || maxRelevance === undefined || Number(maxRelevance) >= RELEVANCE_THRESHOLD) return
  const message =
    `must be at least ${RELEVANCE_THRESHOLD} without minRelevance, ` +
    'because a rule then sends relevant mentions only'
  context.addIssue({ code: 'custom', message, path: ['maxRelevance'], input: maxRelevance })
}

// Schemas of fields

type ValueShape = (form: FieldForm) => z.ZodType<FilterValue>
type Fields = { [Name in FilterName]: z.ZodOptional<z.ZodType<FilterValue>> }

function namesWhere(wanted: (field: FilterField) => boolean): readonly FilterName[] {
  return FILTER_NAMES.filter((name) => wanted(FILTER_FIELDS[name]))
}

function fieldsOf(names: readonly FilterName[], shape: ValueShape): Fields {
  const entries = names.map((name) => [
    name,
    shape(FILTER_FIELDS[name].form).optional().meta({ description: FILTER_FIELDS[name].meaning }),
  ])
  return Object.fromEntries(entries) as Fields
}

/** The type says MentionFilter instead of the fields one by one, of which only the table knows. */
function filterShape(
  names: readonly FilterName[],
  shape: ValueShape,
  group: z.ZodType<FilterGroup> = groupShape(names, shape),
): z.ZodType<MentionFilter, MentionFilter> {
  return z.strictObject(fieldsWithGroups(names, shape, group)) as unknown as z.ZodType<MentionFilter, MentionFilter>
}

function fieldsWithGroups(names: readonly FilterName[], shape: ValueShape, group: z.ZodType<FilterGroup>) {
  const anyOf = z
    .array(group)
    .min(1)
    .max(ANY_OF_MAX)
    .optional()
    .meta({ description: 'At least one of these groups must match.' })
  return { ...fieldsOf(names, shape), anyOf }
}

function groupShape(names: readonly FilterName[], shape: ValueShape): z.ZodType<FilterGroup> {
  return z.strictObject(fieldsOf(names, shape)) as unknown as z.ZodType<FilterGroup>
}

function groupIn(names: readonly FilterName[]): z.ZodType<FilterGroup> {
  const group = groupShape(names, (form) => valueIn(form, IN_JSON))
  return group
    .superRefine(refuseContradictions)
    .refine((fields) => Object.keys(fields).length > 0, {
      error: 'must hold at least one condition',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ minProperties: 1 })
}

function filterIn(names: readonly FilterName[]): z.ZodType<MentionFilter, MentionFilter> {
  return filterShape(names, (form) => valueIn(form, IN_JSON), groupIn(names)).superRefine(refuseContradictions)
}

/** Groups of conditions as URL-encoded JSON; tools send the array itself. */
function anyOfQuery(): z.ZodType<readonly FilterGroup[]> {
  const groups = z.array(groupIn(FILTER_NAMES)).min(1).max(ANY_OF_MAX)
  const parse = (value: unknown, context: z.core.$RefinementCtx) => {
    if (typeof value !== 'string') return value
    try {
      return JSON.parse(value) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON array', input: value })
      return z.NEVER
    }
  }
  return z.preprocess(parse, groups).meta({
    description: `URL-encoded JSON: 1 to ${ANY_OF_MAX} groups of filter fields, at least one of which must match.`,
  })
}
