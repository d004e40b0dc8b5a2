import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { silentLog } from '../../kernel/log.ts'
import { BARE_CONTEXT, createMeter } from '../bare-context.suite.ts'
import { describeSource, type ServedReply, type ServedRequest, type Stage, searching } from '../conformance.suite.ts'
import type { CollectContext, Cost, SourceReply, SourceRequest } from '../contract.ts'
import { github } from './source.ts'
import { THREAD_ADDRESS } from './wire.ts'

type Item = { html_url: string; updated_at: string; created_at: string; comments: number; [field: string]: unknown }
type Said = { node_id: string; updated_at: string; [field: string]: unknown }
type Found = { url: string; createdAt: string; [field: string]: unknown }
interface World {
  issues: Item[]
  comments: Record<string, Said[]>
  discussions: Found[]
}

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const STAGES: Record<Stage, World> = {
  ordinary: recorded('ordinary.json'),
  later: recorded('later.json'),
  changed: recorded('changed.json'),
}
const AT = new Date('2026-11-20T13:00:00Z')
const LATER = new Date('2026-11-20T13:30:00Z')
const MONTH = new Date('2026-10-21T13:00:00Z')

const json = (body: unknown, headers: Record<string, string> = {}): ServedReply => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Answers as the platform does: a window on the time of the last touch, pages, comments from a time on. */
function platform(world: World, { method, url, body }: Pick<ServedRequest, 'method' | 'url' | 'body'>): ServedReply {
  if (url.pathname === '/search/issues') return searchReply(world, url.searchParams)
  if (url.pathname === '/graphql' && method === 'POST')
    return discussionReply(world, (JSON.parse(body) as { variables: { wanted: string } }).variables.wanted)
  const [, owner, name, number] = url.pathname.match(/^\/repos\/([^/]+)\/([^/]+)\/issues\/(\d+)\/comments$/) ?? []
  const said = world.comments[`${owner}/${name}/${number}`]
  if (!said) return { status: 404, body: '{"message":"Not Found"}' }
  const [page, size] = [Number(url.searchParams.get('page')), Number(url.searchParams.get('per_page'))]
  return json(said.slice((page - 1) * size, page * size))
}

function searchReply({ issues }: World, query: URLSearchParams): ServedReply {
  const sinceOf = query.get('q')?.match(/updated:>=(\S+)/)?.[1] ?? ''
  const found = issues.filter(
    (issue) => issue.updated_at === undefined || Date.parse(issue.updated_at) >= Date.parse(sinceOf),
  )
  const sorted = found.sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at))
  const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))]
  return json({
    total_count: found.length,
    incomplete_results: false,
    items: sorted.slice((page - 1) * size, page * size),
  })
}

function discussionReply({ discussions }: World, wanted: string): ServedReply {
  if (!wanted.includes('updated:>=')) return { status: 400, body: '' }
  return json({
    data: { search: { nodes: discussions, pageInfo: { hasNextPage: false, endCursor: null } }, rateLimit: { cost: 1 } },
  })
}

describeSource('github', {
  open: () => searching(github({ token: 'secret' }), ['acme corp']),
  at: { ordinary: AT, later: LATER },
  serves: { replies: (request, stage) => platform(STAGES[stage], request) },
  refusals: recorded<Record<'throttled' | 'unavailable' | 'credentials', ServedReply>>('refusals.json'),
  throttledForSeconds: 7,
  expected: {
    ordinary: [
      'I_kwDOEXAMPLE12',
      'PR_kwDOEXAMPLE7',
      'I_kwDOEXAMPLE8',
      'IC_kwDOEXAMPLE120',
      'IC_kwDOEXAMPLE121',
      'IC_kwDOEXAMPLE30',
      'D_kwDOEXAMPLE40',
      'DC_kwDOEXAMPLE401',
      'DC_kwDOEXAMPLE402',
    ].map((id) => `post ${id}`),
    later: ['I_kwDOEXAMPLE6', 'IC_kwDOEXAMPLE122', 'I_kwDOEXAMPLE9', 'DC_kwDOEXAMPLE403'].map((id) => `post ${id}`),
  },
  nativeIdPattern: /^(?:I|PR|IC|D|DC)_kwDO\w+$/,
  urlPattern: THREAD_ADDRESS,
})

interface Asked {
  url: URL
  init: SourceRequest
}

/**
 * A context over a platform that is kept here, without a network; notes requests, their costs and what was given back.
 */
