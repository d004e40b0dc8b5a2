import { beforeAll, describe, expect, test } from 'vitest'
import { parseCsv } from '../../../../test/csv.ts'
import { madeUpPost } from '../../../../test/makers.ts'
import type { TestKeyword } from '../../../../test/mentions.ts'
import { useFreshWorkspace, useWorkspace, useWorld } from '../../../../test/use-world.ts'
import { foldPeople } from '../../../commands/people/fold-people.ts'
import type { Post } from '../../../domain/post/post.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from '../../../kernel/clock.ts'
import { type Compat, compatOf, makeKeyword, makeMention, type Row, sourceId } from '../compat.suite.ts'
import { UNCOLLECTED } from '../platforms.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
const shared = useWorkspace(world, 'Shared')
const at = (milliseconds: number) => plus(world.clock.now(), milliseconds)
const by = (handle: string, change: object = {}): Pick<Post, 'author'> => ({
  author: {
    ...madeUpPost(world.clock.now(), '').author!,
    id: `did:plc:${handle}`,
    handle,
    name: `Name of ${handle}`,
    ...change,
  },
})
const textsOf = (rows: readonly Row[]) => rows.map(({ body }) => body)
const compat = (): Compat => compatOf(acme)

describe('§4 newest first', () => {
  test('by publication, then by id, and the cursor keeps that order', async () => {
    const keyword = await makeKeyword(acme)
    const days = [3, 1, 5, 1, 2, 4]
    for (const [place, day] of days.entries())
      await makeMention(world, keyword, { text: `post ${place}`, publishedAt: at(-day * DAY_MS) })
    const whole = await compat().list({ limit: 100 })
    expect(textsOf(whole)).toEqual(['post 3', 'post 1', 'post 4', 'post 0', 'post 5', 'post 2'])
    const paged: Row[] = []
    let cursor: string | null = null
    do {
      const { body } = await compat().call('POST', '/mentions', { limit: 2, cursor })
      paged.push(...body.data)
      cursor = body.pagination.nextCursor
    } while (cursor !== null)
    expect(paged).toEqual(whole)
  })

  test('a page has 20 rows by default, and a cursor of anything else is refused by name', async () => {
    const keyword = await makeKeyword(acme)
    for (let made = 0; made < 22; made += 1) await makeMention(world, keyword)
    expect(await compat().list()).toHaveLength(20)
    for (const cursor of ['nonsense', Buffer.from('newest x').toString('base64url')]) {
      const { status, body } = await compat().call('POST', '/mentions', { cursor })
      expect([status, body.error.code, body.error.details[0].path]).toEqual([400, 'VALIDATION_ERROR', 'cursor'])
    }
  })
})

