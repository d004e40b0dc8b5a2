import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { silentLog } from '../../kernel/log.ts'
import { BARE_CONTEXT, createMeter } from '../bare-context.suite.ts'
import { collecting, describeSource, type ServedReply, type Stage } from '../conformance.suite.ts'
import type { CollectContext, Cursor, SourceBatch, SourceReply } from '../contract.ts'
import { hackernews } from './source.ts'
import { toPost } from './to-post.ts'
import { type Hit, hit } from './wire.ts'

type Item = { objectID: string; created_at_i: number }
interface Reply {
  hits: Item[]
}

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const AT = new Date('2026-11-21T12:00:00Z')
const AT_SECONDS = AT.getTime() / 1000
const STAGES: Record<Stage, Reply> = {
  ordinary: recorded('ordinary.json'),
  later: recorded('later.json'),
  changed: recorded('changed.json'),
}

/** Answers as the index does: conditions on the time, newest first, at most a thousand in reach. */
function index(items: readonly Item[], query: URLSearchParams): Reply & { nbHits: number; nbPages: number } {
  const conditions = (query.get('numericFilters') ?? '')
    .split(',')
    .map((text) => text.match(/^created_at_i(>|<=)(\d+)$/) ?? [])
  const found = items.filter((item) =>
    conditions.every(([, sign, seconds]) =>
      sign === '>' ? item.created_at_i > Number(seconds) : item.created_at_i <= Number(seconds),
    ),
  )
  const size = Math.min(1000, Number(query.get('hitsPerPage')))
  const page = Number(query.get('page'))
  const sorted = [...found].sort((a, b) => b.created_at_i - a.created_at_i)
  return {
    hits: sorted.slice(page * size, (page + 1) * size),
    nbHits: found.length,
    nbPages: Math.ceil(found.length / size),
  }
}