function contextFor(reply: (asked: Asked) => ServedReply, at = AT) {
  const asked: Asked[] = []
  const given: Cost[] = []
  const warnings: unknown[] = []
  const context: CollectContext = {
    async fetch(address, init = {}): Promise<SourceReply> {
      const item = { url: new URL(address), init }
      asked.push(item)
      return { status: 200, headers: {}, ...reply(item) }
    },
    ...BARE_CONTEXT,
    spend: (cost) => given.push(cost),
    at,
    log: { ...silentLog, warn: (fields: unknown) => warnings.push(fields) } as unknown as typeof silentLog,
  }
  return { context, asked, given, warnings, paths: () => asked.map(({ url }) => url.pathname) }
}

const answering =
  (world: World) =>
  ({ url, init }: Asked) =>
    platform(world, { url, method: init.method ?? 'GET', body: init.body ?? '' })

/** What came, and the fault that ended it. */
async function collected(found: AsyncIterable<Post[]>): Promise<{ posts: Post[]; fault: unknown }> {
  const posts: Post[] = []
  try {
    for await (const portion of found) posts.push(...portion)
  } catch (fault) {
    return { posts, fault }
  }
  return { posts, fault: null }
}

async function all(found: AsyncIterable<Post[]>): Promise<Post[]> {
  const posts: Post[] = []
  for await (const portion of found) posts.push(...portion)
  return posts
}

const comment = STAGES.ordinary.comments['acme/widgets/12']!.find(({ node_id: id }) => id === 'IC_kwDOEXAMPLE120')!
const queryFor = (terms: string[], limit = 1000, since = MONTH) => ({ terms, since, limit })
const idsOf = (posts: readonly Post[]) => posts.map((post) => post.nativeId)
const numbered = (count: number, more: (at: number) => Partial<Item> = () => ({})): Item[] =>
  Array.from({ length: count }, (_, at) => ({
    ...STAGES.ordinary.issues[1]!,
    node_id: `I_kwDO${at}`,
    html_url: `https://github.com/acme/widgets/issues/${at + 1}`,
    created_at: new Date(AT.getTime() - (at + 1) * 60_000).toISOString(),
    updated_at: new Date(AT.getTime() - (at + 1) * 60_000).toISOString(),
    ...more(at),
  }))

describe('github asks', () => {
  const source = github({ token: 'secret' })
  const queryAsked = async (terms: string[]) => {
    const { context, asked } = contextFor(answering({ issues: [], comments: {}, discussions: [] }))
    await all(source.searching.search(context, queryFor(terms)))
    return asked
  }

  test('one query for new threads and new comments, in one window, with the documented headers and costs', async () => {
    const [search, discussions, ...others] = await queryAsked(['Acme Corp'])
    expect(search!.url.searchParams.get('q')).toBe(
      '"acme corp" in:title,body,comments updated:>=2026-10-21T13:00:00Z is:public -author:app/dependabot -author:app/renovate',
    )
    expect(Object.fromEntries(search!.url.searchParams)).toMatchObject({
      sort: 'updated',
      order: 'desc',
      per_page: '100',
      page: '1',
    })
    expect(search!.init).toMatchObject({
      cost: { searches: 1 },
      headers: { authorization: 'Bearer secret', 'x-github-api-version': '2022-11-28' },
    })
    expect(search!.init.headers?.['accept']).toContain('text-match')
    expect(discussions).toMatchObject({ url: { pathname: '/graphql' }, init: { method: 'POST', cost: { points: 4 } } })
    expect(others).toEqual([])
  })

  test('several terms in one query, quotes and operators in them as words', async () => {
    const [search] = await queryAsked(['say "hi" OR not', 'C++', '++', 'Zeta'])
    expect(search!.url.searchParams.get('q')).toContain('("say hi or not" OR "c++" OR "zeta") in:')
  })

  test('nothing at all for terms that the index does not know', async () => {
    expect(await queryAsked(['++', '…'])).toEqual([])
  })

  test('terms fit as long as five operators and 256 characters hold them; a single one always does', () => {
    const { fits, termsPerSearch } = source.searching
    const terms = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
    expect([fits!(terms.slice(0, 6)), fits!(terms), termsPerSearch]).toEqual([true, false, 6])
    const long = (letter: string) => letter.repeat(80)
    expect([
      fits!([long('a'), long('b'), long('c'), 'd']),
      fits!([long('a'), long('b')]),
      fits!(['word '.repeat(200)]),
    ]).toEqual([false, true, true])
  })

  test('without a token neither discussions nor people are asked for, and fewer searches', async () => {
    const keyless = github({ token: null })
    const { context, asked, paths } = contextFor(answering({ issues: [], comments: {}, discussions: [] }))
    await all(keyless.searching.search(context, queryFor(['acme corp'])))
    expect(paths()).toEqual(['/search/issues'])
    expect(asked[0]!.init.headers).not.toHaveProperty('authorization')
    expect(keyless.enrich).toBeUndefined()
    expect(keyless.limits.map(({ quota }) => quota)).toEqual(['searches', 'core'])
    const searches = (source: typeof keyless) => source.limits.find(({ quota }) => quota === 'searches')
    expect([searches(keyless), searches(source)]).toMatchObject([
      { most: 10, perSeconds: 60 },
      { most: 30, perSeconds: 60 },
    ])
  })
})

