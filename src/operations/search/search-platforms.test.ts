import { beforeEach, describe, expect, test, vi } from 'vitest'
import { makeKeyword, mention } from '../../../test/mentions.ts'
import { lacking, ready, scriptedSources, searchable } from '../../../test/stand-ins/sources.ts'
import { until } from '../../../test/until.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { DAY_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import {
  type CollectContext,
  QuotaReached,
  type SearchQuery,
  SourceFault,
  type StreamSource,
} from '../../sources/contract.ts'
import { DatabaseUnavailable, sql } from '../../store/database.ts'

type Search = (query: SearchQuery, context: CollectContext) => AsyncIterable<Post[]>

/** What each platform does at the moment; a test says what. */
const searches = new Map<Platform, Search>()
const asked: { platform: Platform; query: SearchQuery }[] = []
const scripted = (platform: Platform, more: Parameters<typeof searchable>[2] = {}) =>
  ready(
    searchable(
      platform,
      (query, context) => {
        asked.push({ platform, query })
        return (searches.get(platform) ?? nothing)(query, context)
      },
      more,
    ),
  )
const money = [{ quota: 'microUsd', kind: 'daily', most: 1_000_000, timeZone: 'UTC' }] as const
const feed: StreamSource = {
  platform: 'devto',
  mode: 'stream',
  hosts: [],
  limits: [],
  pollSeconds: 120,
  poll: async function* () {},
}

const world = useWorld(() => ({
  sources: scriptedSources(
    scripted('hackernews'),
    scripted('github', { lookBackDays: 10 }),
    ready(feed),
    lacking('reddit', 'search', 'REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'),
    scripted('x', { limits: money }),
    scripted('stackexchange', { countsWith: 'stackoverflow' }),
    { platform: 'youtube', mode: 'search', source: null, missing: [], off: true },
    scripted('linkedin', {
      searching: {
        termsPerSearch: 10,
        slow: true,
        async *search(_, query) {
          asked.push({ platform: 'linkedin', query })
          yield []
        },
      },
    }),
  ),
}))
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  searches.clear()
  asked.length = 0
  await world.clock.advance(MINUTE_MS)
})

async function* nothing(): AsyncIterable<Post[]> {}

async function* forEver({ signal }: CollectContext): AsyncIterable<Post[]> {
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

function failing(fault: SourceFault | Error): Search {
  return () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(fault) }) })
}

let made = 0
function post(platform: Platform, text: string, change: Partial<Post> = {}): Post {
  made += 1
  return {
    platform,
    nativeId: String(made),
    url: `https://${platform}.example/${made}`,
    title: null,
    text,
    imageUrl: null,
    links: [],
    publishedAt: plus(world.clock.now(), -made * SECOND_MS),
    languageHint: null,
    engagement: null,
    replyTo: null,
    author: { id: '7', name: 'Jane Doe', handle: 'jane', url: null, avatarUrl: null, followers: 12, automated: null },
    review: null,
    ...change,
  }
}

function answering(platform: Platform, ...portions: Post[][]): void {
  searches.set(platform, async function* () {
    yield* portions
  })
}

const search = (body: object, workspace = acme) => workspace.api('POST', '/v1/search', body)
const shown = (body: { data: { post: { text: string }; matched: boolean }[] }) =>
  body.data.map((item) => [item.post.text, item.matched])
const told = ({ status, body }: Awaited<ReturnType<typeof search>>) => [status, body.error?.code, body.error?.message]