describe('rows', () => {
  const only = async (change: Partial<Post>, verdict?: Parameters<typeof makeMention>[3]) => {
    const made = await makeMention(world, await makeKeyword(acme), change, verdict)
    return (await compat().call('GET', `/mentions/${sourceId(made)}`)).body
  }

  test('§3 author', async () => {
    expect(await only(by('@someone'))).toMatchObject({ author: 'someone', authorName: 'Name of @someone' })
    expect(await only({ platform: 'reddit', ...by('u/someone') })).toMatchObject({ author: 'someone' })
    expect(await only(by('x', { handle: null }))).toMatchObject({ author: null, authorName: 'Name of x' })
    expect(await only({ author: null })).toMatchObject({ author: null, authorName: null, authorFollowers: null })
  })

  test('§3 nullability', async () => {
    const row = await only({})
    for (const name of ['imageUrl', 'feedbackRelevant', 'engagementMetrics', 'engagementObservedAt'])
      expect(row).not.toHaveProperty(name)
    expect(row).toMatchObject({ title: null, keywordId: row.keywords[0].id })
    expect(await only({ imageUrl: 'https://images.example/a.png' })).toMatchObject({
      imageUrl: 'https://images.example/a.png',
    })
  })

  test('§3 unscored', async () => {
    const keyword = await makeKeyword(acme)
    await makeMention(world, keyword, { text: 'waits' }, null)
    expect(await compat().list()).toEqual([])
    const [row] = await compat().list({ includeAll: true })
    expect(row).toMatchObject({ relevance: 'not_relevant', relevanceScore: null, sentiment: null, tags: [] })
  })

  test('§3 body', async () => {
    expect(await only({ title: 'A title', text: 'A title\n\nThe rest' })).toMatchObject({
      title: 'A title',
      body: 'The rest',
    })
    expect(await only({ title: 'A title', text: 'Another text' })).toMatchObject({ body: 'Another text' })
    expect(await only({ title: null, text: 'Only text' })).toMatchObject({ title: null, body: 'Only text' })
  })

  test('§3 relevanceComment', async () => {
    expect(await only({}, { note: 'It asks for a price.' })).toMatchObject({ relevanceComment: 'It asks for a price.' })
  })

  test.each([
    [100, 'relevant', 0],
    [70, 'relevant', 0],
    [69, 'relevant', 1],
    [40, 'relevant', 1],
    [39, 'not_relevant', 2],
    [0, 'not_relevant', 2],
  ] as const)('a score of %i is %s, %i', async (relevance, word, relevanceScore) => {
    expect(await only({}, { relevance })).toMatchObject({ relevance: word, relevanceScore })
  })

  test('tell the time without a zone, the sentiment with a capital, and the verdict of the team', async () => {
    const row = await only({ publishedAt: new Date('2026-11-20T09:08:07.006Z') }, { sentiment: 'negative' })
    expect(row).toMatchObject({ timestamp: '2026-11-20 09:08:07.006', sentiment: 'Negative', language: 'en' })
    await compat().call('PATCH', `/mentions/${row.id}`, {
      action: 'relevance',
      relevance: 2,
      postId: row.id,
      timestamp: row.timestamp,
    })
    expect((await compat().call('GET', `/mentions/${row.id}`)).body).toMatchObject({
      feedbackRelevant: 0,
      relevanceScore: 2,
    })
  })

  test('Platform names', async () => {
    const reply = { author: null, url: null, text: null }
    expect(await only({ platform: 'reddit', replyTo: reply })).toMatchObject({ source: 'reddit_comment' })
    expect(await only({ platform: 'reddit' })).toMatchObject({ source: 'reddit' })
    expect(await only({ platform: 'x', replyTo: reply })).toMatchObject({ source: 'twitter' })
    expect(await only({ platform: 'devto' })).toMatchObject({ source: 'dev' })
    const sourcesOf = async (filters: object) => (await compat().list({ filters })).map(({ source }) => source).sort()
    expect(await sourcesOf({ source: ['reddit'] })).toEqual(['reddit', 'reddit_comment'])
    expect(await sourcesOf({ source: ['reddit_comment'] })).toEqual(['reddit_comment'])
    expect(await sourcesOf({ '!source': ['reddit_comment', 'dev'] })).toEqual(['reddit', 'twitter'])
    expect(await sourcesOf({ source: ['reddit_comment', 'dev'] })).toEqual(['dev', 'reddit_comment'])
  })

  test('Review platforms', async () => {
    const slugs = {
      appstore: 'app_store_reviews',
      googleplay: 'google_play_reviews',
      trustpilot: 'trustpilot_reviews',
      googlemaps: 'google_reviews',
    }
    for (const [platform, source] of Object.entries(slugs)) {
      expect(await only({ platform: platform as Post['platform'] })).toMatchObject({ source })
      expect(await compat().list({ filters: { source: [source] } })).toHaveLength(1)
      const refused = await compat().call('POST', '/keywords', { keyword: 'review term', platforms: [source] })
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'platforms.0'])
    }
  })
})

test('Slugs that are not collected', async () => {
  await makeMention(world, await makeKeyword(acme))
  expect(UNCOLLECTED).toContain('firehose')
  for (const slug of UNCOLLECTED) {
    expect(await compat().list({ filters: { source: [slug] } })).toEqual([])
    expect(await compat().list({ filters: { '!source': [slug] } })).toHaveLength(1)
    const refused = await compat().call('POST', '/keywords', {
      keyword: `term of ${slug}`,
      platforms: ['reddit', slug],
    })
    expect([refused.status, refused.body.error.code]).toEqual([501, 'FEATURE_DISABLED'])
    expect(refused.body.error.message).toContain(slug)
  }
  for (const slug of ['x', 'devto', 'nonsense']) {
    expect((await compat().call('POST', '/mentions', { filters: { source: [slug] } })).status).toBe(400)
    expect((await compat().call('POST', '/keywords', { keyword: `term of ${slug}`, platforms: [slug] })).status).toBe(
      400,
    )
  }
})