describe('github finds', () => {
  test('everything over several pages, and no more pages than the platform shows', async () => {
    const some = contextFor(answering({ issues: numbered(250), comments: {}, discussions: [] }))
    expect((await all(github({ token: null }).searching.search(some.context, queryFor(['x'])))).length).toBe(250)
    expect(some.asked.length).toBe(3)
    const many = contextFor(answering({ issues: numbered(1500), comments: {}, discussions: [] }))
    expect((await all(github({ token: null }).searching.search(many.context, queryFor(['x'], 5000)))).length).toBe(1000)
    expect(many.asked.length).toBe(10)
  })

  test('as many of the newest as are wanted, even behind threads that were only touched lately', async () => {
    const old = numbered(120, (at) => ({
      node_id: `I_old${at}`,
      created_at: '2020-01-01T00:00:00Z',
      updated_at: AT.toISOString(),
    }))
    const { context, asked } = contextFor(
      answering({ issues: [...old, ...numbered(300)], comments: {}, discussions: [] }),
    )
    const posts = await all(github({ token: null }).searching.search(context, queryFor(['x'], 50)))
    expect(idsOf(posts).slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, at) => `I_kwDO${at}`))
    expect(asked.length).toBe(2)
  })

  test('a thread that was not touched again is not read again, and its comments come all the same', async () => {
    const source = github({ token: 'secret' })
    const first = contextFor(answering(STAGES.ordinary))
    const posts = await all(source.searching.search(first.context, queryFor(['acme corp'])))
    const second = contextFor(answering(STAGES.ordinary))
    expect(await all(source.searching.search(second.context, queryFor(['acme corp'])))).toEqual(posts)
    expect(first.paths().filter((path) => path.endsWith('/comments')).length).toBe(2)
    expect(second.paths()).toEqual(['/search/issues', '/graphql'])
    // What was touched, or is asked for from an earlier time, is read anew.
    const third = contextFor(answering(STAGES.later), LATER)
    await all(source.searching.search(third.context, queryFor(['acme corp'])))
    expect(third.paths()).toContain('/repos/acme/widgets/issues/12/comments')
    expect(third.paths()).not.toContain('/repos/old-org/archive/issues/3/comments')
    const fourth = contextFor(answering(STAGES.later), LATER)
    const earlier = await all(
      source.searching.search(fourth.context, queryFor(['acme corp'], 1000, new Date('2025-01-01T00:00:00Z'))),
    )
    expect(idsOf(earlier)).toContain('IC_kwDOEXAMPLE29')
  })

  test('all comments of a thread over several pages', async () => {
    const item = STAGES.ordinary.comments['acme/widgets/12']![0]!
    const said = Array.from({ length: 230 }, (_, at) => ({ ...item, node_id: `IC_${at}` }))
    const { context } = contextFor(
      answering({
        issues: [STAGES.ordinary.issues.find((issue) => issue.html_url.endsWith('/12'))!],
        comments: { 'acme/widgets/12': said },
        discussions: [],
      }),
    )
    const posts = await all(github({ token: 'secret' }).searching.search(context, queryFor(['acme corp'])))
    expect(posts.filter(({ nativeId }) => nativeId.startsWith('IC_')).length).toBe(230)
  })

  test('the other threads when one of them is gone', async () => {
    const { 'acme/widgets/12': _gone, ...comments } = STAGES.ordinary.comments
    const { context } = contextFor(answering({ ...STAGES.ordinary, comments }))
    expect(idsOf(await all(github({ token: 'secret' }).searching.search(context, queryFor(['acme corp']))))).toContain(
      'IC_kwDOEXAMPLE30',
    )
  })

  test('comments of as many threads as the budget allows, first where the platform shows one with the phrase', async () => {
    const shown = { text_matches: [{ object_type: 'IssueComment' }] }
    const issues = numbered(150, (at) => ({ comments: 1, ...(at >= 140 ? shown : {}) }))
    const read = async (token: string | null, limit = 1000) => {
      const { context, paths } = contextFor(answering({ issues, comments: {}, discussions: [] }))
      await all(github({ token }).searching.search(context, queryFor(['x'], limit)))
      return paths().flatMap((path) => path.match(/issues\/(\d+)\/comments/)?.[1] ?? [])
    }
    const withToken = await read('secret')
    expect([withToken.length, withToken[0], withToken[10]]).toEqual([100, '141', '1'])
    // Without a token only threads are read in which a comment is shown.
    expect(await read(null)).toEqual(Array.from({ length: 10 }, (_, at) => String(141 + at)))
    expect((await read('secret', 5)).length).toBe(5)
  })

  test('without a token a quota for comments that is used up ends the comments, with a token the search', async () => {
    const issues = numbered(2, () => ({ comments: 1, text_matches: [{ object_type: 'IssueComment' }] }))
    const spent = {
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(AT.getTime() / 1000 + 900) },
      body: '{"message":"API rate limit exceeded"}',
    }
    const refusing = (asked: Asked) =>
      asked.url.pathname.endsWith('/comments') ? spent : answering({ issues, comments: {}, discussions: [] })(asked)
    const keyless = contextFor(refusing)
    expect((await all(github({ token: null }).searching.search(keyless.context, queryFor(['x'])))).length).toBe(2)
    expect(keyless.asked.length).toBe(2)
    await expect(
      all(github({ token: 'secret' }).searching.search(contextFor(refusing).context, queryFor(['x']))),
    ).rejects.toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: 900,
    })
  })

  test('what a search that ended early found, and then fails so that it is asked again, twice in a row at most', async () => {
    const partly = (asked: Asked) => {
      const reply = answering(STAGES.ordinary)(asked)
      return asked.url.pathname === '/search/issues'
        ? { ...reply, body: reply.body.replace('"incomplete_results":false', '"incomplete_results":true') }
        : reply
    }
    const source = github({ token: 'secret' })
    const search = async (answer = partly, term = 'acme corp') => {
      const { context, warnings } = contextFor(answer)
      return { ...(await collected(source.searching.search(context, queryFor([term])))), warnings }
    }
    const unavailable = expect.objectContaining({ kind: 'unavailable' })
    const first = await search()
    expect([first.posts.length, first.fault]).toEqual([9, unavailable])
    expect((await search(partly, 'another')).fault).toEqual(unavailable)
    expect((await search()).fault).toEqual(unavailable)
    const third = await search()
    expect([third.posts.length, third.fault, third.warnings]).toEqual([
      9,
      null,
      [expect.objectContaining({ times: 3 })],
    ])
    // One that is whole, like one that was given up on, begins the count anew.
    expect((await search()).fault).toEqual(unavailable)
    expect((await search(answering(STAGES.ordinary))).fault).toBeNull()
    expect((await search()).fault).toEqual(unavailable)
    expect((await search()).fault).toEqual(unavailable)
    expect((await search()).fault).toBeNull()
  })

  test('the comments of other threads when those of one are not shown, said once for all, and not asked for again', async () => {
    const issues = numbered(4, () => ({ comments: 1 }))
    const hidden = {
      status: 403,
      headers: { 'x-ratelimit-remaining': '20' },
      body: '{"message":"Resource not accessible"}',
    }
    const world = { issues, comments: { 'acme/widgets/4': [comment] }, discussions: [] }
    const source = github({ token: 'secret' })
    const search = () => {
      const item = contextFor((asked) =>
        /issues\/[12]\/comments/.test(asked.url.pathname) ? hidden : answering(world)(asked),
      )
      return collected(source.searching.search(item.context, queryFor(['x']))).then((done) => ({
        ...done,
        ...item,
        ids: idsOf(done.posts),
      }))
    }
    const first = await search()
    expect([first.ids, first.fault]).toEqual([[...idsOf(first.posts).slice(0, 4), 'IC_kwDOEXAMPLE120'], null])
    expect(first.warnings).toEqual([
      expect.objectContaining({ threads: 3, first: 'https://github.com/acme/widgets/issues/1' }),
    ])
    expect((await search()).paths()).toEqual(['/search/issues', '/graphql'])
  })

  test('but a token that is refused for comments ends the search', async () => {
    const refusing = (asked: Asked) =>
      asked.url.pathname.endsWith('/comments') ? { status: 401, body: '{}' } : answering(STAGES.ordinary)(asked)
    const { fault, posts } = await collected(
      github({ token: 'secret' }).searching.search(contextFor(refusing).context, queryFor(['x'])),
    )
    expect([fault, posts.length]).toEqual([expect.objectContaining({ kind: 'credentials' }), 6])
  })

  describe('threads that cannot be read', () => {
    /** Searches threads of which some fail; answers the numbers of those asked for, and of those whose comment came. */
    function failing(count: number) {
      const issues = numbered(count, () => ({ comments: 1 }))
      const comments = Object.fromEntries(
        issues.map((_, at) => [`acme/widgets/${at + 1}`, [{ ...comment, node_id: `IC_${at + 1}` }]]),
      )
      const source = github({ token: 'secret' })
      const world = { issues, comments, discussions: [] }
      return {
        world,
        async search(replies: Record<number, ServedReply>, { term = 'x', since = MONTH } = {}) {
          const numberOf = (path: string) => Number(path.match(/issues\/(\d+)\/comments/)?.[1] ?? 0)
          const { context, paths, warnings } = contextFor(
            (asked) => replies[numberOf(asked.url.pathname)] ?? answering(world)(asked),
          )
          const { posts, fault } = await collected(source.searching.search(context, queryFor([term], 1000, since)))
          const said = idsOf(posts).flatMap((id) => id.match(/^IC_(\d+)$/)?.[1] ?? [])
          return { asked: paths().map(numberOf).filter(Boolean), said: said.map(Number), fault, warnings }
        },
      }
    }
    const down = { status: 502, body: '' }
    const odd = json(Array.from({ length: 3 }, () => ({ node_id: 1 })))

    test('are put off, and read when they can be, though they were not touched again and the time has moved on', async () => {
      const { search, world } = failing(4)
      const first = await search({ 1: down, 3: odd })
      expect([first.asked, first.said, first.fault]).toEqual([[1, 2, 3, 4], [2, 4], null])
      world.issues = []
      expect((await search({}, { term: 'another' })).asked).toEqual([])
      const second = await search({ 1: down }, { since: AT })
      expect([second.asked, second.said]).toEqual([[1, 3], [3]])
      const third = await search({}, { since: AT })
      expect([third.asked, third.said]).toEqual([[1], [1]])
      expect((await search({}, { since: AT })).asked).toEqual([])
    })

    test('are given up after five tries, until they are touched again', async () => {
      const { search, world } = failing(1)
      for (let tries = 1; tries <= 5; tries += 1)
        expect(await search({ 1: down })).toMatchObject({
          asked: [1],
          fault: null,
          warnings: { length: tries === 5 ? 1 : 0 },
        })
      expect((await search({})).asked).toEqual([])
      world.issues = [{ ...world.issues[0]!, updated_at: AT.toISOString() }]
      expect(await search({})).toMatchObject({ asked: [1], said: [1] })
    })

    test('are the trouble of the platform when three in a row fail that did not fail before', async () => {
      const { search } = failing(6)
      const first = await search({ 2: down, 3: down, 4: down })
      expect([first.asked, first.said, first.fault]).toEqual([
        [1, 2, 3, 4],
        [1],
        expect.objectContaining({ kind: 'unavailable' }),
      ])
      const second = await search({ 2: down, 3: down, 4: down })
      expect([second.asked, second.said, second.fault]).toEqual([[5, 6, 2, 3, 4], [1, 5, 6], null])
    })
  })

  test('one odd item does not hide the others; when most are odd it is shape_changed', async () => {
    const issues = numbered(5)
    const odd = (count: number) =>
      issues.map((issue, at) => (at < count ? { ...issue, created_at: 'yesterday' } : issue))
    expect(STAGES.changed.issues.length).toBeGreaterThanOrEqual(5)
    const search = (count: number) =>
      all(
        github({ token: null }).searching.search(
          contextFor(answering({ issues: odd(count), comments: {}, discussions: [] })).context,
          queryFor(['x']),
        ),
      )
    expect((await search(2)).length).toBe(3)
    await expect(search(3)).rejects.toMatchObject({ kind: 'shape_changed' })
  })
})

