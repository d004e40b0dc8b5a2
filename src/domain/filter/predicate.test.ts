import { describe, expect, test } from 'vitest'
import type { Filterable } from './field.ts'
import { type FILTER_FIELDS, FILTER_NAMES, type MentionFilter, type WordsOf } from './fields.ts'
import { hostAndParents } from './link-hosts.ts'
import { listOf, predicateOf } from './predicate.ts'

const KEYWORD = '01900000-0000-7000-8000-000000000001'
const OTHER = '01900000-0000-7000-8000-000000000002'

const MENTION: Filterable = {
  keywordId: KEYWORD,
  keywordKind: 'brand',
  groupId: KEYWORD,
  platform: 'x',
  status: 'open',
  delivered: true,
  failed: true,
  unassigned: true,
  relevance: 70,
  confidence: 0.5,
  sentiment: 'negative',
  intents: ['complaint', 'pricing'],
  automated: false,
  language: 'en',
  followers: 100,
  isReply: true,
  rating: 2,
  likes: 10,
  reposts: 10,
  replies: 10,
  quotes: 10,
  views: 10,
  bookmarks: 10,
  linkHosts: ['docs.acme.com', 'acme.com'],
  authorKeys: ['somebody'],
  tags: ['vip', 'Press'],
  words: ['rocket', 'launch', 'somebody'],
}

/** Nothing about it is known beyond what every mention has. */
const UNKNOWN: Filterable = {
  ...MENTION,
  delivered: false,
  failed: false,
  unassigned: false,
  relevance: null,
  confidence: null,
  sentiment: null,
  intents: null,
  automated: null,
  language: null,
  followers: null,
  isReply: false,
  rating: null,
  likes: null,
  reposts: null,
  replies: null,
  quotes: null,
  views: null,
  bookmarks: null,
  linkHosts: [],
  authorKeys: [],
  tags: [],
  words: [],
}

const wordsOf: WordsOf = (text) =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({ word: word.replace('*', ''), begins: word.endsWith('*') }))

/**
 * For each field: a value that the mention passes, one that it does not, and whether a mention without the fact passes
 * both.
 */
const CASES: { [Name in keyof typeof FILTER_FIELDS]: [passes: unknown, fails: unknown, unknown: [boolean, boolean]] } =
  {
    q: ['somebody rocket', 'rocket salad', [false, false]],
    keywordIds: [[OTHER, KEYWORD], [OTHER], [true, false]],
    notKeywordIds: [[OTHER], [KEYWORD], [true, false]],
    keywordKinds: [['topic', 'brand'], ['topic'], [true, false]],
    groupIds: [[KEYWORD], [OTHER], [true, false]],
    notGroupIds: [[OTHER], [KEYWORD], [true, false]],
    platforms: [['x'], ['bluesky'], [true, false]],
    notPlatforms: [['bluesky'], ['x'], [true, false]],
    status: ['open', 'done', [true, false]],
    relevant: [true, false, [false, true]],
    minRelevance: [70, 71, [false, false]],
    maxRelevance: [70, 69, [false, false]],
    failed: [true, false, [false, true]],
    delivered: [true, false, [false, true]],
    unassigned: [true, false, [false, true]],
    minConfidence: [0.5, 0.51, [false, false]],
    sentiments: [['negative', 'neutral'], ['positive'], [false, false]],
    notSentiments: [['positive'], ['negative'], [true, true]],
    intents: [['pricing', 'launch'], ['launch'], [false, false]],
    notIntents: [['launch'], ['pricing', 'launch'], [true, true]],
    automated: [false, true, [true, false]],
    languages: [['de', 'en'], ['de'], [false, false]],
    notLanguages: [['de'], ['en'], [true, true]],
    tags: [['Press', 'other'], ['press'], [false, false]],
    notTags: [['press'], ['other', 'vip'], [true, true]],
    linkHosts: [['acme.com'], ['other.com'], [false, false]],
    notLinkHosts: [['other.com'], ['docs.acme.com'], [true, true]],
    excludeAuthors: [['nobody'], ['nobody', 'somebody'], [true, true]],
    minFollowers: [100, 101, [false, false]],
    maxFollowers: [100, 99, [false, false]],
    isReply: [true, false, [false, true]],
    ratings: [[1, 2], [3], [false, false]],
    notRatings: [[3], [1, 2], [true, true]],
    minLikes: [10, 11, [false, false]],
    minReposts: [10, 11, [false, false]],
    minReplies: [10, 11, [false, false]],
    minQuotes: [10, 11, [false, false]],
    minViews: [10, 11, [false, false]],
    minBookmarks: [10, 11, [false, false]],
  }

describe.each(FILTER_NAMES)('%s', (name) => {
  const [passes, fails, unknown] = CASES[name]
  const holds = (value: unknown, mention: Filterable) =>
    predicateOf({ [name]: value } as MentionFilter, wordsOf)(mention)

  test('lets through what it names and nothing else', () => {
    expect([holds(passes, MENTION), holds(fails, MENTION)]).toEqual([true, false])
  })

  test('says what becomes of a mention that lacks the fact', () => {
    expect([holds(passes, UNKNOWN), holds(fails, UNKNOWN)]).toEqual(unknown)
  })
})

describe('a whole filter', () => {
  test('lets everything through when it says nothing', () => {
    expect([predicateOf({})(MENTION), predicateOf({})(UNKNOWN)]).toEqual([true, true])
  })

  test('needs every condition and one of the alternatives', () => {
    const holds = (filter: MentionFilter) => predicateOf(filter)(MENTION)
    expect(holds({ platforms: ['x'], minRelevance: 71 })).toBe(false)
    expect(holds({ platforms: ['x'], anyOf: [{ minRelevance: 71 }, { intents: ['pricing'] }] })).toBe(true)
    expect(
      holds({ platforms: ['x'], anyOf: [{ minRelevance: 71 }, { intents: ['pricing'], sentiments: ['positive'] }] }),
    ).toBe(false)
    expect(holds({ platforms: ['bluesky'], anyOf: [{ intents: ['pricing'] }] })).toBe(false)
  })

  test('with the beginning of a word matches what holds such a word, itself included', () => {
    const holds = ['roc*', 'rocket*', 'launch* some*', 'ocket*', 'rockets*', 'rocket* salad'].map((q) =>
      predicateOf({ q }, wordsOf)(MENTION),
    )
    expect(holds).toEqual([true, true, true, false, false, false])
  })

  test('with a text without any word matches nothing', () => {
    expect(predicateOf({ q: ' ' }, wordsOf)(MENTION)).toBe(false)
  })

  test('with a list that lost its last entry matches nothing', () => {
    expect(predicateOf({ keywordIds: [] })(MENTION)).toBe(false)
  })
})

test('a single word is a list of one', () => {
  expect([listOf('open'), listOf(3), listOf(false), listOf(['a', 'b'])]).toEqual([['open'], [3], [false], ['a', 'b']])
})

test.each([
  ['Docs.Acme.CO.uk.', ['docs.acme.co.uk', 'acme.co.uk', 'co.uk']],
  ['acme.com', ['acme.com']],
  ['localhost', ['localhost']],
  [`${'a.'.repeat(200)}com`, [`${'a.'.repeat(200)}com`]],
])('the host %s and the domains above it', (host, all) => {
  expect(hostAndParents(host)).toEqual(all)
})
