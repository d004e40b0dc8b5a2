import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { silentLog } from '../../kernel/log.ts'
import { collecting, describeSource, type ServedReply, type Stage } from '../conformance.suite.ts'
import type { Batch, CollectContext, Cursor, SourceReply } from '../contract.ts'
import { hackernews } from './source.ts'
import { toPost } from './to-post.ts'
import { type Hit, hit } from './wire.ts'

type Item = { objectID: string; created_at_i: number }
interface Reply {
  hits: Item[]
}

const recorded = <Shape>(name: string): Shape => JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const AT = new Date('2026-11-21T12:00:00Z')
const AT_SECONDS = AT.getTime() / 1000
const STAGES: Record<Stage, Reply> = { ordinary: recorded('ordinary.json'), later: recorded('later.json'), changed: recorded('changed.json') }

/** Answers as the index does: conditions on the time, newest first, at most a thousand in reach. */
function index(items: readonly Item[], query: URLSearchParams): Reply & { nbHits: number; nbPages: number } {
  const conditions = (query.get('numericFilters') ?? '').split(',').map((text) => text.match(/^created_at_i(>|<=)(\d+)$/) ?? [])
  const found = items.filter((item) =>
    conditions.every(([, sign, seconds]) => (sign === '>' ? item.created_at_i > Number(seconds) : item.created_at_i <= Number(seconds))),
  )
  const size = Math.min(1000, Number(query.get('hitsPerPage')))
  const page = Number(query.get('page'))
  const sorted = [...found].sort((a, b) => b.created_at_i - a.created_at_i)
  return { hits: sorted.slice(page * size, (page + 1) * size), nbHits: found.length, nbPages: Math.ceil(found.length / size) }
}

describeSource('hackernews', {
  open: () => collecting(hackernews()),
  at: { ordinary: AT, later: new Date(AT.getTime() + 60_000) },
  serves: {
    replies: ({ url }, stage) => {
      if (url.pathname !== '/api/v1/search_by_date' || url.searchParams.get('tags') !== '(story,comment)') return { status: 404, body: '' }
      return {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(stage === 'changed' ? STAGES.changed : index(STAGES[stage].hits, url.searchParams)),
      }
    },
  },
  refusals: recorded<Record<'throttled' | 'unavailable' | 'credentials' | 'gone', ServedReply>>('refusals.json'),
  throttledForSeconds: 7,
  expected: {
    ordinary: ['post 60000001', 'post 60000002', 'post 60000003', 'post 60000005', 'post 60000006'],
    later: ['post 60000007', 'post 60000011', 'post 60000012'],
  },
  nativeIdPattern: /^\d+$/,
  urlPattern: /^https:\/\/news\.ycombinator\.com\/item\?id=\d+$/,
})

/** Polls an index that is kept here, without a network. Answers batches and the number of requests. */
async function poll(items: readonly object[], cursor: Cursor | null, at = AT, reshape: (reply: ReturnType<typeof index>) => unknown = (reply) => reply) {
  let requests = 0
  const fetch = async (url: string): Promise<SourceReply> => {
    requests += 1
    return { status: 200, headers: {}, body: JSON.stringify(reshape(index(items as Item[], new URL(url).searchParams))) }
  }
  const context: CollectContext = { fetch, addressOf: (url) => url, userAgent: 'test', at, signal: new AbortController().signal, log: silentLog }
  const batches: Batch[] = []
  for await (const batch of hackernews().poll(context, cursor)) batches.push(batch)
  const ids = batches.flatMap((batch) => batch.events.map((event) => (event.kind === 'post' ? event.post.nativeId : '')))
  return { batches, ids, requests, cursor: batches.at(-1)?.cursor ?? cursor }
}

const story = (id: number, seconds: number): object => ({
  objectID: String(id),
  created_at_i: seconds,
  author: 'ada_example',
  _tags: ['story'],
  title: `Story ${id}`,
})
const readHit = (id: string): Hit => hit.parse(STAGES.ordinary.hits.find((one) => one.objectID === id))

