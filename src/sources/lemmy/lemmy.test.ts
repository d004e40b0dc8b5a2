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
import type { CollectContext, Cursor, SourceBatch, StreamSource } from '../contract.ts'
import { lemmy } from './source.ts'

interface World {
  posts: { post: { id: number } }[]
  comments: { comment: { id: number } }[]
}

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const STAGES: Record<Stage, World> = {
  ordinary: recorded('ordinary.json'),
  later: recorded('later.json'),
  changed: recorded('changed.json'),
}
const AT = new Date('2026-11-20T13:00:00Z')
const SERVER = 'lemmy.example'

/** Answers as version 3 of the interface does: pages of lists, searches, single comments. */
function answer({ posts, comments }: World, { pathname, searchParams }: URL): ServedReply {
  const json = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) })
  const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('limit'))]
  const shown = <Item>(items: Item[]) => items.slice((page - 1) * size, page * size)
  switch (pathname) {
    case '/api/v3/post/list':
      return json({ posts: shown(posts), next_page: 'Pabc' })
    case '/api/v3/comment/list':
      return json({ comments: shown(comments) })
    case '/api/v3/search':
      return json({ type_: 'All', posts: shown(posts), comments: shown(comments), communities: [], users: [] })
    case '/api/v3/comment': {
      const found = comments.find(({ comment }) => comment.id === Number(searchParams.get('id')))
      return found ? json({ comment_view: found, recipient_ids: [] }) : json({ error: 'couldnt_find_comment' }, 404)
    }
    default:
      return json({ error: 'unknown' }, 404)
  }
}

describeSource('lemmy', {
  open: () => collecting(lemmy({ servers: [SERVER] })),
  at: { ordinary: AT, later: new Date(AT.getTime() + 120_000) },
  serves: { replies: ({ url }, stage) => answer(STAGES[stage], url) },
  refusals: recorded<ConformanceFixture['refusals']>('refusals.json'),
  throttledForSeconds: 7,
  expected: {
    ordinary: [
      'post https://links.example/post/71',
      'post https://lemmy.example/post/902',
      'post https://links.example/comment/41',
      'post https://lemmy.example/comment/502',
    ],
    later: [
      'post https://links.example/post/76',
      'post https://links.example/post/75',
      'post https://links.example/comment/44',
    ],
  },
  nativeIdPattern: /^https:\/\/(?:lemmy|links)\.example\/(?:post|comment)\/\d+$/,
  urlPattern: /^https:\/\/(?:lemmy|links)\.example\/(?:post|comment)\/\d+$/,
})

function contextFor(reply: (url: URL) => ServedReply, at = AT) {
  const asked: URL[] = []
  const context: CollectContext = {
    ...BARE_CONTEXT,
    async fetch(address) {
      asked.push(new URL(address))
      return { status: 200, headers: {}, ...reply(new URL(address)) }
    },
    at,
  }
  return { context, asked }
}

async function poll(source: StreamSource, context: CollectContext, cursor: Cursor | null = null) {
  const batches: SourceBatch[] = []
  for await (const batch of source.poll(context, cursor)) batches.push(batch)
  const posts = batches.flatMap(({ events }) => events.flatMap((event) => (event.kind === 'post' ? [event.post] : [])))
  return { posts: new Map(posts.map((post) => [post.nativeId, post])), cursor: batches.at(-1)?.cursor ?? cursor }
}

const from = (world: World) => (url: URL) => answer(world, url)
const single = lemmy({ servers: [SERVER] })

async function read(stage: Stage): Promise<Map<string, Post>> {
  return (await poll(single, contextFor(from(STAGES[stage])).context)).posts
}

describe('lemmy polls', () => {
  test('the whole overlap is read, because posts of other servers arrive late, but no more', async () => {
    const secondsAgo = (at: number) => new Date(AT.getTime() - at * 20_000).toISOString()
    const view = STAGES.ordinary.posts.at(-1) as unknown as { post: object }
    const posts = Array.from({ length: 300 }, (_, at) => ({
      ...view,
      post: { ...view.post, id: at + 1, ap_id: `https://links.example/post/${at + 1}`, published: secondsAgo(at) },
    }))
    const start: Cursor = { sinceSeconds: 0, postsSeconds: 0, commentsSeconds: 0, posts: [], comments: [] }
    const whole = Object.fromEntries(Object.entries(start).map(([field, value]) => [`${SERVER}|${field}`, value]))
    const { context, asked } = contextFor(from({ posts, comments: [] }))
    const first = await poll(single, context, whole)
    expect(first.posts.size).toBe(300)
    asked.length = 0
    expect((await poll(single, context, first.cursor)).posts.size).toBe(0)
    const pages = asked
      .filter(({ pathname }) => pathname.endsWith('/post/list'))
      .map((url) => url.searchParams.get('page'))
    expect(pages).toEqual(['1', '2'])
  })

  test('each server is asked by itself, and one that is down does not stop the other', async () => {
    const two = lemmy({ servers: [SERVER, 'links.example', 'far.example'] })
    const { context, asked } = contextFor((url) =>
      url.host === 'links.example' ? { status: 502, body: '' } : answer(STAGES.ordinary, url),
    )
    const { posts, cursor } = await poll(two, context)
    expect(posts.size).toBe(4)
    expect(new Set(asked.map(({ host }) => host))).toEqual(new Set([SERVER, 'links.example', 'far.example']))
    expect(Object.keys(cursor ?? {}).map((field) => field.split('|')[0])).not.toContain('links.example')
  })
})