describe('github refuses', () => {
  const failing = async (reply: ServedReply, path = '/search/issues') => {
    const { context } = contextFor((asked) => (asked.url.pathname === path ? reply : answering(STAGES.ordinary)(asked)))
    return all(github({ token: 'secret' }).searching.search(context, queryFor(['acme corp']))).then(
      () => null,
      (fault: { kind: string; retryAfterSeconds: number | null }) => [fault.kind, fault.retryAfterSeconds],
    )
  }

  test('for haste with a time, with the end of a quota, or with words alone; otherwise for who asks', async () => {
    expect(await failing({ status: 429, body: '' })).toEqual(['throttled', 60])
    expect(
      await failing({
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(AT.getTime() / 1000 + 42) },
        body: '{}',
      }),
    ).toEqual(['throttled', 42])
    // A time that has passed, because our clock is ahead, is no time to ask again.
    expect(
      await failing({
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(AT.getTime() / 1000 - 42) },
        body: '{}',
      }),
    ).toEqual(['throttled', 60])
    expect(await failing({ status: 403, body: '{"message":"You have exceeded a secondary rate limit."}' })).toEqual([
      'throttled',
      60,
    ])
    expect(
      await failing({
        status: 403,
        headers: { 'x-ratelimit-remaining': '20' },
        body: '{"message":"Resource not accessible by personal access token"}',
      }),
    ).toEqual(['credentials', null])
    expect(await failing({ status: 422, body: '{"message":"Validation Failed"}' })).toEqual(['shape_changed', null])
  })

  test('discussions with status 200 and errors', async () => {
    const reset = { 'x-ratelimit-reset': String(AT.getTime() / 1000 + 30) }
    expect(
      await failing(
        json({ data: null, errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] }, reset),
        '/graphql',
      ),
    ).toEqual(['throttled', 30])
    expect(await failing(json({ errors: [{ type: 'INSUFFICIENT_SCOPES', message: 'no' }] }), '/graphql')).toEqual([
      'credentials',
      null,
    ])
    expect(await failing(json({ errors: [{ message: "Field 'upvoteCount' doesn't exist" }] }), '/graphql')).toEqual([
      'shape_changed',
      null,
    ])
    const slow = json({
      data: null,
      errors: [{ message: 'Something went wrong while executing your query. This may be the result of a timeout.' }],
    })
    expect(await failing(slow, '/graphql')).toEqual(['unavailable', null])
    const partly = json({
      data: { search: { nodes: [null, ...STAGES.ordinary.discussions], pageInfo: { hasNextPage: false } } },
      errors: [{ type: 'FORBIDDEN', message: 'one node' }],
    })
    expect(await failing(partly, '/graphql')).toBeNull()
  })

  test('discussions, which keeps nobody from the comments on issues', async () => {
    const { context } = contextFor((asked) =>
      asked.url.pathname === '/graphql' ? { status: 502, body: '' } : answering(STAGES.ordinary)(asked),
    )
    const { posts, fault } = await collected(
      github({ token: 'secret' }).searching.search(context, queryFor(['acme corp'])),
    )
    expect([idsOf(posts).slice(3).sort(), fault]).toEqual([
      ['IC_kwDOEXAMPLE120', 'IC_kwDOEXAMPLE121', 'IC_kwDOEXAMPLE30'],
      expect.objectContaining({ kind: 'unavailable' }),
    ])
  })

  test('comments of one discussion, which leaves it and the others as they are; of three, and the form has changed', async () => {
    const [whole] = STAGES.ordinary.discussions
    const odd = (at: number) => ({ ...whole!, id: `D_${at}`, comments: { totalCount: 3, nodes: [{}, {}, {}] } })
    const search = (count: number) => {
      const discussions = [...Array.from({ length: count }, (_, at) => odd(at)), whole!] as Found[]
      return collected(
        github({ token: 'secret' }).searching.search(
          contextFor(answering({ issues: [], comments: {}, discussions })).context,
          queryFor(['x']),
        ),
      )
    }
    expect([(await search(2)).fault, (await search(2)).posts.length]).toEqual([null, 5])
    expect([(await search(3)).fault, (await search(3)).posts.length]).toEqual([
      expect.objectContaining({ kind: 'shape_changed' }),
      6,
    ])
  })

  test('the points that a reply really cost are counted', async () => {
    const { context, given } = contextFor(answering(STAGES.ordinary))
    await all(github({ token: 'secret' }).searching.search(context, queryFor(['acme corp'])))
    expect(given).toEqual([{ points: -3 }])
  })
})