describe('hackernews', () => {
  test('more items than one reply carries are read in smaller windows, each once, in order', async () => {
    const items = Array.from({ length: 7321 }, (_, at) => story(at + 1, AT_SECONDS - 5000 + Math.floor((at * 4990) / 7321)))
    const start = { sinceSeconds: AT_SECONDS - 5001, newestSeconds: AT_SECONDS - 5001, seen: [] }
    const { ids, requests, batches } = await poll(items, start)
    expect(ids).toEqual(items.map((one) => (one as Item).objectID))
    expect(requests).toBeLessThan(40)
    // A crash between two windows goes on behind the last stored one.
    const half = Math.floor(batches.length / 2)
    const rest = await poll(items, batches[half - 1]!.cursor)
    expect(rest.ids).toEqual(batches.slice(half).flatMap((batch) => batch.events.map((event) => (event.kind === 'post' ? event.post.nativeId : ''))))
  })

  test('a single second that holds more than one reply carries is read page by page', async () => {
    const items = Array.from({ length: 2500 }, (_, at) => story(at + 1, AT_SECONDS - 5))
    const { ids } = await poll(items, null)
    expect(new Set(ids)).toEqual(new Set(items.map((one) => (one as Item).objectID)))
    expect(ids.length).toBe(2500)
  })

  test('an index that counts more than it hands out is unavailable', async () => {
    await expect(poll([story(1, AT_SECONDS - 5)], null, AT, (reply) => ({ ...reply, hits: [] }))).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('the first poll begins a minute back and says from where to go on even when it finds nothing', async () => {
    const items = [story(1, AT_SECONDS - 61), story(2, AT_SECONDS - 59)]
    expect((await poll(items, null)).ids).toEqual(['2'])
    const empty = await poll([], null)
    expect(empty.ids).toEqual([])
    const next = await poll([...items, story(3, AT_SECONDS + 30)], empty.cursor, new Date(AT.getTime() + 3_600_000))
    expect(next.ids).toEqual(['2', '3'])
  })

  test('an item that the index takes in up to ten minutes late is still found', async () => {
    const { cursor } = await poll([story(9, AT_SECONDS)], { sinceSeconds: 1, newestSeconds: AT_SECONDS - 3600, seen: [] })
    const later = await poll([story(9, AT_SECONDS), story(8, AT_SECONDS - 599)], cursor, new Date(AT.getTime() + 60_000))
    expect(later.ids).toEqual(['8'])
  })

  test('an item with a time ahead of ours does not make the following ones invisible', async () => {
    const { cursor } = await poll([story(1, AT_SECONDS + 86_400)], null)
    const later = await poll([story(1, AT_SECONDS + 86_400), story(2, AT_SECONDS + 30)], cursor, new Date(AT.getTime() + 60_000))
    expect(later.ids).toEqual(['2'])
  })

  test('one odd item is left out, a majority of odd ones is a change of shape', async () => {
    const good = [story(1, AT_SECONDS - 9), story(2, AT_SECONDS - 8)]
    const odd = (id: number) => ({ ...story(id, AT_SECONDS - 7), author: null })
    expect((await poll([...good, odd(3)], null)).ids).toEqual(['1', '2'])
    await expect(poll([...good, odd(3), odd(4), odd(5)], null)).rejects.toMatchObject({ kind: 'shape_changed' })
  })

  test('the ids kept in the cursor are bounded in number and age', async () => {
    const items = Array.from({ length: 6000 }, (_, at) => story(at + 1, AT_SECONDS - 50 + Math.floor(at / 150)))
    const { cursor, ids } = await poll(items, null)
    expect(ids.length).toBe(6000)
    expect(cursor).toMatchObject({ seen: { length: 4000 } })
    const spread = await poll([story(1, AT_SECONDS - 3000), story(2, AT_SECONDS - 599), story(3, AT_SECONDS)], {
      sinceSeconds: 1,
      newestSeconds: AT_SECONDS - 3600,
      seen: [],
    })
    expect(spread.cursor).toMatchObject({ seen: [`2:${AT_SECONDS - 599}`, `3:${AT_SECONDS}`] })
  })

  test('a comment: paragraphs, entities and code as text, the whole address in place of the shortened one, its parent', () => {
    const address = 'https://example.com/pricing?plan=team&seats=5&billing=yearly&currency=eur'
    expect(toPost(readHit('60000006'), AT)).toEqual({
      platform: 'hackernews',
      nativeId: '60000006',
      url: 'https://news.ycombinator.com/item?id=60000006',
      title: null,
      text: `We moved off Acme Corp last month.\n\nThe docs were fine, it's the pricing: ${address}\n\nacme  export\n  --all <file>`,
      imageUrl: null,
      links: [address],
      publishedAt: new Date('2026-11-21T11:59:58Z'),
      languageHint: null,
      engagement: { likes: null, reposts: null, replies: 2, quotes: null, views: null, bookmarks: null },
      replyTo: { author: null, url: 'https://news.ycombinator.com/item?id=60000001', text: 'Show HN: Acme Notes – notes that sync' },
      author: {
        id: 'boris_example',
        name: 'boris_example',
        handle: 'boris_example',
        url: 'https://news.ycombinator.com/user?id=boris_example',
        avatarUrl: null,
        followers: null,
        automated: null,
      },
      review: null,
    })
    expect(toPost(readHit('60000005'), AT)).toMatchObject({
      text: '> it lost my draft\n\nWhich version?',
      replyTo: { url: 'https://news.ycombinator.com/item?id=60000003', text: null },
      engagement: null,
    })
    expect(toPost(readHit('60000004'), AT)).toBeNull()
  })

  test('a story: its title, its text if any, its address among the links', () => {
    expect(toPost(readHit('60000002'), AT)).toMatchObject({
      title: 'Acme raises prices',
      text: '',
      links: ['https://news.example/acme-raises-prices'],
      replyTo: null,
      engagement: { likes: 12, replies: 7 },
    })
    expect(toPost(readHit('60000003'), AT)).toMatchObject({
      title: 'Ask HN: What replaced Acme for you?',
      text: 'Our team of 12 needs offline notes & sync.\n\nAny pointers?',
      links: [],
    })
  })
})
