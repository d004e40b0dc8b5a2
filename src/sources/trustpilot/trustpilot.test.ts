import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import { describeSource, reading, type ServedReply, type Stage } from '../conformance.suite.ts'
import type { CollectContext, PageSource, SourceReply, SourceRequest } from '../contract.ts'
import { trustpilot } from './source.ts'
import { toPost } from './to-post.ts'
import { review } from './wire.ts'

interface Company {
  unit: { id: string }
  reviews: { id: string; createdAt: string }[]
}

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const ordinary = recorded<Company>('ordinary.json')
const STAGES: Record<Exclude<Stage, 'changed'>, Company> = { ordinary, later: recorded<Company>('later.json') }
const AT = new Date('2026-11-21T12:00:00Z')
const PAGE = { id: 'acme.example', country: null, language: null }
const id = (number: number) => `6a${number.toString(16).padStart(22, '0')}`

/** Answers as the API does: a company by its name, its reviews newest first. */
function api(company: Company, { pathname, searchParams }: URL): ServedReply {
  if (pathname === '/v1/business-units/find')
    return searchParams.get('name') === 'acme.example' ? good(company.unit) : MISSING
  if (pathname !== `/v1/business-units/${company.unit.id}/reviews` || searchParams.get('orderBy') !== 'createdat.desc')
    return MISSING
  const [size, page] = [Number(searchParams.get('perPage')), Number(searchParams.get('page'))]
  const links =
    company.reviews.length > size * page
      ? [{ href: 'https://elsewhere.example/', method: 'GET', rel: 'next-page' }]
      : []
  return good({ links, reviews: company.reviews.slice((page - 1) * size, page * size) })
}

const MISSING: ServedReply = { status: 404, body: '{"errorCode":1001,"message":"Business Unit not found"}' }
const good = (body: unknown): ServedReply => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

describeSource('trustpilot', {
  open: () => reading(trustpilot({ key: 'key-1' }), PAGE),
  at: { ordinary: AT, later: new Date('2026-11-22T12:00:00Z') },
  serves: {
    replies: ({ url, headers }, stage) => {
      if (headers['apikey'] !== 'key-1') return { status: 401, body: '' }
      return stage === 'changed' ? good(recorded('changed.json')) : api(STAGES[stage], url)
    },
  },
  refusals: recorded<Record<'throttled' | 'unavailable' | 'credentials' | 'gone', ServedReply>>('refusals.json'),
  throttledForSeconds: 7,
  expected: {
    ordinary: [2, 3, 4, 5].map((number) => `post ${id(number)}`),
    later: [6, 7].map((number) => `post ${id(number)}`),
  },
  nativeIdPattern: /^[0-9a-f]{24}$/,
  urlPattern: /^https:\/\/www\.trustpilot\.com\/reviews\/[0-9a-f]{24}$/,
})

interface Asked {
  url: URL
  init: SourceRequest
}

/** A context whose platform is kept here, without a network, and what was asked of it. */
function platform(answer: (url: URL) => ServedReply): { context: CollectContext; asked: Asked[]; paths(): string[] } {
  const asked: Asked[] = []
  const fetch = async (address: string, init: SourceRequest = {}): Promise<SourceReply> => {
    asked.push({ url: new URL(address), init })
    return { status: 200, headers: {}, ...answer(new URL(address)) }
  }
  const context: CollectContext = {
    fetch,
    ...BARE_CONTEXT,
    at: AT,
  }
  return { context, asked, paths: () => asked.map(({ url }) => url.pathname + url.search) }
}

async function read(source: PageSource, context: CollectContext, since: Date, page = PAGE): Promise<Post[][]> {
  const portions: Post[][] = []
  for await (const posts of source.read(context, page, since)) portions.push(posts)
  return portions
}

const many = (count: number): Company => ({
  unit: ordinary.unit,
  reviews: Array.from({ length: count }, (_, at) => ({
    ...ordinary.reviews[0]!,
    id: id(at + 1),
    createdAt: new Date(AT.getTime() - at * 60_000).toISOString(),
    companyReply: null,
  })),
})

