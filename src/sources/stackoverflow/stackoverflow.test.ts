import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import { collecting, describeSource, type ServedReply, type Stage } from '../conformance.suite.ts'
import {
  type CollectContext,
  type Cost,
  type Cursor,
  QuotaReached,
  type SourceBatch,
  type SourceReply,
  type StreamSource,
} from '../contract.ts'
import { StackPauses } from '../providers/stack/pauses.ts'
import { advance, positionFrom, toCursor } from '../providers/stack/position.ts'
import { stackoverflow } from './source.ts'

type Item = { creation_date: number; post_id: number; comment_id?: number; [field: string]: unknown }
interface World {
  posts: Item[]
  comments: Item[]
  /** Taken for one reply. */
  backoff?: number | undefined
  quota_remaining?: number
}

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const STAGES: Record<Stage, World> = {
  ordinary: recorded('ordinary.json'),
  later: recorded('later.json'),
  changed: recorded('changed.json'),
}
const AT = new Date('2026-11-20T13:00:00Z')
const AT_SECONDS = AT.getTime() / 1000
/** Polls and searches set it to their instant. */
let now = AT
const open = (key: string | null) => stackoverflow({ key, pauses: new StackPauses({ now: () => now }) })
const FILTER = '!invented_(filter)*1'

const json = (body: unknown, status = 200): ServedReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const refused = (id: number, name: string, words: string) =>
  json({ error_id: id, error_name: name, error_message: words }, 400)

/** Answers as the interface does: filters, windows of time, pages, items by number, the search. */
function platform(world: World, url: URL): ServedReply {
  const [, version, method, ids] =
    url.pathname.match(
      /^\/(2\.3)\/(posts|comments|questions|answers|search\/excerpts|filters\/create)(?:\/([\d;]+))?$/,
    ) ?? []
  if (version === undefined) return refused(404, 'no_method', 'no such method')
  if (method === 'filters/create')
    return json({
      items: [{ filter: FILTER, filter_type: 'safe' }],
      has_more: false,
      quota_max: 300,
      quota_remaining: 299,
    })
  if (url.searchParams.get('filter') !== FILTER) return refused(400, 'bad_parameter', 'Invalid filter specified')
  if (url.searchParams.get('site') !== 'stackoverflow') return refused(400, 'bad_parameter', 'site is required')
  const all = method === 'comments' ? world.comments : world.posts
  const wanted = ids?.split(';').map(Number)
  const found = wanted ? all.filter((item) => wanted.includes(item.post_id)) : inWindow(all, url.searchParams)
  const [page, size] = [Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get('pagesize'))]
  const items = found.slice((page - 1) * size, page * size).map((item) => shaped(item, method!))
  const { backoff } = world
  world.backoff = undefined
  return json({
    items,
    has_more: found.length > page * size,
    ...(backoff ? { backoff } : {}),
    quota_max: 10_000,
    quota_remaining: world.quota_remaining ?? 9000,
  })
}

function inWindow(items: readonly Item[], query: URLSearchParams): Item[] {
  const sign = query.get('order') === 'asc' ? 1 : -1
  const found = items.filter(
    (item) => item.creation_date === undefined || item.creation_date >= Number(query.get('fromdate')),
  )
  return found.sort((a, b) => sign * (a.creation_date - b.creation_date))
}

function shaped(item: Item, method: string): unknown {
  const answer =
    item['post_type'] === 'answer' ? { answer_id: item.post_id, question_id: 99000001 } : { question_id: item.post_id }
  if (method === 'search/excerpts')
    return { item_type: item['post_type'], ...answer, creation_date: item.creation_date, excerpt: '...' }
  if (method === 'questions') return { ...answer, answer_count: 2, view_count: 77 }
  return method === 'answers' ? answer : item
}

describeSource('stackoverflow', {
  open: () => collecting(open('app-key')),
  at: { ordinary: AT, later: new Date(AT.getTime() + 120_000) },
  serves: { replies: ({ url }, stage) => platform(STAGES[stage], url) },
  refusals: recorded<Record<'throttled' | 'unavailable' | 'credentials', ServedReply>>('refusals.json'),
  throttledForSeconds: 7,
  expected: {
    ordinary: ['99000001', '99000002', '99000003', 'c:199000001', 'c:199000002'].map((id) => `post ${id}`),
    later: ['99000005', '99000004', 'c:199000004', 'c:199000003'].map((id) => `post ${id}`),
  },
  nativeIdPattern: /^(?:c:)?\d+$/,
  urlPattern: /^https:\/\/stackoverflow\.com\/(?:questions\/\d+|a\/\d+)/,
})

