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
import {
  type CollectContext,
  type Cursor,
  QuotaReached,
  type SourceBatch,
  type SourceFault,
  type StreamSource,
} from '../contract.ts'
import { StackPauses } from '../providers/stack/pauses.ts'
import { stackoverflow } from '../stackoverflow/source.ts'
import { stackexchange } from './source.ts'

interface Item {
  creation_date: number
  post_id: number
  comment_id?: number
  post_type: string
}
type Site = Record<'posts' | 'comments', Item[]>
type World = { sites: object[] } & Record<'serverfault' | 'dba', Site>

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const STAGES: Record<Stage, World> = {
  ordinary: recorded('ordinary.json'),
  later: recorded('later.json'),
  changed: recorded('changed.json'),
}
const AT = new Date('2026-11-20T13:00:00Z')
const SITES = ['serverfault', 'dba']

/** Answers as the interface does for each site: the list of sites, filters, windows of time, items by number, searches. */
function answer(world: World, { pathname, searchParams }: URL): ServedReply {
  const [, method = '', ids] = pathname.match(/^\/2\.3\/([a-z]+(?:\/[a-z]+)?)(?:\/([\d;]+))?$/) ?? []
  const json = (items: unknown[], status = 200) => ({
    status,
    body: JSON.stringify({ items, has_more: false, quota_max: 10_000, quota_remaining: 9000 }),
  })
  if (method === 'filters/create') return json([{ filter: '!f' }])
  if (method === 'sites') return json(world.sites)
  const site = world[searchParams.get('site') as 'serverfault' | 'dba']
  if (!site)
    return { status: 400, body: '{"error_id":400,"error_name":"bad_parameter","error_message":"No site found"}' }
  const wanted = ids?.split(';').map(Number)
  const items = method === 'comments' ? site.comments : site.posts
  const found = items.filter(({ post_id: id, creation_date: seconds }) =>
    wanted ? wanted.includes(id) : seconds === undefined || seconds >= Number(searchParams.get('fromdate')),
  )
  if (method === 'search/excerpts')
    return json(
      found.map(({ post_id: id, post_type: type }) => ({
        item_type: type,
        question_id: 101,
        answer_id: type === 'answer' ? id : undefined,
      })),
    )
  if (method === 'questions')
    return json(found.map(({ post_id: id }) => ({ question_id: id, answer_count: 3, view_count: 9 })))
  if (method === 'answers') return json(found.map(({ post_id: id }) => ({ answer_id: id, question_id: 101 })))
  return json(found)
}

const pausing = () => new StackPauses({ now: () => AT })
const open = (sites: readonly string[] = SITES, pauses = pausing()) => stackexchange({ key: 'app-key', sites, pauses })

