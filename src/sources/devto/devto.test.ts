import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { silentLog } from '../../kernel/log.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import {
  type Collecting,
  type ConformanceFixture,
  collecting,
  describeSource,
  type Stage,
} from '../conformance.suite.ts'
import type { CollectContext, Cursor, SourceBatch, SourceReply } from '../contract.ts'
import { devto } from './source.ts'

interface World {
  latest: { id: number }[]
  articles: Record<string, object>
  comments: Record<string, object[]>
}

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const AT = new Date('2026-11-21T12:00:00Z')
const STAGES: Record<Stage, World> = {
  ordinary: recorded('ordinary.json'),
  later: recorded('later.json'),
  changed: recorded('changed.json'),
}
/** A place from which everything that there is counts as new. */
const START: Cursor = { floorSeconds: 0, nextPage: 2, articles: [] }

/** Answers as the platform does: pages of the newest articles, an article, the comments below one. */
function answer(world: World, url: URL): { status: number; body: string } {
  const found = (body: unknown) =>
    body === undefined
      ? { status: 404, body: '{"error":"not found","status":404}' }
      : { status: 200, body: JSON.stringify(body) }
  if (url.pathname === '/api/articles/latest' || url.pathname === '/api/articles/search') {
    const [page, size] = [Number(url.searchParams.get('page')), Number(url.searchParams.get('per_page'))]
    return found(world.latest.slice((page - 1) * size, page * size))
  }
  if (url.pathname === '/api/comments') return found(world.comments[url.searchParams.get('a_id') ?? ''] ?? [])
  return found(world.articles[url.pathname.replace('/api/articles/', '')])
}

function fromTheStart(): Collecting {
  const whole = collecting(devto({ key: null }))
  return { ...whole, collect: (context, cursor) => whole.collect(context, cursor ?? START) }
}

describeSource('devto', {
  open: fromTheStart,
  at: { ordinary: AT, later: new Date(AT.getTime() + 120_000) },
  serves: { replies: ({ url }, stage) => answer(STAGES[stage], url) },
  refusals: recorded<ConformanceFixture['refusals']>('refusals.json'),
  throttledForSeconds: 7,
  expected: {
    ordinary: ['post article:3900001', 'post comment:2k0aa', 'post article:3900002', 'post comment:2k0ab'],
    later: ['post article:3900005', 'post article:3900004', 'post comment:2k0ad'],
  },
  nativeIdPattern: /^(?:article:\d+|comment:[a-z0-9]+)$/,
  urlPattern: /^https:\/\/dev\.to\/\w+\/(?:comment\/)?[\w-]+$/,
})

const AT_SECONDS = AT.getTime() / 1000
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
const ADA = { user_id: 101, username: 'ada_example', name: 'Ada', profile_image: null }
const listed = (id: number, seconds: number, more: object = {}) => ({
  id,
  title: `Article ${id}`,
  url: `https://dev.to/ada_example/article-${id}`,
  user: ADA,
  published_timestamp: iso(seconds),
  comments_count: 0,
  last_comment_at: iso(seconds),
  ...more,
})
const said = (code: string, seconds: number, more: object = {}) => ({
  id_code: code,
  created_at: iso(seconds),
  body_html: `<p>${code}</p>`,
  user: ADA,
  children: [],
  ...more,
})