/** A context over a platform that is kept here, without a network. */
function contextFor(reply: (url: URL) => ServedReply, at = AT) {
  now = at
  const asked: URL[] = []
  const costs: Cost[] = []
  const context: CollectContext = {
    async fetch(address, init = {}): Promise<SourceReply> {
      asked.push(new URL(address))
      costs.push(init.cost ?? {})
      return { status: 200, headers: {}, ...reply(new URL(address)) }
    },
    ...BARE_CONTEXT,
    at,
  }
  return { context, asked, costs, methods: () => asked.map(({ pathname }) => pathname.replace('/2.3/', '')) }
}

async function poll(source: StreamSource, reply: (url: URL) => ServedReply, cursor: Cursor | null, at = AT) {
  const { context, asked, costs, methods } = contextFor(reply, at)
  const batches: SourceBatch[] = []
  const fault = await (async () => {
    for await (const batch of source.poll(context, cursor)) batches.push(batch)
    return null
  })().catch((error: { kind: string; retryAfterSeconds: number | null }) => error)
  const posts = batches.flatMap(({ events }) => events.flatMap((event) => (event.kind === 'post' ? [event.post] : [])))
  return {
    batches,
    posts,
    ids: posts.map(({ nativeId }) => nativeId),
    cursor: batches.at(-1)?.cursor ?? cursor,
    fault,
    asked,
    costs,
    methods: methods(),
  }
}

async function search(source: StreamSource, reply: (url: URL) => ServedReply, term: string, limit = 1000, at = AT) {
  const { context, asked, methods } = contextFor(reply, at)
  const posts: Post[] = []
  for await (const some of source.searching!.search(context, {
    terms: [term],
    since: new Date(AT.getTime() - 30 * 86_400_000),
    limit,
  }))
    posts.push(...some)
  return { posts, asked, methods: methods() }
}

const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000)
const withKey = () => open('app-key')
const from = (world: World) => (url: URL) => platform(world, url)
const placed = (seconds: number): Cursor => ({
  sinceSeconds: seconds,
  postsSeconds: seconds,
  commentsSeconds: seconds,
  seen: [],
})
const answers = (count: number, secondsOf: (at: number) => number): Item[] =>
  Array.from({ length: count }, (_, at) => ({
    ...STAGES.ordinary.posts.find(({ post_id: id }) => id === 99000002)!,
    post_id: at + 1,
    creation_date: secondsOf(at),
    link: undefined,
  }))
const quiet = (): World => ({ posts: [], comments: [] })