test('§4 dates', async () => {
  const keyword = await makeKeyword(acme)
  for (const time of [
    '2026-11-19T23:59:59.999Z',
    '2026-11-20T00:00:00.000Z',
    '2026-11-20T23:59:59.999Z',
    '2026-11-21T00:00:00.000Z',
  ])
    await makeMention(world, keyword, { text: time, publishedAt: new Date(time) })
  const found = async (filters: object) => textsOf(await compat().list({ filters })).reverse()
  const day = ['2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z']
  expect(await found({ startDate: '2026-11-20', endDate: '2026-11-20' })).toEqual(day)
  expect(await found({ startDate: day[1], endDate: day[1] })).toEqual([day[1]])
  expect(await found({ startDate: '2026-11-20 00:00:00.000', endDate: '2026-11-20T23:59:59Z' })).toEqual([day[0]])
  const grouped = (operator: string, conditions: object[]) => ({ operator: 'AND', groups: [{ operator, conditions }] })
  expect(await found(grouped('AND', [{ startDate: '2026-11-20' }, { endDate: '2026-11-20' }]))).toEqual(day)
  expect(
    await found({ ...grouped('OR', [{ source: ['bluesky'] }, { tag: ['question'] }]), startDate: '2026-11-21' }),
  ).toHaveLength(1)
  const wrong = await compat().call('POST', '/mentions', {
    filters: { startDate: '2026-11-21', endDate: '2026-11-20' },
  })
  expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'filters.endDate'])
  const unsaid = await compat().call('POST', '/mentions', {
    filters: grouped('OR', [{ startDate: '2026-11-20' }, { tag: ['question'] }]),
  })
  expect([unsaid.status, unsaid.body.error.code]).toEqual([501, 'FEATURE_DISABLED'])
})

describe('§4 relevance filter and includeAll', () => {
  test('an explicit condition replaces the default, and other sets are refused', async () => {
    const keyword = await makeKeyword(acme)
    for (const relevance of [90, 50, 20]) await makeMention(world, keyword, { text: String(relevance) }, { relevance })
    await makeMention(world, keyword, { text: 'waits' }, null)
    const found = async (body: object) => textsOf(await compat().list(body)).sort()
    expect(await found({})).toEqual(['50', '90'])
    expect(await found({ includeAll: true })).toEqual(['20', '50', '90', 'waits'])
    expect(await found({ filters: { relevance: [0] } })).toEqual(['90'])
    expect(await found({ filters: { relevance: ['1', 0] } })).toEqual(['50', '90'])
    expect(await found({ filters: { relevance: [2] }, includeAll: true })).toEqual(['20'])
    expect(await found({ filters: { relevance: [0, 1, 2] } })).toEqual(['20', '50', '90'])
    expect(await found({ filters: { '!relevance': [2] } })).toEqual(['50', '90'])
    expect(await found({ filters: { '!relevance': [0, 1] } })).toEqual(['20'])
    const inOr = {
      operator: 'AND',
      groups: [{ operator: 'OR', conditions: [{ relevance: [2] }, { source: ['reddit'] }] }],
    }
    expect(await found({ filters: inOr })).toEqual(['20'])
    for (const filters of [{ relevance: [1] }, { relevance: [0, 2] }, { '!relevance': [0] }])
      expect((await compat().call('POST', '/mentions', { filters })).status).toBe(501)
    expect((await compat().call('POST', '/mentions', { filters: { relevance: [3] } })).status).toBe(400)
  })

  test('the relevance of a feed replaces the default too', async () => {
    const keyword = await makeKeyword(acme)
    await makeMention(world, keyword, { text: 'low' }, { relevance: 10 })
    await makeMention(world, keyword, { text: 'high' }, { relevance: 90 })
    const low = { conditions: [{ field: 'RelevanceScore', values: '2' }] }
    const view = (await compat().call('POST', '/feeds', { name: 'Low', icon: 'i', simpleFilters: low })).body.id
    expect(textsOf(await compat().list({ view }))).toEqual(['low'])
    const every = (await compat().call('POST', '/feeds', { name: 'Every', icon: 'i' })).body.id
    expect(textsOf(await compat().list({ view: every }))).toEqual(['high'])
    expect((await compat().call('POST', '/mentions', { view: 99_999 })).body.error.code).toBe('FEED_NOT_FOUND')
  })
})

