import { z } from 'zod'
import { SENTIMENTS } from '../../../domain/mention/classification.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import { instantIn, numberIdIn } from '../fields.ts'
import { FILTER_SLUGS } from '../platforms.ts'
import { Unsayable } from './alternative.ts'
import {
  engagedIs,
  keywordIn,
  keywordNotIn,
  languageIn,
  languageNotIn,
  ratingIn,
  ratingNotIn,
  relevanceIn,
  relevanceNotIn,
  sentimentIn,
  sentimentNotIn,
  sourceIn,
  sourceNotIn,
  tagIn,
  tagNotIn,
} from './conditions.ts'
import type { Condition, Operator, Tree } from './tree.ts'

/** Keyword numbers of one list. */
export const KEYWORDS_MAX = 50
const ENTRIES_MAX = 50
const LANGUAGES_MAX = 20
const GROUPS_MAX = 50
const FOLLOWERS_MAX = 1e15

const listOf = <Item extends z.ZodType>(item: Item, max: number) => z.array(item).min(1).max(max).optional()
const slugs = listOf(z.enum(FILTER_SLUGS as [string, ...string[]]), ENTRIES_MAX)
const sentiments = listOf(z.enum(SENTIMENTS), ENTRIES_MAX)
const keywords = listOf(numberIdIn, KEYWORDS_MAX)
const languages = listOf(
  z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a language of ISO 639-1, such as en')
    .transform((code) => code.toLowerCase()),
  LANGUAGES_MAX,
)
const tags = listOf(z.string().min(1).max(100), ENTRIES_MAX)
const relevances = listOf(
  z.preprocess(
    (value) => (typeof value === 'string' && /^[012]$/.test(value) ? Number(value) : value),
    z.union([z.literal(0), z.literal(1), z.literal(2)], { error: 'must be 0, 1 or 2' }),
  ),
  ENTRIES_MAX,
)
const ratings = listOf(z.int().min(1).max(5), ENTRIES_MAX)

const engagementEntry = z.strictObject({
  source: z.enum(FILTER_SLUGS as [string, ...string[]]),
  metric: z.string().min(1).max(50),
  value: z.number().min(0).max(FOLLOWERS_MAX),
  operator: z.string().min(1).max(20).default('>='),
})

const bounds = {
  startDate: instantIn('begin')
    .optional()
    .meta({ description: 'Published at this time or later. A day begins at 00:00 UTC.' }),
  endDate: instantIn('end')
    .optional()
    .meta({ description: 'Published at this time or before. A day is included whole.' }),
  minXFollowers: z
    .number()
    .min(0)
    .max(FOLLOWERS_MAX)
    .optional()
    .meta({ description: 'Least followers of the author.' }),
  maxXFollowers: z.number().min(0).max(FOLLOWERS_MAX).optional().meta({ description: 'Most followers of the author.' }),
}

const simple = {
  source: slugs.meta({ description: 'Posts of these sources. `reddit` includes replies.' }),
  '!source': slugs,
  sentiment: sentiments,
  '!sentiment': sentiments,
  keyword: keywords.meta({ description: `Numbers of keywords, at most ${KEYWORDS_MAX}. Unknown ones match nothing.` }),
  '!keyword': keywords,
  language: languages.meta({ description: 'ISO 639-1.' }),
  '!language': languages,
  tag: tags,
  '!tag': tags,
  relevance: relevances.meta({
    description: '0 high, 1 medium, 2 low: one of the sets 0 | 0,1 | 2 | 0,1,2. Unscored mentions are in none.',
  }),
  '!relevance': relevances,
  engaged: z.boolean().optional().meta({ description: 'Whether the mention is done.' }),
  isReply: z.boolean().optional(),
  reviewRating: ratings,
  '!reviewRating': ratings,
  engagement: z
    .union([z.array(engagementEntry).min(1).max(ENTRIES_MAX), engagementEntry.transform((entry) => [entry])])
    .optional()
    .meta({ description: 'One entry with the metric `likes` and the operator `>=`.' }),
  postType: z.unknown().optional().meta({ description: 'Answered 501.' }),
  ...bounds,
}

const condition = z.strictObject(simple).superRefine((value, context) => {
  if (Object.keys(value).length !== 1)
    context.addIssue({ code: 'custom', message: 'must hold exactly one condition', input: value })
})

const operator = z.enum(['AND', 'OR'])

const group = z.strictObject({ operator, conditions: z.array(condition).min(1).max(GROUPS_MAX) })

