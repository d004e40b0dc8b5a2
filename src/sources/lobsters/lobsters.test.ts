import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import {
  type ConformanceFixture,
  collecting,
  describeSource,
  type ServedReply,
  type Stage,
} from '../conformance.suite.ts'
import type { CollectContext, Cursor, SourceBatch, SourceReply } from '../contract.ts'
import { lobsters } from './source.ts'

const recorded = (name: string): string => readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')
const AT = new Date('2026-11-20T13:00:00Z')
const AT_SECONDS = AT.getTime() / 1000

function answer(stage: Stage, { pathname }: URL): ServedReply {
  if (pathname === '/newest.json') return { body: recorded(`stories-${stage}.json`) }
  if (pathname === '/comments.rss') return { body: recorded(`comments-${stage}.xml`) }
  if (pathname === '/c/cmt222.json') return { body: recorded('comment-reply.json') }
  if (pathname === '/c/cmt111.json') return { body: recorded('comment-parent.json') }
  return { status: 404, body: '<h1>404</h1>' }
}

describeSource('lobsters', {
  open: () => collecting(lobsters()),
  at: { ordinary: AT, later: new Date(AT.getTime() + 120_000) },
  serves: { replies: ({ url }, stage) => answer(stage, url) },
  refusals: JSON.parse(recorded('refusals.json')) as ConformanceFixture['refusals'],
  throttledForSeconds: 7,
  expected: {
    ordinary: ['post s:aaa111', 'post s:bbb222', 'post c:cmt111', 'post c:cmt222'],
    later: ['post s:ccc333', 'post c:cmt333'],
  },
  nativeIdPattern: /^[sc]:\w{6}$/,
  urlPattern: /^https:\/\/lobste\.rs\/[sc]\/\w{6}$/,
})

interface Shown {
  id: string
  seconds: number
}

/** A site of so many stories and comments, newest first, in the pages that the platform makes. */
function site({ stories = [], comments = [] }: { stories?: Shown[]; comments?: Shown[] }) {
  const asked: string[] = []
  const warnings: unknown[] = []
  const pageOf = (items: Shown[], number: string | undefined, size: number) =>
    items.slice((Number(number ?? 1) - 1) * size, Number(number ?? 1) * size)
  const bodyOf = (path: string): string => {
    const [, kind, number] = path.match(/^\/(newest|comments)(?:\/page\/(\d+))?\.(?:json|rss)$/) ?? []
    if (kind === 'newest') return JSON.stringify(pageOf(stories, number, 25).map(storyOf))
    return `<rss><channel><title>x</title>${pageOf(comments, number, 20).map(itemOf).join('')}</channel></rss>`
  }
  const context: CollectContext = {
    ...BARE_CONTEXT,
    async fetch(url): Promise<SourceReply> {
      asked.push(new URL(url).pathname)
      return { status: 200, headers: {}, body: bodyOf(new URL(url).pathname) }
    },
    at: AT,
    log: { ...BARE_CONTEXT.log, warn: (fields: unknown) => warnings.push(fields) } as CollectContext['log'],
  }
  return { context, asked, warnings }
}

const storyOf = ({ id, seconds }: Shown) => ({
  short_id: id,
  created_at: new Date(seconds * 1000).toISOString(),
  title: `Story ${id}`,
})
const itemOf = ({ id, seconds }: Shown) =>
  `<item><title>t</title><link>https://lobste.rs/c/${id}</link><pubDate>${new Date(seconds * 1000).toUTCString()}</pubDate>` +
  `<description>words</description></item>`
const many = (count: number, secondsOf: (at: number) => number): Shown[] =>
  Array.from({ length: count }, (_, at) => ({ id: String(100_000 + at), seconds: secondsOf(at) }))

async function poll(context: CollectContext, cursor: Cursor | null) {
  const batches: SourceBatch[] = []
  for await (const batch of lobsters().poll(context, cursor)) batches.push(batch)
  const posts = batches.flatMap(({ events }) => events.flatMap((event) => (event.kind === 'post' ? [event.post] : [])))
  return { posts, ids: posts.map(({ nativeId }) => nativeId), cursor: batches.at(-1)?.cursor ?? cursor }
}

async function read(stage: Stage): Promise<Map<string, Post>> {
  const context: CollectContext = {
    ...BARE_CONTEXT,
    fetch: async (url) => ({ status: 200, headers: {}, ...answer(stage, new URL(url)) }),
    at: AT,
  }
  return new Map((await poll(context, null)).posts.map((post) => [post.nativeId, post]))
}

