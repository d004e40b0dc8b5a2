import { KEYWORD_KINDS } from '../keyword/keyword.ts'
import { INTENTS, RELEVANCE_THRESHOLD, SENTIMENTS } from '../mention/classification.ts'
import { MENTION_STATUSES } from '../mention/status.ts'
import { PLATFORMS } from '../platform/platforms.ts'
import type { Attribute, FilterField, Form } from './field.ts'

/** JSON Schema needs a bound; no count comes near this one. */
const COUNT_MAX = 1e15
const words = (list: readonly string[], max: number): Form => ({ form: 'list', of: 'word', words: list, max })
const count: Form = { form: 'number', min: 0, max: COUNT_MAX }
const flag: Form = { form: 'boolean' }

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
      'Words that must all stand in the text of the post or the name of its author, in any case and with or ' +
      'without accents: musica finds música. An asterisk at the end finds every word with this beginning of 3 ' +
      'characters or more: goog* finds Google and googling.',
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
    meaning: 'Mentions of other keywords than these.',
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
    meaning: 'Mentions of keywords in other groups than these.',
    form: { form: 'list', of: 'id', prefix: 'grp', max: 50 },
    test: { test: 'none_of', attribute: 'groupId' },
    inRules: false,
  },
  platforms: {
    meaning: 'Posts on these platforms.',
    form: words(PLATFORMS, 20),
    test: { test: 'one_of', attribute: 'platform' },
    inRules: true,
  },
  notPlatforms: {
    meaning: 'Posts on other platforms than these.',
    form: words(PLATFORMS, 20),
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
    meaning: 'At least this relevance; unscored mentions are left out.',
    form: { form: 'number', min: 0, max: 100 },
    test: { test: 'at_least', attribute: 'relevance' },
    inRules: true,
  },
  maxRelevance: {
    meaning: 'At most this relevance; unscored mentions are left out.',
    form: { form: 'number', min: 0, max: 100 },
    test: { test: 'at_most', attribute: 'relevance' },
    inRules: true,
  },
  failed: {
    meaning: 'True for mentions whose scoring has failed; false for all others, unscored ones included.',
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
    meaning: 'True for mentions that nobody of the team looks after; false for those that somebody does.',
    form: flag,
    test: { test: 'is', attribute: 'unassigned' },
    inRules: false,
  },
  minConfidence: {
    meaning: 'At least this confidence; mentions without one are left out.',
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
    meaning: 'Mentions with none of these sentiments; unscored ones are kept.',
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
    meaning: 'Mentions with none of these intents; unscored ones are kept.',
    form: words(INTENTS, 20),
    test: { test: 'shares_none', attribute: 'intents' },
    inRules: true,
  },
  automated: {
    meaning: 'True for posts that a program seems to have written; false for all others.',
    form: flag,
    test: { test: 'is', attribute: 'automated' },
    inRules: true,
  },
  languages: {
    meaning: 'Posts in these languages (ISO 639-1); unknown languages are left out.',
    form: { form: 'list', of: 'language', max: 20 },
    test: { test: 'one_of', attribute: 'language' },
    inRules: true,
  },
  notLanguages: {
    meaning: 'Posts in other languages than these; unknown languages are kept.',
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
    meaning: 'Posts by people with none of these tags; people without any are kept.',
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
    meaning: 'Posts by other people than these: profile or post links, @handles, names.',
    form: { form: 'list', of: 'author', max: 200 },
    test: { test: 'shares_none', attribute: 'authorKeys' },
    inRules: true,
  },
  minFollowers: {
    meaning: 'Authors with at least this many followers; unknown counts are left out.',
    form: count,
    test: { test: 'at_least', attribute: 'followers' },
    inRules: true,
  },
  maxFollowers: {
    meaning: 'Authors with at most this many followers; unknown counts are left out.',
    form: count,
    test: { test: 'at_most', attribute: 'followers' },
    inRules: true,
  },
  isReply: {
    meaning: 'True for answers to other posts; false for posts of their own.',
    form: flag,
    test: { test: 'is', attribute: 'isReply' },
    inRules: true,
  },
  ratings: {
    meaning: 'Reviews with one of these ratings; other posts are left out.',
    form: { form: 'list', of: 'rating', max: 5 },
    test: { test: 'one_of', attribute: 'rating' },
    inRules: true,
  },
  notRatings: {
    meaning: 'Everything but reviews with one of these ratings.',
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

/** And at least one group of `anyOf`, if present. */
export interface MentionFilter extends FilterGroup {
  readonly anyOf?: readonly FilterGroup[]
}

export const ANY_OF_MAX = 10