describeSource('hackernews', {
  open: () => collecting(hackernews()),
  at: { ordinary: AT, later: new Date(AT.getTime() + 60_000) },
  serves: {
    replies: ({ url }, stage) => {
      if (url.pathname !== '/api/v1/search_by_date' || url.searchParams.get('tags') !== '(story,comment)')
        return { status: 404, body: '' }
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
async function poll(
  items: readonly object[],
  cursor: Cursor | null,
  at = AT,
  reshape: (reply: ReturnType<typeof index>) => unknown = (reply) => reply,
) {
  let requests = 0
  const warnings: unknown[] = []
  const fetch = async (url: string): Promise<SourceReply> => {
    requests += 1
    return {
      status: 200,
      headers: {},
      body: JSON.stringify(reshape(index(items as Item[], new URL(url).searchParams))),
    }
  }
  const context: CollectContext = {
    fetch,
    ...BARE_CONTEXT,
    at,
    log: { ...silentLog, warn: (fields: unknown) => warnings.push(fields) } as unknown as typeof silentLog,
  }
  const batches: SourceBatch[] = []
  for await (const batch of hackernews().poll(context, cursor)) batches.push(batch)
  const ids = batches.flatMap((batch) =>
    batch.events.map((event) => (event.kind === 'post' ? event.post.nativeId : '')),
  )
  return { batches, ids, requests, warnings, cursor: batches.at(-1)?.cursor ?? cursor }
}

const story = (id: number, seconds: number): object => ({
  objectID: String(id),
  created_at_i: seconds,
  author: 'ada_example',
  _tags: ['story'],
  title: `Story ${id}`,
})
const readHit = (id: string): Hit => hit.parse(STAGES.ordinary.hits.find((hit) => hit.objectID === id))

describe('hackernews', () => {
  test('more items than one reply carries are read in smaller windows, each once, in order', async () => {
    const items = Array.from({ length: 7321 }, (_, at) =>
      story(at + 1, AT_SECONDS - 5000 + Math.floor((at * 4990) / 7321)),
    )
    const start = { sinceSeconds: AT_SECONDS - 5001, newestSeconds: AT_SECONDS - 5001, seen: [] }
    const { ids, requests, batches } = await poll(items, start)
    expect(ids).toEqual(items.map((item) => (item as Item).objectID))
    expect(requests).toBeLessThan(40)
    // A crash between two windows goes on behind the last stored one.
    const half = Math.floor(batches.length / 2)
    const rest = await poll(items, batches[half - 1]!.cursor)
    expect(rest.ids).toEqual(
      batches
        .slice(half)
        .flatMap((batch) => batch.events.map((event) => (event.kind === 'post' ? event.post.nativeId : ''))),
    )
  })

  test('a single second that holds more than one reply carries is read page by page', async () => {
    const items = Array.from({ length: 2500 }, (_, at) => story(at + 1, AT_SECONDS - 5))
    const { ids } = await poll(items, null)
    expect(new Set(ids)).toEqual(new Set(items.map((item) => (item as Item).objectID)))
    expect(ids.length).toBe(2500)
  })

  test('a reply that is not full is whole, whatever the index counts; an empty one that claims hits is logged', async () => {
    const more = (reply: ReturnType<typeof index>) => ({ ...reply, nbHits: reply.nbHits + 7, nbPages: 3 })
    const some = await poll([story(1, AT_SECONDS - 5), story(2, AT_SECONDS - 4)], null, AT, more)
    expect([some.ids, some.requests, some.warnings]).toEqual([['1', '2'], 1, []])
    const none = await poll([story(1, AT_SECONDS - 5)], null, AT, (reply) => ({ ...reply, hits: [] }))
    expect([none.ids, none.requests, none.warnings]).toEqual([[], 1, [expect.objectContaining({ counted: 1 })]])
    expect(none.cursor).not.toBeNull()
  })

  test('a full reply is whole only when the index counts no more', async () => {
    const items = Array.from({ length: 1000 }, (_, at) => story(at + 1, AT_SECONDS - 50 + Math.floor(at / 25)))
    expect((await poll(items, null)).requests).toBe(1)
    expect((await poll([...items, story(1001, AT_SECONDS - 3)], null)).requests).toBeGreaterThan(2)
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
    const { cursor } = await poll([story(9, AT_SECONDS)], {
      sinceSeconds: 1,
      newestSeconds: AT_SECONDS - 3600,
      seen: [],
    })
    const later = await poll(
      [story(9, AT_SECONDS), story(8, AT_SECONDS - 599)],
      cursor,
      new Date(AT.getTime() + 60_000),
    )
    expect(later.ids).toEqual(['8'])
  })

  test('an item with a time ahead of ours does not make the following ones invisible', async () => {
    const { cursor } = await poll([story(1, AT_SECONDS + 86_400)], null)
    const later = await poll(
      [story(1, AT_SECONDS + 86_400), story(2, AT_SECONDS + 30)],
      cursor,
      new Date(AT.getTime() + 60_000),
    )
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
      replyTo: {
        author: null,
        url: 'https://news.ycombinator.com/item?id=60000001',
        text: 'Show HN: Acme Notes – notes that sync',
      },
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

describe('searching hackernews', () => {
  /** Searches an index that is kept here; answers the ids of each portion, and the queries. */
  async function searched(
    items: readonly object[],
    { terms = ['acme corp'], since = AT_SECONDS - 86_400, limit = 5000 } = {},
  ) {
    const asked: URLSearchParams[] = []
    const context: CollectContext = {
      async fetch(url, request) {
        asked.push(new URL(url).searchParams)
        expect(request?.cost).toEqual({ requests: 1 })
        return { status: 200, headers: {}, body: JSON.stringify(index(items as Item[], asked.at(-1)!)) }
      },
      ...BARE_CONTEXT,
      at: AT,
    }
    const portions: string[][] = []
    for await (const posts of hackernews().searching!.search(context, { terms, since: new Date(since * 1000), limit }))
      portions.push(posts.map(({ nativeId }) => nativeId))
    return { portions, ids: portions.flat(), asked }
  }

  test('the phrase is quoted, and nothing is guessed at', async () => {
    const { asked, ids } = await searched([story(1, AT_SECONDS - 5)], {
      terms: ['say "acme"  \\corp'],
      since: AT_SECONDS - 60,
    })
    expect(Object.fromEntries(asked[0]!)).toEqual({
      query: '"say acme corp"',
      typoTolerance: 'false',
      tags: '(story,comment)',
      numericFilters: `created_at_i>${AT_SECONDS - 61}`,
      hitsPerPage: '1000',
      page: '0',
    })
    expect(ids).toEqual(['1'])
  })

  test('posts come newest first, each once, beyond what one reply reaches', async () => {
    const items = Array.from({ length: 2500 }, (_, at) => story(2500 - at, AT_SECONDS - 10 - Math.floor(at / 3)))
    const { ids, asked } = await searched(items)
    expect(ids).toEqual(items.map((item) => (item as Item).objectID))
    expect(asked).toHaveLength(3)
  })

  test('one second with more posts than a reply carries does not keep the search there', async () => {
    const items = [
      ...Array.from({ length: 1500 }, (_, at) => story(9000 - at, AT_SECONDS - 10)),
      story(1, AT_SECONDS - 20),
    ]
    const { ids } = await searched(items)
    expect(ids).toHaveLength(1001)
    expect(ids.at(-1)).toBe('1')
  })

  test('no more than the limit is asked for or handed over, and removed comments do not count', async () => {
    const removed = { ...story(9, AT_SECONDS - 1), _tags: ['comment'], comment_text: null }
    const { ids, asked } = await searched([removed, ...[8, 7, 6, 5].map((id) => story(id, AT_SECONDS - 20 + id))], {
      limit: 3,
    })
    expect(ids).toEqual(['8', '7', '6'])
    expect(asked.map((params) => params.get('hitsPerPage'))).toEqual(['3', '4'])
  })

  test('a phrase without a word is not searched for', async () => {
    const { ids, asked } = await searched([story(1, AT_SECONDS)], { terms: ['"!?"'] })
    expect([ids, asked]).toEqual([[], []])
  })

  test('a search ends after ten thousand posts', async () => {
    const items = Array.from({ length: 12_000 }, (_, at) => story(12_000 - at, AT_SECONDS - 10 - at))
    const { asked } = await searched(items, { limit: 100_000 })
    expect(asked).toHaveLength(10)
  })
})

describe('enriching posts of hackernews', () => {
  const comment = (id: string, parent: number, storyTitle: string | null = null): Post =>
    toPost(
      hit.parse({
        objectID: id,
        created_at_i: AT_SECONDS - 5,
        author: 'ada_example',
        _tags: ['comment'],
        comment_text: 'Acme',
        parent_id: parent,
        story_id: storyTitle === null ? 1 : parent,
        story_title: storyTitle,
      }),
      AT,
    )!

  async function enriched(posts: readonly Post[], answers: Record<string, Partial<SourceReply>>) {
    const asked: string[] = []
    const context: CollectContext = {
      async fetch(url) {
        const { pathname, searchParams } = new URL(url)
        asked.push(searchParams.get('tags') ?? pathname)
        return { status: 404, headers: {}, body: '{"status":404,"error":"Not Found"}', ...answers[asked.at(-1)!] }
      },
      ...BARE_CONTEXT,
      at: AT,
    }
    return { asked, posts: await hackernews().enrich!(context, posts) }
  }

  const parent = {
    status: 200,
    body: JSON.stringify({ id: 7, author: 'boris_example', text: 'What about<p>Acme?', children: [] }),
  }

  test('a comment says whom it answers and what, and each parent is asked for once', async () => {
    const given = [
      comment('21', 7),
      comment('22', 7),
      comment('23', 8, 'Acme raises prices'),
      toPost(readHit('60000002'), AT)!,
    ]
    const stories = {
      status: 200,
      body: JSON.stringify({ hits: [{ ...story(8, AT_SECONDS - 50) }], nbHits: 1, nbPages: 1 }),
    }
    const { posts, asked } = await enriched(given, { '/api/v1/items/7': parent, 'story,story_8': stories })
    expect(asked).toEqual(['/api/v1/items/7', 'story,story_8'])
    expect(posts.map(({ replyTo }) => replyTo)).toEqual([
      { author: 'boris_example', url: 'https://news.ycombinator.com/item?id=7', text: 'What about\n\nAcme?' },
      { author: 'boris_example', url: 'https://news.ycombinator.com/item?id=7', text: 'What about\n\nAcme?' },
      { author: 'ada_example', url: 'https://news.ycombinator.com/item?id=8', text: 'Acme raises prices' },
      null,
    ])
    expect(posts.map((post) => ({ ...post, replyTo: null }))).toEqual(given.map((post) => ({ ...post, replyTo: null })))
  })

  test('a parent that is gone changes nothing, trouble on the way is a fault', async () => {
    expect((await enriched([comment('21', 7)], {})).posts).toEqual([comment('21', 7)])
    await expect(enriched([comment('21', 7)], { '/api/v1/items/7': { status: 503, body: '' } })).rejects.toMatchObject({
      kind: 'unavailable',
    })
  })

  test('parents are asked for a few at a time, and what came before an abort or a failure is filled in', async () => {
    const given = Array.from({ length: 12 }, (_, at) => comment(String(1000 + at), 2000 + at))
    const filled = async (ending: (number: number, abort: AbortController) => boolean) => {
      const abort = new AbortController()
      const meter = createMeter()
      let number = 0
      const fetch = async (): Promise<SourceReply> => {
        number += 1
        const fails = ending(number, abort)
        await meter.pass()
        abort.signal.throwIfAborted()
        return fails ? { status: 503, headers: {}, body: '' } : { headers: {}, ...parent }
      }
      const context: CollectContext = {
        fetch,
        ...BARE_CONTEXT,
        at: AT,
        signal: abort.signal,
      }
      const posts = await hackernews().enrich!(context, given)
      return {
        length: posts.length,
        filled: posts.filter(({ replyTo }) => replyTo?.author === 'boris_example').length,
        most: meter.most,
      }
    }
    expect(await filled(() => false)).toEqual({ length: 12, filled: 12, most: 4 })
    expect(await filled((number) => number > 6)).toEqual({ length: 12, filled: 6, most: 4 })
    const aborted = await filled((number, abort) => {
      if (number === 8) abort.abort(new Error('over'))
      return false
    })
    expect([aborted.length, aborted.filled > 0 && aborted.filled < 12]).toEqual([12, true])
  })

  test('no more than fifty parents are asked for', async () => {
    const given = Array.from({ length: 60 }, (_, at) => comment(String(1000 + at), 2000 + at))
    const { asked, posts } = await enriched(given, {})
    expect([asked.length, posts.length]).toEqual([50, 60])
  })
})
