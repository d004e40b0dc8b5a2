import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import { type ConformanceFixture, describeSource, placing, type Stage } from '../conformance.suite.ts'
import type { CollectContext, Cursor, SourceReply } from '../contract.ts'
import { forumAddress } from './address.ts'
import { discourse } from './source.ts'
import { toShown } from './to-post.ts'
import { post as postShape } from './wire.ts'

interface Latest {
  latest_posts: { id: number; [field: string]: unknown }[]
}

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const AT = new Date('2026-11-21T12:00:00Z')
const LONG_AGO = new Date('2026-11-01T00:00:00Z')
const FORUM = 'https://forum.example/meta'
const STAGES: Record<Stage, Latest> = {
  ordinary: recorded('ordinary.json'),
  later: recorded('later.json'),
  changed: recorded('changed.json'),
}
const visitor = () => discourse({ named: [], keys: new Map() })

/** Answers as a forum does: fifty posts by falling id, below `before`; some versions begin with `before` itself. */
function page({ latest_posts: posts }: Latest, url: URL, withBefore = false): SourceReply {
  const before = Number(url.searchParams.get('before') ?? Number.POSITIVE_INFINITY)
  const shown = posts.filter(({ id }) => id < before || (withBefore && id === before)).slice(0, 50)
  return { status: 200, headers: {}, body: JSON.stringify({ latest_posts: shown }) }
}

describeSource('discourse', {
  open: () => placing(visitor(), FORUM, LONG_AGO),
  at: { ordinary: AT, later: new Date(AT.getTime() + 120_000) },
  serves: {
    replies: ({ url }, stage) =>
      url.pathname === '/meta/posts.json' ? page(STAGES[stage], url) : { status: 404, body: '' },
  },
  refusals: recorded<ConformanceFixture['refusals']>('refusals.json'),
  throttledForSeconds: 7,
  expected: {
    ordinary: [1001, 1002, 1003].map((id) => `post forum.example/meta:${id}`),
    later: [1004, 1005].map((id) => `post forum.example/meta:${id}`),
  },
  nativeIdPattern: /^forum\.example\/meta:\d+$/,
  urlPattern: /^https:\/\/forum\.example\/meta\/t\/[\w-]+\/\d+(?:\/\d+)?$/,
})

/** Forums that are kept here, without a network. */
function forums(places: Record<string, Latest | Partial<SourceReply>>, source = visitor(), withBefore = false) {
  const asked: { url: string; headers: Record<string, string> }[] = []
  const warnings: unknown[] = []
  const context: CollectContext = {
    ...BARE_CONTEXT,
    at: AT,
    log: { ...BARE_CONTEXT.log, warn: (fields: unknown) => warnings.push(fields) } as CollectContext['log'],
    async fetch(address, init) {
      const url = new URL(address)
      asked.push({ url: address, headers: init?.headers ?? {} })
      const there = places[`${url.origin}${url.pathname}`]
      if (there === undefined) return { status: 404, headers: {}, body: '' }
      return 'latest_posts' in there
        ? page(there as Latest, url, withBefore)
        : { status: 200, headers: {}, body: '', ...there }
    },
  }
  return {
    places,
    asked,
    warnings,
    poll: (address = FORUM, cursor: Cursor | null = null, since = LONG_AGO) =>
      source.poll(context, { address, since }, cursor),
    find: (address: string) => source.find(context, address),
  }
}

describe('a post', () => {
  test('that opens a topic has its title, picture, counts and person', async () => {
    const { posts } = await forums({ [`${FORUM}/posts.json`]: STAGES.ordinary }).poll()
    expect(posts[0]).toMatchObject({
      url: `${FORUM}/t/roses-and-more/500`,
      title: 'Roses & more',
      text: 'Roses need water.',
      imageUrl: 'https://forum.example/uploads/rose.png',
      engagement: { likes: 3, replies: 1, views: 7 },
      replyTo: null,
      author: {
        id: 'forum.example/meta:11',
        handle: 'ada',
        name: 'Ada Example',
        url: `${FORUM}/u/ada`,
        avatarUrl: 'https://forum.example/user_avatar/forum.example/ada/90/1_2.png',
        automated: false,
      },
    })
  })

  test('that answers names the post it answers, and leaves out the words it quotes', async () => {
    const { posts } = await forums({ [`${FORUM}/posts.json`]: STAGES.ordinary }).poll()
    expect(posts[2]).toMatchObject({
      url: `${FORUM}/t/roses-and-more/500/3`,
      title: null,
      text: 'And soil.',
      links: ['https://forum.example/meta/t/soil/7'],
      replyTo: { url: `${FORUM}/t/roses-and-more/500/2`, text: 'Roses & more' },
      author: { name: 'ben' },
    })
    expect(posts[1]!.author!.automated).toBe(true)
  })

  test('that was hidden or taken back is none', async () => {
    const [first, ...others] = STAGES.ordinary.latest_posts
    const shown = { latest_posts: [{ ...first!, user_deleted: true }, ...others] }
    const { posts, cursor } = await forums({ [`${FORUM}/posts.json`]: shown }).poll()
    expect([posts.length, cursor]).toEqual([2, { highest: 1003, seen: ['1003', '1002', '1001'] }])
  })
})

