import { describe, expect, test } from 'vitest'
import {
  APIFY,
  daysAgo,
  describeProvided,
  postsOf,
  recordedIn,
  SCRAPECREATORS,
  scripted,
} from '../providers/provided.suite.ts'
import { linkedin } from './source.ts'

const ONE = '7528716120883201111'
const TWO = '7529111351826842712'
const THREE = '7529585600102401113'
const ARTICLE = 'pulse/why-acme-notes-carla-example-x1y2z'
const NEW = ['7529989511577601115', '7530015935692801116']
const FOLDER = import.meta.dirname

describeProvided('linkedin', {
  open: linkedin,
  folder: FOLDER,
  answer: ({ url }, pages: unknown[]) => pages[Number(url.searchParams.get('cursor') ?? '1') - 1],
  expected: {
    scrapecreators: { ordinary: [ONE, TWO, THREE, ARTICLE], later: NEW },
    apify: { ordinary: [ONE, TWO, THREE], later: NEW },
  },
  nativeIdPattern: /^(?:\d{19}|pulse\/[\w-]+)$/,
  urlPattern: /^https:\/\/www\.linkedin\.com\/(?:posts|pulse|feed)\/[^?#]+$/,
})

const PAGES: unknown[] = recordedIn(FOLDER, 'scrapecreators/ordinary')
const found = () =>
  scripted(({ url }) => ({ body: JSON.stringify(PAGES[Number(url.searchParams.get('cursor') ?? '1') - 1]) }))
const empty = { body: JSON.stringify({ success: true, credits_charged: 1, posts: [], cursor: null }) }

describe('linkedin', () => {
  test('a post: canonical address, first picture, counts, and the person or company by the last part of the address', async () => {
    const posts = await postsOf(linkedin(SCRAPECREATORS), found().context)
    const byId = new Map(posts.map((post) => [post.nativeId, post]))
    expect(byId.get(ONE)).toMatchObject({
      url: `https://www.linkedin.com/posts/ada-example_acme-notes-activity-${ONE}-AbCd`,
      title: null,
      text: 'We moved our whole team to Acme Notes.\n\nHere is what broke & what did not: https://blog.example/acme',
      imageUrl: 'https://media.licdn.example/one.jpg',
      publishedAt: new Date('2026-11-18T07:10:00Z'),
      engagement: { likes: 57, reposts: null, replies: 8, quotes: null, views: null, bookmarks: null },
      author: {
        id: 'ada-example',
        handle: 'ada-example',
        name: 'Ada Example',
        url: 'https://www.linkedin.com/in/ada-example',
        followers: 3120,
      },
    })
    expect(byId.get(TWO)?.publishedAt, 'without a date the id holds it').toEqual(new Date('2026-11-19T09:20:30.400Z'))
    expect(byId.get(THREE)).toMatchObject({
      imageUrl: 'https://media.licdn.example/release.jpg',
      author: { id: 'acme-gmbh', url: 'https://www.linkedin.com/company/acme-gmbh' },
    })
    expect(byId.get(ARTICLE)).toMatchObject({
      title: 'Why Acme Notes',
      author: { id: 'j%C3%B6rg-und-carla', handle: 'jörg-und-carla' },
    })
  })

  test('a post of the actor: shares, whole links, the same ids; a bare repost is left out', async () => {
    const { context } = scripted(({ init }) => ({
      body: init.method === 'POST' ? JSON.stringify(recordedIn(FOLDER, 'apify/ordinary')) : '{"data":{"items":[]}}',
    }))
    const posts = await postsOf(linkedin(APIFY), context)
    expect(posts.map(({ nativeId }) => nativeId)).toEqual([THREE, TWO, ONE])
    expect(posts[2]).toMatchObject({
      url: `https://www.linkedin.com/posts/ada-example_post-activity-${ONE}-ZzYy`,
      links: ['https://blog.example/acme?full=1'],
      engagement: { likes: 5, reposts: 1, replies: 2 },
      author: {
        id: 'ada-example',
        url: 'https://www.linkedin.com/in/ada-example',
        avatarUrl: 'https://media.licdn.example/ada-example.jpg',
      },
    })
    expect(posts[1]?.publishedAt).toEqual(new Date('2026-11-19T09:20:30.400Z'))
  })

  test.each([
    [1 / 48, 'last-hour', '1h'],
    [1, 'last-day', '24h'],
    [1.5, 'last-week', 'week'],
    [30, 'last-month', 'month'],
    [31, 'last-year', 'month'],
  ])('what is new since %d days is asked for by the smallest window', async (days, window, limit) => {
    const first = scripted(() => empty)
    await postsOf(linkedin(SCRAPECREATORS), first.context, { since: daysAgo(days) })
    expect(first.asked[0]?.url.searchParams.get('date_posted')).toBe(window)
    const second = scripted(({ init }) => ({
      body: init.method === 'POST' ? '[{"noResults":true}]' : '{"data":{"items":[]}}',
    }))
    await postsOf(linkedin(APIFY), second.context, { since: daysAgo(days) })
    expect(JSON.parse(second.asked[1]?.init.body ?? '')).toEqual({
      searchQueries: ['"Acme Notes"'],
      postedLimit: limit,
      sortBy: 'date',
      maxPosts: 20,
    })
  })

  test('a phrase that is too long is cut between words, and a 404 of the provider means that nothing was found', async () => {
    const { context, asked } = scripted(() => ({
      status: 404,
      body: '{"success":false,"message":"No posts found","credits_charged":1}',
    }))
    const term = `${'word '.repeat(15)}"quoted" and more`
    expect(await postsOf(linkedin(SCRAPECREATORS), context, { terms: [term] })).toEqual([])
    expect(asked.map(({ url }) => url.searchParams.get('query'))).toEqual(['word '.repeat(15).trim()])
  })

  test('a path that the provider no longer knows is another matter than nothing found', async () => {
    const { context } = scripted(() => ({ status: 404, body: '<html>Cannot GET</html>' }))
    await expect(postsOf(linkedin(SCRAPECREATORS), context)).rejects.toMatchObject({ kind: 'shape_changed' })
  })

  test('pages end at five, and at the limit', async () => {
    const item = (id: number) => ({
      url: `https://www.linkedin.com/posts/a_b-activity-${7529585600102400000n + BigInt(id)}-x`,
      datePublished: '2026-11-20T10:00:00Z',
      description: 'x',
    })
    const endless = () =>
      scripted(({ url }) => {
        const page = Number(url.searchParams.get('cursor') ?? '1')
        return { body: JSON.stringify({ posts: [item(page * 2), item(page * 2 + 1)], cursor: page + 1 }) }
      })
    const all = endless()
    expect(await postsOf(linkedin(SCRAPECREATORS), all.context)).toHaveLength(10)
    expect(all.asked).toHaveLength(5)
    const few = endless()
    expect(await postsOf(linkedin(SCRAPECREATORS), few.context, { limit: 3 })).toHaveLength(3)
    expect(few.asked).toHaveLength(2)
  })

  test('one odd post is left out, and an address elsewhere is no post', async () => {
    const good = { url: `https://www.linkedin.com/posts/a_b-activity-${ONE}-x`, description: 'Acme Notes' }
    const posts = [good, { ...good, url: 'https://www.linkedin.com.evil.example/posts/a_b-activity-1-x' }, { url: 7 }]
    const { context } = scripted(() => ({ body: JSON.stringify({ posts, cursor: null }) }))
    expect((await postsOf(linkedin(SCRAPECREATORS), context)).map(({ nativeId }) => nativeId)).toEqual([ONE])
  })

  test('what does not tell when it was written is left out, because it would pass for new', async () => {
    const article = {
      url: 'https://www.linkedin.com/pulse/old-acme-notes-ada-example',
      description: 'Acme Notes',
      datePublished: null,
    }
    const dated = { ...article, url: `${article.url}-2`, datePublished: '2026-11-20T10:00:00Z' }
    const odd = { ...article, url: `${article.url}-3`, datePublished: '1970-01-01T00:00:00Z' }
    const { context } = scripted(() => ({ body: JSON.stringify({ posts: [article, dated, odd], cursor: null }) }))
    expect((await postsOf(linkedin(SCRAPECREATORS), context)).map(({ nativeId }) => nativeId)).toEqual([
      'pulse/old-acme-notes-ada-example-2',
    ])
    const rows = [article, dated].map(({ url, datePublished }) => ({
      linkedinUrl: url,
      content: 'Acme Notes',
      postedAt: { timestamp: 0, date: datePublished },
    }))
    const run = scripted(({ init }) => ({
      body: init.method === 'POST' ? JSON.stringify(rows) : '{"data":{"items":[]}}',
    }))
    expect((await postsOf(linkedin(APIFY), run.context)).map(({ nativeId }) => nativeId)).toEqual([
      'pulse/old-acme-notes-ada-example-2',
    ])
  })

  test('all that a run brought and cost is handed over, whatever number is wanted; a caller does not wait for it', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => ({
      linkedinUrl: `https://www.linkedin.com/posts/a_b-activity-${7529585600102400000n + BigInt(at)}-x`,
      content: 'Acme Notes',
      postedAt: { date: '2026-11-20T10:00:00Z' },
    }))
    const { context } = scripted(({ init }) => ({
      body: init.method === 'POST' ? JSON.stringify(rows) : '{"data":{"items":[]}}',
    }))
    expect(await postsOf(linkedin(APIFY), context, { limit: 3 })).toHaveLength(20)
    expect([linkedin(APIFY).searching.slow, linkedin(SCRAPECREATORS).searching.slow ?? false]).toEqual([true, false])
  })

  test('several phrases share one run, each in quotation marks; what has no letter is not paid for', async () => {
    const { context, asked } = scripted(({ init }) => ({
      body: init.method === 'POST' ? '[]' : '{"data":{"items":[]}}',
    }))
    const source = linkedin(APIFY)
    expect(source.searching.termsPerSearch).toBe(10)
    await postsOf(source, context, { terms: ['Acme "Notes"', 'C++', '...'] })
    expect(JSON.parse(asked[1]?.init.body ?? '').searchQueries).toEqual(['"Acme Notes"', '"C++"'])
    expect(asked[1]?.init.cost).toEqual({ microUsd: 90_000 })
    const before = asked.length
    await postsOf(source, context, { terms: ['...'] })
    expect(asked).toHaveLength(before)
  })
})
