import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import type { ServedReply } from '../conformance.suite.ts'
import { type CollectContext, QuotaReached } from '../contract.ts'
import { youtube } from './source.ts'

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const VIDEOS = recorded<{ search: object; videos: { items: { id: string }[] } }>('ordinary.json')
const THREADS = recorded<object>('comments.json')
const DISABLED = recorded<Record<'disabled', ServedReply>>('complaints.json').disabled
const AT = new Date('2026-11-21T12:00:00Z')
const OWN = 'UCabcdefghijklmnopqrstuv'

/** A source with videos of which two hold the term, and comments below one of them. */
function platform(channels: readonly string[] = []) {
  const asked: URL[] = []
  let inAWay: ((url: URL) => ServedReply | Error | null) | null = null
  const source = youtube({ key: 'k', searchesPerDay: 100, comments: { unitsPerDay: 5000, channels } })
  const answer = (url: URL): ServedReply => {
    const wanted = url.searchParams.get('id')?.split(',')
    if (url.pathname.endsWith('/search')) return { body: JSON.stringify(VIDEOS.search) }
    if (url.pathname.endsWith('/videos'))
      return { body: JSON.stringify({ items: VIDEOS.videos.items.filter(({ id }) => wanted?.includes(id)) }) }
    const video = url.searchParams.get('videoId')
    return { body: JSON.stringify(video === null || video === 'vid-one_001' ? THREADS : { items: [] }) }
  }
  return {
    asked,
    source,
    disturb(way: typeof inAWay) {
      inAWay = way
    },
    async search(hours = 0, since = new Date('2026-11-20T00:00:00Z'), terms: readonly string[] = ['acme corp']) {
      asked.length = 0
      const context: CollectContext = {
        ...BARE_CONTEXT,
        async fetch(address) {
          const url = new URL(address)
          asked.push(url)
          const reply = inAWay?.(url) ?? answer(url)
          if (reply instanceof Error) throw reply
          return { status: 200, headers: {}, ...reply }
        },
        at: new Date(AT.getTime() + hours * 3_600_000),
      }
      const posts: Post[] = []
      for await (const some of source.searching.search(context, { terms, since, limit: 1000 })) posts.push(...some)
      return posts.filter(({ url }) => url.includes('&lc='))
    },
    threadsAsked: () =>
      asked
        .filter(({ pathname }) => pathname.endsWith('/commentThreads'))
        .map(({ searchParams }) => searchParams.get('videoId') ?? searchParams.get('allThreadsRelatedToChannelId')),
  }
}

describe('the comments of youtube', () => {
  test('are read below videos that hold a term, once an hour, and every search hands them over', async () => {
    const { search, threadsAsked } = platform()
    const comments = await search()
    expect(comments.map(({ nativeId }) => nativeId)).toEqual(['UgxSecondComment0002', 'UgxFirstComment00001'])
    expect(threadsAsked()).toContain('vid-one_001')
    expect(await search(0.5, undefined, ['beta inc'])).toHaveLength(2)
    expect(threadsAsked()).not.toContain('vid-one_001')
    await search(1)
    expect(threadsAsked()).toContain('vid-one_001')
  })

  test('are no longer read when the video is a week old, and only young ones are handed over', async () => {
    const { search, threadsAsked } = platform()
    expect(await search(0, new Date('2026-11-21T09:00:00Z'))).toHaveLength(1)
    await search(24 * 7)
    expect(threadsAsked()).toEqual([])
  })

  test('of a channel are read below all its videos', async () => {
    const { search, threadsAsked } = platform([OWN])
    expect(await search(0, undefined, ['nothing like it'])).toHaveLength(2)
    expect(threadsAsked()).toEqual([OWN])
  })

  test('are read below ten videos or channels a search, those that wait longest first', async () => {
    const channels = Array.from({ length: 14 }, (_, at) => `${OWN.slice(0, -2)}${at + 10}`)
    const { search, threadsAsked } = platform(channels)
    const nothing = ['nothing like it']
    await search(0, undefined, nothing)
    expect(threadsAsked()).toEqual(channels.slice(0, 10))
    await search(2, undefined, nothing)
    expect(threadsAsked()).toEqual([...channels.slice(10), ...channels.slice(0, 6)])
  })

  test('are read once for searches at the same time', async () => {
    const { search, threadsAsked } = platform([OWN])
    const nothing = ['nothing like it']
    await Promise.all([search(0, undefined, nothing), search(0, undefined, nothing)])
    expect(threadsAsked()).toEqual([OWN])
  })

  test('of two searches at the same time are shared out between them', async () => {
    const channels = [OWN, `${OWN.slice(0, -1)}w`, `${OWN.slice(0, -1)}x`]
    const { search, threadsAsked } = platform(channels)
    const nothing = ['nothing like it']
    await Promise.all([search(0, undefined, nothing), search(0, undefined, nothing)])
    expect(threadsAsked().toSorted()).toEqual(channels)
  })

  test('of a channel that fails hold up those of no other, and are asked for behind them', async () => {
    const channels = [OWN, `${OWN.slice(0, -1)}w`, `${OWN.slice(0, -1)}x`]
    const { search, threadsAsked, disturb } = platform(channels)
    const nothing = ['nothing like it']
    disturb((url) => (url.searchParams.get('allThreadsRelatedToChannelId') === OWN ? { status: 503, body: '' } : null))
    await search(0, undefined, nothing)
    expect(threadsAsked()).toEqual(channels)
    await search(0.5, undefined, nothing)
    expect(threadsAsked()).toEqual([OWN])
    await search(1, undefined, nothing)
    expect(threadsAsked()).toEqual([...channels.slice(1), OWN])
  })

  test('a comment has its person, its likes and its video', async () => {
    const [, first] = await platform().search()
    expect(first).toMatchObject({
      nativeId: 'UgxFirstComment00001',
      url: 'https://www.youtube.com/watch?v=vid-one_001&lc=UgxFirstComment00001',
      title: null,
      text: 'Acme Corp & friends\nare great: https://acme.example/tour',
      links: ['https://acme.example/tour'],
      publishedAt: new Date('2026-11-21T08:00:00Z'),
      engagement: { likes: 3, replies: 2 },
      replyTo: { author: 'Ada Example', url: 'https://www.youtube.com/watch?v=vid-one_001' },
      author: { id: 'UCExampleChannel00000009', handle: '@doraexample' },
    })
  })

  test('that are switched off are not asked for again; other trouble costs the comments and not the search', async () => {
    const { search, threadsAsked, disturb } = platform()
    disturb((url) => (url.pathname.endsWith('/commentThreads') ? DISABLED : null))
    expect(await search()).toEqual([])
    disturb(null)
    await search(5)
    expect(threadsAsked()).toEqual([])
    for (const trouble of [{ status: 429, body: '' }, new QuotaReached('used up', 60, true)]) {
      const other = platform([OWN])
      other.disturb((url) => (url.pathname.endsWith('/commentThreads') ? trouble : null))
      expect(await other.search()).toEqual([])
      expect(other.threadsAsked()).toHaveLength(1)
      other.disturb(null)
      expect(await other.search()).not.toEqual([])
    }
  })

  test('have a part of the units of a day, or none', () => {
    const { source } = platform()
    expect(source.limits.at(-1)).toEqual({
      quota: 'comment units',
      kind: 'daily',
      most: 5000,
      timeZone: 'America/Los_Angeles',
    })
    expect(youtube({ key: 'k', searchesPerDay: 100 }).limits).toHaveLength(3)
  })
})