describe('lobsters polls', () => {
  test('a quiet poll takes two requests', async () => {
    const stories = many(40, (at) => AT_SECONDS - 30 - at)
    const { context, asked } = site({ stories, comments: many(30, (at) => AT_SECONDS - 10 - at) })
    const { cursor, ids } = await poll(context, null)
    expect(ids).toHaveLength(31 + 30)
    asked.length = 0
    expect((await poll(context, cursor)).ids).toEqual([])
    expect(asked).toEqual(['/newest.json', '/comments.rss'])
  })

  test('an absence is caught up with page by page, oldest first, and a gap is logged', async () => {
    const since: Cursor = {
      sinceSeconds: AT_SECONDS - 90_000,
      storiesSeconds: AT_SECONDS - 90_000,
      commentsSeconds: AT_SECONDS - 90_000,
      stories: [],
      comments: [],
    }
    const stories = many(130, (at) => AT_SECONDS - at * 100)
    const { context, warnings } = site({ stories, comments: many(500, (at) => AT_SECONDS - at * 100) })
    const { ids } = await poll(context, since)
    expect(ids.filter((id) => id.startsWith('s:'))).toEqual(stories.map(({ id }) => `s:${id}`).reverse())
    expect(ids.filter((id) => id.startsWith('c:'))).toHaveLength(200)
    expect(warnings).toMatchObject([{ event: 'source.list_cut', list: 'comments' }])
  })

  test('a comment that was edited has a later time and is not new again', async () => {
    const comments = many(3, (at) => AT_SECONDS - 30 - at)
    const { context } = site({ comments })
    const { cursor } = await poll(context, null)
    comments[2]!.seconds = AT_SECONDS
    expect((await poll(context, cursor)).ids).toEqual([])
  })
})

describe('lobsters posts', () => {
  test('a link has its address, a text its words; a person may come whole or by name', async () => {
    const posts = await read('ordinary')
    expect(posts.get('s:aaa111')).toMatchObject({
      url: 'https://lobste.rs/s/aaa111',
      title: 'Acme Corp opens its parser',
      text: '',
      links: ['https://acme.example/parser'],
      publishedAt: new Date('2026-11-20T12:59:20.111Z'),
      engagement: { likes: 12, replies: 3, views: null },
      author: {
        id: 'ada_example',
        handle: 'ada_example',
        url: 'https://lobste.rs/~ada_example',
        avatarUrl: 'https://lobste.rs/avatars/ada_example-100.png',
        followers: null,
      },
    })
    expect(posts.get('s:bbb222')).toMatchObject({
      text: 'I use an editor & a script.\n\nWhat do you use?',
      links: ['https://editor.example/'],
      author: { handle: 'clara-example' },
    })
    expect((await read('later')).get('s:ccc333')?.engagement?.likes).toBe(0)
  })

  test('a comment is told with the title of its story', async () => {
    expect((await read('ordinary')).get('c:cmt222')).toMatchObject({
      url: 'https://lobste.rs/c/cmt222',
      title: null,
      text: 'Nobody knows.',
      replyTo: { author: null, url: null, text: 'Q & A: Acme' },
      author: { handle: 'dora_example' },
    })
  })
})

describe('lobsters enrichment', () => {
  const enriched = async (posts: readonly Post[], status = 200) => {
    const context: CollectContext = {
      ...BARE_CONTEXT,
      fetch: async (url) => ({
        status,
        headers: {},
        ...(status === 200 ? answer('ordinary', new URL(url)) : { body: '' }),
      }),
      at: AT,
    }
    return lobsters().enrich!(context, posts)
  }

  test('a comment learns its score, and the comment or the story that it answers', async () => {
    const posts = await read('ordinary')
    const [reply, first, story] = await enriched([
      posts.get('c:cmt222')!,
      posts.get('c:cmt111')!,
      posts.get('s:aaa111')!,
    ])
    expect(reply).toMatchObject({
      engagement: { likes: 5 },
      replyTo: { author: 'boris_example', url: 'https://lobste.rs/c/cmt111', text: 'The parser is fast.' },
    })
    expect(first).toMatchObject({
      engagement: { likes: 9 },
      replyTo: { author: null, url: 'https://lobste.rs/s/aaa111', text: 'Acme Corp opens its parser' },
    })
    expect(story).toEqual(posts.get('s:aaa111'))
  })

  test('a comment that is gone stays as it was, and trouble is a fault', async () => {
    const comment = (await read('ordinary')).get('c:cmt222')!
    expect(await enriched([comment], 400)).toEqual([comment])
    await expect(enriched([comment], 503)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
