import { describe, expect, test } from 'vitest'
import type { ServedRequest } from '../conformance.suite.ts'
import {
  APIFY,
  daysAgo,
  describeProvided,
  postsOf,
  recordedIn,
  SCRAPECREATORS,
  scripted,
} from '../providers/provided.suite.ts'
import { instagram } from './source.ts'

const ALL = ['Dft8OaTgBQe', 'Df7ukIzgBQf', 'Df9TLOXgBQg', 'Df_cCgHgBQh', 'DgAm_QTgBQi', 'DgBCdETgBQj']
const [ONE, TWO, THREE, FOUR, FIVE, SIX] = ALL as [string, string, string, string, string, string]
const FOLDER = import.meta.dirname

type Recorded = Record<'reels' | 'hashtag', unknown[]>
const answer = ({ url }: Pick<ServedRequest, 'url'>, { reels, hashtag }: Recorded): unknown =>
  url.pathname === '/v2/instagram/reels/search'
    ? reels[Math.min(reels.length, Number(url.searchParams.get('page'))) - 1]
    : hashtag[0]

describeProvided('instagram', {
  open: instagram,
  folder: FOLDER,
  answer,
  expected: {
    scrapecreators: { ordinary: [ONE, TWO, THREE, FOUR], later: [FIVE, SIX] },
    apify: { ordinary: [ONE, TWO, FOUR], later: [FIVE, SIX] },
  },
  nativeIdPattern: /^[\w-]{11}$/,
  urlPattern: /^https:\/\/www\.instagram\.com\/p\/[\w-]{11}\/$/,
})

const ORDINARY: Recorded = recordedIn(FOLDER, 'scrapecreators/ordinary')
const found = () => scripted(({ url }) => ({ body: JSON.stringify(answer({ url }, ORDINARY)) }))
const EMPTY = { body: '{"success":true,"reels":[],"posts":[]}' }

