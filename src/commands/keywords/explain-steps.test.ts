import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Keyword } from '../../domain/keyword/keyword.ts'
import { PLATFORMS, platformNumber, REVIEW_PLATFORMS, SEARCH_PLATFORMS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { searchedTextOf } from '../../domain/post/searched-text.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { createListsTest, createMatcher } from '../../matching/index.ts'
import { randomText, termFrom } from '../../matching/random-text.suite.ts'
import type { StoredFilters } from '../../store/filter/workspace-filters.ts'
import { explainRules } from './explain-steps.ts'

const AT = new Date('2026-11-20T09:30:00.000Z')
const ID = newUuid(AT)
const KEYWORD: Keyword = {
  id: ID,
  workspaceId: ID,
  groupId: ID,
  term: 'acme',
  kind: 'brand',
  platforms: null,
  context: null,
  matching: { requiredTerms: [], requiredMode: 'any', excludedTerms: [], excludedAuthors: [], caseSensitive: false },
  excludedAuthorKeys: [],
  muted: false,
  pausedForBalance: false,
  pausedForNoise: false,
  pausedForCap: false,
  capOwn: null,
  reviewSources: [],
  createdAt: AT,
  judgedSince: AT,
  collectsSince: null,
}
const POST: Post = {
  platform: 'x',
  nativeId: '1',
  url: 'https://x.com/i/status/1',
  title: null,
  text: '',
  imageUrl: null,
  links: [],
  publishedAt: AT,
  languageHint: null,
  engagement: null,
  replyTo: null,
  author: null,
  review: null,
}
const NOBODY = { identities: [] }
const keywordWith = ({
  matching,
  ...others
}: Partial<Omit<Keyword, 'matching'>> & { matching?: Partial<Keyword['matching']> }): Keyword => ({
  ...KEYWORD,
  ...others,
  matching: { ...KEYWORD.matching, ...matching },
})
const NO_LISTS: StoredFilters = {
  workspaceId: ID as Uuid,
  excludedTerms: [],
  excludedAuthors: [],
  excludedAuthorKeys: [],
  excludedRepos: [],
  subredditsOnly: [],
  subredditsExcluded: [],
  version: 2,
  revision: 2,
  updatedAt: AT,
}
const failing = (keyword: Keyword, post: Partial<Post>, filters: StoredFilters | null = null) =>
  explainRules(keyword, filters, { ...POST, ...post }, NOBODY)
    .filter(({ passed }) => passed === false)
    .map(({ step, detail }) => `${step}: ${detail}`)

function elapsed(work: () => void): number {
  const before = performance.now()
  work()
  return performance.now() - before
}

const someTerms = (text: string) => fc.array(termFrom(text), { maxLength: 3 })

const cases = randomText(25).chain((text) =>
  fc.record({
    text: fc.constant(text),
    title: fc.option(randomText(8)),
    links: fc.subarray(['https://acme.com/a', 'https://node.js.example/?q=open']),
    term: fc.oneof(termFrom(text), fc.constantFrom('acme.com', 'open', 'node.js')),
    caseSensitive: fc.boolean(),
    requiredTerms: someTerms(text),
    requiredMode: fc.constantFrom('any' as const, 'all' as const),
    excludedTerms: fc.array(fc.oneof(termFrom(text), fc.constantFrom('open*', '*bot', 'ada')), { maxLength: 2 }),
    keys: fc.subarray(['ada', 'https://x.com/ada']),
    name: fc.option(fc.constantFrom('Ada', 'nightlybot')),
    platform: fc.constantFrom(...SEARCH_PLATFORMS),
    platforms: fc.option(fc.subarray([...SEARCH_PLATFORMS])),
  }),
)

test('a post passes every step that rules are asked for exactly when the matching engine lets it through', () => {
  fc.assert(
    fc.property(
      cases,
      ({
        term,
        caseSensitive,
        requiredTerms,
        requiredMode,
        excludedTerms,
        keys,
        name,
        platform,
        platforms,
        ...texts
      }) => {
        const author =
          name === null
            ? null
            : { id: null, name, handle: null, url: null, avatarUrl: null, followers: null, automated: null }
        const post: Post = { ...POST, ...texts, platform, author }
        const keyword = keywordWith({
          term,
          platforms,
          excludedAuthorKeys: keys,
          matching: { caseSensitive, requiredTerms, requiredMode, excludedTerms },
        })
        const scopes = [...(platforms ?? SEARCH_PLATFORMS)].reduce<number>(
          (bits, item) => bits | (1 << platformNumber(item)),
          0,
        )
        const matcher = createMatcher()
        matcher.put(ID, {
          term,
          caseSensitive,
          requiredTerms,
          requiredMode,
          excludedTerms,
          excludedAuthors: keys,
          scopes,
        })
        expect(failing(keyword, post).length === 0).toBe(matcher.match(searchedTextOf(post)).length === 1)
      },
    ),
    { numRuns: 4000 },
  )
}, 120_000)

describe('the reason', () => {
  test.each([
    [
      'We love OpenAcmes!',
      'boundaries: They stand only inside of something longer: “openacmes”, and a term does not match inside of a longer word.',
    ],
    ['nothing', 'term: “acme” does not stand in the post, also when case, quotes, dashes and widths are folded.'],
    ['Ácme', 'term: “acme” stands in the post only with other accents, and accents count.'],
  ])('%s', (text, expected) => expect(failing(KEYWORD, { text })[0]).toBe(expected))

  test('names the case, the platform, the entries and what they are found in', () => {
    const keyword = keywordWith({
      term: 'ACME',
      platforms: ['github'],
      excludedAuthorKeys: ['ada'],
      matching: {
        caseSensitive: true,
        requiredTerms: ['rocket', 'sled'],
        requiredMode: 'all',
        excludedTerms: ['jobs', 'hiring*', '*bot'],
        excludedAuthors: ['Ada'],
      },
    })
    const author = { id: null, name: 'Ada', handle: null, url: null, avatarUrl: null, followers: null, automated: null }
    expect(failing(keyword, { text: 'acme is hiringnow, rocket', author })).toEqual([
      'case: The keyword counts only as it is typed, “ACME”; the post writes it in another case.',
      'platform: The keyword is not looked for on x.',
      'excluded_authors: Its author is excluded as “Ada”.',
      'excluded_terms: The post contains the excluded term “hiring*”.',
      'required_terms: The post lacks the required term “sled”.',
    ])
    expect(
      failing(keywordWith({ matching: { excludedTerms: ['*bot'] } }), {
        text: 'acme',
        author: { ...author, name: 'nightlybot' },
      }),
    ).toEqual(['excluded_terms: The name of its author contains the excluded term “*bot”.'])
  })

  test('names the filter of the workspace', () => {
    const filters: StoredFilters = {
      ...NO_LISTS,
      excludedTerms: ['giveaway'],
      excludedAuthors: ['@ada'],
      excludedAuthorKeys: ['ada'],
      excludedRepos: ['acme/app'],
      subredditsOnly: ['rust'],
    }
    const author = { id: null, name: null, handle: 'ada', url: null, avatarUrl: null, followers: null, automated: null }
    const reasons = [
      { text: 'acme giveaway' },
      { text: 'acme', author },
      { text: 'acme', platform: 'github' as const, url: 'https://github.com/acme/app/issues/1' },
      { text: 'acme', platform: 'reddit' as const, url: 'https://www.reddit.com/r/zig/comments/1/x' },
    ].flatMap((post) => failing(KEYWORD, post, filters))
    expect(reasons).toEqual([
      'workspace_filters: The post contains the excluded term “giveaway”, which counts in the whole workspace.',
      'workspace_filters: Its author is excluded in the whole workspace as “ada”.',
      'workspace_filters: It stands in the repository acme/app, which is excluded in the whole workspace.',
      'workspace_filters: It stands in r/zig, and the workspace takes only certain subreddits.',
    ])
  })

  test.each([0, 1, 6, 1999])(
    'names the excluded term although there are 2,000, and the required one that is missing, at place %i',
    (place) => {
      const entries = Array.from({ length: 2000 }, (_, number) => `filler${number}`)
      const text = `acme ${'lorem ipsum '.repeat(680)}`
      const withOne = entries.with(place, 'rocket')
      expect(failing(keywordWith({ matching: { excludedTerms: withOne } }), { text: `${text} rocket` })).toEqual([
        'excluded_terms: The post contains the excluded term “rocket”.',
      ])
      expect(failing(KEYWORD, { text: `${text} rocket` }, { ...NO_LISTS, excludedTerms: withOne })).toEqual([
        'workspace_filters: The post contains the excluded term “rocket”, which counts in the whole workspace.',
      ])
      const there = entries.slice(0, 40)
      const required = there.with(place % 40, 'sled')
      expect(
        failing(keywordWith({ matching: { requiredTerms: required, requiredMode: 'all' } }), {
          text: `acme ${there.join(' ')}`,
        }),
      ).toEqual(['required_terms: The post lacks the required term “sled”.'])
    },
  )

  test('of 2,000 terms takes a small part of the time that asking each of them would', () => {
    const entries = Array.from({ length: 2000 }, (_, number) => `filler${number}`)
    const text = `acme ${'lorem ipsum '.repeat(680)} filler1999`
    const rules = {
      term: '',
      caseSensitive: false,
      requiredTerms: [],
      requiredMode: 'any' as const,
      excludedAuthors: [],
      scopes: -1,
    }
    const asked = searchedTextOf({ ...POST, text })
    const quickest = (work: () => void) => Math.min(...[1, 2, 3].map(() => elapsed(work)))
    const named = quickest(() => failing(KEYWORD, { text }, { ...NO_LISTS, excludedTerms: entries }))
    const each = quickest(() =>
      entries.find((entry) => createListsTest({ ...rules, excludedTerms: [entry] })(asked) !== 'accepted'),
    )
    expect(named).toBeLessThan(each / 2)
  })

  test('of several terms that decide the first of the list is named', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('aa', 'bb', 'cc', 'dd', 'ee', 'ff'), { minLength: 1, maxLength: 12 }),
        fc.subarray(['aa', 'bb', 'cc']),
        (list, held) => {
          const first = list.find((entry) => held.includes(entry))
          const expected =
            first === undefined ? [] : [`excluded_terms: The post contains the excluded term “${first}”.`]
          expect(
            failing(keywordWith({ matching: { excludedTerms: list } }), { text: `acme ${held.join(' ')}` }),
          ).toEqual(expected)
          const lacking = list.find((entry) => !held.includes(entry))
          const lacks = lacking === undefined ? [] : [`required_terms: The post lacks the required term “${lacking}”.`]
          expect(
            failing(keywordWith({ matching: { requiredTerms: list, requiredMode: 'all' } }), {
              text: `acme ${held.join(' ')}`,
            }),
          ).toEqual(lacks)
        },
      ),
    )
  })

  test('a review needs neither the term nor required terms, but a connected page', () => {
    for (const platform of REVIEW_PLATFORMS) {
      expect(failing(keywordWith({ matching: { requiredTerms: ['rocket'] } }), { text: 'Great', platform })).toEqual([
        `platform: No review page on ${platform} is connected to the keyword.`,
      ])
    }
    expect(PLATFORMS.length).toBe(SEARCH_PLATFORMS.length + REVIEW_PLATFORMS.length)
  })
})
