import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import {
  type ConformanceFixture,
  describeSource,
  type ServedReply,
  type Stage,
  searching,
} from '../conformance.suite.ts'
import {
  type CollectContext,
  type Cost,
  MONEY,
  type SearchQuery,
  type SearchSource,
  type SourceReply,
  type SourceRequest,
} from '../contract.ts'
import { fitOneQuery, queryOf, spanOf } from './query.ts'
import { type RedditOptions, reddit } from './source.ts'

const text = (name: string): string => readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')
const json = <Shape>(name: string): Shape => JSON.parse(text(name)) as Shape
const AT = new Date('2026-11-21T12:00:00Z')
const TOKEN = JSON.stringify({ access_token: 'token-1', token_type: 'bearer', expires_in: 86_400, scope: '*' })
const REFUSALS = json<Record<RedditOptions['route'], ConformanceFixture['refusals']>>('refusals.json')
const ROUTES: Record<RedditOptions['route'], RedditOptions> = {
  oauth: { route: 'oauth', clientId: 'app', clientSecret: 'secret', userAgent: 'conformance/1' },
  provider: { route: 'provider', key: 'key-1', creditMicroUsd: 2000, dailyMicroUsd: 2_000_000 },
  atom: { route: 'atom', userAgent: 'conformance/1' },
}

function fixture(
  route: RedditOptions['route'],
  rest: Pick<ConformanceFixture, 'serves' | 'expected' | 'nativeIdPattern'>,
): ConformanceFixture {
  return {
    open: () => searching(reddit(ROUTES[route]), ['acme']),
    at: { ordinary: AT, later: new Date(AT.getTime() + 600_000) },
    refusals: REFUSALS[route],
    throttledForSeconds: 7,
    urlPattern: /^https:\/\/www\.reddit\.com\/r\/\w+\/comments\/[a-z0-9]+\//,
    ...rest,
  }
}

/** A page of a search, or nothing where something else is asked for. */
function served(wanted: boolean, body: string): ServedReply {
  return wanted ? { body } : { status: 404, body: '' }
}

describeSource(
  'reddit through its API',
  fixture('oauth', {
    serves: {
      replies: ({ method, url, headers, body }, stage: Stage) => {
        if (url.pathname === '/api/v1/access_token')
          return served(
            method === 'POST' &&
              headers.authorization === `Basic ${btoa('app:secret')}` &&
              body === 'grant_type=client_credentials',
            TOKEN,
          )
        if (headers.authorization !== 'Bearer token-1') return { status: 401, body: '' }
        if (url.pathname === '/comments/1p0a05')
          return { body: text(`thread-${stage === 'later' ? 'later' : 'ordinary'}.json`) }
        return served(url.pathname === '/search' && url.searchParams.get('q') === '"acme"', text(`oauth-${stage}.json`))
      },
    },
    expected: {
      ordinary: ['post t3_1p0a01', 'post t3_1p0a04', 'post t3_1p0a05', 'post t1_nx00001', 'post t1_nx00002'],
      later: ['post t3_1p0a07', 'post t1_nx00004', 'post t3_1p0a06'],
    },
    nativeIdPattern: /^t[13]_[a-z0-9]+$/,
  }),
)

describeSource(
  'reddit through ScrapeCreators',
  fixture('provider', {
    serves: {
      replies: ({ url, headers }, stage) =>
        served(
          url.pathname === '/v1/reddit/search' &&
            headers['x-api-key'] === 'key-1' &&
            url.searchParams.get('query') === '"acme"',
          text(`provider-${stage}.json`),
        ),
    },
    expected: {
      ordinary: ['post t3_1p0a01', 'post t3_1p0a04', 'post t3_1p0a05'],
      later: ['post t3_1p0a07', 'post t3_1p0a06'],
    },
    nativeIdPattern: /^t3_[a-z0-9]+$/,
  }),
)

describeSource(
  'reddit through its feeds',
  fixture('atom', {
    serves: {
      replies: ({ url }, stage) =>
        served(url.pathname === '/search.rss' && url.searchParams.get('q') === '"acme"', text(`atom-${stage}.xml`)),
    },
    expected: {
      ordinary: ['post t3_1p0a01', 'post t3_1p0a04', 'post t3_1p0a05'],
      later: ['post t3_1p0a07', 'post t3_1p0a06'],
    },
    nativeIdPattern: /^t3_[a-z0-9]+$/,
  }),
)

