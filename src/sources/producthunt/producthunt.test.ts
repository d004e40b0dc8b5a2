import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import {
  type Collecting,
  type ConformanceFixture,
  collecting,
  describeSource,
  type ServedReply,
  type Stage,
} from '../conformance.suite.ts'
import type { CollectContext, Cursor, SourceBatch } from '../contract.ts'
import { producthunt } from './source.ts'

interface Launch {
  id: string
  createdAt: string
  commentsCount: number
}

interface World {
  posts: Launch[]
  comments: Record<string, { id: string; createdAt: string }[]>
}

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const STAGES: Record<Stage, World> = {
  ordinary: recorded('ordinary.json'),
  later: recorded('later.json'),
  changed: recorded('changed.json'),
}
const AT = new Date('2026-11-20T13:00:00Z')
/** A place from which everything since an hour before the first poll counts as new. */
const START: Cursor = {
  sinceSeconds: AT.getTime() / 1000 - 3600,
  floorSeconds: AT.getTime() / 1000 - 3600,
  polls: 1,
  commentsSeconds: AT.getTime() / 1000 - 3600,
  posts: [`100:${Date.parse('2026-11-19T08:00:00Z') / 1000}:1`],
  comments: [],
}

/** Answers as the interface does: pages of posts and of the comments of named posts, newest first. */
function answer({ posts, comments }: World, body: string): ServedReply {
  const { query, variables } = JSON.parse(body) as { query: string; variables: { since?: string; after?: string } }
  const from = Number(variables.after ?? 0)
  const page = <Item>(items: Item[]) => ({
    edges: items.slice(from, from + 20).map((node) => ({ node })),
    pageInfo: { endCursor: String(from + 20), hasNextPage: items.length > from + 20 },
  })
  const singles = [...query.matchAll(/(\w+): post\(id: "(\d+)"\)/g)]
  const discussions = singles.map(([, alias, id]) => [
    alias,
    posts.some((post) => post.id === id) ? { comments: page(comments[id ?? ''] ?? []) } : null,
  ])
  // Planned products have a date from before they are shown.
  const shown = posts.filter(({ createdAt }) => Date.parse(createdAt) >= Date.parse(variables.since ?? '1970-01-01'))
  const data = singles.length > 0 ? Object.fromEntries(discussions) : { posts: page(shown) }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data }) }
}

function fromTheStart(): Collecting {
  const whole = collecting(producthunt({ token: 'the-token' }))
  return { ...whole, collect: (context, cursor) => whole.collect(context, cursor ?? START) }
}

describeSource('producthunt', {
  open: fromTheStart,
  at: { ordinary: AT, later: new Date(AT.getTime() + 120_000) },
  serves: { replies: ({ body }, stage) => answer(STAGES[stage], body) },
  refusals: recorded<ConformanceFixture['refusals']>('refusals.json'),
  throttledForSeconds: 7,
  expected: {
    ordinary: ['post post:101', 'post post:102', 'post comment:901', 'post comment:902'],
    later: ['post post:103', 'post comment:903', 'post comment:904'],
  },
  nativeIdPattern: /^(?:post|comment):\d+$/,
  urlPattern: /^https:\/\/www\.producthunt\.com\/products\/p\d+(?:\?comment=\d+)?$/,
})

function platform(world: World, at = AT) {
  const asked: { query: string; points: number }[] = []
  const context: CollectContext = {
    ...BARE_CONTEXT,
    async fetch(_, init = {}) {
      const { query } = JSON.parse(init.body ?? '') as { query: string }
      asked.push({ query, points: init.cost?.['points'] ?? 0 })
      return { status: 200, headers: {}, ...answer(world, init.body ?? '') }
    },
    at,
  }
  return { context, asked }
}

async function poll(world: World, cursor: Cursor | null, at = AT) {
  const { context, asked } = platform(world, at)
  const batches: SourceBatch[] = []
  for await (const batch of producthunt({ token: 't' }).poll(context, cursor)) batches.push(batch)
  const posts = batches.flatMap(({ events }) => events.flatMap((event) => (event.kind === 'post' ? [event.post] : [])))
  return { posts, ids: posts.map(({ nativeId }) => nativeId), cursor: batches.at(-1)?.cursor ?? cursor, asked, batches }
}

const byId = (posts: readonly Post[]) => new Map(posts.map((post) => [post.nativeId, post]))
const said = (count: number, secondsOf: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => ({
    ...STAGES.ordinary.comments['101']![0]!,
    id: String(5000 + at),
    createdAt: new Date(AT.getTime() + secondsOf(at) * 1000).toISOString(),
  }))