test('every platform that can be searched is asked for the term, and answers newest first', async () => {
  const at = world.clock.now()
  const known = post('hackernews', 'Acme is great', {
    title: 'Title',
    links: ['https://acme.example/'],
    engagement: { likes: 3, reposts: null, replies: null, quotes: null, views: null, bookmarks: null },
  })
  answering('hackernews', [known], [post('hackernews', 'older: acme', { publishedAt: plus(at, -DAY_MS) })])
  answering('github', [post('github', 'newest acme', { publishedAt: at, author: null })])
  const { status, body } = await search({ query: '  Acme ' })
  expect(status).toBe(200)
  expect(shown(body)).toEqual([
    ['newest acme', true],
    ['Acme is great', true],
    ['older: acme', true],
  ])
  expect(body.data[0].author).toBeNull()
  expect(body.data[1]).toEqual({
    post: {
      platform: 'hackernews',
      url: known.url,
      text: 'Acme is great',
      title: 'Title',
      imageUrl: null,
      links: ['https://acme.example/'],
      publishedAt: known.publishedAt.toISOString(),
      engagement: { likes: 3, reposts: null, replies: null, quotes: null, views: null, bookmarks: null },
      replyTo: null,
    },
    author: { id: '7', name: 'Jane Doe', handle: 'jane', url: null, avatarUrl: null, followers: 12, tags: [] },
    matched: true,
    reason: null,
  })
  expect(body.sources).toEqual([
    { platform: 'hackernews', status: 'ok', count: 2, tookMs: 0 },
    { platform: 'github', status: 'ok', count: 1, tookMs: 0 },
    { platform: 'x', status: 'ok', count: 0, tookMs: 0 },
    { platform: 'stackexchange', status: 'ok', count: 0, tookMs: 0 },
  ])
  expect(asked.map(({ platform, query }) => [platform, query.terms, query.since, query.limit])).toEqual([
    ['hackernews', ['Acme'], plus(at, -30 * DAY_MS), 25],
    ['github', ['Acme'], plus(at, -10 * DAY_MS), 25],
    ['x', ['Acme'], plus(at, -30 * DAY_MS), 25],
    ['stackexchange', ['Acme'], plus(at, -30 * DAY_MS), 25],
  ])
})

test('only the platforms that were named are asked, each once', async () => {
  const { body } = await search({ query: 'Acme', platforms: ['x', 'hackernews', 'x'] })
  expect(body.sources.map(({ platform }: { platform: string }) => platform)).toEqual(['hackernews', 'x'])
  expect(asked).toHaveLength(2)
})

test('a post is shown once, however often a platform offers it', async () => {
  const twice = post('hackernews', 'acme')
  answering('hackernews', [twice, twice], [twice])
  const { body } = await search({ query: 'acme' })
  expect([body.data.length, body.sources[0].count]).toEqual([1, 1])
})

describe('a post that the rules drop is shown with the rule', () => {
  const at = { title: null }
  test.each([
    ['The Acmeist movement', {}, 'The term “Acme” does not stand in the post as it is searched for.'],
    ['an acme product', { caseSensitive: true }, 'The term “Acme” does not stand in the post in this spelling.'],
    ['Acme is hiring engineers', { excludedTerms: ['sale', 'hir*'] }, 'The post contains the excluded term “hir*”.'],
    ['Acme', { requiredTerms: ['rocket', 'boots'] }, 'The post contains no required term.'],
    ['Acme', { requiredTerms: ['rocket'] }, 'The post lacks the required term “rocket”.'],
    [
      'Acme rocket',
      { requiredTerms: ['rocket', 'boots'], requiredMode: 'all' },
      'The post lacks the required term “boots”.',
    ],
    [
      'Acme',
      { excludedAuthors: ['@nobody', 'https://news.ycombinator.com/user?id=Jane'] },
      'Its author is excluded as “https://news.ycombinator.com/user?id=Jane”.',
    ],
    ['Acme', { excludedAuthors: ['jane doe'] }, 'Its author is excluded as “jane doe”.'],
    ['Acme by Jane', { excludedTerms: ['doe'] }, 'The post contains the excluded term “doe”.'],
  ])('%s under %j', async (text, matching, reason) => {
    answering('hackernews', [post('hackernews', text, at)])
    const { body } = await search({ query: 'Acme', platforms: ['hackernews'], matching })
    expect(body.data).toMatchObject([{ matched: false, reason }])
  })
})

test('an author is excluded by the link of a post that the workspace has, which does not name its author', async () => {
  const keyword = await makeKeyword(acme)
  await mention(world, keyword, post('hackernews', 'said before', { nativeId: '4711' }))
  answering('hackernews', [
    post('hackernews', 'acme again'),
    post('hackernews', 'acme too', {
      author: { id: 'b', name: 'Jane Doe', handle: 'b', url: null, avatarUrl: null, followers: null, automated: null },
    }),
  ])
  const matching = { excludedAuthors: ['https://news.ycombinator.com/item?id=4711'] }
  const { body } = await search({ query: 'acme', platforms: ['hackernews'], matching })
  expect(body.data.map(({ matched, reason }: { matched: boolean; reason: string }) => [matched, reason])).toEqual([
    [false, 'Its author is excluded.'],
    [true, null],
  ])
})