describe('stackoverflow polls', () => {
  test('two requests, and one for the filter of the process, under the quota and with the key', async () => {
    const source = withKey()
    const first = await poll(source, from(STAGES.ordinary), null)
    expect(first.methods).toEqual(['filters/create', 'posts', 'comments'])
    expect(first.costs).toEqual([{ requests: 1 }, { requests: 1 }, { requests: 1 }])
    expect(Object.fromEntries(first.asked[1]!.searchParams)).toEqual({
      site: 'stackoverflow',
      filter: FILTER,
      pagesize: '100',
      order: 'asc',
      sort: 'creation',
      fromdate: String(AT_SECONDS - 60),
      page: '1',
      key: 'app-key',
    })
    const second = await poll(source, from(STAGES.ordinary), first.cursor)
    expect(second.methods).toEqual(['posts', 'comments'])
    expect(second.ids).toEqual([])
  })

  test('seldom and within 300 requests a day without a key', async () => {
    const quotaOf = (source: StreamSource) => source.limits.find(({ kind }) => kind === 'daily')!.most
    const keyless = open(null)
    expect([quotaOf(withKey()), quotaOf(keyless)]).toEqual([10_000, 300])
    // What is left serves searches, and polls after an absence.
    expect((86_400 / keyless.pollSeconds) * 2 + 1).toBeLessThanOrEqual(200)
    expect(withKey().pollSeconds).toBe(120)
    expect((await poll(keyless, from(quiet()), null)).asked.every((url) => !url.searchParams.has('key'))).toBe(true)
    expect(keyless.enrich).toBeUndefined()
  })

  test('a first poll that finds nothing says from where to go on', async () => {
    expect(await poll(withKey(), from(quiet()), null)).toMatchObject({
      batches: [{ events: [], cursor: placed(AT_SECONDS - 60) }],
      fault: null,
    })
    expect((await poll(withKey(), from(quiet()), placed(AT_SECONDS - 60))).batches).toEqual([])
  })

  test('everything over many pages, each once, oldest first, although items are removed meanwhile', async () => {
    const world: World = { posts: answers(730, (at) => AT_SECONDS - 4000 + at * 5), comments: [] }
    const all = world.posts.map(({ post_id: id }) => String(id))
    const reply = (url: URL) => {
      const answered = platform(world, url)
      // What was read already and disappears would push others out of the next page.
      if (url.pathname.endsWith('/posts')) world.posts = world.posts.slice(7)
      return answered
    }
    const { ids, fault } = await poll(withKey(), reply, placed(AT_SECONDS - 4001))
    expect([ids, fault]).toEqual([all, null])
  })

  test('a second with more items than a page holds is read page by page', async () => {
    const world: World = {
      posts: [...answers(350, () => AT_SECONDS - 20), { ...answers(1, () => AT_SECONDS - 10)[0]!, post_id: 9999 }],
      comments: [],
    }
    const { ids } = await poll(withKey(), from(world), placed(AT_SECONDS - 100))
    expect([new Set(ids).size, ids.length]).toEqual([351, 351])
  })

  test('a long absence is caught up with over several polls', async () => {
    const world: World = { posts: answers(5000, (at) => AT_SECONDS - 400_000 + at * 60), comments: [] }
    const source = withKey()
    let cursor: Cursor | null = placed(AT_SECONDS - 400_001)
    const found: string[] = []
    for (let polls = 0; polls < 4; polls += 1) {
      const { ids, cursor: next, methods } = await poll(source, from(world), cursor)
      expect(methods.length).toBeLessThanOrEqual(22)
      found.push(...ids)
      cursor = next
    }
    expect(found).toEqual(world.posts.map(({ post_id: id }) => String(id)))
  })

  test('the ids in the cursor are bounded in number and age, and a time ahead of ours does not move it past what is to come', async () => {
    const world: World = { posts: answers(1500, (at) => AT_SECONDS - 1500 + at), comments: [] }
    const { cursor } = await poll(withKey(), from(world), placed(AT_SECONDS - 1501))
    const seen = (cursor!['seen'] as string[]).map((entry) => Number(entry.split(':')[1]))
    expect([Math.min(...seen), seen.length]).toEqual([AT_SECONDS - 601, 601])
    const ahead: World = { posts: answers(1, () => AT_SECONDS + 5000), comments: [] }
    const { posts, cursor: after } = await poll(withKey(), from(ahead), placed(AT_SECONDS - 10))
    expect([after!['postsSeconds'], posts[0]!.publishedAt]).toEqual([AT_SECONDS, AT])
    const position = positionFrom(null, AT_SECONDS, () => false)
    const items = Array.from({ length: 3000 }, (_, at) => ({ nativeId: String(at), seconds: AT_SECONDS - 5 }))
    expect(advance(position, 'posts', items, AT_SECONDS).length).toBe(3000)
    expect((toCursor(position)['seen'] as string[]).at(0)).toBe(`1000:${AT_SECONDS - 5}`)
  })

  test('one odd item does not hide the others; when most are odd it is shape_changed and the position stays', async () => {
    const odd = (count: number): World => ({
      posts: answers(5, (at) => AT_SECONDS - 9 + at).map((answer, at) =>
        at < count ? { ...answer, body: null } : answer,
      ),
      comments: [],
    })
    expect((await poll(withKey(), from(odd(2)), null)).ids).toEqual(['3', '4', '5'])
    expect(await poll(withKey(), from(odd(3)), null)).toMatchObject({ batches: [], fault: { kind: 'shape_changed' } })
  })

  test('comments that fail leave the posts handed over, and their own position', async () => {
    const failing = (url: URL) =>
      url.pathname.endsWith('/comments') ? { status: 503, body: '' } : platform(STAGES.ordinary, url)
    const source = withKey()
    const first = await poll(source, failing, null)
    expect(first).toMatchObject({
      ids: ['99000001', '99000002', '99000003'],
      fault: { kind: 'unavailable' },
      cursor: { postsSeconds: AT_SECONDS - 10, commentsSeconds: AT_SECONDS - 60 },
    })
    expect((await poll(source, from(STAGES.ordinary), first.cursor)).ids).toEqual(['c:199000001', 'c:199000002'])
  })
})

