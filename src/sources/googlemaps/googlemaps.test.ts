import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import { describeSource, reading, type ServedReply, type ServedRequest, type Stage } from '../conformance.suite.ts'
import {
  type CollectContext,
  type Cost,
  MONEY,
  QuotaReached,
  type SourceReply,
  type SourceRequest,
} from '../contract.ts'
import { type GoogleMapsOptions, googlemaps } from './source.ts'
import { placeReviewToPost } from './to-post.ts'
import { type ActorReview, type PlaceReview, placeReview } from './wire.ts'

// Over three hundred lines, because both routes tell of the same reviews and are compared here.
interface Place {
  id: string
  reviews: PlaceReview[]
}
type Refusals = Record<'throttled' | 'unavailable' | 'credentials', ServedReply>

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const places = recorded<Place>('places-ordinary.json')
const rows = recorded<ActorReview[]>('actor-ordinary.json')
const AT = new Date('2026-11-21T12:00:00Z')
const LATER = new Date('2026-11-22T12:00:00Z')
const PAGE = { id: places.id, country: null, language: null }
const PLACES: GoogleMapsOptions = { route: 'places', key: 'key-1', dailyMicroUsd: 1_000_000 }
const APIFY: GoogleMapsOptions = {
  route: 'apify',
  token: 'token-1',
  actor: 'compass/google-maps-reviews-scraper',
  dailyMicroUsd: 1_000_000,
}
const id = (number: number) => `ChdDSUhNMG9nS0VYQU1QTEU${String(number).padStart(2, '0')}EAE`
const good = (body: unknown, status = 200): ServedReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const NO_RUNS = good({ data: { items: [] } })
const MISSING: ServedReply = { status: 404, body: '{"error":{"code":404,"message":"not found","status":"NOT_FOUND"}}' }

function placesApi({ url, headers }: ServedRequest, stage: Stage): ServedReply {
  if (url.pathname !== `/v1/places/${PAGE.id}` || headers['x-goog-fieldmask'] !== 'id,reviews') return MISSING
  return headers['x-goog-api-key'] === 'key-1' ? good(recorded(`places-${stage}.json`)) : { status: 403, body: '{}' }
}

function apify({ url, method, headers, body }: ServedRequest, stage: Stage): ServedReply {
  if (method === 'GET' && url.pathname === '/v2/acts/compass~google-maps-reviews-scraper/runs') return NO_RUNS
  if (method !== 'POST' || url.pathname !== '/v2/acts/compass~google-maps-reviews-scraper/run-sync-get-dataset-items')
    return MISSING
  if (headers['authorization'] !== 'Bearer token-1') return { status: 401, body: '{}' }
  const { placeIds, reviewsStartDate, maxReviews } = JSON.parse(body) as {
    placeIds: string[]
    reviewsStartDate: string
    maxReviews: number
  }
  const all = recorded<Partial<ActorReview>[]>(`actor-${stage}.json`)
  const found = all.filter(
    ({ publishedAtDate }) => publishedAtDate === undefined || publishedAtDate >= reviewsStartDate,
  )
  return good(placeIds.includes(PAGE.id) ? found.slice(0, maxReviews + 2) : [{ noResults: true }], 201)
}

const common = {
  at: { ordinary: AT, later: LATER },
  throttledForSeconds: 7,
  expected: {
    ordinary: [2, 3, 4].map((number) => `post ${id(number)}`),
    later: [5, 6].map((number) => `post ${id(number)}`),
  },
  nativeIdPattern: /^ChdDSUhNMG9nS0VYQU1QTEU\d\dEAE$/,
  urlPattern: /^https:\/\/www\.google\.com\/maps\/reviews\/data=[^?]+$/,
}

describeSource('googlemaps by the Places API', {
  ...common,
  open: () => reading(googlemaps(PLACES), PAGE),
  serves: { replies: placesApi },
  refusals: recorded<Refusals & { gone: ServedReply }>('places-refusals.json'),
})

describeSource('googlemaps by Apify', {
  ...common,
  open: () => reading(googlemaps(APIFY), PAGE),
  serves: { replies: apify },
  refusals: recorded<Refusals>('actor-refusals.json'),
})

interface Asked {
  url: URL
  init: SourceRequest
}