test('§4 50 keyword ids', async () => {
  const keyword = await makeKeyword(acme)
  await makeMention(world, keyword)
  const number = await compat().numberOf(keyword)
  const many = (count: number) => Array.from({ length: count }, (_, place) => 500_000 + place)
  expect(await compat().list({ filters: { keyword: [...many(49), String(number)] } })).toHaveLength(1)
  expect(await compat().list({ filters: { keyword: many(1) } })).toEqual([])
  expect(await compat().list({ filters: { '!keyword': many(1) } })).toHaveLength(1)
  expect(await compat().list({ filters: { '!keyword': [number] } })).toEqual([])
  for (const name of ['keyword', '!keyword'])
    expect(
      (await compat().call('POST', '/mentions', { filters: { [name]: many(51) } })).body.error.details[0].path,
    ).toBe(`filters.${name}`)
  expect((await compat().call('POST', '/mentions', { filters: { keyword: ['a name'] } })).status).toBe(400)
})

test('§4 search', async () => {
  const keyword = await makeKeyword(acme)
  await makeMention(world, keyword, { title: 'The Überholt title', text: 'nothing', ...by('ann') })
  await makeMention(world, keyword, { text: 'half 50% off_now', ...by('bob') })
  await makeMention(world, keyword, { text: 'third', ...by('cleo', { name: 'Dr. Strange' }) })
  const found = async (search: string) => textsOf(await compat().list({ search }))
  expect(await found('überH')).toEqual(['nothing'])
  expect(await found('0% OFF_')).toEqual(['half 50% off_now'])
  expect(await found('%')).toEqual(['half 50% off_now'])
  expect(await found('_now')).toEqual(['half 50% off_now'])
  expect(await found('CLE')).toEqual(['third'])
  expect(await found('r. str')).toEqual(['third'])
  expect(await found('nobody')).toEqual([])
  for (const search of ['', 'x'.repeat(201)])
    expect((await compat().call('POST', '/mentions', { search })).body.error.details[0].path).toBe('search')
})

describe('§4 --author', () => {
  test('needs exactly one source, and finds one person by handle', async () => {
    const keyword = await makeKeyword(acme)
    await makeMention(world, keyword, { text: 'by ann', ...by('Ann') })
    await makeMention(world, keyword, { text: 'by another', ...by('other', { name: 'ann' }) })
    await makeMention(world, keyword, { text: 'elsewhere', platform: 'x', ...by('ann') })
    const source = ['bluesky']
    expect(textsOf(await compat().list({ author: 'ann', filters: { source } }))).toEqual(['by ann'])
    expect(textsOf(await compat().list({ author: '@ANN', filters: { source } }))).toEqual(['by ann'])
    for (const filters of [undefined, { source: ['bluesky', 'twitter'] }, { '!source': source }])
      expect((await compat().call('POST', '/mentions', { author: 'ann', filters })).body.error.details[0].path).toBe(
        'author',
      )
    const exported = await compat().call('POST', '/mentions/export', { author: 'ann', filters: { source } })
    expect(textsOf(exported.body.data)).toEqual(['by ann'])
  })
})

describe('§4 by-author handle', () => {
  test('finds all of a person on a source, relevant or not, by name, @name or link', async () => {
    const keyword = await makeKeyword(acme)
    await makeMention(
      world,
      keyword,
      { platform: 'reddit', text: 'low', publishedAt: at(-HOUR_MS), ...by('Ann_1') },
      { relevance: 1 },
    )
    await makeMention(world, keyword, { platform: 'reddit', text: 'waits', ...by('ann_1') }, null)
    await makeMention(world, keyword, { platform: 'x', text: 'elsewhere', ...by('ann_1') })
    for (const handle of ['ann_1', '@ANN_1', 'u/ann_1', 'https://www.reddit.com/user/Ann_1']) {
      const { body } = await compat().call(
        'GET',
        `/mentions/by-author?source=reddit&handle=${encodeURIComponent(handle)}`,
      )
      expect([handle, textsOf(body.data)]).toEqual([handle, ['waits', 'low']])
    }
    const nobody = await compat().call('GET', '/mentions/by-author?source=reddit&handle=nobody')
    expect(nobody.body).toEqual({ data: [], pagination: { nextCursor: null } })
    const page = await compat().call('GET', '/mentions/by-author?source=reddit&handle=ann_1&limit=1')
    const next = await compat().call(
      'GET',
      `/mentions/by-author?source=reddit&handle=ann_1&limit=1&cursor=${page.body.pagination.nextCursor}`,
    )
    expect(textsOf([...page.body.data, ...next.body.data])).toEqual(['waits', 'low'])
  })

  test.each([
    ['source=news&handle=a', 'source'],
    ['handle=a', 'source'],
    ['source=reddit', 'handle'],
    ['source=reddit&handle=a&limit=51', 'limit'],
    ['source=reddit&profileUrl=https://www.reddit.com/user/a', 'profileUrl'],
  ])('%s is wrong in %s', async (query, path) => {
    const { status, body } = await compat().call('GET', `/mentions/by-author?${query}`)
    expect([status, body.error.details[0].path]).toEqual([400, path])
  })
})