describe('stackoverflow waits', () => {
  test('a method that asks for a pause is not asked again before it is over, and what it said counts', async () => {
    const source = withKey()
    const first = await poll(source, from({ ...STAGES.ordinary, backoff: 40 }), null)
    expect([first.ids.length, first.fault]).toEqual([5, null])
    const soon = await poll(source, from(STAGES.ordinary), first.cursor, later(39))
    expect(soon).toMatchObject({ asked: [], batches: [], fault: { kind: 'throttled' } })
    expect(soon.fault).toMatchObject({ retryAfterSeconds: 1 })
    expect(soon.fault).toBeInstanceOf(QuotaReached)
    const over = await poll(source, from(STAGES.later), first.cursor, later(40))
    expect([over.fault, over.ids.length]).toEqual([null, 4])
  })

  test('a pause begins with the reply that asks for it, however long the poll takes', async () => {
    const source = withKey()
    const world: World = { ...STAGES.ordinary, backoff: 40 }
    const slow = (url: URL) => {
      now = new Date(now.getTime() + 5000)
      return platform(world, url)
    }
    // The second request of three, which asks for the pause, is answered after ten seconds.
    const first = await poll(source, slow, null)
    expect((await poll(source, from(STAGES.ordinary), first.cursor, later(49))).fault).toMatchObject({
      retryAfterSeconds: 1,
    })
    expect((await poll(source, from(STAGES.ordinary), first.cursor, later(50))).fault).toBeNull()
  })

  test('a pause in the middle ends the poll behind what was read', async () => {
    const world: World = {
      posts: answers(150, (at) => AT_SECONDS - 50 + Math.floor(at / 10)),
      comments: [],
      backoff: 10,
    }
    const source = withKey()
    const first = await poll(source, from(world), placed(AT_SECONDS - 60))
    expect([first.ids.length, first.fault]).toMatchObject([100, { kind: 'throttled' }])
    const rest = await poll(source, from(world), first.cursor, later(120))
    expect([...first.ids, ...rest.ids]).toEqual(world.posts.map(({ post_id: id }) => String(id)))
  })

  test('a pause of the polls is none of the search', async () => {
    const source = withKey()
    await poll(source, from({ ...STAGES.ordinary, comments: [], backoff: 600 }), null)
    // The search takes its posts from the same method, but a search that finds nothing does not come so far.
    expect((await search(source, from(quiet()), 'acme')).methods).toEqual(['search/excerpts'])
    await expect(search(source, from(STAGES.ordinary), 'acme')).rejects.toMatchObject({ kind: 'throttled' })
  })

  test('a refusal for haste silences every method for as long as it says', async () => {
    const source = withKey()
    await poll(source, from(STAGES.ordinary), null)
    const first = await poll(
      source,
      () =>
        refused(502, 'throttle_violation', 'too many requests from this IP, more requests available in 300 seconds'),
      null,
    )
    expect(first.fault).toMatchObject({ kind: 'throttled', retryAfterSeconds: 300 })
    expect(await poll(source, from(STAGES.ordinary), null, later(299))).toMatchObject({
      asked: [],
      fault: { kind: 'throttled', retryAfterSeconds: 1 },
    })
    expect((await poll(source, from(STAGES.ordinary), null, later(300))).fault).toBeNull()
  })

  test('a quota that is used up is left alone until midnight', async () => {
    const source = withKey()
    await poll(source, from(STAGES.ordinary), null)
    const last = await poll(source, from({ ...STAGES.ordinary, quota_remaining: 0 }), placed(AT_SECONDS - 60))
    expect([last.ids.length, last.fault]).toMatchObject([3, { retryAfterSeconds: 11 * 3600, daily: true }])
    expect((await poll(source, from(STAGES.ordinary), null, later(11 * 3600 - 1))).asked).toEqual([])
    expect((await poll(source, from(quiet()), null, later(11 * 3600))).fault).toBeNull()
  })

  test('refusals are told apart by their numbers, whatever the status', async () => {
    const kindOf = async (reply: ServedReply) => (await poll(withKey(), () => reply, null)).fault
    expect(await kindOf(refused(500, 'internal_error', 'oops'))).toMatchObject({ kind: 'unavailable' })
    expect(await kindOf(refused(405, 'key_required', 'a key is required'))).toMatchObject({ kind: 'credentials' })
    expect(await kindOf(refused(404, 'no_method', 'this method does not exist'))).toMatchObject({
      kind: 'shape_changed',
    })
    expect(await kindOf({ status: 429, headers: { 'retry-after': '9' }, body: '<html></html>' })).toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: 9,
    })
    expect(await kindOf(json({ items: [], has_more: false }))).toMatchObject({ kind: 'shape_changed' })
  })

  test('a filter that is not known any more is made anew', async () => {
    const source = withKey()
    await poll(source, from(STAGES.ordinary), null)
    expect(
      (await poll(source, () => refused(400, 'bad_parameter', 'Invalid filter specified'), null)).fault,
    ).toMatchObject({ kind: 'shape_changed' })
    expect((await poll(source, from(STAGES.ordinary), null)).methods[0]).toBe('filters/create')
  })
})