describeSource('stackexchange', {
  open: () => collecting(open()),
  at: { ordinary: AT, later: new Date(AT.getTime() + 120_000) },
  serves: { replies: ({ url }, stage) => answer(STAGES[stage], url) },
  refusals: recorded<ConformanceFixture['refusals']>('refusals.json'),
  throttledForSeconds: 7,
  expected: {
    ordinary: ['post serverfault:101', 'post serverfault:c:201', 'post dba:101', 'post dba:102'],
    later: ['post serverfault:103', 'post dba:c:201'],
  },
  nativeIdPattern: /^(?:serverfault|dba):(?:c:)?\d+$/,
  urlPattern: /^https:\/\/(?:serverfault\.com|dba\.stackexchange\.com)\/(?:questions|a)\/\d+/,
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
  const fault = await (async () => {
    for await (const batch of source.poll(context, cursor)) batches.push(batch)
    return null
  })().catch((error: unknown) => error as SourceFault)
  const posts = batches.flatMap(({ events }) => events.flatMap((event) => (event.kind === 'post' ? [event.post] : [])))
  return { posts: new Map(posts.map((post) => [post.nativeId, post])), cursor: batches.at(-1)?.cursor ?? cursor, fault }
}

const ordinary = (url: URL) => answer(STAGES.ordinary, url)

describe('stackexchange polls', () => {
  test('each site is asked for posts and comments, and once a day for the list of sites', async () => {
    const source = open()
    const first = contextFor(ordinary)
    const { cursor } = await poll(source, first.context)
    expect(
      first.asked.map(({ pathname, searchParams }) => `${pathname.slice(5)} ${searchParams.get('site') ?? ''}`.trim()),
    ).toEqual(['sites', 'filters/create', 'posts serverfault', 'comments serverfault', 'posts dba', 'comments dba'])
    expect(Object.keys(cursor ?? {})).toContain('dba|postsSeconds')
    const methods = async (hours: number) => {
      const { context, asked } = contextFor(ordinary, new Date(AT.getTime() + hours * 3_600_000))
      await poll(source, context, cursor)
      return asked.map(({ pathname }) => pathname.slice(5))
    }
    expect(await methods(1)).not.toContain('sites')
    expect(await methods(25)).toContain('sites')
  })

  test('a site that is not there, or that only members read, does not stop the others', async () => {
    const { context, asked } = contextFor(ordinary)
    const source = open(['serverfault', 'secret', 'dba', 'nonsense', 'serverfault'])
    const { posts, fault } = await poll(source, context)
    expect([[...posts.keys()].includes('dba:101'), fault]).toEqual([true, null])
    expect(asked.map((url) => url.searchParams.get('site'))).not.toContain('secret')
    expect((await poll(open(['secret', 'nonsense', 'dba']), contextFor(ordinary).context)).fault).toMatchObject({
      kind: 'gone',
    })
  })

  test('haste ends the poll: it concerns every site', async () => {
    const { context, asked } = contextFor((url) =>
      url.searchParams.get('site') === 'serverfault'
        ? (recorded<Record<'throttled', ServedReply>>('refusals.json').throttled as ServedReply)
        : ordinary(url),
    )
    expect((await poll(open(), context)).fault).toMatchObject({ kind: 'throttled', retryAfterSeconds: 7 })
    expect(asked.map((url) => url.searchParams.get('site'))).not.toContain('dba')
  })

  test('its requests count with those of Stack Overflow, and a pause holds for both', async () => {
    expect(open()).toMatchObject({
      countsWith: 'stackoverflow',
      limits: stackoverflow({ key: 'app-key', pauses: pausing() }).limits,
    })
    const pauses = pausing()
    const sites = open(SITES, pauses)
    const paused = (url: URL): ServedReply => {
      const reply = ordinary(url)
      return url.pathname.endsWith('/comments') ? { ...reply, body: reply.body.replace('{', '{"backoff":60,') } : reply
    }
    await poll(sites, contextFor(paused).context)
    const { context, asked } = contextFor((url) => {
      url.searchParams.set('site', 'dba')
      return ordinary(url)
    })
    const main = stackoverflow({ key: 'app-key', pauses })
    expect((await poll(main, context)).fault).toBeInstanceOf(QuotaReached)
    expect(asked.map(({ pathname }) => pathname.slice(5))).toEqual(['filters/create', 'posts'])
  })
})

describe('stackexchange posts', () => {
  test('ids of posts and people have the site in front, addresses are on its host', async () => {
    const { posts } = await poll(open(), contextFor(ordinary).context)
    expect(posts.get('dba:102')).toMatchObject({
      platform: 'stackexchange',
      url: 'https://dba.stackexchange.com/a/102',
      title: null,
      text: 'Read the manual.',
      links: ['https://acme.example/restore'],
      replyTo: { text: 'Acme dumps & restores' },
      author: { id: 'dba:8', url: 'https://dba.stackexchange.com/users/8/boris-example' },
    })
    expect(posts.get('serverfault:c:201')).toMatchObject({
      url: 'https://serverfault.com/questions/101/a-slug#comment201_101',
      replyTo: { url: 'https://serverfault.com/questions/101' },
    })
  })

  test('enrichment asks each site for its own posts', async () => {
    const source = open()
    const { posts } = await poll(source, contextFor(ordinary).context)
    const { context, asked } = contextFor(ordinary)
    const filled = await source.enrich!(context, [...posts.values()])
    expect(filled.map(({ nativeId }) => nativeId)).toEqual([...posts.keys()])
    const byId = new Map(filled.map((post) => [post.nativeId, post]))
    expect(byId.get('dba:101')?.engagement).toMatchObject({ replies: 3, views: 9 })
    expect(byId.get('dba:102')?.replyTo?.url).toBe('https://dba.stackexchange.com/questions/101')
    expect(byId.get('serverfault:c:201')?.replyTo).toMatchObject({
      author: 'Ada Example',
      text: 'Acme Corp behind a proxy?',
    })
    expect(asked.every(({ searchParams }) => searchParams.get('site') !== null)).toBe(true)
  })
})

describe('stackexchange searches', () => {
  test('the first five sites are asked for one page, and their posts come together, newest first', async () => {
    const { context, asked } = contextFor(ordinary)
    const source = open([...SITES, 'secret', 'a', 'b', 'c'])
    const posts: Post[] = []
    const query = { terms: ['acme'], since: new Date('2026-11-01T00:00:00Z'), limit: 10 }
    for await (const some of source.searching!.search(context, query)) posts.push(...some)
    expect(posts.map(({ nativeId }) => nativeId)).toEqual(['dba:102', 'dba:101', 'serverfault:101'])
    expect(asked.filter(({ pathname }) => pathname.endsWith('excerpts'))).toHaveLength(2)
  })
})