describe('github posts', () => {
  const found = async () =>
    new Map(
      (
        await all(
          github({ token: 'secret' }).searching.search(
            contextFor(answering(STAGES.ordinary)).context,
            queryFor(['acme corp']),
          ),
        )
      ).map((post) => [post.nativeId, post]),
    )

  test('an issue: plain text without its template, addresses, picture, approving reactions', async () => {
    expect((await found()).get('I_kwDOEXAMPLE12')).toEqual({
      platform: 'github',
      nativeId: 'I_kwDOEXAMPLE12',
      url: 'https://github.com/acme/widgets/issues/12',
      title: 'Importer drops rows',
      text: "What happened\n\nThe Acme Corp importer drops <row> tags, see the log and https://status.example/acme_corp_eu.\n\nconst rows: Array<Row> = await load('**all**')\n\n- [ ] docs & tests",
      imageUrl: 'https://user-images.githubusercontent.com/1/shot.png',
      links: ['https://logs.example/run?id=7&step=2', 'https://status.example/acme_corp_eu'],
      publishedAt: new Date('2026-11-20T09:00:00Z'),
      languageHint: null,
      engagement: { likes: 4, reposts: null, replies: 2, quotes: null, views: null, bookmarks: null },
      replyTo: null,
      author: {
        id: '700001',
        name: 'ada-example',
        handle: 'ada-example',
        url: 'https://github.com/ada-example',
        avatarUrl: 'https://avatars.githubusercontent.com/u/700001?v=4',
        followers: null,
        automated: null,
      },
      review: null,
    })
  })

  test('a comment names the thread it stands under; programs are known as such; accounts may be gone', async () => {
    const posts = await found()
    expect(posts.get('IC_kwDOEXAMPLE120')).toMatchObject({
      url: 'https://github.com/acme/widgets/issues/12#issuecomment-900120',
      title: null,
      text: 'Same with acme corp 2.1, thanks!',
      replyTo: { author: 'ada-example', url: 'https://github.com/acme/widgets/issues/12', text: 'Importer drops rows' },
      engagement: { likes: 1, replies: null },
    })
    expect(posts.get('IC_kwDOEXAMPLE121')!.author).toMatchObject({
      handle: 'tidy-example[bot]',
      url: 'https://github.com/apps/tidy-example',
      automated: true,
    })
    expect(posts.get('I_kwDOEXAMPLE8')!.author).toBeNull()
    expect(posts.get('PR_kwDOEXAMPLE7')).toMatchObject({ url: 'https://github.com/example/toolkit/pull/7', text: '' })
  })

  test('a discussion, its comments and their replies, each under what it answers to', async () => {
    const posts = await found()
    expect(posts.get('D_kwDOEXAMPLE40')).toMatchObject({
      title: 'What do you deploy with?',
      engagement: { likes: 9, replies: 1 },
      author: { id: '700001', name: 'Ada Example', followers: 345 },
    })
    expect(posts.get('DC_kwDOEXAMPLE401')).toMatchObject({
      title: null,
      author: null,
      replyTo: { author: 'ada-example', text: 'What do you deploy with?' },
      engagement: { likes: 4, replies: 1 },
    })
    expect(posts.get('DC_kwDOEXAMPLE402')).toMatchObject({
      text: 'Agreed, Acme Corp it is.',
      replyTo: {
        author: null,
        url: 'https://github.com/acme/widgets/discussions/40#discussioncomment-401',
        text: 'Acme Corp.',
      },
    })
  })
})