/** A platform that is kept here, without a network; articles stand in the order of the list. */
function platform(latest: ReturnType<typeof listed>[], comments: World['comments'] = {}) {
  const world = { latest, comments }
  const asked: string[] = []
  const headers: Record<string, string>[] = []
  const warnings: unknown[] = []
  const overrides = new Map<string, Partial<SourceReply>>()
  const context: CollectContext = {
    async fetch(url, request) {
      const { pathname, search } = new URL(url)
      asked.push(pathname + search)
      headers.push(request?.headers ?? {})
      const item = world.latest.find(({ id }) => pathname === `/api/articles/${id}`)
      const articles = item ? { [item.id]: { ...item, body_html: `<p>Body ${item.id}</p>` } } : {}
      return { headers: {}, ...answer({ ...world, articles }, new URL(url)), ...overrides.get(pathname) }
    },
    ...BARE_CONTEXT,
    at: AT,
    log: { ...silentLog, warn: (fields: unknown) => warnings.push(fields) } as unknown as typeof silentLog,
  }
  return {
    world,
    warnings,
    asked,
    headers,
    overrides,
    context,
    async poll(cursor: Cursor | null, source = devto({ key: null })) {
      const batches: SourceBatch[] = []
      let fault: unknown = null
      try {
        for await (const batch of source.poll(context, cursor)) batches.push(batch)
      } catch (error) {
        fault = error
      }
      return { batches, fault, ids: idsOf(batches), cursor: batches.at(-1)?.cursor ?? cursor }
    },
  }
}

const idsOf = (batches: readonly SourceBatch[]) =>
  batches.flatMap(({ events }) => events.map((event) => (event.kind === 'post' ? event.post.nativeId : '')))
const postsOf = (batches: readonly SourceBatch[]): Map<string, Post> =>
  new Map(
    batches.flatMap(({ events }) =>
      events.flatMap((event) => (event.kind === 'post' ? [[event.post.nativeId, event.post] as const] : [])),
    ),
  )