describe('instagram', () => {
  test('a post: canonical address, views, hidden likes as unknown, time of the reply or of the shortcode', async () => {
    const posts = await postsOf(instagram(SCRAPECREATORS), found().context)
    const byId = new Map(posts.map((post) => [post.nativeId, post]))
    expect(byId.get(ONE)).toMatchObject({
      url: `https://www.instagram.com/p/${ONE}/`,
      text: 'A week with Acme Notes 📝 #acmenotes',
      title: null,
      imageUrl: 'https://scontent.example/0.jpg',
      publishedAt: new Date('2026-11-14T10:00:00Z'),
      engagement: { likes: 35, reposts: null, replies: 3, quotes: null, views: 900, bookmarks: null },
      author: {
        id: '178414000000000',
        name: 'Ada Example',
        handle: 'ada.example',
        url: 'https://www.instagram.com/ada.example/',
        avatarUrl: 'https://scontent.example/ada.example.jpg',
        followers: 800,
      },
    })
    expect(byId.get(TWO)).toMatchObject({
      publishedAt: new Date('2026-11-19T18:30:00Z'),
      engagement: { likes: null, replies: 3, views: null },
    })
    expect(byId.get(THREE)).toMatchObject({
      imageUrl: 'https://scontent.example/thumb-2.jpg',
      author: { name: null, followers: null },
    })
  })

  test('reels are searched by phrase and everything by hashtag, and a post that both find comes once', async () => {
    const { context, asked } = found()
    const posts = await postsOf(instagram(SCRAPECREATORS), context, { since: daysAgo(10) })
    expect(posts.map(({ nativeId }) => nativeId)).toEqual([FOUR, ONE, THREE, TWO])
    expect(asked.map(({ url }) => `${url.pathname}${url.search}`)).toEqual([
      '/v2/instagram/reels/search?query=Acme+Notes&date_posted=last-month&page=1',
      '/v2/instagram/reels/search?query=Acme+Notes&date_posted=last-month&page=2',
      '/v1/instagram/search/hashtag?hashtag=acmenotes&date_posted=last-month&media_type=all',
    ])
  })

  test('the hashtag of one word is read further than that of several', async () => {
    const item = (at: number) => ({
      shortcode: `code${at}`,
      caption: 'x',
      taken_at: '2026-11-20T10:00:00Z',
      owner: { username: 'ada' },
    })
    let next = 0
    const endless = () =>
      scripted(() => {
        const value = item(next++)
        return { body: JSON.stringify({ reels: [value], posts: [value], cursor: `c${next}` }) }
      })
    const requests = async (term: string) => {
      const { context, asked } = endless()
      await postsOf(instagram(SCRAPECREATORS), context, { terms: [term] })
      return asked.map(({ url }) => (url.pathname.includes('reels') ? 'reels' : 'hashtag')).join(' ')
    }
    expect(await requests('Acme')).toBe('reels reels hashtag hashtag hashtag')
    expect(await requests('Acme Notes')).toBe('reels reels reels reels hashtag')
  })

  test('a phrase of several words on which the provider fails is asked for as one word, once', async () => {
    const failing = (words: RegExp) =>
      scripted(({ url }) =>
        words.test(url.searchParams.get('query') ?? '')
          ? { status: 500, body: '{"success":false,"message":"Something went wrong"}' }
          : EMPTY,
      )
    const once = failing(/ /)
    expect(await postsOf(instagram(SCRAPECREATORS), once.context)).toEqual([])
    expect(once.asked.map(({ url }) => url.searchParams.get('query'))).toEqual(['Acme Notes', 'AcmeNotes', null])
    const always = failing(/./)
    await expect(postsOf(instagram(SCRAPECREATORS), always.context)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(always.asked).toHaveLength(2)
  })

  test('what no hashtag can be made of is not asked for as one', async () => {
    for (const term of ['C++', '2026']) {
      const { context, asked } = scripted(() => EMPTY)
      await postsOf(instagram(SCRAPECREATORS), context, { terms: [term] })
      expect(asked.map(({ url }) => url.pathname)).toEqual(['/v2/instagram/reels/search'])
    }
    const { context, asked } = scripted(({ init }) => ({
      body: init.method === 'POST' ? '[]' : '{"data":{"items":[]}}',
    }))
    await postsOf(instagram(APIFY), context, { terms: ['C++', '2026'] })
    expect(asked).toEqual([])
    await postsOf(instagram(APIFY), context, { terms: ['C++', 'Acme Notes', 'acme-notes', 'Zürich Käse'] })
    expect(JSON.parse(asked[1]?.init.body ?? '')).toEqual({ hashtags: ['acmenotes', 'zürichkäse'], resultsLimit: 20 })
  })

  test('a post whose time and shortcode tell nothing is left out, because it would pass for new', async () => {
    const owner = { username: 'ada.example' }
    const reels = [
      { shortcode: 'short', caption: 'Acme Notes', taken_at: null, owner },
      { shortcode: 'AAAAAAAAAAA', caption: 'Acme Notes', taken_at: '2026-11-20T10:00:00Z', owner },
      { shortcode: '___________', caption: 'Acme Notes', taken_at: '', owner },
    ]
    const { context } = scripted(({ url }) => ({
      body:
        url.pathname.includes('reels') && url.searchParams.get('page') === '1' ? JSON.stringify({ reels }) : EMPTY.body,
    }))
    expect((await postsOf(instagram(SCRAPECREATORS), context)).map(({ nativeId }) => nativeId)).toEqual(['AAAAAAAAAAA'])
    const rows = [{ shortCode: 'short', caption: 'Acme Notes', ownerUsername: 'ada.example' }]
    const run = scripted(({ init }) => ({
      body: init.method === 'POST' ? JSON.stringify(rows) : '{"data":{"items":[]}}',
    }))
    expect(await postsOf(instagram(APIFY), run.context)).toEqual([])
  })
})