interface Asked {
  url: URL
  request: SourceRequest
}

/** Searches what `answer` answers, without a network. */
function world(answer: (asked: Asked) => Partial<SourceReply>) {
  const asked: Asked[] = []
  const spent: Cost[] = []
  const context = (at: Date): CollectContext => ({
    async fetch(url, request = {}) {
      asked.push({ url: new URL(url), request })
      return { status: 200, headers: {}, body: '', ...answer(asked.at(-1)!) }
    },
    ...BARE_CONTEXT,
    spend: (cost) => spent.push(cost),
    at,
  })
  return {
    asked,
    spent,
    paths: () => asked.map(({ url }) => url.pathname),
    async search(source: SearchSource, query: Partial<SearchQuery> = {}, at = AT) {
      const portions: Post[][] = []
      const whole = { terms: ['acme'], since: new Date(AT.getTime() - 30 * 86_400_000), limit: 1000, ...query }
      for await (const posts of source.searching.search(context(at), whole)) portions.push(posts)
      return portions
    },
  }
}

const OAUTH = ROUTES.oauth
const isToken = ({ url }: Asked) => url.pathname === '/api/v1/access_token'
const post = (id: string, at: Date, more: object = {}) => ({
  kind: 't3',
  data: {
    id,
    title: `Acme ${id}`,
    author: 'ada_example',
    subreddit: 'noteapps',
    created_utc: at.getTime() / 1000,
    is_self: true,
    ...more,
  },
})
const page = (children: object[], after: string | null = null) =>
  JSON.stringify({ kind: 'Listing', data: { children, after } })
const minutesBefore = (minutes: number) => new Date(AT.getTime() - minutes * 60_000)
const idsOf = (portions: Post[][]) => portions.map((posts) => posts.map(({ nativeId }) => nativeId))

describe('what is asked for', () => {
  test('phrases are quoted and joined, and one that has no word in it is left out', () => {
    expect(queryOf(['acme corp', 'say "hi"\\', '  C++ '])).toBe('"acme corp" OR "say hi" OR "C++"')
    expect(queryOf(['the “Acme” of „Ada“'])).toBe('"the Acme of Ada"')
    expect(queryOf(['!!!', 'acme'])).toBe('"acme"')
    expect(queryOf(['!!!'])).toBe('')
  })

  test('an address is also looked for among links', () => {
    expect(queryOf(['https://acme.example/pricing'])).toBe(
      '"https://acme.example/pricing" OR url:"acme.example/pricing"',
    )
    expect(queryOf(['acme.example'])).toBe('"acme.example" OR url:"acme.example"')
    expect(queryOf(['acme. example'])).toBe('"acme. example"')
  })

  test('so many phrases fit as Reddit takes in one search, and one always does', () => {
    expect(fitOneQuery(Array.from({ length: 8 }, () => 'x'.repeat(50)))).toBe(true)
    expect(fitOneQuery(Array.from({ length: 8 }, () => 'x'.repeat(80)))).toBe(false)
    expect(fitOneQuery(['x'.repeat(600)])).toBe(true)
  })

  test.each([
    [10, 'hour'],
    [58, 'day'],
    [23 * 60, 'day'],
    [24 * 60, 'week'],
    [29 * 24 * 60, 'month'],
    [30 * 24 * 60, 'year'],
    [366 * 24 * 60, 'all'],
  ])('%i minutes back is reached by the span %s', (minutes, span) => {
    expect(spanOf(minutesBefore(minutes), AT)).toBe(span)
  })

  test('nothing is asked for phrases without a word', async () => {
    const at = world(() => ({ body: '' }))
    expect(await at.search(reddit(OAUTH), { terms: ['???'] })).toEqual([])
    expect(at.asked).toEqual([])
  })
})