test('posts that match come before others when not all can be shown', async () => {
  const at = world.clock.now()
  const texts = ['nothing', 'acme 1', 'still nothing', 'acme 2', 'never', 'acme 3']
  answering(
    'hackernews',
    texts.slice(0, 3).map((text, ago) => post('hackernews', text, { publishedAt: plus(at, -ago * SECOND_MS) })),
  )
  answering(
    'github',
    texts.slice(3).map((text, ago) => post('github', text, { publishedAt: plus(at, -(ago + 3) * SECOND_MS) })),
  )
  expect(shown((await search({ query: 'acme', limit: 4 })).body)).toEqual([
    ['nothing', false],
    ['acme 1', true],
    ['acme 2', true],
    ['acme 3', true],
  ])
  expect(shown((await search({ query: 'acme', limit: 3 })).body)).toEqual([
    ['acme 1', true],
    ['acme 2', true],
    ['acme 3', true],
  ])
})

test('a platform is read no further than to the limit', async () => {
  let portions = 0
  searches.set('hackernews', async function* () {
    for (;;) {
      portions += 1
      yield [post('hackernews', 'acme'), post('hackernews', 'acme')]
    }
  })
  const { body } = await search({ query: 'acme', limit: 5, platforms: ['hackernews'] })
  expect([body.data.length, body.sources[0].count, portions]).toEqual([5, 5, 3])
})

test("one platform's trouble is no other's", async () => {
  answering('hackernews', [post('hackernews', 'acme')])
  searches.set('github', failing(new SourceFault('unavailable', 'connect ECONNREFUSED 10.1.2.3:443')))
  searches.set('x', (_, context) => forEver(context))
  const waitsBefore = world.clock.waits
  const answer = search({ query: 'acme', platforms: ['hackernews', 'github', 'reddit', 'x'] })
  await until(() => asked.length === 3 && world.clock.waits === waitsBefore + 1)
  await world.clock.advance(10 * SECOND_MS)
  const { status, body } = await answer
  expect([status, shown(body)]).toEqual([200, [['acme', true]]])
  expect(body.sources).toEqual([
    { platform: 'hackernews', status: 'ok', count: 1, tookMs: 0 },
    { platform: 'github', status: 'unavailable', count: 0, tookMs: 0 },
    { platform: 'reddit', status: 'not_configured', count: 0, tookMs: 0 },
    { platform: 'x', status: 'timeout', count: 0, tookMs: 10_000 },
  ])
})

test('what a platform offered before it failed is shown', async () => {
  searches.set('hackernews', async function* () {
    yield [post('hackernews', 'acme')]
    throw new SourceFault('throttled', 'slow down')
  })
  const { body } = await search({ query: 'acme', platforms: ['hackernews', 'github'] })
  expect(shown(body)).toEqual([['acme', true]])
  expect(body.sources[0]).toMatchObject({ status: 'unavailable', count: 1 })
})