/** Reads the page from a platform that is kept here, without a network; what was asked and spent beside the posts. */
async function read(
  options: GoogleMapsOptions,
  reply: ServedReply,
  since = new Date(0),
  earlierRun: (url: string) => ServedReply | null = () => null,
  leftMicroUsd = Number.POSITIVE_INFINITY,
) {
  const asked: Asked[] = []
  const spent: Cost[] = []
  const context: CollectContext = {
    fetch: async (url, init = {}): Promise<SourceReply> => {
      if ((init.cost?.[MONEY] ?? 0) > leftMicroUsd) throw new QuotaReached('the day is used up', 3600, true)
      asked.push({ url: new URL(url), init })
      return { status: 200, headers: {}, ...(earlierRun(url) ?? (url.includes('/runs?') ? NO_RUNS : reply)) }
    },
    ...BARE_CONTEXT,
    spend: (cost) => spent.push(cost),
    at: LATER,
  }
  const posts: Post[] = []
  let fault: unknown = null
  try {
    for await (const portion of googlemaps(options).read(context, PAGE, since)) posts.push(...portion)
  } catch (error) {
    fault = error
  }
  const run = asked.find(({ init }) => init.method === 'POST')
  const microUsd = [...asked.map(({ init }) => init.cost ?? {}), ...spent].reduce(
    (sum, cost) => sum + (cost[MONEY] ?? 0),
    0,
  )
  return { posts, asked, run, microUsd, fault, ids: posts.map(({ nativeId }) => nativeId) }
}

const row = (more: object = {}) => ({ ...rows[0]!, ...more })
const inputOf = (run: Asked | undefined) => JSON.parse(run?.init.body ?? '{}') as Record<string, unknown>