describe('searching', () => {
  test('pages are read one after the other until they reach back far enough', async () => {
    const pages: Record<string, string> = {
      first: page([post('a3', minutesBefore(1)), post('a2', minutesBefore(2))], 't3_a2'),
      t3_a2: page([post('a1', minutesBefore(90)), post('a0', minutesBefore(200))], 't3_a0'),
    }
    const at = world((asked) => ({
      body: isToken(asked) ? TOKEN : (pages[asked.url.searchParams.get('after') ?? 'first'] ?? 'more than needed'),
    }))
    expect(idsOf(await at.search(reddit(OAUTH), { since: minutesBefore(100) }))).toEqual([
      ['t3_a3', 't3_a2'],
      ['t3_a1'],
    ])
  })

  test('no more than the limit is handed over or read', async () => {
    const at = world((asked) => ({
      body: isToken(asked) ? TOKEN : page([post('a1', minutesBefore(1)), post('a2', minutesBefore(2))], 't3_a2'),
    }))
    expect(idsOf(await at.search(reddit(OAUTH), { limit: 1 }))).toEqual([['t3_a1']])
    expect(at.paths()).toEqual(['/api/v1/access_token', '/search'])
  })

  test('a listing that never ends is left after ten pages, five where each costs money', async () => {
    let pages = 0
    const endless = () => {
      pages += 1
      return page([post(`a${pages}`, minutesBefore(pages))], `t3_a${pages}`)
    }
    const at = world((asked) => ({ body: isToken(asked) ? TOKEN : endless() }))
    expect((await at.search(reddit(OAUTH))).flat()).toHaveLength(10)
    const bought = world(() => {
      pages += 1
      return { body: JSON.stringify({ success: true, posts: [post(`b${pages}`, AT).data], after: `t3_b${pages}` }) }
    })
    expect((await bought.search(reddit(ROUTES.provider))).flat()).toHaveLength(5)
  })

  test('one odd item is left out, a majority of odd ones is a change of shape', async () => {
    const odd = { kind: 't3', data: { id: 'odd' } }
    const answering = (children: object[]) => world((asked) => ({ body: isToken(asked) ? TOKEN : page(children) }))
    expect(idsOf(await answering([post('a1', AT), odd, odd]).search(reddit(OAUTH)))).toEqual([['t3_a1']])
    expect(await answering([odd, odd]).search(reddit(OAUTH))).toEqual([])
    await expect(
      answering([post('a1', AT), post('a2', AT), odd, odd, odd]).search(reddit(OAUTH)),
    ).rejects.toMatchObject({ kind: 'shape_changed' })
  })

  test('an empty result is a result', async () => {
    const at = world((asked) => ({ body: isToken(asked) ? TOKEN : page([]) }))
    expect(await at.search(reddit(OAUTH))).toEqual([])
    const feed = world(() => ({
      body: '<feed xmlns="http://www.w3.org/2005/Atom"><id>/search.rss</id><title>search</title></feed>',
    }))
    expect(await feed.search(reddit(ROUTES.atom))).toEqual([])
  })
})

describe('the token', () => {
  const tokens = (expiresIn = 86_400) => {
    let given = 0
    return () => {
      given += 1
      return JSON.stringify({ access_token: `token-${given}`, token_type: 'bearer', expires_in: expiresIn })
    }
  }

  test('is kept until shortly before it runs out', async () => {
    const next = tokens(3600)
    const at = world((asked) => ({ body: isToken(asked) ? next() : page([]) }))
    const source = reddit(OAUTH)
    for (const minutes of [0, 54, 56]) await at.search(source, {}, new Date(AT.getTime() + minutes * 60_000))
    expect(at.asked.map((asked) => (isToken(asked) ? 'token' : asked.request.headers?.['authorization']))).toEqual([
      'token',
      'Bearer token-1',
      'Bearer token-1',
      'token',
      'Bearer token-2',
    ])
  })

  test('is thrown away when it is refused, and the search goes on with a new one', async () => {
    const next = tokens()
    const at = world((asked) => {
      if (isToken(asked)) return { body: next() }
      return asked.request.headers?.['authorization'] === 'Bearer token-1'
        ? { status: 401 }
        : { body: page([post('a1', AT)]) }
    })
    expect(idsOf(await at.search(reddit(OAUTH)))).toEqual([['t3_a1']])
    expect(at.paths()).toEqual(['/api/v1/access_token', '/search', '/api/v1/access_token', '/search'])
  })

  test('is asked for once more only: a second refusal is credentials', async () => {
    const next = tokens()
    const at = world((asked) => (isToken(asked) ? { body: next() } : { status: 401 }))
    await expect(at.search(reddit(OAUTH))).rejects.toMatchObject({ kind: 'credentials' })
    expect(at.paths()).toHaveLength(4)
  })

  test('that is denied with a good status is credentials', async () => {
    const at = world(() => ({ body: JSON.stringify({ error: 'unsupported_grant_type' }) }))
    await expect(at.search(reddit(OAUTH))).rejects.toMatchObject({
      kind: 'credentials',
      message: expect.stringContaining('unsupported_grant_type'),
    })
  })
})

