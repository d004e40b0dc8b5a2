import { listAny } from '../../kit/list.ts'
import type { FilterParam } from './filter-params.ts'

const PARAM_WORDS: Readonly<Record<FilterParam, string>> = {
  q: 'words',
  keywordIds: 'keyword',
  notKeywordIds: 'not keyword',
  keywordKinds: 'keyword kind',
  groupIds: 'group',
  notGroupIds: 'not group',
  platforms: 'platform',
  notPlatforms: 'not platform',
  status: 'status',
  relevant: 'relevant',
  minRelevance: 'relevance from',
  maxRelevance: 'relevance to',
  failed: 'score failed',
  delivered: 'delivered',
  unassigned: 'unassigned',
  minConfidence: 'confidence from',
  sentiments: 'sentiment',
  notSentiments: 'not sentiment',
  intents: 'intent',
  notIntents: 'not intent',
  automated: 'automated',
  languages: 'language',
  notLanguages: 'not language',
  tags: 'tag',
  notTags: 'not tag',
  linkHosts: 'links to',
  notLinkHosts: 'not links to',
  excludeAuthors: 'without',
  minFollowers: 'followers from',
  maxFollowers: 'followers to',
  isReply: 'reply',
  ratings: 'rating',
  notRatings: 'not rating',
  minLikes: 'likes from',
  minReposts: 'reposts from',
  minReplies: 'replies from',
  minQuotes: 'quotes from',
  minViews: 'views from',
  minBookmarks: 'bookmarks from',
  alertId: 'rule',
  personId: 'person',
  includeMuted: 'muted people too',
  assigneeId: 'assigned to',
  snoozed: 'snoozed',
  createdSince: 'found since',
  createdUntil: 'found until',
  since: 'posted since',
  until: 'posted until',
}

export const words = {
  filter: 'Filter',
  filterPlaceholder: 'Words, or platform:reddit -intent:hiring followers:>1000',
  applyFilter: 'Apply',
  removeChip: (text: string) => `Remove the filter ${text}`,
  param: (param: FilterParam) => PARAM_WORDS[param],
  chipValue: (value: unknown) =>
    Array.isArray(value) ? listAny(value.map((word) => plain(String(word)))) : plain(String(value)),
  passing: 'A saved view cannot hold this part',
}

function plain(text: string): string {
  return text.replaceAll('_', ' ')
}
