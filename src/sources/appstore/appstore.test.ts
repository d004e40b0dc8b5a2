import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import { describeSource, reading, type ServedReply, type Stage } from '../conformance.suite.ts'
import { type CollectContext, type Cost, QuotaReached, type SourceReply, type SourceRequest } from '../contract.ts'
import { appstore } from './source.ts'

// Over three hundred lines, because the feeds and the answers of developers are asked of the same platform, which is
// told once here.
const recorded = (name: string): string => readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')
const AT = new Date('2026-11-21T12:00:00Z')
const SINCE = new Date('2026-10-22T12:00:00Z')
const PAGE = { id: '1500000001', country: 'us', language: null }
const UNKNOWN = '{"resultCount":0,"results":[]}'

/** What the platform has to say, by what it is asked. */
type Told = 'xml' | 'json' | 'row' | 'lookup'
interface Asked {
  told: Told
  page: number
  url: URL
}

function askedFor(address: string): Asked | null {
  const url = new URL(address, 'https://itunes.apple.com')
  const feed = url.pathname.match(
    /^\/us\/rss\/customerreviews\/page=(\d+)\/id=1500000001\/sortby=mostrecent\/(xml|json)$/,
  )
  if (feed) return { told: feed[2] as Told, page: Number(feed[1]), url }
  if (url.pathname === '/WebObjects/MZStore.woa/wa/userReviewsRow')
    return { told: 'row', page: Number(url.searchParams.get('startIndex')) / 50 + 1, url }
  return url.pathname === '/lookup' ? { told: 'lookup', page: 1, url } : null
}

const FILES: Record<Stage, Record<Told, string>> = {
  ordinary: { xml: 'ordinary.xml', json: 'ordinary.json', row: 'row.json', lookup: 'lookup.json' },
  later: { xml: 'later.xml', json: 'ordinary.json', row: 'row.json', lookup: 'lookup.json' },
  changed: { xml: 'changed.xml', json: 'changed.json', row: 'changed.json', lookup: 'lookup.json' },
}

describeSource('appstore', {
  open: () => reading(appstore(), PAGE),
  at: { ordinary: AT, later: new Date('2026-11-22T12:00:00Z') },
  serves: {
    replies: ({ url }, stage) => {
      const asked = askedFor(url.pathname + url.search)
      return asked === null || asked.page > 1 ? { status: 404, body: '' } : { body: recorded(FILES[stage][asked.told]) }
    },
  },
  refusals: JSON.parse(recorded('refusals.json')) as Record<'throttled' | 'unavailable' | 'gone', ServedReply>,
  throttledForSeconds: 7,
  expected: {
    ordinary: ['post 13000000001', 'post 13000000002', 'post 13000000003', 'post 13000000004'],
    later: ['post 13000000005', 'post 13000000006'],
  },
  nativeIdPattern: /^\d+$/,
  urlPattern: /^https:\/\/apps\.apple\.com\/us\/app\/id1500000001\?see-all=reviews#review-\d+$/,
})

type Answer = (asked: Asked, init: SourceRequest) => string | Partial<SourceReply>

/** A platform without a network. `asked` tells, in order, what it was asked. */
function platform(answer: Answer): { context: CollectContext; asked: string[]; costs: Cost[]; inits: SourceRequest[] } {
  const [asked, costs, inits]: [string[], Cost[], SourceRequest[]] = [[], [], []]
  const context: CollectContext = {
    fetch: async (address, init = {}) => {
      const item = askedFor(address)
      if (item === null) throw new Error(`asked for ${address}`)
      asked.push(`${item.told} ${item.page}`)
      costs.push(init.cost ?? {})
      inits.push(init)
      const reply = answer(item, init)
      return { status: 200, headers: {}, body: '', ...(typeof reply === 'string' ? { body: reply } : reply) }
    },
    ...BARE_CONTEXT,
    userAgent: 'test/1',
    at: AT,
  }
  return { context, asked, costs, inits }
}

async function read(
  context: CollectContext,
  since = SINCE,
  page: { id: string; country: string | null } = PAGE,
): Promise<Post[]> {
  const posts: Post[] = []
  for await (const portion of appstore().read(context, { language: null, ...page }, since)) posts.push(...portion)
  return posts
}

const NOTHING: Record<Told, string> = {
  xml: recorded('empty.xml'),
  json: recorded('empty.json'),
  row: '{"userReviewList":[]}',
  lookup: recorded('lookup.json'),
}
const ids = (posts: readonly Post[]) => posts.map(({ nativeId }) => nativeId)
const NEW_IDS = ['13000000004', '13000000003', '13000000002', '13000000001']