describe('the allowance', () => {
  const leaving = (used: number, remaining: number) => ({
    'x-ratelimit-used': String(used),
    'x-ratelimit-remaining': `${remaining}.0`,
    'x-ratelimit-reset': '120',
  })

  test('that is used up ends the asking until the window is over', async () => {
    const at = world((asked) =>
      isToken(asked) ? { body: TOKEN } : { body: page([post('a1', AT)], 't3_a1'), headers: leaving(1000, 0) },
    )
    const source = reddit(OAUTH)
    await expect(at.search(source)).rejects.toMatchObject({ kind: 'throttled', retryAfterSeconds: 120 })
    await expect(at.search(source, {}, new Date(AT.getTime() + 60_000))).rejects.toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: 60,
    })
    expect(at.paths()).toEqual(['/api/v1/access_token', '/search'])
    await expect(at.search(source, {}, new Date(AT.getTime() + 120_000))).rejects.toMatchObject({ kind: 'throttled' })
    expect(at.paths()).toHaveLength(3)
  })

  test('is spent on comments only while half of it is left', async () => {
    const answering = (used: number, remaining: number) =>
      world((asked) => {
        if (isToken(asked)) return { body: TOKEN }
        const body =
          asked.url.pathname === '/search'
            ? page([post('1p0a05', minutesBefore(30), { num_comments: 2 })])
            : text('thread-ordinary.json')
        return { body, headers: leaving(used, remaining) }
      })
    expect(idsOf(await answering(500, 500).search(reddit(OAUTH)))).toEqual([
      ['t3_1p0a05'],
      ['t1_nx00002', 't1_nx00001'],
    ])
    expect(idsOf(await answering(501, 499).search(reddit(OAUTH)))).toEqual([['t3_1p0a05']])
  })

  test('is declared: requests of the API and the feeds, money of the provider', () => {
    expect(reddit(OAUTH).limits).toEqual([{ quota: 'requests', kind: 'paced', most: 1000, perSeconds: 600, burst: 20 }])
    expect(reddit(ROUTES.provider).limits).toEqual([{ quota: MONEY, kind: 'daily', most: 2_000_000, timeZone: 'UTC' }])
    expect(reddit(ROUTES.atom).limits).toMatchObject([{ quota: 'requests', kind: 'paced' }])
  })
})

