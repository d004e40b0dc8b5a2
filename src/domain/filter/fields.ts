import { KEYWORD_KINDS } from '../keyword/keyword.ts'
import { INTENTS, RELEVANCE_THRESHOLD, SENTIMENTS } from '../mention/classification.ts'
import { MENTION_STATUSES } from '../mention/status.ts'
import { PLATFORMS, PLATFORMS_NAMED_MAX } from '../platform/platforms.ts'
import type { Attribute, FieldForm, FilterField } from './field.ts'

/** JSON Schema needs a bound; no count comes near this one. */
const COUNT_MAX = 1e15
const words = (list: readonly string[], max: number): FieldForm => ({ form: 'list', of: 'word', words: list, max })
const count: FieldForm = { form: 'number', min: 0, max: COUNT_MAX }
const flag: FieldForm = { form: 'boolean' }

function minimum(attribute: Attribute, what: string): FilterField {
  return {
    meaning: `At least this many ${what}; posts without the count are left out.`,
    form: count,
    test: { test: 'at_least', attribute },
    inRules: true,
  }
}

export const FILTER_FIELDS = {
  q: {
    meaning:
      "Words that must all occur in the text or the author's name, in any letter case and with or " +
      'without accents: musica finds música. A trailing asterisk after 3 or more characters finds ' +
      'every word with this beginning: goog* finds Google and googling.',
    form: { form: 'words', max: 200 },
    test: { test: 'says' },
    inRules: false,
  },
  keywordIds: {
    meaning: 'Mentions of these keywords.',
    form: { form: 'list', of: 'id', prefix: 'kw', max: 50 },
    test: { test: 'one_of', attribute: 'keywordId' },
    inRules: true,
  },
  notKeywordIds: {
    meaning: 'Mentions of all keywords except these.',
    form: { form: 'list', of: 'id', prefix: 'kw', max: 50 },
    test: { test: 'none_of', attribute: 'keywordId' },
    inRules: false,
  },
  keywordKinds: {
    meaning: 'Mentions of keywords of these kinds.',
    form: words(KEYWORD_KINDS, 3),
    test: { test: 'one_of', attribute: 'keywordKind' },
    inRules: true,
  },
  groupIds: {
    meaning: 'Mentions of keywords in these groups.',
    form: { form: 'list', of: 'id', prefix: 'grp', max: 50 },
    test: { test: 'one_of', attribute: 'groupId' },
    inRules: true,
  },
  notGroupIds: {
    meaning: 'Mentions of keywords in all groups except these.',
    form: { form: 'list', of: 'id', prefix: 'grp', max: 50 },
    test: { test: 'none_of', attribute: 'groupId' },
    inRules: false,
  },
  platforms: {
    meaning: 'Posts on these platforms.',
    form: words(PLATFORMS, PLATFORMS_NAMED_MAX),
    test: { test: 'one_of', attribute: 'platform' },
    inRules: true,
  },
  notPlatforms: {
    meaning: 'Posts on all platforms except these.',
    form: words(PLATFORMS, PLATFORMS_NAMED_MAX),
    test: { test: 'none_of', attribute: 'platform' },
    inRules: true,
  },
  status: {
    meaning: 'Mentions with this status.',
    form: { form: 'word', words: MENTION_STATUSES },
    test: { test: 'one_of', attribute: 'status' },
    inRules: false,
  },
  relevant: {
    meaning: `True for relevance ${RELEVANCE_THRESHOLD} or more; false for the others, unscored mentions included.`,
    form: flag,
    test: { test: 'relevant' },
    inRules: false,
  },
  minRelevance: {
    meaning: 'Minimum relevance. Unscored mentions do not match.',
    form: { form: 'number', min: 0, max: 100 },
    test: { test: 'at_least', attribute: 'relevance' },
    inRules: true,
  },
  maxRelevance: {
    meaning: 'Maximum relevance. Unscored mentions do not match.',
    form: { form: 'number', min: 0, max: 100 },
    test: { test: 'at_most', attribute: 'relevance' },
    inRules: true,
  },
  failed: {
    meaning: 'True for mentions whose scoring failed; false for all others, unscored ones included.',
    form: flag,
    test: { test: 'is', attribute: 'failed' },
    inRules: false,
  },
  delivered: {
    meaning: 'True for mentions that a channel has received; false for all others.',
    form: flag,
    test: { test: 'is', attribute: 'delivered' },
    inRules: false,
  },
  unassigned: {
    meaning: 'True for mentions without an assignee; false for assigned mentions.',
    form: flag,
    test: { test: 'is', attribute: 'unassigned' },
    inRules: false,
  },
  minConfidence: {
    meaning: 'Minimum confidence. Mentions without one do not match.',
    form: { form: 'number', min: 0, max: 1 },
    test: { test: 'at_least', attribute: 'confidence' },
    inRules: true,
  },
  sentiments: {
    meaning: 'Mentions with one of these sentiments.',
    form: words(SENTIMENTS, 3),
    test: { test: 'one_of', attribute: 'sentiment' },
    inRules: true,
  },
  notSentiments: {
    meaning: 'Mentions with none of these sentiments. Unscored mentions match.',
    form: words(SENTIMENTS, 3),
    test: { test: 'none_of', attribute: 'sentiment' },
    inRules: true,
  },
  intents: {
    meaning: 'Mentions with at least one of these intents.',
    form: words(INTENTS, 20),
    test: { test: 'shares', attribute: 'intents' },
    inRules: true,
  },
  notIntents: {
    meaning: 'Mentions with none of these intents. Unscored mentions match.',
    form: words(INTENTS, 20),
    test: { test: 'shares_none', attribute: 'intents' },
    inRules: true,
  },
  automated: {
    meaning: 'True for posts that seem to be written by a program; false for all others.',
    form: flag,
    test: { test: 'is', attribute: 'automated' },
    inRules: true,
  },
  languages: {
    meaning: 'Posts in these languages (ISO 639-1). Unknown languages do not match.',
    form: { form: 'list', of: 'language', max: 20 },
    test: { test: 'one_of', attribute: 'language' },
    inRules: true,
  },
  notLanguages: {
    meaning: 'Posts in all languages except these. Unknown languages match.',
    form: { form: 'list', of: 'language', max: 20 },
    test: { test: 'none_of', attribute: 'language' },
    inRules: true,
  },
  tags: {
    meaning: 'Posts by people with at least one of these tags, exactly as they were given.',
    form: { form: 'list', of: 'tag', max: 20 },
    test: { test: 'shares', attribute: 'tags' },
    inRules: true,
  },
  notTags: {
    meaning: 'Posts by people with none of these tags. People without tags match.',
    form: { form: 'list', of: 'tag', max: 20 },
    test: { test: 'shares_none', attribute: 'tags' },
    inRules: true,
  },
  linkHosts: {
    meaning: 'Posts with a link to one of these hosts or a host below it.',
    form: { form: 'list', of: 'host', max: 20 },
    test: { test: 'shares', attribute: 'linkHosts' },
    inRules: true,
  },
  notLinkHosts: {
    meaning: 'Posts without a link to any of these hosts or a host below it.',
    form: { form: 'list', of: 'host', max: 20 },
    test: { test: 'shares_none', attribute: 'linkHosts' },
    inRules: true,
  },
  excludeAuthors: {
    meaning: 'Posts by all people except these: profile or post links, @handles, names.',
    form: { form: 'list', of: 'author', max: 200 },
    test: { test: 'shares_none', attribute: 'authorKeys' },
    inRules: true,
  },
  minFollowers: {
    meaning: 'Minimum number of followers of the author. Unknown counts do not match.',
    form: count,
    test: { test: 'at_least', attribute: 'followers' },
    inRules: true,
  },
  maxFollowers: {
    meaning: 'Maximum number of followers of the author. Unknown counts do not match.',
    form: count,
    test: { test: 'at_most', attribute: 'followers' },
    inRules: true,
  },
  isReply: {
    meaning: 'True for replies; false for posts that are not replies.',
    form: flag,
    test: { test: 'is', attribute: 'isReply' },
    inRules: true,
  },
  ratings: {
    meaning: 'Reviews with one of these ratings. Other posts do not match.',
    form: { form: 'list', of: 'rating', max: 5 },
    test: { test: 'one_of', attribute: 'rating' },
    inRules: true,
  },
  notRatings: {
    meaning: 'All posts except reviews with one of these ratings.',
    form: { form: 'list', of: 'rating', max: 5 },
    test: { test: 'none_of', attribute: 'rating' },
    inRules: true,
  },
  minLikes: minimum('likes', 'likes'),
  minReposts: minimum('reposts', 'reposts'),
  minReplies: minimum('replies', 'replies'),
  minQuotes: minimum('quotes', 'quotes'),
  minViews: minimum('views', 'views'),
  minBookmarks: minimum('bookmarks', 'bookmarks'),
} as const satisfies Record<string, FilterField>

export type FilterName = keyof typeof FILTER_FIELDS
export const FILTER_NAMES = Object.keys(FILTER_FIELDS) as FilterName[]

/** Ids as stored. */
export type FilterValue = string | number | boolean | readonly string[] | readonly number[]

export interface WantedWord {
  readonly word: string
  readonly begins: boolean
}

export type WordsOf = (text: string) => readonly WantedWord[]

/** All conditions of a group must hold. */
export type FilterGroup = { readonly [Name in FilterName]?: FilterValue }

/** Its own conditions and, if present, one group of `anyOf` must hold. */
export interface MentionFilter extends FilterGroup {
  readonly anyOf?: readonly FilterGroup[]
}

export const ANY_OF_MAX = 10