/** Reviews `first` to `last`, numbered from the newest on, an hour apart, in XML. */
function numbered(first: number, last: number): string {
  const item = (n: number) =>
    `<entry><updated>${new Date(AT.getTime() - n * 3_600_000).toISOString()}</updated><id>${20_000 - n}</id><title>T</title><content type="text">t</content><im:rating>3</im:rating></entry>`
  return `<feed><id>x</id>${Array.from({ length: last - first + 1 }, (_, at) => item(first + at)).join('')}</feed>`
}

describe('appstore', () => {
  test('a review: plain text out of the entities, UTC, stars, version, storefront, a unique address', async () => {
    const { context } = platform(({ told }) => recorded(FILES.ordinary[told]))
    expect((await read(context))[0]).toEqual({
      platform: 'appstore',
      nativeId: '13000000004',
      url: 'https://apps.apple.com/us/app/id1500000001?see-all=reviews#review-13000000004',
      title: 'Sync & search, at last',
      text: 'Sync finally works offline – “really” works.\n\nThanks <3 & keep going 😀',
      imageUrl: null,
      links: [],
      publishedAt: new Date('2026-11-21T09:15:00Z'),
      languageHint: null,
      engagement: { likes: 3, reposts: null, replies: null, quotes: null, views: null, bookmarks: null },
      replyTo: null,
      author: {
        id: '900000001',
        name: 'ada_example',
        handle: 'ada_example',
        url: 'https://itunes.apple.com/us/reviews/id900000001',
        avatarUrl: null,
        followers: null,
        automated: null,
      },
      review: {
        rating: 5,
        ratingMax: 5,
        title: 'Sync & search, at last',
        version: '4.2.1',
        country: 'us',
        verified: null,
        response: null,
        responseAt: null,
        app: { platform: 'appstore', id: '1500000001', url: 'https://apps.apple.com/us/app/id1500000001' },
      },
    })
  })

  test('of the feeds the one in XML suffices while it has something, and is left at the first review from before', async () => {
    const { context, asked, costs } = platform(({ told }) => recorded(FILES.ordinary[told]))
    expect(ids(await read(context))).toEqual(NEW_IDS)
    expect(asked).toEqual(['xml 1', 'row 1'])
    expect(costs).toEqual([{ requests: 1 }, { requests: 1 }])
  })

  test('every form of the feed tells the same reviews', async () => {
    const { context: inXml } = platform(({ told }) => recorded(FILES.ordinary[told]))
    const { context: inJson } = platform(({ told }) => (told === 'json' ? recorded('ordinary.json') : NOTHING[told]))
    const { context: inRow } = platform(({ told }) => (told === 'row' ? recorded('row.json') : NOTHING[told]))
    const posts = await read(inXml)
    const bare = (post: Post) => ({
      ...post,
      review: { ...post.review, version: null, response: null, responseAt: null },
    })
    expect(
      (await read(inJson)).map((post) => ({ ...post, review: { ...post.review, response: null, responseAt: null } })),
    ).toEqual(posts.map((post) => ({ ...post, review: { ...post.review, response: null, responseAt: null } })))
    const fromRow = await read(inRow)
    expect(fromRow.map(bare)).toEqual(posts.map(bare))
    expect(fromRow.find(({ nativeId }) => nativeId === '13000000003')?.review).toMatchObject({
      response: 'Sorry! 4.2.2 fixes it.',
      responseAt: new Date('2026-11-21T08:00:00Z'),
    })
  })

  test('a form that is dry, or refused, or garbled gives way to the next one', async () => {
    const whole = recorded('ordinary.xml')
    const upToFirstReview = whole.slice(0, whole.indexOf('</entry>') + '</entry>'.length)
    for (const bad of [
      recorded('empty.xml'),
      recorded('changed.xml'),
      '<html></html>',
      { status: 404 },
      { status: 502 },
      upToFirstReview,
    ]) {
      const { context, asked } = platform(({ told }) => (told === 'xml' ? bad : recorded(FILES.ordinary[told])))
      expect(ids(await read(context))).toEqual(NEW_IDS)
      expect(asked).toEqual(['xml 1', 'json 1', 'row 1'])
    }
    const { context, asked } = platform(({ told }) => (told === 'row' ? recorded('row.json') : NOTHING[told]))
    expect(ids(await read(context))).toEqual(NEW_IDS)
    expect(asked).toEqual(['xml 1', 'json 1', 'row 1'])
  })

  test('a page that one form has lost is told by another, and the pages after it are read', async () => {
    const { context, asked } = platform(({ told, page }) => {
      if (told === 'xml') return page === 1 ? numbered(1, 50) : page === 3 ? numbered(52, 60) : NOTHING.xml
      return told === 'json' && page === 2 ? recorded('single.json').replace('13000000004', '19949') : NOTHING[told]
    })
    expect((await read(context)).length).toBe(60)
    expect(asked).toEqual(['xml 1', 'row 1', 'xml 2', 'json 2', 'xml 3', 'xml 4', 'json 4', 'row 4'])
  })

  test('a single review that is no list is read', async () => {
    const { context } = platform(({ told, page }) =>
      told === 'json' && page === 1 ? recorded('single.json') : NOTHING[told],
    )
    expect(ids(await read(context))).toEqual(['13000000004'])
  })

  test('the app itself at the head of the feed is no review, odd or not', async () => {
    const { feed } = JSON.parse(recorded('ordinary.json')) as { feed: { entry: unknown[] } }
    const { context, asked } = platform(({ told }) =>
      told === 'json' ? JSON.stringify({ feed: { ...feed, entry: feed.entry[0] } }) : NOTHING[told],
    )
    expect(await read(context)).toEqual([])
    expect(asked).toEqual(['xml 1', 'json 1', 'row 1', 'lookup 1'])
  })

  test('at most ten pages are read', async () => {
    const { context, asked } = platform(({ told, page }) =>
      told === 'row' ? NOTHING.row : numbered(page * 50, page * 50 + 49),
    )
    expect((await read(context)).length).toBe(500)
    expect(asked.filter((text) => text !== 'row 1').length).toBe(10)
  })

  test('a feed that tells its first page again and again is read once', async () => {
    const { context, asked } = platform(({ told }) => (told === 'row' ? NOTHING.row : numbered(1, 50)))
    expect((await read(context)).length).toBe(50)
    expect(asked).toEqual(['xml 1', 'row 1', 'xml 2'])
  })

  test('without reviews it is gone only if the store does not have the app in that storefront', async () => {
    const known = platform(({ told }) => NOTHING[told])
    expect(await read(known.context)).toEqual([])
    expect(known.asked).toEqual(['xml 1', 'json 1', 'row 1', 'lookup 1'])
    expect(known.costs.at(-1)).toEqual({ requests: 1, lookups: 1 })
    const unknown = platform(({ told }) => (told === 'lookup' ? UNKNOWN : NOTHING[told]))
    await expect(read(unknown.context)).rejects.toMatchObject({ kind: 'gone' })
    const nowhere = platform(({ told }) =>
      told === 'lookup'
        ? { status: 400, body: '{"errorMessage":"Invalid value(s) for key(s): [country]"}' }
        : { status: 400 },
    )
    await expect(read(nowhere.context)).rejects.toMatchObject({ kind: 'gone' })
  })

  test('feeds that are not found are a change of form while the store knows the app', async () => {
    const { context } = platform(({ told }) => (told === 'lookup' ? NOTHING.lookup : { status: 404 }))
    await expect(read(context)).rejects.toMatchObject({ kind: 'shape_changed' })
  })

  test('a feed in trouble is not taken for one without reviews, except the form that nobody promises', async () => {
    const broken = platform(({ told }) => (told === 'xml' ? { status: 503 } : NOTHING[told]))
    await expect(read(broken.context)).rejects.toMatchObject({ kind: 'unavailable' })
    const withoutRow = platform(({ told }) => (told === 'row' ? '<html></html>' : NOTHING[told]))
    expect(await read(withoutRow.context)).toEqual([])
  })

  test('a store that has had enough is not asked in another form', async () => {
    for (const status of [403, 429]) {
      const { context, asked } = platform(() => ({ status }))
      await expect(read(context)).rejects.toMatchObject({ kind: 'throttled', retryAfterSeconds: null })
      expect(asked).toEqual(['xml 1'])
    }
  })

  test('a page without a storefront is read in the default one', async () => {
    const { context } = platform(({ told }) => recorded(FILES.ordinary[told]))
    expect((await read(context, SINCE, { id: '1500000001', country: null }))[0]?.review?.country).toBe('us')
  })

  test('XML that declares entities, nests without end or fills a reply is refused', async () => {
    const hostile = [
      `<!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa">]>${numbered(1, 1).replace('>t<', '>&a;&a;<')}`,
      `<!DOCTYPE feed [<!ENTITY a SYSTEM "file:///etc/passwd">]>${numbered(1, 1).replace('>t<', '>&a;<')}`,
      `<feed>${'<a>'.repeat(100_000)}</feed>`,
      `<feed>${'<entry/>'.repeat(120_000)}</feed>`,
      numbered(1, 201),
      numbered(1, 50).replaceAll('>t<', `>${'t'.repeat(20_000)}<`),
    ]
    for (const body of hostile) {
      const { context } = platform(({ told }) => (told === 'xml' ? body : NOTHING[told]))
      await expect(read(context)).rejects.toMatchObject({ kind: 'shape_changed' })
    }
  })

  test('a long page of entities is read whole', async () => {
    const page = numbered(1, 50).replaceAll('>t<', `>${'&#233;&amp;'.repeat(1600)}<`)
    const { context } = platform(({ told, page: number }) => (told === 'xml' && number === 1 ? page : NOTHING[told]))
    const posts = await read(context)
    expect(posts.length).toBe(50)
    for (const post of posts) expect(post.text).toBe('é&'.repeat(1600))
  })
})