describe('comments', () => {
  test('of at most five posts are read for one search, the newest posts first', async () => {
    const posts = Array.from({ length: 8 }, (_, at) =>
      post(`a${at}`, minutesBefore(at), { num_comments: at === 0 ? 0 : 4 }),
    )
    const at = world((asked) => ({
      body: isToken(asked) ? TOKEN : asked.url.pathname === '/search' ? page(posts) : `[${page([])},${page([])}]`,
    }))
    await at.search(reddit(OAUTH))
    expect(at.paths().slice(2)).toEqual([
      '/comments/a1',
      '/comments/a2',
      '/comments/a3',
      '/comments/a4',
      '/comments/a5',
    ])
  })

  test('are asked for again when there are more or fewer of them, and come from memory otherwise', async () => {
    let replies = 2
    const children = () => [
      post('1p0a05', minutesBefore(30), { num_comments: replies }),
      post('a2', minutesBefore(40), { num_comments: 1 }),
    ]
    const at = world((asked) => ({
      body: isToken(asked)
        ? TOKEN
        : asked.url.pathname === '/search'
          ? page(children())
          : asked.url.pathname === '/comments/a2'
            ? `[${page([])},${page([])}]`
            : text('thread-ordinary.json'),
    }))
    const source = reddit(OAUTH)
    const first = await at.search(source)
    expect(first.at(-1)!.length).toBe(2)
    at.asked.splice(0)
    expect(await at.search(source)).toEqual(first)
    expect(at.paths()).toEqual(['/search'])
    replies = 3
    await at.search(source)
    expect(at.paths()).toEqual(['/search', '/search', '/comments/1p0a05'])
  })

  test('of older posts are asked for when the newest five have not changed', async () => {
    const posts = Array.from({ length: 8 }, (_, at) => post(`a${at}`, minutesBefore(at), { num_comments: 4 }))
    const at = world((asked) => ({
      body: isToken(asked) ? TOKEN : asked.url.pathname === '/search' ? page(posts) : `[${page([])},${page([])}]`,
    }))
    const source = reddit(OAUTH)
    for (const expected of [5, 3, 0]) {
      at.asked.splice(0)
      await at.search(source)
      expect(at.paths().filter((path) => path.startsWith('/comments/')).length).toBe(expected)
    }
  })

  test('count once each, as read or as odd', async () => {
    const comment = (id: string, more: object = {}) => ({
      kind: 't1',
      data: { id, author: 'ada_example', body: 'Acme', created_utc: AT.getTime() / 1000, ...more },
    })
    const search = (odd: number, good: number) => {
      const below = [
        ...Array.from({ length: odd }, (_, at) => comment(`x${at}`, { body: null })),
        ...Array.from({ length: good }, (_, at) => comment(`c${at}`)),
      ]
      const at = world((asked) => {
        if (isToken(asked)) return { body: TOKEN }
        return {
          body:
            asked.url.pathname === '/search'
              ? page([post('a1', AT, { num_comments: 9 })])
              : `[${page([])},${page(below)}]`,
        }
      })
      return at.search(reddit(OAUTH))
    }
    // Five of nine are more than half; of eighteen readings they would be fewer.
    await expect(search(5, 4)).rejects.toMatchObject({ kind: 'shape_changed' })
    expect((await search(4, 5)).at(-1)).toHaveLength(5)
  })

  test('below a post that is gone are none, and the search goes on', async () => {
    const posts = [
      post('a1', minutesBefore(1), { num_comments: 4 }),
      post('1p0a05', minutesBefore(30), { num_comments: 4 }),
    ]
    const at = world((asked) => {
      if (asked.url.pathname === '/comments/a1') return { status: 404, body: '' }
      return {
        body: isToken(asked) ? TOKEN : asked.url.pathname === '/search' ? page(posts) : text('thread-ordinary.json'),
      }
    })
    expect(idsOf(await at.search(reddit(OAUTH)))).toEqual([
      ['t3_a1', 't3_1p0a05'],
      ['t1_nx00002', 't1_nx00001'],
    ])
  })

  test('know what they answer to', async () => {
    const at = world((asked) => ({
      body: isToken(asked)
        ? TOKEN
        : text(asked.url.pathname === '/search' ? 'oauth-ordinary.json' : 'thread-ordinary.json'),
    }))
    const comments = (await at.search(reddit(OAUTH))).at(-1)!
    const thread = 'https://www.reddit.com/r/noteapps/comments/1p0a05/acme_corp___its__new__pricing/'
    expect(comments.find(({ nativeId }) => nativeId === 't1_nx00001')).toEqual({
      platform: 'reddit',
      nativeId: 't1_nx00001',
      url: `${thread}nx00001/`,
      title: null,
      text: 'Acme Corp was fine for us: https://forum.example/t/1',
      imageUrl: null,
      links: ['https://forum.example/t/1'],
      publishedAt: new Date('2026-11-21T11:35:00Z'),
      languageHint: null,
      engagement: { likes: 3, reposts: null, replies: null, quotes: null, views: null, bookmarks: null },
      replyTo: { author: 'ada_example', url: thread, text: 'Acme Corp & its <new> pricing' },
      author: {
        id: 't2_fin1x',
        name: 'finn_example',
        handle: 'finn_example',
        url: 'https://www.reddit.com/user/finn_example',
        avatarUrl: null,
        followers: null,
        automated: null,
      },
      review: null,
    })
    expect(comments.find(({ nativeId }) => nativeId === 't1_nx00002')).toMatchObject({
      replyTo: {
        author: 'finn_example',
        url: `${thread}nx00001/`,
        text: 'Acme Corp was fine for us: https://forum.example/t/1',
      },
      engagement: null,
    })
  })

  test('that are nested without end are read as far as the bound', async () => {
    const depth = 5000
    const item = (at: number) =>
      `{"kind":"t1","data":{"id":"c${at}","author":"ada_example","body":"deep","created_utc":${AT.getTime() / 1000},"replies":{"kind":"Listing","data":{"children":[`
    const nested = `${Array.from({ length: depth }, (_, at) => item(at)).join('')}${']}}}}'.repeat(depth)}`
    const at = world((asked) => {
      if (isToken(asked)) return { body: TOKEN }
      const body = `[${page([])},{"kind":"Listing","data":{"children":[${nested}]}}]`
      return { body: asked.url.pathname === '/search' ? page([post('a1', AT, { num_comments: depth })]) : body }
    })
    expect((await at.search(reddit(OAUTH), { limit: 5000 })).at(-1)).toHaveLength(1000)
  })
})