describe('§4 PATCH "0 high,1 medium,2 low,3 clear"', () => {
  test('writes a score of 100 or 0, takes it back, and tells what holds', async () => {
    const made = await makeMention(world, await makeKeyword(acme), {}, { relevance: 55 })
    const write = async (relevance: number) =>
      (await compat().call('PATCH', `/mentions/${sourceId(made)}`, { action: 'relevance', relevance })).body
    expect(await write(1)).toMatchObject({
      ok: true,
      sourceId: sourceId(made),
      relevance: 'relevant',
      relevanceScore: 0,
    })
    expect((await acme.api('GET', '/v1/mentions')).body.data[0].classification.relevance).toBe(100)
    expect(await write(2)).toMatchObject({ relevance: 'not_relevant', relevanceScore: 2 })
    expect(await write(0)).toMatchObject({ relevance: 'relevant', relevanceScore: 0 })
    expect(await write(3)).toMatchObject({ relevance: 'relevant', relevanceScore: 1 })
    const body = { action: 'sentiment', sentimentLabel: 'Negative' }
    expect((await compat().call('PATCH', `/mentions/${sourceId(made)}`, body)).body).toMatchObject({
      sentiment: 'Negative',
    })
    for (const wrong of [
      { action: 'relevance', relevance: 4 },
      { action: 'sentiment', sentimentLabel: 'negative' },
      { action: 'x' },
    ])
      expect((await compat().call('PATCH', `/mentions/${sourceId(made)}`, wrong)).status).toBe(400)
  })
})

test('§4 engage', async () => {
  const made = await makeMention(world, await makeKeyword(acme))
  const id = sourceId(made).replace(/^mm_/, 'mtn_')
  const engage = async (more: object = {}) =>
    (await compat().call('PATCH', `/mentions/${sourceId(made)}`, { action: 'engage', ...more })).body.engaged
  const status = async () => (await acme.api('GET', `/v1/mentions/${id}`)).body.status
  expect([await engage(), await status()]).toEqual([true, 'done'])
  expect(await compat().list({ filters: { engaged: true } })).toHaveLength(1)
  expect([await engage(), await status()]).toEqual([false, 'open'])
  expect([await engage({ engaged: true }), await engage({ engaged: true })]).toEqual([true, true])
  await acme.api('PATCH', `/v1/mentions/${id}`, { status: 'ignored' })
  expect((await compat().call('GET', `/mentions/${sourceId(made)}`)).body.engaged).toBe(false)
  expect(await compat().list({ filters: { engaged: false } })).toHaveLength(1)
  expect([await engage({ engaged: false }), await status()]).toEqual([false, 'open'])
})

test('§4 404 code', async () => {
  for (const id of ['mm_nothing', '12345', 'mtn_01kg3w5z0yf8hbt2m7q4n9xc6d', 'x'])
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { action: 'engage' }],
    ] as const)
      expect((await compat().call(method, `/mentions/${id}`, body)).body.error).toMatchObject({
        code: 'POST_NOT_FOUND',
        status: 404,
      })
})

test('muted people and snoozed mentions are left out of lists', async () => {
  const keyword = await makeKeyword(acme)
  await makeMention(world, keyword, { text: 'shown', ...by('shown') })
  const snoozed = await makeMention(world, keyword, { text: 'snoozed', ...by('snoozed') })
  await makeMention(world, keyword, { text: 'muted', ...by('muted') })
  const id = sourceId(snoozed).replace(/^mm_/, 'mtn_')
  await acme.api('PATCH', `/v1/mentions/${id}`, { snoozedUntil: at(DAY_MS).toISOString() })
  await foldPeople(world)
  const { body } = await acme.api('GET', '/v1/mentions')
  const person = body.data.find((item: Row) => item.post.text === 'muted').author.personId
  await acme.api('PATCH', `/v1/people/${person}`, { muted: true })
  expect(textsOf(await compat().list({ includeAll: true }))).toEqual(['shown'])
  const own = await compat().call('GET', '/mentions/by-author?source=bluesky&handle=muted')
  expect(textsOf(own.body.data)).toEqual(['muted'])
})