describe('trustpilot', () => {
  test('a review: title, text, stars, answer of the company, language and author', () => {
    expect(toPost(review.parse(ordinary.reviews[0]), AT)).toEqual({
      platform: 'trustpilot',
      nativeId: id(5),
      url: `https://www.trustpilot.com/reviews/${id(5)}`,
      title: 'Lost my parcel & my patience',
      text: 'Third week of waiting.\n\nThe courier says "returned", Acme says <in transit>.',
      imageUrl: null,
      links: [],
      publishedAt: new Date('2026-11-21T09:30:00Z'),
      languageHint: 'en',
      engagement: { likes: 3, reposts: null, replies: null, quotes: null, views: null, bookmarks: null },
      replyTo: null,
      author: {
        id: '5c0000000000000000000005',
        name: 'Ada Example',
        handle: null,
        url: 'https://www.trustpilot.com/users/5c0000000000000000000005',
        avatarUrl: null,
        followers: null,
        automated: null,
      },
      review: {
        rating: 1,
        ratingMax: 5,
        title: 'Lost my parcel & my patience',
        version: null,
        country: null,
        verified: true,
        response: 'Sorry to read this, Ada. We have sent a new one.',
        responseAt: new Date('2026-11-21T11:00:00Z'),
        app: null,
      },
    })
  })

  test.each([
    [true, 'not-verified', true],
    [false, 'verified', false],
    [null, 'invited', true],
    [null, 'not-verified', false],
    [null, null, null],
  ])('verified %s with level %s is %s', (isVerified, reviewVerificationLevel, expected) => {
    const item = review.parse({ ...ordinary.reviews[0], isVerified, reviewVerificationLevel })
    expect(toPost(item, AT)?.review?.verified).toBe(expected)
  })

  test('reviews are read page by page, newest first, until one is older than asked for', async () => {
    const { context, asked, paths } = platform((url) => api(many(1000), url))
    const portions = await read(trustpilot({ key: 'key-1' }), context, new Date(AT.getTime() - 149.5 * 60_000))
    expect(portions.map((posts) => posts.length)).toEqual([100, 50])
    expect(portions.flat().map(({ nativeId }) => nativeId)).toEqual(Array.from({ length: 150 }, (_, at) => id(at + 1)))
    expect(paths()).toEqual([
      '/v1/business-units/find?name=acme.example',
      `/v1/business-units/${ordinary.unit.id}/reviews?orderBy=createdat.desc&perPage=100&page=1`,
      `/v1/business-units/${ordinary.unit.id}/reviews?orderBy=createdat.desc&perPage=100&page=2`,
    ])
    expect(asked.every(({ init }) => init.headers?.['apikey'] === 'key-1' && init.cost?.['requests'] === 1)).toBe(true)
  })

  test('a company with endlessly many reviews takes a bounded number of requests', async () => {
    const company = many(100)
    const { context, asked } = platform((url) =>
      url.pathname.endsWith('/find')
        ? good(company.unit)
        : good({ reviews: company.reviews, links: [{ rel: 'next-page' }] }),
    )
    await read(trustpilot({ key: 'key-1' }), context, new Date(0))
    expect(asked.length).toBe(101)
  })

  test('a short page that announces a next one does not end the reading', async () => {
    const company = many(30)
    const { context } = platform((url) => {
      if (url.pathname.endsWith('/find')) return good(company.unit)
      const page = Number(url.searchParams.get('page'))
      return good({
        reviews: company.reviews.slice((page - 1) * 20, page * 20),
        links: page === 1 ? [{ rel: 'next-page' }] : [],
      })
    })
    expect((await read(trustpilot({ key: 'key-1' }), context, new Date(0))).flat()).toHaveLength(30)
  })

  test('a company is looked up once, and again when its id is no longer known', async () => {
    let unit = ordinary.unit
    const { context, paths } = platform((url) => api({ ...ordinary, unit }, url))
    const source = trustpilot({ key: 'key-1' })
    await read(source, context, AT)
    await read(source, context, AT)
    expect(paths().filter((path) => path.includes('/find'))).toHaveLength(1)
    unit = { ...unit, id: '5a0000000000000000000002' }
    expect(await read(source, context, new Date('2026-11-21T00:00:00Z'))).toHaveLength(1)
    expect(paths().filter((path) => path.includes('/find'))).toHaveLength(2)
  })

  test('no more than a thousand companies are remembered', async () => {
    const { context, paths } = platform((url) =>
      url.pathname.endsWith('/find') ? good(ordinary.unit) : good({ reviews: [], links: [] }),
    )
    const source = trustpilot({ key: 'key-1' })
    for (let at = 0; at <= 1000; at += 1) await read(source, context, AT, { ...PAGE, id: `shop${at}.example` })
    const before = paths().length
    await read(source, context, AT, { ...PAGE, id: 'shop1000.example' })
    await read(source, context, AT, { ...PAGE, id: 'shop0.example' })
    expect(
      paths()
        .slice(before)
        .filter((path) => path.includes('/find')),
    ).toEqual(['/v1/business-units/find?name=shop0.example'])
  })

  test('a review from before is told again when it was edited or answered since', async () => {
    const since = new Date('2026-11-20T00:00:00Z')
    const before = { ...ordinary.reviews[0]!, createdAt: '2026-11-12T00:00:00Z', updatedAt: null, companyReply: null }
    const reviews = [
      { ...before, id: id(1), updatedAt: '2026-11-20T08:00:00Z' },
      { ...before, id: id(2), companyReply: { text: 'Sorry', createdAt: '2026-11-20T09:00:00Z', updatedAt: null } },
      {
        ...before,
        id: id(3),
        companyReply: { text: 'Sorry', createdAt: '2026-11-13T09:00:00Z', updatedAt: '2026-11-21T09:00:00Z' },
      },
      { ...before, id: id(4), companyReply: { text: 'Sorry', createdAt: '2026-11-13T09:00:00Z', updatedAt: null } },
      { ...before, id: id(5) },
    ]
    const { context } = platform((url) => api({ ...ordinary, reviews }, url))
    const posts = (await read(trustpilot({ key: 'key-1' }), context, since)).flat()
    expect(posts.map(({ nativeId }) => nativeId)).toEqual([1, 2, 3].map(id))
    for (const post of posts) expect(post.publishedAt).toEqual(new Date('2026-11-12T00:00:00Z'))
  })

  test('a company that stands under the other form of its domain is found', async () => {
    const { context, paths } = platform((url) => api(ordinary, url))
    expect(
      (
        await read(trustpilot({ key: 'key-1' }), context, new Date('2026-11-21T00:00:00Z'), {
          ...PAGE,
          id: 'www.acme.example',
        })
      ).flat(),
    ).toHaveLength(1)
    expect(paths().slice(0, 2)).toEqual([
      '/v1/business-units/find?name=www.acme.example',
      '/v1/business-units/find?name=acme.example',
    ])
  })

  test('a company without reviews is not a fault, one that does not exist is gone', async () => {
    const { context } = platform((url) => api({ ...ordinary, reviews: [] }, url))
    expect(await read(trustpilot({ key: 'key-1' }), context, new Date(0))).toEqual([])
    await expect(
      read(trustpilot({ key: 'key-1' }), context, new Date(0), { ...PAGE, id: 'nobody.example' }),
    ).rejects.toMatchObject({ kind: 'gone' })
  })

  test('one odd review is left out, a majority of odd ones is a change of shape', async () => {
    const serving = (...reviews: object[]) =>
      platform((url) => api({ ...ordinary, reviews: reviews as Company['reviews'] }, url)).context
    const [first, second] = ordinary.reviews
    const odd = { ...second, stars: 'four' }
    const since = new Date('2026-11-01T00:00:00Z')
    expect(
      (await read(trustpilot({ key: 'key-1' }), serving(first!, odd), since)).flat().map(({ nativeId }) => nativeId),
    ).toEqual([id(5)])
    await expect(
      read(trustpilot({ key: 'key-1' }), serving(first!, first!, odd, odd, odd), since),
    ).rejects.toMatchObject({
      kind: 'shape_changed',
    })
  })
})