describe('a post', () => {
  const found = async (options: RedditOptions, name: string) => {
    const at = world((asked) => ({
      body: isToken(asked)
        ? TOKEN
        : asked.url.pathname.startsWith('/comments/')
          ? `[${page([])},${page([])}]`
          : text(name),
    }))
    const posts = new Map((await at.search(reddit(options))).flat().map((post) => [post.nativeId, post]))
    return { written: posts.get('t3_1p0a05'), linked: posts.get('t3_1p0a04'), shortened: posts.get('t3_1p0a01') }
  }
  const url = 'https://www.reddit.com/r/noteapps/comments/1p0a05/acme_corp___its__new__pricing/'
  const said = 'We moved off Acme Corp.\n\nDetails: our write-up, see r/noteapps'

  test('of the API: title, text, links, counts and person', async () => {
    const { written, linked, shortened } = await found(OAUTH, 'oauth-ordinary.json')
    expect(written).toMatchObject({
      url,
      title: 'Acme Corp & its <new> pricing',
      text: said,
      links: ['https://blog.example/moving?from=acme&to=notes'],
      imageUrl: null,
      publishedAt: new Date('2026-11-21T11:30:00Z'),
      engagement: { likes: 12, reposts: 1, replies: 5, views: null },
      replyTo: null,
      author: {
        id: 't2_ada1x',
        name: 'ada_example',
        handle: 'ada_example',
        url: 'https://www.reddit.com/user/ada_example',
      },
    })
    expect(linked).toMatchObject({
      text: '',
      links: ['https://news.example/acme?a=1&b=2'],
      imageUrl: 'https://preview.redd.it/acme.jpg?width=640&s=abc',
    })
    expect(shortened).toMatchObject({ engagement: { likes: null, replies: 0 } })
  })

  test('of the provider reads the same though it comes escaped, and a shortened one is complete enough', async () => {
    const { written, linked, shortened } = await found(ROUTES.provider, 'provider-ordinary.json')
    expect(written).toMatchObject({
      url,
      title: 'Acme Corp & its <new> pricing',
      text: said,
      links: ['https://blog.example/moving?from=acme&to=notes'],
    })
    expect(linked).toMatchObject({ links: ['https://news.example/acme?a=1&b=2'] })
    expect(shortened).toMatchObject({ url: 'https://www.reddit.com/r/AskReddit/comments/1p0a01/', text: '', links: [] })
  })

  test('of the feeds: the frame around the text is cut off, and no counts are made up', async () => {
    const { written, linked, shortened } = await found(ROUTES.atom, 'atom-ordinary.xml')
    expect(written).toMatchObject({
      url,
      title: 'Acme Corp & its <new> pricing',
      text: said,
      links: ['https://blog.example/moving?from=acme&to=notes'],
      engagement: null,
      author: { id: null, handle: 'ada_example', url: 'https://www.reddit.com/user/ada_example' },
    })
    expect(linked).toMatchObject({
      text: '',
      links: ['https://news.example/acme?a=1&b=2'],
      imageUrl: 'https://preview.redd.it/acme.jpg?width=640&s=abc',
    })
    expect(shortened).toMatchObject({ title: 'Is Acme Corp worth it?', text: '', links: [], imageUrl: null })
  })
})