describe('asked for one platform', () => {
  test.each([
    [
      'reddit',
      null,
      503,
      'reddit cannot be searched on this installation: REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET are missing.',
    ],
    ['youtube', null, 503, 'youtube is disabled on this installation.'],
    ['devto', null, 503, 'devto cannot be searched on this installation.'],
    ['news', null, 503, 'news is disabled on this installation.'],
    ['x', new SourceFault('credentials', 'key sk-123'), 503, 'x does not accept the credentials of this installation.'],
    ['x', new SourceFault('throttled', '429', { retryAfterSeconds: 77 }), 502, 'x asks to wait.'],
    ['x', new SourceFault('unavailable', 'connect ECONNREFUSED 10.1.2.3:443'), 502, 'x did not answer.'],
    ['x', new SourceFault('shape_changed', 'no field sk-123'), 502, 'x returned an unexpected response.'],
    ['x', new SourceFault('gone', 'gone'), 502, 'x returned "not found".'],
    ['x', new TypeError('a defect with sk-123'), 502, 'x did not answer.'],
  ] as const)('%s with %s', async (platform, fault, status, message) => {
    if (fault) searches.set(platform, failing(fault))
    const answer = await search({ query: 'acme', platforms: [platform] })
    expect(told(answer)).toEqual([status, 'source_unavailable', message])
    expect(answer.headers.get('retry-after')).toBe(fault instanceof SourceFault && fault.retryAfterSeconds ? '77' : '5')
  })

  test('a quota that is used up for the day is ours to mend', async () => {
    searches.set('x', failing(new QuotaReached('the quota microUsd is used up for today', 3600, true)))
    const answer = await search({ query: 'acme', platforms: ['x'] })
    expect([...told(answer), answer.headers.get('retry-after')]).toEqual([
      503,
      'source_unavailable',
      'x has used its quota for today.',
      '3600',
    ])
  })

  test('a quota of the platform that is used up for the day is told as our own', async () => {
    searches.set(
      'x',
      failing(new SourceFault('throttled', 'come back tomorrow', { daily: true, retryAfterSeconds: 3600 })),
    )
    const answer = await search({ query: 'acme', platforms: ['x'] })
    expect([...told(answer), answer.headers.get('retry-after')]).toEqual([
      503,
      'source_unavailable',
      'x has used its quota for today.',
      '3600',
    ])
  })

  test('a limit of ours for the moment is not one for the day', async () => {
    searches.set('x', failing(new QuotaReached('the limits are reached for the moment', 5, false)))
    expect(told(await search({ query: 'acme', platforms: ['x'] }))).toEqual([
      502,
      'source_unavailable',
      'x asks to wait.',
    ])
  })

  test('one whose search takes longer than a caller waits is not asked, and says why', async () => {
    const answer = await search({ query: 'acme', platforms: ['linkedin'] })
    expect(told(answer)).toEqual([
      503,
      'source_unavailable',
      'linkedin is too slow for live searches and is searched for keywords only.',
    ])
    const { body } = await search({ query: 'acme', platforms: ['linkedin', 'x'] })
    expect(body.sources).toMatchObject([
      { platform: 'x' },
      { platform: 'linkedin', status: 'not_configured', count: 0 },
    ])
    expect(asked.map(({ platform }) => platform)).toEqual(['x'])
  })

  test('one that is too slow is a timeout, whether or not it listens', async () => {
    searches.set('x', async function* () {
      await new Promise(() => undefined)
    })
    const waitsBefore = world.clock.waits
    const answer = search({ query: 'acme', platforms: ['x'] })
    await until(() => world.clock.waits === waitsBefore + 1)
    await world.clock.advance(10 * SECOND_MS)
    expect(told(await answer)).toEqual([504, 'source_timeout', 'x took too long to answer.'])
  })
})

describe('a platform that asks to be left alone', () => {
  const pausedSeconds = async (platform: Platform = 'github') => {
    const rows = await world.db.query<{ used_until: Date }>(
      sql`select used_until from source_pace where platform = ${platform} and quota = ''`,
    )
    return rows.map((row) => (row.used_until.getTime() - world.clock.now().getTime()) / SECOND_MS)
  }
  beforeEach(() => world.db.query(sql`delete from source_pace`))

  test.each([
    ['for a time', { retryAfterSeconds: 77 }, 77],
    ['and does not say for how long', {}, 30],
    ['for longer than a day', { retryAfterSeconds: 1e9 }, 86_400],
    ['until tomorrow', { daily: true, retryAfterSeconds: 3600 }, 3600],
  ])('%s is so by everybody', async (_, more, seconds) => {
    searches.set('github', failing(new SourceFault('throttled', '429', more)))
    expect((await search({ query: 'acme' })).status).toBe(200)
    expect(await pausedSeconds()).toEqual([seconds])
  })

  test('is so under the platform whose quotas it shares', async () => {
    searches.set('stackexchange', failing(new SourceFault('throttled', '429', { retryAfterSeconds: 77 })))
    await search({ query: 'acme', platforms: ['stackexchange'] })
    expect([await pausedSeconds('stackoverflow'), await pausedSeconds('stackexchange')]).toEqual([[77], []])
  })

  test.each([
    ['our own limits say no', new QuotaReached('the quota is used up for today', 3600, true)],
    ['the trouble is with this search alone', new SourceFault('throttled', '429', { onlyThis: true })],
    ['it is in trouble of another kind', new SourceFault('unavailable', '503', { retryAfterSeconds: 60 })],
  ])('is not meant where %s', async (_, fault) => {
    searches.set('github', failing(fault))
    expect((await search({ query: 'acme' })).status).toBe(200)
    expect(await pausedSeconds()).toEqual([])
  })
})

