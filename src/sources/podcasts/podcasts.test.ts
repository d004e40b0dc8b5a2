import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import {
  type Collecting,
  type ConformanceFixture,
  collecting,
  describeSource,
  type ServedReply,
  type Stage,
} from '../conformance.suite.ts'
import type { CollectContext, Cursor, SourceBatch, SourceRequest } from '../contract.ts'
import { podcasts } from './source.ts'

interface Reply {
  items: { id: number; title?: string; datePublished: number }[]
}

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const STAGES: Record<Stage, Reply> = {
  ordinary: recorded('ordinary.json'),
  later: recorded('later.json'),
  changed: recorded('changed.json'),
}
const AT = new Date('2026-11-20T13:00:00Z')
const OPTIONS = { key: 'the-key', secret: 'the-secret' }
/** A place from which everything that there is counts as new. */
const START: Cursor = { highest: 0 }

/** Answers as the index does: the newest episodes by falling id, below `before`. */
function answer({ items }: Reply, { pathname, searchParams }: URL): ServedReply {
  if (pathname !== '/api/1.0/recent/episodes' || !searchParams.has('fulltext')) return { status: 404, body: '{}' }
  const before = Number(searchParams.get('before') ?? Number.POSITIVE_INFINITY)
  const found = items.filter(({ id }) => id < before).slice(0, Number(searchParams.get('max')))
  return { body: JSON.stringify({ status: 'true', items: found, count: found.length }) }
}

function fromTheStart(): Collecting {
  const whole = collecting(podcasts(OPTIONS))
  return { ...whole, collect: (context, cursor) => whole.collect(context, cursor ?? START) }
}

describeSource('podcasts', {
  open: fromTheStart,
  at: { ordinary: AT, later: new Date(AT.getTime() + 120_000) },
  serves: { replies: ({ url }, stage) => answer(STAGES[stage], url) },
  refusals: recorded<ConformanceFixture['refusals']>('refusals.json'),
  throttledForSeconds: 7,
  expected: {
    ordinary: ['post 44000000001', 'post 44000000002'],
    later: ['post 44000000004', 'post 44000000005'],
  },
  nativeIdPattern: /^\d+$/,
  urlPattern: /^https:\/\/(?:show7\.example\/episodes\/1|podcastindex\.org\/podcast\/7\?episode=\d+)$/,
})

function index(items: Reply['items']) {
  const asked: { url: URL; init: SourceRequest }[] = []
  const warnings: unknown[] = []
  const context: CollectContext = {
    ...BARE_CONTEXT,
    async fetch(url, init = {}) {
      asked.push({ url: new URL(url), init })
      return { status: 200, headers: {}, ...answer({ items }, new URL(url)) }
    },
    at: AT,
    log: { ...BARE_CONTEXT.log, warn: (fields: unknown) => warnings.push(fields) } as CollectContext['log'],
  }
  return {
    asked,
    warnings,
    async poll(cursor: Cursor | null) {
      const batches: SourceBatch[] = []
      for await (const batch of podcasts(OPTIONS).poll(context, cursor)) batches.push(batch)
      const posts = batches.flatMap(({ events }) =>
        events.flatMap((event) => (event.kind === 'post' ? [event.post] : [])),
      )
      return { batches, posts, cursor: batches.at(-1)?.cursor ?? cursor }
    },
  }
}

/** Newest first. */
const many = (count: number): Reply['items'] =>
  Array.from({ length: count }, (_, at) => ({ ...STAGES.ordinary.items[1]!, id: count - at }))

describe('podcasts polls', () => {
  test('the first one notes the newest episode and hands over nothing', async () => {
    const { poll, asked } = index(many(30))
    const first = await poll(null)
    expect([first.posts, first.cursor, asked[0]?.url.searchParams.get('max')]).toEqual([[], { highest: 30 }, '10'])
    expect((await poll(first.cursor)).batches).toEqual([])
  })

  test('an episode of unexpected form does not fail the first poll, and an index without any gives no cursor', async () => {
    const [odd, ...others] = many(30)
    expect((await index([{ ...odd!, title: '' }, ...others]).poll(null)).cursor).toEqual({ highest: 29 })
    expect((await index([]).poll(null)).batches).toEqual([])
  })

  test('every request is signed with key, secret and time', async () => {
    const { poll, asked } = index(many(1))
    await poll(null)
    const seconds = String(AT.getTime() / 1000)
    expect(asked[0]?.init).toMatchObject({
      headers: {
        'x-auth-key': 'the-key',
        'x-auth-date': seconds,
        authorization: createHash('sha1').update(`the-keythe-secret${seconds}`).digest('hex'),
      },
      cost: { requests: 1 },
    })
    expect(asked[0]?.url.search).not.toContain('the-')
  })

  test('an absence is caught up with in batches by rising id, and a gap is logged', async () => {
    const { poll, asked, warnings } = index(many(1700))
    const { posts, batches } = await poll({ highest: 100 })
    expect(posts.map(({ nativeId }) => nativeId)).toEqual(Array.from({ length: 1600 }, (_, at) => String(at + 101)))
    expect(batches.map(({ cursor }) => cursor)).toEqual([600, 1100, 1600, 1700].map((highest) => ({ highest })))
    expect([asked.length, warnings]).toEqual([4, []])
    const longer = index(many(10_100))
    expect((await longer.poll({ highest: 0 })).posts).toHaveLength(10_000)
    expect(longer.warnings).toMatchObject([{ event: 'source.list_cut' }])
  })
})

describe('podcasts posts', () => {
  test('an episode has its notes, the recording among its links, and its show as author', async () => {
    const { posts } = await index(STAGES.ordinary.items).poll(START)
    expect(posts).toMatchObject([
      {
        url: 'https://show7.example/episodes/1',
        title: 'Acme Corp & its parser',
        text: 'We talk to Ada about the parser.\n\nThanks to our sponsors.',
        links: ['https://acme.example/parser', 'https://media.example/44000000001.mp3'],
        imageUrl: 'https://show7.example/1.jpg',
        publishedAt: new Date('2026-11-20T12:00:00Z'),
        languageHint: 'en',
        engagement: null,
        author: { id: '7', name: 'The Example Hour', handle: null, url: 'https://podcastindex.org/podcast/7' },
      },
      { url: 'https://podcastindex.org/podcast/7?episode=44000000002', imageUrl: 'https://show7.example/cover.jpg' },
    ])
  })
})