describe('an address', () => {
  test('of a post or comment is on the site, whatever a reply names', async () => {
    for (const permalink of [
      'https://evil.example/r/noteapps/comments/a1/x/',
      '//evil.example/a1',
      'https://reddit.com.evil.example/a1',
      'javascript:alert(1)',
    ]) {
      const comment = { id: 'c1', author: 'ada_example', body: 'Acme', created_utc: AT.getTime() / 1000, permalink }
      const at = world((asked) => {
        if (isToken(asked)) return { body: TOKEN }
        if (asked.url.pathname === '/search') return { body: page([post('a1', AT, { num_comments: 1, permalink })]) }
        return { body: `[${page([])},${page([{ kind: 't1', data: comment }])}]` }
      })
      const urls = (await at.search(reddit(OAUTH))).flat().map(({ url }) => url)
      expect(urls).toEqual([
        'https://www.reddit.com/r/noteapps/comments/a1/',
        'https://www.reddit.com/r/noteapps/comments/a1/c1/',
      ])
    }
    const feed = text('atom-ordinary.xml').replaceAll(
      /<link href="https:\/\/www\.reddit\.com/g,
      '<link href="https://evil.example',
    )
    const at = world(() => ({ body: feed }))
    for (const { url } of (await at.search(reddit(ROUTES.atom))).flat())
      expect(url).toMatch(/^https:\/\/www\.reddit\.com\/comments\/1p0a0\d\/$/)
  })
})

describe('the provider', () => {
  test('is paid a credit a page, and what a reply cost beyond that is counted', async () => {
    const at = world(() => ({ body: JSON.stringify({ success: true, posts: [], after: null, credits_charged: 3 }) }))
    await at.search(reddit(ROUTES.provider))
    expect(at.asked.map(({ request }) => request.cost)).toEqual([{ [MONEY]: 2000 }])
    expect(at.spent).toEqual([{ [MONEY]: 4000 }])
  })

  test('says with a good status too that the credits are gone, or that it failed', async () => {
    const refusing = (more: object) =>
      world(() => ({ body: JSON.stringify({ success: false, message: 'No.', ...more }) })).search(
        reddit(ROUTES.provider),
      )
    await expect(refusing({ credits_remaining: 0 })).rejects.toMatchObject({
      kind: 'credentials',
      message: expect.stringContaining('credits'),
    })
    await expect(refusing({ credits_remaining: 5 })).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('No.'),
    })
  })
})

describe('a feed', () => {
  const read = (body: string) => world(() => ({ body })).search(reddit(ROUTES.atom))
  const whole = text('atom-ordinary.xml')

  test('that is cut anywhere is no feed', async () => {
    for (const part of [0.1, 0.5, 0.9])
      await expect(read(whole.slice(0, whole.length * part))).rejects.toMatchObject({ kind: 'shape_changed' })
  })

  test('that is far larger than a feed is none, and of its entries no more than two hundred are read', async () => {
    const entries = (count: number, padding = 0) => {
      const [begin, end] = [whole.indexOf('<entry>'), whole.indexOf('</entry>') + '</entry>'.length]
      const item = (at: number) =>
        whole
          .slice(begin, end)
          .replaceAll(/t3_\w+/g, `t3_b${at}`)
          .replace('</title>', `${'x'.repeat(padding)}</title>`)
      return `${whole.slice(0, begin)}${Array.from({ length: count }, (_, at) => item(at)).join('')}</feed>`
    }
    expect((await read(entries(250))).flat()).toHaveLength(200)
    await expect(read(entries(20, 100_000))).rejects.toMatchObject({ kind: 'shape_changed' })
  })

  test('cannot define entities of its own', async () => {
    const evil = whole
      .replace('?>\n', '?>\n<!DOCTYPE feed [<!ENTITY a "acme acme"><!ENTITY b "&a;&a;&a;">]>\n')
      .replace('Acme raises prices', '&b;')
    expect((await read(evil)).flat().find(({ nativeId }) => nativeId === 't3_1p0a04')?.title).toBe('&b;')
  })

  test('that is nested or broken on purpose is a change of shape', async () => {
    for (const inside of [
      '<a>'.repeat(100_000),
      '<__proto__><x/></__proto__>',
      '<!--'.repeat(100_000),
      '<entry '.repeat(100_000),
    ])
      await expect(read(`<feed>${inside}</feed>`)).rejects.toMatchObject({ kind: 'shape_changed' })
  })
})