describe('lemmy posts', () => {
  test('a post has its link, its picture, its votes and its person on whatever server', async () => {
    expect((await read('ordinary')).get('https://links.example/post/71')).toMatchObject({
      url: 'https://links.example/post/71',
      title: 'Acme Corp opens its **parser**',
      text: '',
      links: ['https://acme.example/parser'],
      imageUrl: 'https://links.example/pictrs/parser.png',
      publishedAt: new Date('2026-11-20T12:59:20.123Z'),
      engagement: { likes: 12, replies: 3 },
      replyTo: null,
      author: { id: 'https://links.example/u/boris', name: 'boris', handle: 'boris@links.example', automated: false },
    })
  })

  test('Markdown becomes text and links', async () => {
    expect((await read('ordinary')).get('https://lemmy.example/post/902')).toMatchObject({
      text: 'I use an editor & a script.\n\nWhat do you use?',
      links: ['https://editor.example/'],
      author: { name: 'Ada Example', avatarUrl: 'https://lemmy.example/pictrs/ada.png' },
    })
  })

  test('a comment names its post; a time without a zone and the names of version 1.0 are understood', async () => {
    const posts = await read('later')
    expect(posts.get('https://links.example/comment/44')).toMatchObject({
      publishedAt: new Date('2026-11-20T13:00:00Z'),
      replyTo: { author: null, url: 'https://lemmy.example/post/902', text: 'Which editor for Acme files?' },
      author: { handle: 'boris@links.example' },
    })
    expect((await read('ordinary')).get('https://lemmy.example/comment/502')).toMatchObject({
      publishedAt: new Date('2026-11-20T12:59:45Z'),
      replyTo: { url: 'https://lemmy.example/comment/501', text: 'Acme Corp opens its **parser**' },
    })
    expect(posts.get('https://links.example/post/75')?.author?.automated).toBe(true)
  })

  test('enrichment finds the comment that a comment answers, once for all, and nothing for one that is gone', async () => {
    const posts = await read('ordinary')
    const reply = posts.get('https://lemmy.example/comment/502')!
    const { context, asked } = contextFor(from(STAGES.ordinary))
    const others = [...posts.values()].filter((post) => post !== reply)
    const [first, second, ...rest] = await single.enrich!(context, [reply, { ...reply, nativeId: 'again' }, ...others])
    expect([first?.replyTo, second?.replyTo]).toEqual(
      Array.from({ length: 2 }, () => ({
        author: 'boris',
        url: 'https://links.example/comment/41',
        text: 'The parser is fast, see figures.',
      })),
    )
    expect([rest, asked.length]).toEqual([others, 1])
    const gone = contextFor(from({ posts: [], comments: [] }))
    expect(await single.enrich!(gone.context, [reply])).toEqual([reply])
  })
})

describe('lemmy searches', () => {
  const search = async (source: StreamSource, context: CollectContext, since = new Date('2026-11-20T10:00:00Z')) => {
    const posts: Post[] = []
    for await (const some of source.searching!.search(context, { terms: ['acme "corp"'], since, limit: 100 }))
      posts.push(...some)
    return posts
  }

  test('posts and comments come newest first and from then on only; removed ones are left out', async () => {
    const { context, asked } = contextFor(from(STAGES.ordinary))
    expect((await search(single, context)).map(({ nativeId }) => nativeId)).toEqual([
      'https://lemmy.example/comment/502',
      'https://lemmy.example/post/902',
      'https://links.example/comment/41',
      'https://links.example/post/71',
    ])
    expect(asked.map((url) => url.searchParams.get('q'))).toEqual(['acme corp'])
  })

  test('a server that fails hands the search to the next', async () => {
    const two = lemmy({ servers: [SERVER, 'links.example'] })
    const failing = (hosts: string[]) =>
      contextFor((url) => (hosts.includes(url.host) ? { status: 503, body: '' } : answer(STAGES.ordinary, url))).context
    expect(await search(two, failing([SERVER]))).toHaveLength(4)
    await expect(search(two, failing([SERVER, 'links.example']))).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