describe('github people', () => {
  const user = { id: 700001, login: 'ada-example', name: ' Ada  Example ', followers: 345 }
  const post = async () =>
    (
      await all(
        github({ token: 'secret' }).searching.search(
          contextFor(answering(STAGES.ordinary)).context,
          queryFor(['acme corp']),
        ),
      )
    ).find(({ nativeId }) => nativeId === 'I_kwDOEXAMPLE12')!
  const DAY_LATER = new Date(AT.getTime() + 25 * 3_600_000)

  test('followers and names are filled in, once a day, and an unchanged person costs nothing', async () => {
    const source = github({ token: 'secret' })
    const issue = await post()
    const first = contextFor(() => json(user, { etag: 'W/"1"' }))
    const [rich] = await source.enrich!(first.context, [issue])
    expect(rich).toEqual({ ...issue, author: { ...issue.author, name: 'Ada Example', followers: 345 } })
    expect(first.asked[0]).toMatchObject({ url: { pathname: '/users/ada-example' }, init: { cost: { core: 1 } } })
    const soon = contextFor(() => ({ status: 500, body: '' }))
    expect(await source.enrich!(soon.context, [issue])).toEqual([rich])
    expect(soon.asked).toEqual([])
    const later = contextFor(() => ({ status: 304, body: '' }), DAY_LATER)
    expect(await source.enrich!(later.context, [issue])).toEqual([rich])
    expect(later.asked[0]!.init.headers).toMatchObject({ 'if-none-match': 'W/"1"' })
    expect(later.given).toEqual([{ core: -1 }])
  })

  test('posts stay as they are when their author is gone, is a program, or has given the login away', async () => {
    const issue = await post()
    const bot: Post = { ...issue, author: { ...issue.author!, handle: 'tidy-example[bot]', automated: true } }
    const nobody: Post = { ...issue, author: null }
    const gone = contextFor(() => ({ status: 404, body: '{}' }))
    expect(await github({ token: 'secret' }).enrich!(gone.context, [issue, bot, nobody])).toEqual([issue, bot, nobody])
    expect(gone.asked.length).toBe(1)
    const taken = contextFor(() => json({ ...user, id: 5 }))
    expect(await github({ token: 'secret' }).enrich!(taken.context, [issue])).toEqual([issue])
  })

  test('a call looks up a bounded number of people, each once', async () => {
    const issue = await post()
    const posts = Array.from(
      { length: 90 },
      (_, at): Post => ({ ...issue, author: { ...issue.author!, id: null, handle: `person-${at % 45}` } }),
    )
    const { context, asked } = contextFor(() => json(user))
    const rich = await github({ token: 'secret' }).enrich!(context, posts)
    expect(asked.length).toBe(30)
    expect(rich.filter((post) => post.author!.followers === 345).length).toBe(60)
    expect(idsOf(rich)).toEqual(idsOf(posts))
  })

  test('people are looked up a few at a time; those that came before an abort or a failure are filled in', async () => {
    const issue = await post()
    const posts = Array.from(
      { length: 12 },
      (_, at): Post => ({ ...issue, author: { ...issue.author!, id: null, handle: `person-${at}` } }),
    )
    const enriched = async (ending: (number: number, abort: AbortController) => ServedReply | null) => {
      const abort = new AbortController()
      const meter = createMeter()
      let number = 0
      const { context } = contextFor(() => json(user))
      const fetch: CollectContext['fetch'] = async () => {
        number += 1
        const ended = ending(number, abort)
        await meter.pass()
        abort.signal.throwIfAborted()
        return { status: 200, headers: {}, ...(ended ?? json(user)) }
      }
      const rich = await github({ token: 'secret' }).enrich!({ ...context, fetch, signal: abort.signal }, posts)
      return {
        filled: rich.filter((post) => post.author!.followers === 345).length,
        length: rich.length,
        most: meter.most,
      }
    }
    expect(await enriched(() => null)).toEqual({ filled: 12, length: 12, most: 4 })
    expect(await enriched((number) => (number > 5 ? { status: 502, body: '' } : null))).toEqual({
      filled: 5,
      length: 12,
      most: 4,
    })
    const aborted = await enriched((number, abort) => {
      if (number === 8) abort.abort(new Error('over'))
      return null
    })
    expect([aborted.length, aborted.filled > 0 && aborted.filled < 12]).toEqual([12, true])
    await expect(enriched(() => ({ status: 502, body: '' }))).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('a login leads to its number, with or without a token; no other name reaches the platform', async () => {
    const { context, asked } = contextFor(({ url }) =>
      url.pathname === '/users/ada-example' ? json(user) : { status: 404, body: '{}' },
    )
    const { resolveAuthor } = github({ token: null })
    expect([
      await resolveAuthor!(context, '@Ada-Example'),
      await resolveAuthor!(context, 'nobody'),
      await resolveAuthor!(context, '../rate_limit'),
    ]).toEqual(['700001', null, null])
    expect(asked.length).toBe(2)
  })
})
