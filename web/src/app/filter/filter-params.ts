import type { MentionQuery } from '../../api/mentions.ts'
import { type ParamKind, printParams, readParams } from './param-codec.ts'

/** Every filter parameter of lists of mentions. Paging, the deprecated single forms and `anyOf` are left out. */
export const FILTER_PARAMS = {
  q: 'text',
  keywordIds: 'words',
  notKeywordIds: 'words',
  keywordKinds: 'words',
  groupIds: 'words',
  notGroupIds: 'words',
  platforms: 'words',
  notPlatforms: 'words',
  status: 'words',
  relevant: 'flag',
  minRelevance: 'number',
  maxRelevance: 'number',
  failed: 'flag',
  delivered: 'flag',
  unassigned: 'flag',
  minConfidence: 'number',
  sentiments: 'words',
  notSentiments: 'words',
  intents: 'words',
  notIntents: 'words',
  automated: 'flag',
  languages: 'words',
  notLanguages: 'words',
  tags: 'words',
  notTags: 'words',
  linkHosts: 'words',
  notLinkHosts: 'words',
  excludeAuthors: 'words',
  minFollowers: 'number',
  maxFollowers: 'number',
  isReply: 'flag',
  ratings: 'numbers',
  notRatings: 'numbers',
  minLikes: 'number',
  minReposts: 'number',
  minReplies: 'number',
  minQuotes: 'number',
  minViews: 'number',
  minBookmarks: 'number',
  alertId: 'text',
  personId: 'text',
  includeMuted: 'flag',
  assigneeId: 'text',
  snoozed: 'flag',
  reviewApp: 'text',
  reviewCountry: 'text',
  reviewVersion: 'text',
  createdSince: 'text',
  createdUntil: 'text',
  since: 'text',
  until: 'text',
} as const satisfies Partial<Record<keyof MentionQuery, ParamKind>>

export type FilterParam = keyof typeof FILTER_PARAMS
export type Filter = Pick<MentionQuery, FilterParam>
export const FILTER_NAMES = Object.keys(FILTER_PARAMS) as FilterParam[]

/** Parameters whose values are words of the API. Values of the others are shown as they are. */
export const ENUM_PARAMS: ReadonlySet<FilterParam> = new Set([
  'keywordKinds',
  'status',
  'sentiments',
  'notSentiments',
  'intents',
  'notIntents',
  ...FILTER_NAMES.filter((name) => FILTER_PARAMS[name] === 'flag'),
])

export const SORTS = ['newest', 'oldest', 'relevance', 'priority', 'published', 'engagement'] as const
export type Sort = (typeof SORTS)[number]

/** What a saved view cannot hold. */
export const PASSING_PARAMS: ReadonlySet<FilterParam> = new Set([
  'since',
  'until',
  'createdSince',
  'createdUntil',
  'assigneeId',
  'personId',
  'snoozed',
  'alertId',
  'includeMuted',
  'reviewApp',
  'reviewCountry',
  'reviewVersion',
])

/** Unknown and unreadable parameters are left out; the API says what is wrong with values. */
export function parseFilter(search: URLSearchParams): Filter {
  return readParams(FILTER_PARAMS, search) as Filter
}

export function printFilter(filter: Filter): URLSearchParams {
  return printParams(FILTER_PARAMS, filter)
}

/** A filter as bodies of requests hold it: with one status, or any. Null where it holds two of the three. */
export function bodyFilter(filter: Filter): (Omit<Filter, 'status'> & { status?: Status }) | null {
  const { status, ...rest } = filter
  if (status === undefined || status.length === STATUSES) return rest
  return status.length === 1 ? { ...rest, status: status[0]! } : null
}

type Status = NonNullable<Filter['status']>[number]
const STATUSES = 3