export const mentionFilterIn = z
  .strictObject({ ...simple, operator: operator.optional(), groups: z.array(group).min(1).max(GROUPS_MAX).optional() })
  .superRefine((filter, context) => {
    const wrong = (path: string, message: string) =>
      context.addIssue({ code: 'custom', message, path: [path], input: filter })
    const { startDate, endDate, operator: top, groups } = filter
    if (startDate && endDate && startDate > endDate) wrong('endDate', 'must not be before startDate')
    if (top === undefined && groups === undefined) return
    if (top === undefined) wrong('operator', 'is required')
    if (groups === undefined) wrong('groups', 'is required')
    for (const name of Object.keys(filter))
      if (name !== 'operator' && name !== 'groups' && !(name in bounds)) wrong(name, 'cannot stand beside groups')
  })
  .meta({
    id: 'MentionFilters',
    description:
      'Conditions that must all hold, or `operator` and `groups` of conditions, beside which only times and ' +
      'followers may stand. Lists with `!` leave out.',
  })

export type MentionFilterInput = z.output<typeof mentionFilterIn>
type Simple = z.output<z.ZodObject<typeof simple>>

/** Every number of a keyword that the filter names. */
export function keywordNumbersIn(filter: MentionFilterInput): number[] {
  return partsOf(filter).flatMap((part) => [...(part.keyword ?? []), ...(part['!keyword'] ?? [])])
}

export function asksRelevance(filter: MentionFilterInput): boolean {
  return partsOf(filter).some((part) => part.relevance !== undefined || part['!relevance'] !== undefined)
}

function partsOf(filter: MentionFilterInput): Simple[] {
  return [filter, ...(filter.groups ?? []).flatMap(({ conditions }) => conditions)]
}

/** The filter as a tree. `ids` finds keywords by their numbers. */
export function treeOf(filter: MentionFilterInput, ids: ReadonlyMap<number, Uuid>): Tree {
  const { operator: top, groups, ...own } = filter
  const base = conditionsOf(own, ids)
  if (top === undefined || groups === undefined)
    return { operator: 'AND', groups: [{ operator: 'AND', conditions: base }] }
  const inner: Tree['groups'] = groups.map((part) => ({
    operator: part.operator,
    conditions: part.conditions.flatMap((item) => conditionsOf(item, ids)),
  }))
  return base.length === 0 ? { operator: top, groups: inner } : within(top, base, inner)
}

/** Times and followers beside the groups hold for all of them. */
function within(top: Operator, base: readonly Condition[], inner: Tree['groups']): Tree {
  if (top === 'AND') return { operator: 'AND', groups: [{ operator: 'AND', conditions: base }, ...inner] }
  return {
    operator: 'OR',
    groups: inner.flatMap((part) =>
      part.operator === 'AND'
        ? [{ operator: 'AND' as const, conditions: [...base, ...part.conditions] }]
        : part.conditions.map((item) => ({ operator: 'AND' as const, conditions: [...base, item] })),
    ),
  }
}

type Reader = {
  [Name in keyof Simple]-?: (value: NonNullable<Simple[Name]>, ids: ReadonlyMap<number, Uuid>) => Condition
}

const found = (numbers: readonly number[], ids: ReadonlyMap<number, Uuid>) =>
  numbers.flatMap((number) => ids.get(number) ?? [])

const READERS: Reader = {
  source: sourceIn,
  '!source': sourceNotIn,
  sentiment: sentimentIn,
  '!sentiment': sentimentNotIn,
  keyword: (numbers, ids) => keywordIn(found(numbers, ids)),
  '!keyword': (numbers, ids) => keywordNotIn(found(numbers, ids)),
  language: languageIn,
  '!language': languageNotIn,
  tag: tagIn,
  '!tag': tagNotIn,
  relevance: relevanceIn,
  '!relevance': relevanceNotIn,
  engaged: engagedIs,
  isReply: (isReply) => [{ isReply }],
  reviewRating: ratingIn,
  '!reviewRating': ratingNotIn,
  engagement: engagementOf,
  postType: () => {
    throw new Unsayable('postType')
  },
  startDate: (at) => [{ from: at.getTime() }],
  endDate: (at) => [{ to: at.getTime() }],
  minXFollowers: (minFollowers) => [{ minFollowers }],
  maxXFollowers: (maxFollowers) => [{ maxFollowers }],
}

function conditionsOf(part: Simple, ids: ReadonlyMap<number, Uuid>): Condition[] {
  return (Object.keys(READERS) as (keyof Simple)[]).flatMap((name) => {
    const value = part[name]
    const read = READERS[name] as (value: unknown, ids: ReadonlyMap<number, Uuid>) => Condition
    return value === undefined ? [] : [read(value, ids)]
  })
}

/** Likes of one source. */
function engagementOf(entries: NonNullable<Simple['engagement']>): Condition {
  const [entry, ...others] = entries
  if (entry === undefined || others.length > 0) throw new Unsayable('engagement with several entries')
  if (entry.metric !== 'likes') throw new Unsayable(`engagement.metric ${entry.metric}`)
  if (entry.operator !== '>=') throw new Unsayable(`engagement.operator ${entry.operator}`)
  return sourceIn([entry.source]).map((alternative) => ({ ...alternative, minLikes: entry.value }))
}