describe('producthunt polls', () => {
  test('the first one takes what appeared within the last minute; a planned product that appears later is new', async () => {
    const first = await poll(STAGES.ordinary, null)
    expect(first.ids).toEqual(['post:101', 'post:102', 'comment:901', 'comment:902'])
    const later = await poll(STAGES.later, first.cursor)
    expect(later.ids).toEqual(['post:104', 'post:103', 'comment:903', 'comment:904'])
    expect((await poll(STAGES.later, later.cursor)).ids).toEqual([])
  })

  test('points are counted before asking: a post each, and twenty comments each where their number has grown', async () => {
    const { asked, cursor } = await poll(STAGES.ordinary, START)
    expect(asked.map(({ points }) => points)).toEqual([21, 22])
    expect((await poll(STAGES.ordinary, cursor)).asked.map(({ points }) => points)).toEqual([21])
  })

  test('a discussion that has grown by more than a page is read page by page', async () => {
    const first = await poll(STAGES.ordinary, START)
    const posts = STAGES.ordinary.posts.map((post) => (post.id === '101' ? { ...post, commentsCount: 47 } : post))
    const comments = { 101: [...said(45, (at) => -at), ...STAGES.ordinary.comments['101']!] }
    const { ids, asked } = await poll({ posts, comments }, first.cursor)
    expect([ids.length, asked.length]).toEqual([45, 4])
  })

  test('a discussion that shrank and grew again is read', async () => {
    const first = await poll(STAGES.ordinary, START)
    const withComments = (count: number, list: World['comments'][string]): World => ({
      posts: STAGES.ordinary.posts.map((post) => (post.id === '101' ? { ...post, commentsCount: count } : post)),
      comments: { 101: list },
    })
    const [newest, older] = STAGES.ordinary.comments['101']!
    const shrunk = await poll(withComments(1, [older!]), first.cursor)
    expect(shrunk.ids).toEqual([])
    expect((await poll(withComments(2, [...said(1, () => 0), older!]), shrunk.cursor)).ids).toEqual(['comment:5000'])
    expect(newest?.id).toBe('902')
  })

  test('a fault in the middle leaves the posts handed over and the discussions unread', async () => {
    const { context } = platform(STAGES.ordinary)
    const failing: CollectContext = {
      ...context,
      fetch: async (url, init) =>
        init?.body?.includes('comments(') ? { status: 503, headers: {}, body: '' } : context.fetch(url, init),
    }
    let cursor: Cursor | null = START
    const run = async () => {
      for await (const batch of producthunt({ token: 't' }).poll(failing, cursor)) cursor = batch.cursor
    }
    await expect(run()).rejects.toMatchObject({ kind: 'unavailable' })
    expect((await poll(STAGES.ordinary, cursor)).ids).toEqual(['comment:901', 'comment:902'])
  })
})

describe('producthunt refusals', () => {
  test('a complaint that comes with status 200 is a change of form', async () => {
    const context: CollectContext = {
      ...BARE_CONTEXT,
      fetch: async () => ({ status: 200, headers: {}, body: '{"errors":[{"message":"Field is unknown"}]}' }),
      at: AT,
    }
    const run = async () => {
      for await (const batch of producthunt({ token: 't' }).poll(context, START)) expect(batch).toBeNull()
    }
    await expect(run()).rejects.toMatchObject({ kind: 'shape_changed', message: expect.stringContaining('Field') })
  })
})

describe('producthunt posts', () => {
  test('a product: tagline and description, its website as link, no marks of the application in addresses', async () => {
    const { posts } = await poll(STAGES.ordinary, START)
    expect(byId(posts).get('post:101')).toMatchObject({
      url: 'https://www.producthunt.com/products/p101',
      title: 'Acme Parser',
      text: 'Parsing, finally fast\n\nAcme Parser reads everything.\n\nSee https://acme.example/parser',
      links: ['https://www.producthunt.com/r/p101', 'https://acme.example/parser'],
      imageUrl: 'https://ph-files.example/101.png',
      engagement: { likes: 120, replies: 2 },
      author: { id: '77', handle: 'ada_example', url: 'https://www.producthunt.com/@ada_example' },
    })
  })

  test('a comment names its product; people who are not shown are nobody', async () => {
    const posts = byId((await poll(STAGES.ordinary, START)).posts)
    expect(posts.get('comment:901')).toMatchObject({
      url: 'https://www.producthunt.com/products/p101?comment=901',
      text: 'Congratulations, Acme!',
      replyTo: { author: null, url: 'https://www.producthunt.com/products/p101', text: 'Acme Parser' },
      author: { handle: 'ada_example' },
    })
    expect([posts.get('comment:902')?.author, posts.get('post:102')?.author]).toEqual([null, null])
  })

  test('the website of a product is resolved once it matched', async () => {
    const { posts } = await poll(STAGES.ordinary, START)
    const asked: string[] = []
    const context: CollectContext = {
      ...BARE_CONTEXT,
      async fetch(url) {
        asked.push(url)
        const headers: Record<string, string> = url.endsWith('p101')
          ? { location: 'https://acme.example/?ref=producthunt' }
          : {}
        return { status: headers['location'] ? 302 : 403, headers, body: '' }
      },
      at: AT,
    }
    const filled = byId(await producthunt({ token: 't' }).enrich!(context, posts))
    expect(filled.get('post:101')?.links).toEqual(['https://acme.example/', 'https://acme.example/parser'])
    expect(filled.get('post:102')?.links).toEqual(['https://www.producthunt.com/r/p102'])
    expect(asked).toHaveLength(2)
  })
})