describe('what developers answered', () => {
  test('is filled in from the list of the store’s own program, whose name comes before ours', async () => {
    const { context, inits } = platform(({ told }) => recorded(FILES.ordinary[told]))
    const posts = await read(context)
    expect(inits[1]).toMatchObject({
      headers: { 'user-agent': 'iTunes/12.13 (compatible; test/1)' },
      cost: { requests: 1 },
    })
    expect(posts.map(({ review }) => review?.response)).toEqual([null, 'Sorry! 4.2.2 fixes it.', null, null])
    // The version stands in the feed alone.
    expect(posts[1]?.review).toMatchObject({ version: '4.2.1', responseAt: new Date('2026-11-21T08:00:00Z') })
  })

  /** Reviews `first` to `last` in the list, each with an answer of the same hour unless told otherwise. */
  const list = (first: number, last: number, more: object = {}) => {
    const item = (n: number) => {
      const date = new Date(AT.getTime() - n * 3_600_000).toISOString()
      return {
        userReviewId: String(20_000 - n),
        body: 't',
        date,
        rating: 3,
        title: 'T',
        developerResponse: { body: `a${n}`, modified: date },
        ...more,
      }
    }
    return JSON.stringify({ userReviewList: Array.from({ length: last - first + 1 }, (_, at) => item(first + at)) })
  }

  test('is looked for as far as the reviews reach that are wanted, and no further', async () => {
    const answer = ({ told, page }: Asked) =>
      told === 'row' ? list((page - 1) * 50 + 1, (page - 1) * 50 + 100) : numbered(page * 50 - 49, page * 50)
    const { context, asked } = platform(answer)
    const posts = await read(context, new Date(AT.getTime() - 170 * 3_600_000))
    expect(posts.map(({ review }) => review?.response)).toEqual(Array.from({ length: 170 }, (_, at) => `a${at + 1}`))
    expect(asked).toEqual(['xml 1', 'row 1', 'xml 2', 'xml 3', 'row 3', 'xml 4'])
  })

  test('is not looked for behind the time of a review that the list does not have', async () => {
    const { context, asked } = platform(({ told, page }) =>
      told === 'row' ? list((page - 1) * 50 + 10, (page - 1) * 50 + 109) : numbered(1, 50),
    )
    const posts = await read(context, new Date(AT.getTime() - 49.5 * 3_600_000))
    expect(posts.slice(8, 10).map(({ review }) => review?.response)).toEqual([null, 'a10'])
    expect(asked).toEqual(['xml 1', 'row 1'])
  })

  test('brings a review from before again when it is newer than that', async () => {
    const modified = new Date(AT.getTime() - 3_600_000).toISOString()
    const { context, asked } = platform(({ told }) =>
      told === 'row' ? list(40, 40, { developerResponse: { body: 'late', modified } }) : numbered(30, 50),
    )
    const posts = await read(context, new Date(AT.getTime() - 20 * 3_600_000))
    expect(posts.map(({ nativeId, review }) => [nativeId, review?.response])).toEqual([['19960', 'late']])
    expect(asked).toEqual(['xml 1', 'row 1'])
  })

  test('is left out when the list, which nobody promises, has trouble; that we ask too often is no such trouble', async () => {
    for (const trouble of ['<html></html>', { status: 403 }, { status: 500 }, '{"userReviewList":[]}']) {
      const { context, asked } = platform(({ told, page }) =>
        told === 'row' ? trouble : numbered(page * 50 - 49, page * 50),
      )
      const posts = await read(context, new Date(AT.getTime() - 70 * 3_600_000))
      expect(posts.map(({ review }) => review?.response)).toEqual(Array(70).fill(null))
      expect(asked).toEqual(['xml 1', 'row 1', 'xml 2'])
    }
    const reached = new QuotaReached('the limits of the platform are reached for the moment', 30, false)
    const { context } = platform(({ told }) => {
      if (told === 'row') throw reached
      return numbered(1, 50)
    })
    await expect(read(context)).rejects.toBe(reached)
    const fast = platform(({ told }) =>
      told === 'row' ? { status: 429, headers: { 'retry-after': '9' } } : numbered(1, 50),
    )
    await expect(read(fast.context)).rejects.toMatchObject({ kind: 'throttled', retryAfterSeconds: 9 })
  })
})

test('at most two requests a second are made, ten at once', () => {
  expect(appstore().limits).toEqual([
    { quota: 'requests', kind: 'paced', most: 120, perSeconds: 60, burst: 10 },
    { quota: 'lookups', kind: 'paced', most: 20, perSeconds: 60, burst: 5 },
  ])
})