describe('devto', () => {
  test('the first poll hands over nothing and says from where to go on', async () => {
    const at = platform([listed(2, AT_SECONDS - 60), listed(1, AT_SECONDS - 90_000, { comments_count: 1 })], {
      1: [said('old', AT_SECONDS - 80_000)],
    })
    const first = await at.poll(null)
    expect(first.ids).toEqual([])
    at.world.latest = [
      listed(3, AT_SECONDS),
      listed(2, AT_SECONDS - 60),
      listed(1, AT_SECONDS - 90_000, { comments_count: 2, last_comment_at: iso(AT_SECONDS) }),
    ]
    at.world.comments['1'] = [said('old', AT_SECONDS - 80_000), said('new', AT_SECONDS)]
    expect((await at.poll(first.cursor)).ids).toEqual(['article:3', 'comment:new'])
  })

  test('hundreds of new articles are handed over in batches, each once, the oldest first', async () => {
    const articles = Array.from({ length: 350 }, (_, at) => listed(350 - at, AT_SECONDS - at * 10))
    const at = platform(articles)
    const { ids, batches } = await at.poll(START)
    expect(ids).toEqual(Array.from({ length: 350 }, (_, at) => `article:${at + 1}`))
    expect(Math.max(...batches.map(({ events }) => events.length))).toBe(20)
    // A crash between two batches goes on behind the last stored one.
    const rest = await at.poll(batches[4]!.cursor)
    expect(rest.ids).toEqual(ids.slice(100))
  })

  test('a quiet poll takes one request for the newest articles and one for older ones in turn', async () => {
    const at = platform(Array.from({ length: 2500 }, (_, index) => listed(2500 - index, AT_SECONDS - index * 60)))
    let { cursor } = await at.poll(null)
    const first = at.asked.splice(0)
    expect(first.map((text) => text.replace(/^.*\?/, ''))).toEqual(['page=1&per_page=1000', 'page=2&per_page=1000'])
    for (let polls = 0; polls < 20; polls += 1) cursor = (await at.poll(cursor)).cursor
    const pages = at.asked.map((text) => Number(text.match(/[?&]page=(\d+)/)?.[1]))
    expect(pages.filter((page) => page !== 1)).toEqual([...Array.from({ length: 19 }, (_, index) => index + 2), 2])
    expect(at.asked).toHaveLength(40)
  })

  test('an article that turns up late among older ones is found', async () => {
    const articles = Array.from({ length: 300 }, (_, index) => listed(1000 - index, AT_SECONDS - index * 60))
    const at = platform(articles)
    let { cursor } = await at.poll(null)
    at.world.latest = articles.toSpliced(250, 0, listed(2000, AT_SECONDS - 250 * 60 + 30))
    const found: string[] = []
    for (let polls = 0; polls < 3; polls += 1) {
      const polled = await at.poll(cursor)
      found.push(...polled.ids)
      cursor = polled.cursor
    }
    expect(found).toEqual(['article:2000'])
  })

  test('an old article that moves up because others were taken back is not new', async () => {
    const articles = Array.from({ length: 2100 }, (_, index) => listed(5000 - index, AT_SECONDS - index * 60))
    const at = platform(articles)
    let { cursor } = await at.poll(null)
    at.world.latest = articles.slice(90)
    const found: string[] = []
    for (let polls = 0; polls < 20; polls += 1) {
      const polled = await at.poll(cursor)
      found.push(...polled.ids)
      cursor = polled.cursor
    }
    expect(found).toEqual([])
  })

  test('a new comment is found at any depth, once, and one that took the place of a deleted one too', async () => {
    const item = (comments: number, lastSeconds: number) =>
      listed(1, AT_SECONDS - 900, { comments_count: comments, last_comment_at: iso(lastSeconds) })
    const at = platform([item(1, AT_SECONDS - 500)], { 1: [said('a', AT_SECONDS - 500)] })
    const first = await at.poll(START)
    expect(first.ids).toEqual(['article:1', 'comment:a'])
    at.world.latest = [item(2, AT_SECONDS - 400)]
    at.world.comments['1'] = [said('a', AT_SECONDS - 500, { children: [said('b', AT_SECONDS - 400)] })]
    const second = await at.poll(first.cursor)
    expect(second.ids).toEqual(['comment:b'])
    at.world.latest = [item(1, AT_SECONDS - 400)]
    const third = await at.poll(second.cursor)
    at.world.latest = [item(2, AT_SECONDS - 400)]
    at.world.comments['1'] = [said('b', AT_SECONDS - 400), said('c', AT_SECONDS - 300)]
    const fourth = await at.poll(third.cursor)
    expect([third.ids, fourth.ids]).toEqual([[], ['comment:c']])
    expect((await at.poll(fourth.cursor)).ids).toEqual([])
  })

  test('the articles kept in the cursor are bounded, and a forgotten one is not new again', async () => {
    const at = platform(Array.from({ length: 2000 }, (_, index) => listed(2000 - index, AT_SECONDS - 100_000 - index)))
    let { cursor } = await at.poll(null)
    at.world.latest = [
      ...Array.from({ length: 900 }, (_, index) => listed(2900 - index, AT_SECONDS - index)),
      ...at.world.latest,
    ]
    const polled = await at.poll(cursor)
    cursor = polled.cursor
    expect(polled.ids).toHaveLength(900)
    expect(cursor).toMatchObject({ articles: { length: 2400 } })
    at.world.latest = at.world.latest.slice(900)
    for (let polls = 0; polls < 21; polls += 1) {
      const again = await at.poll(cursor)
      expect(again.ids).toEqual([])
      cursor = again.cursor
    }
  })

  test('an article that was taken back before it was read is left out', async () => {
    const at = platform([listed(2, AT_SECONDS - 10), listed(1, AT_SECONDS - 20)])
    at.overrides.set('/api/articles/1', { status: 404, body: '{"error":"not found","status":404}' })
    const { ids, cursor, fault } = await at.poll(START)
    expect([ids, fault]).toEqual([['article:2'], null])
    expect((await at.poll(cursor)).ids).toEqual([])
  })

  const troubles: [string, Partial<SourceReply>][] = [
    ['5xx', { status: 500, body: '' }],
    ['403', { status: 403, body: '{"error":"forbidden","status":403}' }],
    ['422', { status: 422, body: '' }],
    ['HTML', { body: '<html></html>' }],
    ['another form', { body: '{"id":1,"title":null}' }],
  ]
  test.each(troubles)(
    'an article that is answered with %s holds nothing up, is put off, and is read when it can be',
    async (_, reply) => {
      const at = platform([listed(3, AT_SECONDS - 10), listed(2, AT_SECONDS - 20), listed(1, AT_SECONDS - 30)])
      at.overrides.set('/api/articles/1', reply)
      const { ids, cursor, fault } = await at.poll(START)
      expect([ids, fault, cursor]).toEqual([
        ['article:2', 'article:3'],
        null,
        expect.objectContaining({ tries: ['1:1'] }),
      ])
      expect(at.warnings).toEqual([expect.objectContaining({ articles: 1 })])
      at.overrides.clear()
      const again = await at.poll(cursor)
      expect([again.ids, again.cursor]).toEqual([['article:1'], expect.objectContaining({ tries: [] })])
    },
  )

  test('comments that cannot be read keep back neither their article nor other comments', async () => {
    const item = (id: number, comments: number) =>
      listed(id, AT_SECONDS - 100 * id, { comments_count: comments, last_comment_at: iso(AT_SECONDS) })
    const at = platform([item(1, 1), item(2, 2), item(3, 1)], {
      1: [said('a', AT_SECONDS)],
      2: [{}, {}, {}] as never,
      3: [said('c', AT_SECONDS)],
    })
    const first = await at.poll(START)
    expect([first.ids, first.fault]).toEqual([['article:3', 'article:2', 'article:1', 'comment:c', 'comment:a'], null])
    at.world.comments['2'] = [said('b', AT_SECONDS - 50), said('bb', AT_SECONDS)]
    const second = await at.poll(first.cursor)
    expect(second.ids).toEqual(['comment:b', 'comment:bb'])
    expect((await at.poll(second.cursor)).ids).toEqual([])
  })

  test('an article is tried in ten polls, and then left out; what is said below it later is read', async () => {
    const at = platform([listed(1, AT_SECONDS - 30)])
    at.overrides.set('/api/articles/1', { status: 500, body: '' })
    let { cursor } = await at.poll(START)
    for (let polls = 2; polls <= 10; polls += 1) cursor = (await at.poll(cursor)).cursor
    const tries = at.asked.filter((text) => text === '/api/articles/1').length
    expect([tries, at.warnings.at(-2)]).toEqual([10, expect.objectContaining({ article: 1, tries: 10 })])
    at.overrides.clear()
    expect((await at.poll(cursor)).ids).toEqual([])
    at.world.latest = [listed(1, AT_SECONDS - 30, { comments_count: 1, last_comment_at: iso(AT_SECONDS) })]
    at.world.comments['1'] = [said('a', AT_SECONDS)]
    expect((await at.poll(cursor)).ids).toEqual(['comment:a'])
  })

  test('three different ones in a row end the poll, and do not stand before the others in the next', async () => {
    const at = platform(Array.from({ length: 6 }, (_, index) => listed(6 - index, AT_SECONDS - 10 * index)))
    for (const id of [2, 3, 4]) at.overrides.set(`/api/articles/${id}`, { status: 500, body: '' })
    const read = (asked: string[]) => asked.flatMap((text) => text.match(/articles\/(\d)/)?.[1] ?? []).join('')
    const first = await at.poll(START)
    expect([first.ids, first.fault, read(at.asked.splice(0))]).toEqual([
      ['article:1'],
      expect.objectContaining({ kind: 'unavailable' }),
      '1234',
    ])
    const second = await at.poll(first.cursor)
    expect([second.ids, second.fault, read(at.asked.splice(0))]).toEqual([['article:5', 'article:6'], null, '56234'])
  })

  test('a key that is refused ends the poll behind what was read', async () => {
    const at = platform([listed(2, AT_SECONDS - 10), listed(1, AT_SECONDS - 20)])
    at.overrides.set('/api/articles/2', { status: 401, body: '' })
    const { ids, fault } = await at.poll(START)
    expect([ids, fault]).toEqual([['article:1'], expect.objectContaining({ kind: 'credentials' })])
  })

  test('a comment of the same second as the newest that was read is found, and that one is not repeated', async () => {
    const item = (comments: number) =>
      listed(1, AT_SECONDS - 900, { comments_count: comments, last_comment_at: iso(AT_SECONDS) })
    const at = platform([item(1)], { 1: [said('a', AT_SECONDS)] })
    const first = await at.poll(START)
    at.world.latest = [item(3)]
    at.world.comments['1'] = [said('a', AT_SECONDS), said('b', AT_SECONDS), said('c', AT_SECONDS)]
    const second = await at.poll(first.cursor)
    expect([first.ids, second.ids.sort()]).toEqual([
      ['article:1', 'comment:a'],
      ['comment:b', 'comment:c'],
    ])
    at.world.latest = [item(4)]
    at.world.comments['1']!.push(said('d', AT_SECONDS))
    expect((await at.poll(second.cursor)).ids).toEqual(['comment:d'])
    // Stored before ids were kept.
    const stored: Cursor = {
      floorSeconds: 0,
      nextPage: 2,
      articles: [`1:${AT_SECONDS - 900}:3:${AT_SECONDS}:${AT_SECONDS - 1}`],
    }
    expect((await at.poll(stored)).ids.sort()).toEqual(['comment:a', 'comment:b', 'comment:c', 'comment:d'])
  })

  test('an address on another host is taken to the site itself', async () => {
    const at = platform([
      listed(1, AT_SECONDS, { url: 'https://evil.example/ada_example/article-1?x=1' }),
      listed(2, AT_SECONDS, { url: 'none' }),
    ])
    const { batches, fault } = await at.poll(START)
    expect([[...postsOf(batches).values()].map(({ url }) => url), fault]).toEqual([
      ['https://dev.to/ada_example/article-1'],
      null,
    ])
  })

  test('being too fast in the middle loses nothing of what was read before', async () => {
    const articles = Array.from({ length: 45 }, (_, index) => listed(45 - index, AT_SECONDS - index))
    const at = platform(articles)
    at.overrides.set('/api/articles/25', { status: 429, headers: { 'retry-after': '2' }, body: 'Retry later\n' })
    const { ids, cursor, fault } = await at.poll(START)
    expect([ids.length, fault]).toEqual([24, expect.objectContaining({ kind: 'throttled', retryAfterSeconds: 2 })])
    at.overrides.clear()
    expect((await at.poll(cursor)).ids).toHaveLength(21)
  })

  test('the key goes along when there is one', async () => {
    const at = platform([])
    await at.poll(null, devto({ key: 'key-1' }))
    await at.poll(null)
    expect(at.headers.map((header) => header['api-key'])).toEqual(['key-1', undefined])
    for (const header of at.headers) expect(header['accept']).toBe('application/vnd.forem.api-v1+json')
  })
})

