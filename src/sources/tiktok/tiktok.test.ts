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
import { tiktok } from './source.ts'

const [ONE, TWO, THREE] = ['7709078031277218600', '7709951627625225001', '7710486372528413482']
const NEW = ['7710655143268309803', '7710716990797372204']
const FOLDER = import.meta.dirname

describeProvided('tiktok', {
  open: tiktok,
  folder: FOLDER,
  answer: ({ url }, pages: unknown[]) => pages[url.searchParams.get('cursor') === null ? 0 : 1],
  expected: {
    scrapecreators: { ordinary: [ONE, TWO, THREE], later: NEW },
    apify: { ordinary: [ONE, TWO, THREE], later: NEW },
  },
  nativeIdPattern: /^\d{19}$/,
  urlPattern: /^https:\/\/www\.tiktok\.com\/@[\w.]+\/video\/\d{19}$/,
})

const PAGES: unknown[] = recordedIn(FOLDER, 'scrapecreators/ordinary')

describe('tiktok', () => {
  test('a video: address without its share query, time of the reply or of the id, counts, shares and reposts together', async () => {
    const { context } = scripted(({ url }) => ({
      body: JSON.stringify(PAGES[url.searchParams.get('cursor') === null ? 0 : 1]),
    }))
    const posts = await postsOf(tiktok(SCRAPECREATORS), context)
    const [three, second, first] = posts
    expect(first).toMatchObject({
      nativeId: ONE,
      url: `https://www.tiktok.com/@ada.example/video/${ONE}`,
      text: 'Trying #AcmeNotes for a week — Acme Notes review',
      title: null,
      imageUrl: 'https://p16.tiktokcdn.example/cover-0.jpeg',
      publishedAt: new Date('2026-11-17T10:01:03Z'),
      languageHint: 'en',
      engagement: { likes: 90, reposts: 5, replies: 4, quotes: null, views: 4100, bookmarks: 6 },
      author: {
        id: '700000000000000',
        name: 'Ada Example',
        handle: 'ada.example',
        url: 'https://www.tiktok.com/@ada.example',
        avatarUrl: 'https://p16.tiktokcdn.example/ada.example.jpeg?x-expires=1',
        followers: 1500,
      },
    })
    expect(second).toMatchObject({
      publishedAt: new Date('2026-11-19T18:30:00Z'),
      languageHint: 'de',
      engagement: { likes: null, reposts: null, replies: 0, views: 55, bookmarks: 0 },
    })
    expect(three).toMatchObject({ languageHint: null, imageUrl: null, engagement: null })
  })

  test('the actor gives the same ids and times', async () => {
    const { context } = scripted(({ init }) => ({
      body: init.method === 'POST' ? JSON.stringify(recordedIn(FOLDER, 'apify/ordinary')) : '{"data":{"items":[]}}',
    }))
    const [three, second, first] = await postsOf(tiktok(APIFY), context)
    expect(three).toMatchObject({ nativeId: THREE, publishedAt: new Date('2026-11-21T05:05:05Z'), languageHint: null })
    expect(second).toMatchObject({ nativeId: TWO, languageHint: 'de' })
    expect(first).toMatchObject({
      url: `https://www.tiktok.com/@ada.example/video/${ONE}`,
      publishedAt: new Date('2026-11-17T10:01:03Z'),
      engagement: { likes: 90, reposts: 3, replies: 4, views: 4100, bookmarks: 6 },
      author: { id: '700000000000000', handle: 'ada.example', name: 'Ada Example', followers: 1500 },
    })
  })

  test.each([
    [1, 'yesterday', '1'],
    [2, 'this-week', '2'],
    [30, 'this-month', '3'],
    [31, 'last-3-months', '4'],
    [400, 'all-time', '0'],
  ])('what is new since %d days is asked for by the smallest window, newest first', async (days, window, number) => {
    const first = scripted(() => ({ body: '{"search_item_list":[],"has_more":0}' }))
    await postsOf(tiktok(SCRAPECREATORS), first.context, { since: daysAgo(days) })
    expect(Object.fromEntries(first.asked[0]?.url.searchParams ?? [])).toEqual({
      query: 'Acme Notes',
      date_posted: window,
      sort_by: 'date-posted',
      trim: 'true',
    })
    const second = scripted(({ init }) => ({ body: init.method === 'POST' ? '[]' : '{"data":{"items":[]}}' }))
    await postsOf(tiktok(APIFY), second.context, { since: daysAgo(days) })
    expect(JSON.parse(second.asked[1]?.init.body ?? '')).toMatchObject({
      searchQueries: ['Acme Notes'],
      searchSorting: '3',
      searchDatePosted: number,
    })
  })

  test('behind a page on which all is too old nothing more is paid for', async () => {
    const { context, asked } = scripted(() => ({ body: JSON.stringify({ ...(PAGES[0] as object), has_more: 1 }) }))
    expect(await postsOf(tiktok(SCRAPECREATORS), context, { since: daysAgo(0.01) })).toEqual([])
    expect(asked).toHaveLength(1)
  })

  test('a video whose time and id tell nothing is left out, because it would pass for new', async () => {
    const author = { unique_id: 'ada.example' }
    const videos = [
      { aweme_id: '123456789012345', desc: 'Acme Notes', create_time: null, author },
      { aweme_id: '123456789012346', desc: 'Acme Notes', create_time: 1_795_000_000, author },
      { aweme_id: THREE, desc: 'Acme Notes', create_time: 1_795_000_000_000, author },
    ]
    const { context } = scripted(() => ({ body: JSON.stringify({ search_item_list: videos, has_more: 0 }) }))
    expect((await postsOf(tiktok(SCRAPECREATORS), context)).map(({ nativeId }) => nativeId).sort()).toEqual([
      '123456789012346',
      THREE,
    ])
    const rows = [{ id: '123456789012345', text: 'Acme Notes', authorMeta: { name: 'ada.example' } }]
    const run = scripted(({ init }) => ({
      body: init.method === 'POST' ? JSON.stringify(rows) : '{"data":{"items":[]}}',
    }))
    expect(await postsOf(tiktok(APIFY), run.context)).toEqual([])
  })

  test('a list that is null is an empty one', async () => {
    const { context } = scripted(() => ({ body: '{"success":true,"search_item_list":null,"has_more":0}' }))
    expect(await postsOf(tiktok(SCRAPECREATORS), context)).toEqual([])
  })
})