describe('reading', () => {
  const many = (from: number, to: number): Latest => ({
    latest_posts: Array.from({ length: to - from + 1 }, (_, at) => ({
      ...STAGES.ordinary.latest_posts[0]!,
      id: to - at,
    })),
  })

  test.each([
    ['anew', false],
    ['with the last post again', true],
  ])('walks back to the newest post it knew, over pages that begin %s', async (_, again) => {
    const forum = forums({ [`${FORUM}/posts.json`]: many(1, 130) }, visitor(), again)
    const { posts, cursor } = await forum.poll(FORUM, { highest: 10 })
    expect([posts.length, posts[0]!.nativeId]).toEqual([120, 'forum.example/meta:11'])
    expect(cursor).toMatchObject({ highest: 130 })
    expect(forum.asked.filter(({ url }) => url.includes('posts.json'))).toHaveLength(3)
  })

  test('stops at twenty pages, with the newest posts', async () => {
    const forum = forums({ [`${FORUM}/posts.json`]: many(1, 1500) })
    const { posts, cursor } = await forum.poll(FORUM, { highest: 10 })
    expect(posts).toHaveLength(1000)
    expect(cursor).toMatchObject({ highest: 1500 })
    expect(forum.warnings).toMatchObject([{ event: 'source.list_cut', list: 'posts', pages: 20, part: FORUM }])
  })

  test('finds a post that appears late, below newer ones, and brings none twice', async () => {
    const late = 125
    const all = many(1, 130).latest_posts
    const forum = forums({ [`${FORUM}/posts.json`]: { latest_posts: all.filter(({ id }) => id !== late) } })
    const first = await forum.poll(FORUM, { highest: 120 })
    forum.places[`${FORUM}/posts.json`] = many(1, 132)
    const second = await forum.poll(FORUM, first.cursor)
    const third = await forum.poll(FORUM, second.cursor)
    const idsOf = ({ posts }: typeof first) => posts.map(({ nativeId }) => Number(nativeId.split(':')[1]))
    expect(idsOf(first)).toEqual([121, 122, 123, 124, 126, 127, 128, 129, 130])
    expect([idsOf(second), idsOf(third)]).toEqual([[125, 131, 132], []])
    expect(third.cursor).toEqual({ highest: 132, seen: Array.from({ length: 53 }, (_, at) => `${132 - at}`) })
  })

  test('converts the new posts of a page only', () => {
    const item = postShape.parse(STAGES.ordinary.latest_posts[0])
    const shown = (isKnown: boolean) => toShown(item, { forum: FORUM, isKnown, at: AT }).post !== null
    expect([false, true].map(shown)).toEqual([true, false])
  })

  test('begins when the forum was named', async () => {
    const forum = forums({ [`${FORUM}/posts.json`]: STAGES.ordinary })
    const { posts } = await forum.poll(FORUM, null, new Date('2026-11-21T11:45:00Z'))
    expect(posts.map(({ nativeId }) => nativeId)).toEqual(['forum.example/meta:1003'])
  })
})

describe('the address of a forum', () => {
  test.each([
    ['https://forum.example', 'https://forum.example'],
    ['https://forum.example/t/roses/500/3', 'https://forum.example'],
    ['https://forum.example/meta/', FORUM],
    ['https://forum.example/meta/c/garden/7?x=1', FORUM],
    ['https://forum.example/latest.json', 'https://forum.example'],
  ])('of %s is %s', (text, address) => expect(forumAddress(text)).toBe(address))

  test('is found from a page of the forum, with its title', async () => {
    const about = { body: JSON.stringify({ about: { title: 'Gardeners' } }) }
    const forum = forums({ [`${FORUM}/posts.json`]: STAGES.ordinary, [`${FORUM}/about.json`]: about })
    expect(await forum.find(`${FORUM}/t/roses/500`)).toEqual({ address: FORUM, title: 'Gardeners' })
  })

  test('is found at the top of its host, and refused in words where there is none', async () => {
    const forum = forums({ 'https://forum.example/posts.json': STAGES.ordinary })
    expect(await forum.find('https://forum.example/guidelines')).toEqual({
      address: 'https://forum.example',
      title: null,
    })
    await expect(forum.find('https://blog.example/')).rejects.toMatchObject({ kind: 'gone' })
  })
})

test('a key does not follow a redirect to another host', async () => {
  const about = 'https://www.forum.example/meta/posts.json'
  const places = {
    [`${FORUM}/posts.json`]: { status: 301, headers: { location: about } },
    [about]: STAGES.ordinary,
  }
  const forum = forums(places, discourse({ named: [FORUM], keys: new Map([['forum.example', 'k1']]) }))
  await forum.poll()
  const sent = forum.asked.filter(({ url }) => url.includes('posts.json')).slice(0, 2)
  expect(sent.map(({ url, headers }) => [new URL(url).host, headers['user-api-key']])).toEqual([
    ['forum.example', 'k1'],
    ['www.forum.example', undefined],
  ])
})

test('a key goes to the forums that the operator named only, which nobody else may name', async () => {
  const keys = new Map([['forum.example', 'k1']])
  const places = { [`${FORUM}/posts.json`]: STAGES.ordinary, 'https://forum.example/help/posts.json': STAGES.ordinary }
  const forum = forums(places, discourse({ named: [FORUM], keys }))
  await forum.poll(FORUM)
  await forum.poll('https://forum.example/help')
  const sent = forum.asked.filter(({ url }) => url.includes('posts.json')).map(({ headers }) => headers['user-api-key'])
  expect([...new Set(sent)]).toEqual(['k1', undefined])
  await expect(forum.find(FORUM)).rejects.toMatchObject({ kind: 'gone', message: expect.stringContaining('operator') })
})