describe('stackoverflow searches', () => {
  test('a phrase, newest first, with the same posts as the polls', async () => {
    const source = withKey()
    const polled = await poll(source, from(STAGES.ordinary), null)
    const { posts, asked, methods } = await search(source, from(STAGES.ordinary), ' [acme] "corp" ')
    expect(methods).toEqual(['search/excerpts', 'posts/99000003;99000002;99000001'])
    expect(asked[0]!.searchParams.get('q')).toBe('"acme corp"')
    expect(posts).toEqual(polled.posts.filter(({ nativeId }) => !nativeId.startsWith('c:')).reverse())
  })

  test('as many as are wanted, and a bounded number of pages', async () => {
    const world: World = { posts: answers(900, (at) => AT_SECONDS - at * 60), comments: [] }
    expect((await search(withKey(), from(world), 'acme')).posts.length).toBe(500)
    const few = await search(withKey(), from(world), 'acme', 20)
    expect(few.posts.map(({ nativeId }) => nativeId)).toEqual(Array.from({ length: 20 }, (_, at) => String(at + 1)))
    expect(few.methods.length).toBe(3)
    expect(withKey().searching!.termsPerSearch).toBe(1)
  })

  test('nothing for a term of punctuation alone', async () => {
    expect((await search(withKey(), from(STAGES.ordinary), '++')).asked).toEqual([])
  })
})