describe('searching devto', () => {
  const searched = async (at: ReturnType<typeof platform>, terms: string[], since: Date, limit = 100) => {
    const portions: Post[][] = []
    for await (const posts of devto({ key: null }).searching!.search(at.context, { terms, since, limit }))
      portions.push(posts)
    return portions.map((posts) => posts.map(({ nativeId }) => nativeId))
  }

  const searchedUntil = (at: ReturnType<typeof platform>, since: Date) => {
    const ids: string[] = []
    const ended = (async () => {
      for await (const posts of devto({ key: null }).searching!.search(at.context, {
        terms: ['acme'],
        since,
        limit: 100,
      }))
        ids.push(...posts.map(({ nativeId }) => nativeId))
    })()
    return { ids, ended }
  }

  test('finds articles with their bodies, newest first, in small portions, within time and limit', async () => {
    const order = [4, 1, 7, 2, 6, 3, 5]
    const at = platform(order.map((id) => listed(id, AT_SECONDS - 1000 + id)))
    const since = new Date(AT.getTime() - 998_000)
    expect(await searched(at, ['acme "corp"'], since)).toEqual([
      ['article:7', 'article:6', 'article:5', 'article:4', 'article:3'],
      ['article:2'],
    ])
    expect(new URL(at.asked[0]!, 'https://dev.to').searchParams.toString()).toBe(
      'q=acme+corp&top=1&page=1&per_page=100',
    )
    expect(await searched(at, ['acme'], since, 2)).toEqual([['article:7', 'article:6']])
  })

  test('passes over an article that cannot be read; three in a row, haste and a refused key end it behind what was found', async () => {
    const articles = () => platform(Array.from({ length: 7 }, (_, index) => listed(7 - index, AT_SECONDS - index)))
    const since = new Date(AT.getTime() - 998_000)
    const at = articles()
    for (const id of [6, 3, 2]) at.overrides.set(`/api/articles/${id}`, { status: 500, body: '' })
    expect(await searched(at, ['acme'], since)).toEqual([['article:7', 'article:5', 'article:4'], ['article:1']])
    at.overrides.set('/api/articles/4', { body: '<html>' })
    const found = searchedUntil(at, since)
    await expect(found.ended).rejects.toMatchObject({ name: 'SourceFault' })
    expect(found.ids).toEqual(['article:7', 'article:5'])
    const hasty = articles()
    hasty.overrides.set('/api/articles/6', { status: 429, body: '' })
    const soon = searchedUntil(hasty, since)
    await expect(soon.ended).rejects.toMatchObject({ kind: 'throttled' })
    expect(soon.ids).toEqual(['article:7'])
  })

  test('asks nothing for a phrase without a word, and finds nothing where there is nothing', async () => {
    const at = platform([])
    expect(await searched(at, ['!?'], AT)).toEqual([])
    expect(at.asked).toEqual([])
    expect(await searched(at, ['acme'], AT)).toEqual([])
  })
})