describe('Exports', () => {
  let keyword: TestKeyword
  beforeAll(async () => {
    keyword = await makeKeyword(shared)
    for (const [place, text] of ['=formula()', 'two, "quoted"', 'three'].entries())
      await makeMention(
        world,
        keyword,
        { text, title: null, publishedAt: at(-place * MINUTE_MS) },
        { intents: ['pricing', 'question'] },
      )
  })

  test('are files of JSON with their number of rows', async () => {
    await world.clock.advance(MINUTE_MS)
    const answer = await compatOf(shared).call('POST', '/mentions/export', { limit: 2 }, { key: shared.readKey })
    expect(answer.status).toBe(200)
    expect([answer.headers.get('x-total-count'), answer.body.total]).toEqual(['2', 2])
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="mentions-[\d-]{10}\.json"$/)
    expect(answer.body.data).toEqual((await compatOf(shared).list()).slice(0, 2))
  })

  test('are files of CSV in the columns of the vendor, safe to open', async () => {
    await world.clock.advance(MINUTE_MS)
    const answer = await compatOf(shared).call('POST', '/mentions/export', { format: 'csv' })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head, first, second] = parseCsv(answer.body)
    expect(head).toEqual(
      'id sourceId timestamp source url title body author authorFollowers language keywords tags relevance sentiment engaged'.split(
        ' ',
      ),
    )
    expect([first![6], first![11], second![6], first![14]]).toEqual([
      "'=formula()",
      'pricing|question',
      'two, "quoted"',
      'false',
    ])
  })

  test('take no cursor, at most 5,000 rows, and share six a minute with those of /v1', async () => {
    await world.clock.advance(MINUTE_MS)
    for (const body of [{ cursor: 'x' }, { limit: 5001 }, { format: 'xml' }])
      expect((await compatOf(shared).call('POST', '/mentions/export', body)).status).toBe(400)
    for (let asked = 0; asked < 3; asked += 1) {
      expect((await compatOf(shared).call('POST', '/mentions/export', {})).status).toBe(200)
      expect((await shared.api('GET', '/v1/mentions/export.json')).status).toBe(200)
    }
    const refused = await compatOf(shared).call('POST', '/mentions/export', {})
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after') !== null]).toEqual([
      429,
      'RATE_LIMITED',
      true,
    ])
  })
})

test('Newer filters of the vendor', async () => {
  const keyword = await makeKeyword(acme)
  const review = {
    rating: 2,
    ratingMax: 5,
    title: null,
    version: null,
    country: null,
    verified: null,
    response: null,
    responseAt: null,
    app: null,
  }
  const engagement = { likes: 10, reposts: null, replies: null, quotes: null, views: null, bookmarks: null }
  await makeMention(world, keyword, { text: 'reply', replyTo: { author: null, url: null, text: null } })
  await makeMention(world, keyword, { text: 'review', platform: 'trustpilot', review })
  await makeMention(world, keyword, { text: 'liked', platform: 'x', engagement })
  const found = async (filters: object) => textsOf(await compat().list({ filters, includeAll: true })).sort()
  expect(await found({ isReply: true })).toEqual(['reply'])
  expect(await found({ reviewRating: [1, 2] })).toEqual(['review'])
  expect(await found({ '!reviewRating': [2] })).toEqual(['liked', 'reply'])
  const likes = { source: 'twitter', metric: 'likes', operator: '>=', value: 10 }
  expect(await found({ engagement: likes })).toEqual(['liked'])
  expect(await found({ engagement: [{ ...likes, value: 11 }] })).toEqual([])
  for (const [filters, name] of [
    [{ postType: 'post' }, 'postType'],
    [{ engagement: { ...likes, metric: 'views' } }, 'engagement.metric'],
    [{ engagement: { ...likes, operator: '<=' } }, 'engagement.operator'],
    [{ engagement: [likes, likes] }, 'engagement'],
  ] as const) {
    const { status, body } = await compat().call('POST', '/mentions', { filters })
    expect([status, body.error.code]).toEqual([501, 'FEATURE_DISABLED'])
    expect(body.error.message).toContain(name)
  }
})
