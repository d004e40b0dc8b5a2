import type { FilterGroup, MentionFilter } from '../../../domain/filter/fields.ts'
import type { Platform } from '../../../domain/platform/platforms.ts'
import { fromId, type Uuid } from '../../../kernel/ids.ts'
import { HIGH, MEDIUM } from '../filters/conditions.ts'
import { REDDIT_REPLIES, slugOf, UNCOLLECTED } from '../platforms.ts'

export interface ShownCondition {
  field: string
  /** Left out of simple filters, where it is always `in`. */
  operator?: string
  values: string
}

export interface ShownFilters {
  simpleFilters: { conditions: ShownCondition[] } | null
  advancedFilters: {
    top_level_operator: 'AND' | 'OR'
    groups: { group_operator: 'AND' | 'OR'; conditions: ShownCondition[] }[]
  } | null
}

const UNSAID: ShownFilters = { simpleFilters: null, advancedFilters: null }

/** Every keyword that a filter of a view, as callers of ours see it, names. */
export function keywordUuidsIn({ anyOf = [], ...own }: MentionFilter): Uuid[] {
  return [own, ...anyOf].flatMap(({ keywordIds = [], notKeywordIds = [] }) =>
    [...texts(keywordIds), ...texts(notKeywordIds)].map((id) => fromId('kw', id)!),
  )
}

/** A view's filter in the words of feeds; both null for what they cannot say. */
export function shownFilters({ anyOf, ...own }: MentionFilter, numberOf: (id: Uuid) => number): ShownFilters {
  const groups = (anyOf ?? [{}]).map((group) => together(own, group))
  const said = groups.map((group) => (group === null ? null : conditionsOf(group, numberOf)))
  if (said.some((conditions) => conditions === null)) return UNSAID
  const [first, ...others] = said as ShownCondition[][]
  if (others.length === 0 && first!.every(({ operator }) => operator === 'in'))
    return {
      simpleFilters: { conditions: first!.map(({ field, values }) => ({ field, values })) },
      advancedFilters: null,
    }
  // A group without conditions holds for everything, which groups cannot say.
  if (said.some((conditions) => conditions!.length === 0)) return UNSAID
  return {
    simpleFilters: null,
    advancedFilters: {
      top_level_operator: others.length === 0 ? 'AND' : 'OR',
      groups: (said as ShownCondition[][]).map((conditions) => ({ group_operator: 'AND', conditions })),
    },
  }
}

/** Base and alternative as one group; null where both name a field. */
function together(own: FilterGroup, group: FilterGroup): FilterGroup | null {
  return Object.keys(own).some((name) => name in group) ? null : { ...own, ...group }
}

const SAID: ReadonlySet<string> = new Set([
  'keywordIds',
  'notKeywordIds',
  'platforms',
  'notPlatforms',
  'isReply',
  'sentiments',
  'notSentiments',
  'languages',
  'notLanguages',
  'intents',
  'notIntents',
  'relevant',
  'minRelevance',
  'maxRelevance',
  'status',
  'minFollowers',
  'maxFollowers',
])

function conditionsOf(group: FilterGroup, numberOf: (id: Uuid) => number): ShownCondition[] | null {
  if (Object.keys(group).some((name) => !SAID.has(name))) return null
  const parts = [
    keywords(group, numberOf),
    sources(group),
    list('Sentiment', group.sentiments, group.notSentiments),
    list('Language', group.languages, group.notLanguages),
    list('Tags', group.intents, group.notIntents),
    relevance(group),
    engaged(group),
    followers(group),
  ]
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part!)
}

function one(field: string, operator: string, values: readonly string[]): ShownCondition {
  return { field, operator, values: values.join(',') }
}

function list(field: string, is: unknown, isNot: unknown): ShownCondition[] {
  return [
    ...(is === undefined ? [] : [one(field, 'in', texts(is))]),
    ...(isNot === undefined ? [] : [one(field, 'not in', texts(isNot))]),
  ]
}

/** A list without keywords matches nothing, which a source that is not collected says. */
function keywords({ keywordIds, notKeywordIds }: FilterGroup, numberOf: (id: Uuid) => number): ShownCondition[] {
  const numbers = (ids: unknown) => texts(ids).map((id) => String(numberOf(fromId('kw', id)!)))
  const nobody = keywordIds !== undefined && texts(keywordIds).length === 0
  return [
    ...(nobody ? [one('Source', 'in', UNCOLLECTED.slice(0, 1))] : []),
    ...(keywordIds === undefined || nobody ? [] : [one('Keywords', 'in', numbers(keywordIds))]),
    ...(notKeywordIds === undefined || texts(notKeywordIds).length === 0
      ? []
      : [one('Keywords', 'not in', numbers(notKeywordIds))]),
  ]
}

/** Replies can be said of Reddit alone. */
function sources({ platforms, notPlatforms, isReply }: FilterGroup): ShownCondition[] | null {
  const slugs = (list: unknown) => texts(list).map((platform) => slugOf(platform as Platform))
  const not = notPlatforms === undefined ? [] : [one('Source', 'not in', slugs(notPlatforms))]
  if (isReply === undefined)
    return [...(platforms === undefined ? [] : [one('Source', 'in', slugs(platforms))]), ...not]
  if (texts(platforms ?? []).join(',') !== 'reddit') return null
  return isReply === true
    ? [one('Source', 'in', [REDDIT_REPLIES]), ...not]
    : [one('Source', 'in', ['reddit']), one('Source', 'not in', [REDDIT_REPLIES]), ...not]
}

const SETS: ReadonlyMap<string, string> = new Map([
  [`${HIGH} `, '0'],
  [`${MEDIUM} `, '0,1'],
  [` ${MEDIUM - 1}`, '2'],
  ['0 ', '0,1,2'],
])

function relevance({ relevant, minRelevance, maxRelevance }: FilterGroup): ShownCondition[] | null {
  if (relevant === false) return null
  const least = relevant === true ? Math.max(MEDIUM, Number(minRelevance ?? 0)) : minRelevance
  if (least === undefined && maxRelevance === undefined) return []
  const set = SETS.get(`${least ?? ''} ${maxRelevance ?? ''}`)
  return set === undefined ? null : [{ field: 'RelevanceScore', operator: 'in', values: set }]
}

function engaged({ status }: FilterGroup): ShownCondition[] | null {
  if (status === undefined) return []
  return status === 'done' ? [one('Engaged', 'in', ['true'])] : null
}

function followers({ minFollowers, maxFollowers }: FilterGroup): ShownCondition[] | null {
  if ([minFollowers, maxFollowers].some((count) => count !== undefined && !Number.isInteger(count))) return null
  return [
    ...(minFollowers === undefined ? [] : [one('TwitterFollowerCount', '>=', [String(minFollowers)])]),
    ...(maxFollowers === undefined ? [] : [one('TwitterFollowerCount', '<=', [String(maxFollowers)])]),
  ]
}

function texts(value: unknown): string[] {
  return (value as readonly string[]).map(String)
}