describe('a post of devto', () => {
  const read = async () => {
    const found: SourceBatch[] = []
    const { context } = platform([])
    const fetch = async (url: string): Promise<SourceReply> => ({
      headers: {},
      ...answer(STAGES.ordinary, new URL(url)),
    })
    for await (const batch of devto({ key: null }).poll({ ...context, fetch }, START)) found.push(batch)
    return postsOf(found)
  }

  test('an article: its title, the text of its body, links, picture, counts and person', async () => {
    const posts = await read()
    expect(posts.get('article:3900001')).toEqual({
      platform: 'devto',
      nativeId: 'article:3900001',
      url: 'https://dev.to/ada_example/moving-from-acme-corp-to-files-1a2b',
      title: 'Moving from Acme Corp to files',
      text: 'We left Acme Corp last month.\n\nWhy\n\nacme --export <dir>',
      imageUrl: 'https://media2.dev.to/dynamic/image/social/3900001.png',
      links: ['https://acme.example/?a=1&b=2'],
      publishedAt: new Date('2026-11-21T11:10:00Z'),
      languageHint: 'en',
      engagement: { likes: 9, reposts: null, replies: 2, quotes: null, views: null, bookmarks: null },
      replyTo: null,
      author: {
        id: '101',
        name: 'Ada Example',
        handle: 'ada_example',
        url: 'https://dev.to/ada_example',
        avatarUrl: 'https://media2.dev.to/dynamic/image/ada_example.png',
        followers: null,
        automated: null,
      },
      review: null,
    })
    expect(posts.get('article:3900002')).toMatchObject({
      imageUrl: 'https://media2.dev.to/dynamic/image/cover.png',
      links: ['https://blog.example/acme?ref=dev&x=1'],
      languageHint: 'pt',
    })
  })

  test('a comment: its text and what it answers to; a deleted one is left out', async () => {
    const posts = await read()
    expect(posts.get('comment:2k0aa')).toMatchObject({
      url: 'https://dev.to/boris_example/comment/2k0aa',
      title: null,
      text: 'Acme Corp worked for us.',
      engagement: null,
      replyTo: {
        author: 'ada_example',
        url: 'https://dev.to/ada_example/moving-from-acme-corp-to-files-1a2b',
        text: 'Moving from Acme Corp to files',
      },
    })
    expect(posts.get('comment:2k0ab')).toMatchObject({
      text: 'Good to know, see here.',
      links: ['https://forum.example/t/1'],
      replyTo: {
        author: 'boris_example',
        url: 'https://dev.to/boris_example/comment/2k0aa',
        text: 'Acme Corp worked for us.',
      },
    })
    expect(posts.has('comment:2k0ac')).toBe(false)
  })
})