describe('a link of a single review', () => {
  const LINK = `https://de.trustpilot.com/reviews/${id(5).toUpperCase()}?utm=1`
  const resolve = (answer: (url: URL) => ServedReply, link = LINK) => {
    const { context, paths } = platform(answer)
    return trustpilot({ key: 'key-1' }).resolveLink!(context, link).then((found) => ({ found, paths: paths() }))
  }
  const page = { platform: 'trustpilot', id: 'acme.example', country: null, language: null }
  const of = (identifyingName: string | null) =>
    good({ id: id(5), businessUnit: { id: ordinary.unit.id, identifyingName } })

  test('leads to the page of its company', async () => {
    expect(await resolve(() => of('acme.example'))).toEqual({ found: page, paths: [`/v1/reviews/${id(5)}`] })
  })

  test('leads there by the number of the company where its domain is not said', async () => {
    const answer = (url: URL) => (url.pathname.startsWith('/v1/reviews/') ? of(null) : good(ordinary.unit))
    expect(await resolve(answer)).toEqual({
      found: page,
      paths: [`/v1/reviews/${id(5)}`, `/v1/business-units/${ordinary.unit.id}`],
    })
  })

  test('leads nowhere when there is no such review, or no domain behind it', async () => {
    expect((await resolve(() => MISSING)).found).toBeNull()
    expect((await resolve(() => of('not a domain'))).found).toBeNull()
    expect((await resolve(() => of('127.0.0.1'))).found).toBeNull()
  })

  test('asks nothing for a link that names its page, or that is of another site', async () => {
    expect(await resolve(() => MISSING, 'https://www.trustpilot.com/review/acme.example')).toEqual({
      found: page,
      paths: [],
    })
    for (const link of [
      `https://www.trustpilot.com.evil.example/reviews/${id(5)}`,
      'https://www.trustpilot.com/reviews/1',
      'https://apps.apple.com/us/app/id123456789',
      '',
    ]) {
      expect(await resolve(() => MISSING, link)).toEqual({ found: null, paths: [] })
    }
  })

  test('fails as reading does when the platform says no or answers something else', async () => {
    await expect(resolve(() => ({ status: 401, body: '{}' }))).rejects.toMatchObject({ kind: 'credentials' })
    await expect(resolve(() => good({ review: {} }))).rejects.toMatchObject({ kind: 'shape_changed' })
  })
})