test('a lost database is no trouble of a platform, and ends what others are asked', async () => {
  const ended = vi.fn()
  searches.set('github', failing(new DatabaseUnavailable(new Error('cut off'))))
  searches.set('x', (_, context) => {
    context.signal.addEventListener('abort', ended)
    return forEver(context)
  })
  for (const platforms of [['github'], ['github', 'x']])
    expect(told(await search({ query: 'acme', platforms })).slice(0, 2)).toEqual([503, 'database_unavailable'])
  expect(ended).toHaveBeenCalledTimes(1)
})

test('a caller who goes away ends the search', async () => {
  let reason: unknown
  searches.set('x', (_, context) => {
    context.signal.addEventListener('abort', () => {
      reason = context.signal.reason
    })
    return forEver(context)
  })
  const gone = new AbortController()
  const answer = fetch(`${world.origin}/v1/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${acme.writeKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'acme' }),
    signal: gone.signal,
  }).catch(() => 'gone')
  await until(() => asked.length === 4)
  gone.abort()
  expect(await answer).toBe('gone')
  await until(() => reason !== undefined)
  await vi.waitFor(() =>
    expect(world.logged.at(-1)).toMatchObject({
      event: 'request.finished',
      operation: 'search-platforms',
      brokenOff: true,
    }),
  )
  expect(world.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('nothing is stored and nothing is billed', async () => {
  const count = async () =>
    world.db.query(
      sql`select (select count(*) from post) as posts, (select count(*) from mention) as mentions, (select count(*)
          from usage_day) as days, (select count(*) from ledger_entry) as entries`,
    )
  const before = await count()
  answering('hackernews', [post('hackernews', 'acme')])
  expect((await search({ query: 'acme' })).body.data).toHaveLength(1)
  expect(await count()).toEqual(before)
})

test('twenty searches a minute are granted to a workspace, refused ones not counted', async () => {
  const workspace = await world.workspace('Busy')
  expect((await search({ query: '!' }, workspace)).status).toBe(400)
  for (let times = 0; times < 20; times += 1) expect((await search({ query: 'acme' }, workspace)).status).toBe(200)
  expect((await search({ query: 'acme' }, workspace)).body.error.code).toBe('rate_limited')
  expect((await search({ query: 'acme' })).status).toBe(200)
})

test('a credential with read scope may not search', async () => {
  expect((await acme.api('POST', '/v1/search', { query: 'acme' }, { key: acme.readKey })).body.error.code).toBe(
    'read_only_key',
  )
})

test.each([
  [{}, 'query: is required'],
  [{ query: 'a' }, 'query: must have at least 2 characters'],
  [{ query: '!?' }, 'query: must contain a letter, a digit or a symbol'],
  [{ query: 'acme', platforms: [] }, 'platforms: must not be empty'],
  [{ query: 'acme', platforms: ['appstore'] }, /^platforms\.0: must be one of bluesky/],
  [{ query: 'acme', limit: 51 }, 'limit: must be at most 50'],
  [{ query: 'acme', limit: 0 }, 'limit: must be at least 1'],
  [
    { query: 'acme', matching: { excludedTerms: ['*'] } },
    'matching.excludedTerms.0: must contain more than a wildcard',
  ],
  [
    { query: 'acme', matching: { excludedAuthors: ['https://x.com/i/status/1'] } },
    /^matching\.excludedAuthors\.0: this link does not name its author/,
  ],
  [{ query: 'acme', cap: 1 }, 'cap: is not a field of this operation'],
])('%j is refused by naming the field', async (body, message) => {
  expect(told(await search(body))).toEqual([
    400,
    'validation_error',
    typeof message === 'string' ? message : expect.stringMatching(message),
  ])
  expect(asked).toEqual([])
})