describe('stackoverflow posts', () => {
  const found = async () =>
    new Map((await poll(withKey(), from(STAGES.ordinary), null)).posts.map((post) => [post.nativeId, post]))

  test('a question: entities, code, address and picture; a score below nothing is no like', async () => {
    expect((await found()).get('99000001')).toEqual({
      platform: 'stackoverflow',
      nativeId: '99000001',
      url: 'https://stackoverflow.com/questions/99000001/acme-export-drops-lt-row-gt-tags',
      title: 'Acme export drops <row> tags, why?',
      text: 'I use the exporter of Acme Corp.\n\nacme  export\n  --all <file>',
      imageUrl: 'https://i.example.com/shot.png',
      links: ['https://acme.example/export?a=1&b=2'],
      publishedAt: new Date('2026-11-20T12:59:10Z'),
      languageHint: null,
      engagement: { likes: 0, reposts: null, replies: null, quotes: null, views: null, bookmarks: null },
      replyTo: null,
      author: {
        id: '90000001',
        name: 'Ada Example',
        handle: null,
        url: 'https://stackoverflow.com/users/90000001/ada',
        avatarUrl: 'https://i.example.com/90000001.png?s=256',
        followers: null,
        automated: null,
      },
      review: null,
    })
  })

  test('an answer and a comment say what they answer to; who was removed has a name only', async () => {
    const posts = await found()
    expect(posts.get('99000002')).toMatchObject({
      url: 'https://stackoverflow.com/a/99000002',
      title: null,
      text: 'Upgrade to 2.1 & retry.',
      replyTo: { author: null, url: null, text: 'Acme export drops <row> tags, why?' },
      author: { name: 'Boris "B" Example' },
    })
    expect(posts.get('c:199000001')).toMatchObject({
      url: 'https://stackoverflow.com/questions/99000001/acme-export#comment199000001_99000002',
      text: "That did it, see acme.example/notes. It's <row>!",
      links: ['https://acme.example/notes'],
      replyTo: { url: 'https://stackoverflow.com/a/99000002' },
      engagement: { likes: 1 },
    })
    expect(posts.get('99000003')).toMatchObject({
      url: 'https://stackoverflow.com/questions/99000003',
      title: 'Nothing but a title',
      text: '',
      author: { id: null, name: 'user90000003' },
    })
  })

  test('the account of the platform is automated, and a person of another form or with a link elsewhere costs no post', async () => {
    const authorOf = async (owner: unknown) => {
      const { posts, fault } = await poll(
        withKey(),
        from({ posts: answers(1, () => AT_SECONDS - 9).map((answer) => ({ ...answer, owner })), comments: [] }),
        null,
      )
      expect([posts.length, fault]).toEqual([1, null])
      return posts[0]!.author
    }
    const community = { user_id: -1, display_name: 'Community', link: 'https://stackoverflow.com/users/-1/community' }
    expect(await authorOf(community)).toMatchObject({
      id: '-1',
      name: 'Community',
      url: 'https://stackoverflow.com/users/-1/community',
      automated: true,
    })
    expect(
      await authorOf({ user_id: 7, display_name: 'Ada', link: 'https://stackoverflow.com.evil.example/users/7' }),
    ).toMatchObject({
      id: '7',
      url: null,
      automated: null,
    })
    expect(await authorOf({ user_id: 'seven', display_name: 'Ada', link: 5, profile_image: {} })).toMatchObject({
      id: null,
      name: 'Ada',
      avatarUrl: null,
    })
    expect(await authorOf('Ada')).toBeNull()
  })

  test('matched posts are filled in: counts of a question, the question of an answer, what a comment hangs on', async () => {
    const posts = [...(await found()).values()]
    const { context, methods } = contextFor(from(STAGES.ordinary))
    const filled = await withKey().enrich!(context, posts)
    expect(methods()).toEqual([
      'filters/create',
      'questions/99000001;99000003',
      'answers/99000002',
      'posts/99000002;99000001',
    ])
    expect(filled.map(({ nativeId, text }) => [nativeId, text])).toEqual(
      posts.map(({ nativeId, text }) => [nativeId, text]),
    )
    const item = (id: string) => filled.find(({ nativeId }) => nativeId === id)!
    expect(item('99000001').engagement).toMatchObject({ likes: 0, replies: 2, views: 77 })
    expect(item('99000002').replyTo).toEqual({
      author: null,
      url: 'https://stackoverflow.com/questions/99000001',
      text: 'Acme export drops <row> tags, why?',
    })
    expect(item('c:199000001').replyTo).toEqual({
      author: 'Boris "B" Example',
      url: 'https://stackoverflow.com/a/99000002',
      text: 'Upgrade to 2.1 & retry.',
    })
    expect(item('c:199000002').replyTo).toMatchObject({
      author: 'Ada Example',
      text: 'Acme export drops <row> tags, why?',
    })
  })

  test('filling in asks for a hundred of each sort at most, and for nothing when there is nothing', async () => {
    const question = (await found()).get('99000001')!
    const many = Array.from({ length: 250 }, (_, at): Post => ({ ...question, nativeId: String(at + 1) }))
    const { context, asked } = contextFor(from(STAGES.ordinary))
    const source = withKey()
    expect((await source.enrich!(context, many)).length).toBe(250)
    expect(asked[1]!.pathname.split(';').length).toBe(100)
    const none = contextFor(from(STAGES.ordinary))
    expect(await source.enrich!(none.context, [])).toEqual([])
    expect(none.asked).toEqual([])
  })
})