describe('googlemaps', () => {
  test('a review has the same id, text, author and stars on both routes', async () => {
    const shared = ({ nativeId, text, author, publishedAt, languageHint }: Post) => ({
      ...{ nativeId, text, languageHint, author: { ...author, avatarUrl: null } },
      atSeconds: Math.floor(publishedAt.getTime() / 1000),
    })
    const [first, second] = [await read(PLACES, good(places)), await read(APIFY, good(rows))]
    expect(first.posts.map(shared)).toEqual(second.posts.map(shared))
    expect(first.posts.map(({ url, review }) => [url, review?.rating])).toEqual(
      second.posts.map(({ url, review }) => [url, review?.rating]),
    )
    expect(first.ids).toEqual([4, 3, 2, 1].map(id))
  })

  test('a review of the Places API: the text as it was written, not its translation', () => {
    expect(placeReviewToPost(placeReview.parse(places.reviews[0]), PAGE.id, AT)).toEqual({
      platform: 'googlemaps',
      nativeId: id(2),
      url: `https://www.google.com/maps/reviews/data=!4m6!14m5!1m4!2m3!1s${id(2)}!2m1!1s0x0:0x123456789abcdef`,
      title: null,
      text: 'Die Schlange war lang.',
      imageUrl: null,
      links: [],
      publishedAt: new Date('2026-11-17T08:09:10.123Z'),
      languageHint: 'de',
      engagement: null,
      replyTo: null,
      author: {
        id: '100000000000000000002',
        name: 'Boris Beispiel',
        handle: null,
        url: 'https://www.google.com/maps/contrib/100000000000000000002',
        avatarUrl: 'https://lh3.example/a/2=s128',
        followers: null,
        automated: null,
      },
      review: {
        rating: 2,
        ratingMax: 5,
        title: null,
        version: null,
        country: null,
        verified: null,
        response: null,
        responseAt: null,
        app: null,
      },
    })
  })

  test('a review of the provider has the answer of the owner, a picture and likes, too', async () => {
    const { posts } = await read(APIFY, good(rows))
    expect(posts.find(({ nativeId }) => nativeId === id(2))).toMatchObject({
      engagement: { likes: 1 },
      review: { response: 'Sorry for the wait.', responseAt: new Date('2026-11-18T08:00:00Z') },
    })
    expect(posts.find(({ nativeId }) => nativeId === id(4))?.imageUrl).toBe('https://lh5.example/photo-1.jpg')
  })

  test('stars without words are a review', async () => {
    for (const { posts } of [await read(PLACES, good(places)), await read(APIFY, good(rows))]) {
      expect(posts.find(({ nativeId }) => nativeId === id(3))).toMatchObject({ text: '', review: { rating: 4 } })
    }
  })

  test('a review without an address of its own is found on the page of the place', () => {
    const scripted = placeReview.parse({ ...places.reviews[0]!, googleMapsUri: 'javascript:alert(1)' })
    expect(placeReviewToPost(scripted, PAGE.id, AT)?.url).toBe(
      `https://www.google.com/maps/place/?q=place_id:${PAGE.id}#review-${id(2)}`,
    )
    const bare = { ...places.reviews[0]!, googleMapsUri: null, authorAttribution: null, originalText: null }
    expect(placeReviewToPost(placeReview.parse(bare), PAGE.id, AT)).toMatchObject({
      url: `https://www.google.com/maps/place/?q=place_id:${PAGE.id}#review-${id(2)}`,
      text: 'The queue was long.',
      author: null,
    })
  })

  test('a place of which nothing is known has no reviews; other empty replies are a change of shape', async () => {
    for (const body of [{}, { id: PAGE.id }, { id: PAGE.id, reviews: [] }])
      expect(await read(PLACES, good(body))).toMatchObject({ posts: [], fault: null })
    expect((await read(PLACES, good({ reviews_v9: places.reviews }))).fault).toMatchObject({ kind: 'shape_changed' })
  })

  test.each([
    ['API key not valid. Please pass a valid API key.', 'credentials'],
    ['Not a valid Place ID: ChIJnone', 'gone'],
    ['The provided Place ID is no longer valid.', 'gone'],
    ["Error expanding 'fields' parameter.", 'shape_changed'],
  ])('a bad request that says %j is %s', async (message, kind) => {
    expect(
      (await read(PLACES, good({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }, 400))).fault,
    ).toMatchObject({ kind })
  })

  test('the Places API is paid by the request, with nothing but the id and the reviews asked for', async () => {
    const { asked, microUsd } = await read(PLACES, good(places))
    expect([microUsd, asked.length]).toEqual([25_000, 1])
    expect(asked[0]?.init.headers).toMatchObject({ 'x-goog-fieldmask': 'id,reviews', 'x-goog-api-key': 'key-1' })
    expect(asked[0]?.url.href).not.toContain('key-1')
    expect(googlemaps(PLACES).limits).toEqual([
      { quota: MONEY, kind: 'daily', most: 1_000_000, timeZone: 'UTC' },
      { quota: 'links', kind: 'paced', most: 30, perSeconds: 60, burst: 10 },
    ])
  })

  test.each([400, 403, 404, 429, 500, 503])(
    'a request that the Places API answers with %i costs nothing; an answer that cannot be read does',
    async (status) => {
      expect((await read(PLACES, good({ error: { message: 'no' } }, status))).microUsd).toBe(0)
      expect((await read(PLACES, { body: '<html></html>' })).microUsd).toBe(25_000)
    },
  )

  test('a review keeps what names its place in its address, on the sites of Google alone', () => {
    const at = (googleMapsUri: string) =>
      placeReviewToPost(placeReview.parse({ ...places.reviews[0]!, googleMapsUri }), PAGE.id, AT)?.url
    expect(at('https://www.google.com/maps/place//data=!4m3?hl=de&cid=123&entry=ttu')).toBe(
      'https://www.google.com/maps/place//data=!4m3?cid=123',
    )
    expect(at(`https://search.google.com/local/reviews?placeid=${PAGE.id}&authuser=0&hl=en-US`)).toBe(
      `https://search.google.com/local/reviews?placeid=${PAGE.id}`,
    )
    expect(at('https://maps.google.co.uk/?cid=9&gl=GB')).toBe('https://maps.google.co.uk/?cid=9')
    const own = `https://www.google.com/maps/place/?q=place_id:${PAGE.id}#review-${id(2)}`
    for (const elsewhere of [
      'https://evil.example/maps/reviews/x',
      'https://www.google.com.evil.example/maps',
      'https://a@www.google.com/maps',
      'https://www.google.com:444/maps',
      'https://sites.google.com/view/x',
      'ftp://www.google.com/maps',
    ])
      expect(at(elsewhere)).toBe(own)
  })

  test('a review from before is told again when the owner has answered since', async () => {
    const since = new Date('2026-11-20T00:00:00Z')
    const before = row({ publishedAtDate: '2026-11-18T00:00:00.000Z' })
    const answered = {
      ...before,
      reviewId: 'answered',
      responseFromOwnerText: 'Sorry',
      responseFromOwnerDate: '2026-11-20T08:00:00.000Z',
    }
    const { ids } = await read(
      APIFY,
      good([before, answered, { ...answered, reviewId: 'earlier', responseFromOwnerDate: '2026-11-19T08:00:00.000Z' }]),
      since,
    )
    expect(ids).toEqual(['answered'])
  })

  test('where less is left of the day than a run may cost, it runs with what is left, down to ten reviews', async () => {
    const charges = async (leftMicroUsd: number) => {
      const { run, fault, asked } = await read(APIFY, good([row()]), new Date(0), () => null, leftMicroUsd)
      const input = inputOf(asked.find(({ init }) => init.method === 'POST'))
      return [
        run?.url.searchParams.get('maxTotalChargeUsd') ?? null,
        input['maxReviews'] ?? null,
        (fault as QuotaReached | null)?.daily ?? null,
      ]
    }
    // The input stays the same, so that the run answers for the place within its hour.
    expect(await charges(310_000)).toEqual(['0.310000', 500, null])
    expect(await charges(100_000)).toEqual(['0.077500', 500, null])
    expect(await charges(16_000)).toEqual(['0.016000', 500, null])
    expect(await charges(15_999)).toEqual([null, null, true])
  })

  test('the most that a run may cost is taken before it, and what it cannot have cost is given back', async () => {
    const { run, microUsd } = await read(APIFY, good([row(), row({ reviewId: 'two' })]))
    expect(run?.init.cost).toEqual({ [MONEY]: 310_000 })
    expect(run?.url.searchParams.get('maxTotalChargeUsd')).toBe('0.310000')
    expect(inputOf(run)).toMatchObject({
      placeIds: [PAGE.id],
      maxReviews: 500,
      reviewsSort: 'newest',
      reviewsStartDate: '1970-01-01',
    })
    expect(run?.url.href).not.toContain('token-1')
    expect(microUsd).toBe(11_200)
  })

  test('a run of the last hour for the same place and day answers, and nothing is paid again', async () => {
    const first = await read(APIFY, good(rows), new Date('2026-11-19T08:00:00Z'))
    const run = {
      id: 'run1',
      status: 'SUCCEEDED',
      startedAt: LATER.toISOString(),
      defaultDatasetId: 'd1',
      defaultKeyValueStoreId: 'k1',
    }
    const earlierRun = (url: string) =>
      url.includes('/runs?')
        ? good({ data: { items: [run] } })
        : url.includes('/k1/')
          ? good(inputOf(first.run))
          : url.includes('/d1/')
            ? good(rows)
            : null
    const second = await read(APIFY, MISSING, new Date('2026-11-19T09:30:00Z'), earlierRun)
    expect([second.ids, second.run, second.microUsd, second.fault]).toEqual([first.ids, undefined, 0, null])
    expect(first.ids).not.toEqual([])
  })

  test('a run asks for no more reviews than the money of a day buys', async () => {
    const { run } = await read({ ...APIFY, dailyMicroUsd: 16_500 }, good([]))
    expect([inputOf(run)['maxReviews'], run?.init.cost]).toEqual([10, { [MONEY]: 16_000 }])
  })

  test.each([
    [404, 'credentials', 0],
    [429, 'throttled', 0],
    [502, 'unavailable', 310_000],
  ])(
    'a provider that answers %i to a run is %s, and %i millionths of a dollar stay counted',
    async (status, kind, counted) => {
      const { fault, microUsd } = await read(APIFY, good({ error: { type: 'x', message: 'y' } }, status))
      expect([fault, microUsd]).toMatchObject([{ kind }, counted])
    },
  )

  test('rows about the place, notes and reviews of other sites are no reviews', async () => {
    const place = { title: 'Acme Bakery', placeId: PAGE.id, totalScore: 4.1 }
    const other = row({ reviewId: 'elsewhere', reviewOrigin: 'Tripadvisor' })
    expect(
      (await read(APIFY, good([row({ reviewOrigin: '' }), place, other, { error: 'x', errorDescription: 'y' }]))).ids,
    ).toEqual([id(4)])
    expect(await read(APIFY, good([place]))).toMatchObject({ posts: [], fault: null })
    expect(await read(APIFY, good([{ noResults: true }]))).toMatchObject({ posts: [], fault: null })
  })

  test('a run that brings nothing but errors is unavailable', async () => {
    expect((await read(APIFY, good([{ error: 'blocked', errorDescription: 'no luck' }]))).fault).toMatchObject({
      kind: 'unavailable',
    })
  })

  test('reviews that have lost their fields do not pass for rows about the place', async () => {
    const stripped = rows.map(({ reviewId: _id, stars: _stars, ...rest }) => rest)
    expect((await read(APIFY, good(stripped))).fault).toMatchObject({ kind: 'shape_changed' })
  })

  test('one odd review is left out, a majority of odd ones is a change of shape', async () => {
    const odd = row({ reviewId: 'odd', publishedAtDate: 'yesterday' })
    expect((await read(APIFY, good([row(), odd]))).ids).toEqual([id(4)])
    expect((await read(APIFY, good([row(), row(), odd, odd, odd]))).fault).toMatchObject({ kind: 'shape_changed' })
    const [first, second] = places.reviews
    expect((await read(PLACES, good({ id: PAGE.id, reviews: [first, { ...second, name: 'reviews/1' }] }))).ids).toEqual(
      [id(2)],
    )
    expect((await read(PLACES, good({ id: PAGE.id, reviews: [first, second, {}, {}, {}] }))).fault).toMatchObject({
      kind: 'shape_changed',
    })
  })

  test('reviews from before are left out on both routes', async () => {
    const since = new Date('2026-11-19T00:00:00Z')
    expect((await read(PLACES, good(places), since)).ids).toEqual([4, 3].map(id))
    expect((await read(APIFY, good(rows), since)).ids).toEqual([4, 3].map(id))
  })
})
