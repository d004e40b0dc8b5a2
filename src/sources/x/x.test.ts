import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import { describeSource, type ServedReply, type Stage, searching } from '../conformance.suite.ts'
import { type CollectContext, type Cost, MONEY, QuotaReached, type SearchSource, SourceFault } from '../contract.ts'
import { dayBill } from './day-bill.ts'
import { fits, queryOf } from './query.ts'
import { x } from './source.ts'
import { toPost } from './to-post.ts'
import { post } from './wire.ts'

type Found = { id: string; created_at: string }
type Page = { data: Found[]; includes: object; meta: { result_count: number; next_token?: string } }

const recorded = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')) as Shape
const AT = new Date('2026-11-21T12:00:00Z')
const STAGES: Record<Stage, Page> = {
  ordinary: recorded('ordinary.json'),
  later: recorded('later.json'),
  changed: recorded('changed.json'),
}
const COMPLAINTS =
  recorded<
    Record<'creditsDepleted' | 'monthReached' | 'spendCapReached' | 'unknownFields' | 'invalidQuery', ServedReply>
  >('complaints.json')
const OPTIONS = { bearerToken: 'token-of-a-test', dailyMicroUsd: 10_000_000 }
const TERMS = ['acme corp', 'beta inc']

/** Answers as the search does: since a time, newest first, page by page, `data` absent when there is nothing. */
function answer(page: Page, query: URLSearchParams): object {
  const since = Date.parse(query.get('start_time') ?? '')
  const from = Number(query.get('next_token') ?? 0)
  const size = Number(query.get('max_results'))
  const all = page.data.filter(({ created_at }) => Date.parse(created_at) >= since)
  const data = all.slice(from, from + size)
  const meta = { result_count: data.length, ...(all.length > from + size ? { next_token: String(from + size) } : {}) }
  return data.length === 0 ? { meta } : { data, includes: page.includes, meta }
}

describeSource('x', {
  open: () => searching(x(OPTIONS), TERMS),
  at: { ordinary: AT, later: new Date(AT.getTime() + 600_000) },
  serves: {
    replies: ({ url, headers }, stage) => {
      if (headers['authorization'] !== 'Bearer token-of-a-test') return { status: 401, body: '{}' }
      if (url.pathname !== '/2/tweets/search/recent') return { status: 404, body: '' }
      return {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(stage === 'changed' ? STAGES.changed : answer(STAGES[stage], url.searchParams)),
      }
    },
  },
  refusals: recorded<Record<'throttled' | 'unavailable' | 'credentials', ServedReply>>('refusals.json'),
  throttledForSeconds: 7,
  expected: {
    ordinary: [
      'post 2123687789982646273',
      'post 2123710439224246274',
      'post 2123902957777846275',
      'post 2124105542661046277',
    ],
    later: ['post 2124104536028086278', 'post 2124111834117046279'],
  },
  nativeIdPattern: /^\d{19}$/,
  urlPattern: /^https:\/\/x\.com\/i\/status\/\d{19}$/,
})

/** A context that answers from here and keeps the account of what was taken. */
function account(reply: (url: URL) => ServedReply | object, at = AT) {
  const asked: URL[] = []
  const spent: Record<string, number> = {}
  const count = (cost: Cost) => {
    for (const [quota, amount] of Object.entries(cost)) spent[quota] = (spent[quota] ?? 0) + amount
  }
  const taken: Cost[] = []
  const context: CollectContext = {
    async fetch(address, init) {
      const url = new URL(address)
      asked.push(url)
      taken.push(init?.cost ?? {})
      count(init?.cost ?? {})
      const given = reply(url)
      if (given instanceof Error) throw given
      return 'body' in given
        ? { status: 200, headers: {}, ...(given as ServedReply) }
        : { status: 200, headers: {}, body: JSON.stringify(given) }
    },
    ...BARE_CONTEXT,
    spend: count,
    at,
  }
  return { context, asked, taken, spent }
}

async function search(
  source: SearchSource,
  context: CollectContext,
  query: { terms?: readonly string[]; since?: Date; limit?: number } = {},
): Promise<Post[]> {
  const posts: Post[] = []
  for await (const portion of source.searching.search(context, {
    terms: TERMS,
    since: new Date(AT.getTime() - 86_400_000),
    limit: 1000,
    ...query,
  }))
    posts.push(...portion)
  return posts
}

const many = (count: number): Page => ({
  data: Array.from({ length: count }, (_, at) => ({
    id: String(2124105542661046277n - BigInt(at)),
    text: 'acme corp',
    author_id: '1',
    created_at: '2026-11-21T11:00:00.000Z',
  })),
  includes: {},
  meta: { result_count: count },
})
const found = (id: string): Post =>
  toPost(
    post.parse(STAGES.ordinary.data.find((item) => item.id === id)),
    new Map([['3_1', 'https://pbs.example/media/one.jpg']]),
    AT,
  )!

test('a first poll looks back no further than the recent search reaches', () => {
  expect(x({ bearerToken: 'token', dailyMicroUsd: 1_000_000 }).lookBackDays).toBe(7)
})

describe('the query of x', () => {
  test('phrases are quoted and joined, reposts left out', () => {
    expect(queryOf(['acme corp'])).toBe('"acme corp" -is:retweet')
    expect(queryOf(['acme corp', 'Beta', 'acme corp'])).toBe('("acme corp" OR "Beta") -is:retweet')
  })

  test('handles and hashtags keep their sign, addresses are looked for among the targets of links', () => {
    expect(queryOf(['@acme'])).toBe('@acme -is:retweet')
    expect(queryOf(['#acme', '#2024'])).toBe('(#acme OR "#2024") -is:retweet')
    expect(queryOf(['https://acme.com/pricing'])).toBe(
      '("https://acme.com/pricing" OR url:"acme.com/pricing") -is:retweet',
    )
    expect(queryOf(['c++'])).toBe('"c++" -is:retweet')
  })

  test('nothing that people write ends a phrase or becomes an operator', () => {
    expect(queryOf(['say "hi" OR from:me\\'])).toBe('"say hi OR from:me" -is:retweet')
    expect(queryOf(['“acme” -corp)'])).toBe('"acme -corp)" -is:retweet')
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 2, maxLength: 80 }), { minLength: 1, maxLength: 5 }),
        (terms) => {
          const query = queryOf(terms) ?? ''
          expect([...query].filter((character) => character === '"').length % 2).toBe(0)
          expect(query).not.toMatch(/[\\\p{Cc}]/u)
        },
      ),
    )
  })

  test('as many phrases fit as 512 characters hold, Chinese ones and pictographs counted twice; a single one always fits', () => {
    const fitting = (term: string) => {
      let count = 1
      while (fits(Array.from({ length: count + 1 }, (_, at) => `${term}${at}`))) count += 1
      return count
    }
    expect(queryOf(Array.from({ length: fitting('acme') }, (_, at) => `acme${at}`))!.length).toBeLessThanOrEqual(512)
    expect(fitting('喫茶店喫茶店喫茶店喫茶店喫茶店')).toBeLessThan(fitting('coffee-and-cake'))
    for (const unit of ['a', '茶', '🦊', '"']) expect(fits([unit.repeat(80)])).toBe(true)
    expect(fits([`${'茶'.repeat(76)}.com`])).toBe(true)
  })

  test('punctuation alone is not asked for', async () => {
    const { context, asked } = account(() => ({}))
    expect(await search(x(OPTIONS), context, { terms: ['+++', '"'] })).toEqual([])
    expect(asked).toEqual([])
  })
})

describe('the money of x', () => {
  test('a page is paid for with all it could hold before it is asked, and the rest is given back', async () => {
    const { context, taken, spent } = account((url) => answer(STAGES.ordinary, url.searchParams))
    const posts = await search(x(OPTIONS), context, { since: new Date(AT.getTime() - 7 * 86_400_000) })
    expect(taken).toEqual([{ searches: 1, [MONEY]: 500_000 }])
    // The odd item was read, too.
    expect(posts.length).toBe(4)
    expect(spent).toEqual({ searches: 1, [MONEY]: 25_000 })
  })

  test('no page ties up more than a twentieth of a day, nor fewer than ten or more than are wanted', async () => {
    const firstPage = async (dailyMicroUsd: number, limit: number) => {
      const { context, asked } = account((url) => answer(many(0), url.searchParams))
      await search(x({ ...OPTIONS, dailyMicroUsd }), context, { limit })
      return asked[0]!.searchParams.get('max_results')
    }
    expect(await firstPage(10_000_000, 1000)).toBe('100')
    expect(await firstPage(5_000_000, 1000)).toBe('50')
    expect(await firstPage(1000, 1000)).toBe('10')
    expect(await firstPage(10_000_000, 30)).toBe('30')
    expect(await firstPage(10_000_000, 1)).toBe('10')
  })

  test('a post is counted once within a UTC day, and again the day after', async () => {
    const clock = { now: () => AT }
    const source = x(OPTIONS, clock)
    const cost = async (at: Date) => {
      clock.now = () => at
      const { context, spent } = account((url) => answer(many(7), url.searchParams), at)
      await search(source, context, { since: new Date('2026-11-21T10:00:00Z') })
      return spent[MONEY]
    }
    expect([await cost(AT), await cost(AT), await cost(new Date('2026-11-22T00:00:00Z'))]).toEqual([35_000, 0, 35_000])
  })

  test('the pages of a poll that are read after midnight are counted on the new day', async () => {
    const evening = new Date('2026-11-21T23:59:50Z')
    const clock = { now: () => evening }
    const source = x(OPTIONS, clock)
    await search(source, account((url) => answer(many(150), url.searchParams), evening).context)
    const { context, spent } = account((url) => answer(many(150), url.searchParams), evening)
    for await (const _posts of source.searching.search(context, {
      terms: TERMS,
      since: new Date('2026-11-21T10:00:00Z'),
      limit: 1000,
    }))
      clock.now = () => new Date('2026-11-22T00:00:10Z')
    expect(spent[MONEY], 'the second page anew').toBe(250_000)
  })

  test('a page whose reading spans midnight is counted whole, on both days', () => {
    const bill = dayBill(10)
    const [before, after] = [new Date('2026-11-21T23:59:59Z'), new Date('2026-11-22T00:00:01Z')]
    expect([
      bill.charge(['1'], { asked: before, read: before }),
      bill.charge(['1', '2'], { asked: before, read: after }),
      bill.charge(['1', '2'], { asked: after, read: after }),
    ]).toEqual([1, 2, 2])
  })

  test('one poll takes at most a fifth of the money of a day, and a smallest page in any case', async () => {
    const most = (dailyMicroUsd: number) => x({ ...OPTIONS, dailyMicroUsd }).searching.mostPosts
    expect([most(10_000_000), most(5_000_000), most(1_000_000), most(600_000), most(50_000)]).toEqual([
      400, 200, 40, 20, 10,
    ])
    // The platform hands out fewer than asked for, and odd ones are paid for, too.
    const sparse = account((url) => {
      const { data, ...rest } = answer(many(5000), url.searchParams) as Page
      return { ...rest, data: data.slice(1).map((item, at) => (at === 0 ? { ...item, id: 'odd' } : item)) }
    })
    await search(x({ ...OPTIONS, dailyMicroUsd: 1_000_000 }), sparse.context)
    expect(sparse.spent[MONEY]).toBeLessThanOrEqual(200_000)
    expect(sparse.spent[MONEY]).toBeGreaterThan(150_000)
    // Pages of 24 do not fill 90 evenly.
    const uneven = account((url) => answer(many(5000), url.searchParams))
    await search(x({ ...OPTIONS, dailyMicroUsd: 2_400_000 }), uneven.context)
    expect(uneven.spent[MONEY]).toBe(450_000)
    const busy = account((url) => answer(many(5000), url.searchParams))
    expect((await search(x({ ...OPTIONS, dailyMicroUsd: 1_000_000 }), busy.context)).length).toBe(40)
  })

  test('a bill that is full counts what it cannot remember every time', () => {
    const bill = dayBill(2)
    const during = { asked: AT, read: AT }
    expect([bill.charge(['1', '2', '3'], during), bill.charge(['1', '2', '3', '3'], during)]).toEqual([3, 1])
  })

  test('a refusal costs nothing; a reply that never came, or that cannot be read, keeps its price', async () => {
    const cost = async (reply: ServedReply | Error) => {
      const { context, spent } = account(() => reply)
      await expect(search(x(OPTIONS), context)).rejects.toBeInstanceOf(SourceFault)
      return spent[MONEY]
    }
    for (const refusal of Object.values(recorded<Record<string, ServedReply>>('refusals.json')))
      expect(await cost(refusal)).toBe(0)
    expect(await cost(COMPLAINTS.creditsDepleted)).toBe(0)
    expect(await cost(new SourceFault('unavailable', 'no whole reply'))).toBe(500_000)
    expect(await cost({ body: '<html></html>' })).toBe(500_000)
  })

  test('money, searches and look-ups are limited', () => {
    expect(x({ ...OPTIONS, dailyMicroUsd: 3_000_000 }).limits).toEqual([
      { quota: 'searches', kind: 'paced', most: 450, perSeconds: 900, burst: 20 },
      { quota: 'lookups', kind: 'paced', most: 300, perSeconds: 900, burst: 20 },
      { quota: MONEY, kind: 'daily', most: 3_000_000, timeZone: 'UTC' },
    ])
  })
})

describe('the search of x', () => {
  test('pages follow each other until the wanted number is reached or there are no more', async () => {
    const all = account((url) => answer(many(250), url.searchParams))
    expect((await search(x(OPTIONS), all.context)).length).toBe(250)
    expect(all.asked.map((url) => url.searchParams.get('next_token'))).toEqual([null, '100', '200'])
    const some = account((url) => answer(many(250), url.searchParams))
    expect((await search(x(OPTIONS), some.context, { limit: 120 })).length).toBe(120)
    expect(some.asked.length).toBe(2)
  })

  test('marks of further pages that never end are not followed for ever', async () => {
    const endless = account(() => ({ meta: { result_count: 0, next_token: 'again' } }))
    expect(await search(x(OPTIONS), endless.context)).toEqual([])
    expect(endless.asked.length).toBe(100)
  })

  test('it asks no further back than the platform reaches, and not from the last seconds on', async () => {
    const start = async (since: Date) => {
      const { context, asked } = account((url) => answer(many(0), url.searchParams))
      await search(x(OPTIONS), context, { since })
      return asked[0]!.searchParams.get('start_time')
    }
    expect(await start(new Date('2026-10-22T12:00:00Z'))).toBe('2026-11-14T12:10:00Z')
    expect(await start(new Date('2026-11-21T09:00:00.900Z'))).toBe('2026-11-21T09:00:00Z')
    expect(await start(AT)).toBe('2026-11-21T11:59:00Z')
  })

  test('no people are asked for with the posts', async () => {
    const { context, asked } = account((url) => answer(many(1), url.searchParams))
    await search(x(OPTIONS), context)
    expect(asked[0]!.searchParams.get('expansions')).toBe('attachments.media_keys')
    expect(asked[0]!.searchParams.has('user.fields')).toBe(false)
  })

  test('where the names of fields are refused, the new ones are tried once and kept', async () => {
    const source = x(OPTIONS)
    const renamed = account((url) =>
      url.searchParams.has('tweet.fields') ? COMPLAINTS.unknownFields : answer(many(2), url.searchParams),
    )
    expect((await search(source, renamed.context)).length).toBe(2)
    expect(
      renamed.asked.map((url) => [
        url.searchParams.has('tweet.fields'),
        url.searchParams.get('post.fields')?.includes('note_post'),
      ]),
    ).toEqual([
      [true, undefined],
      [false, true],
    ])
    expect(renamed.spent).toEqual({ searches: 2, [MONEY]: 10_000 })
    const next = account((url) => answer(many(2), url.searchParams))
    await search(source, next.context)
    expect(next.asked.map((url) => url.searchParams.has('post.fields'))).toEqual([true])
  })

  test('a query that is refused is not asked twice; names that stay refused are not kept', async () => {
    const wrong = account(() => COMPLAINTS.invalidQuery)
    await expect(search(x(OPTIONS), wrong.context)).rejects.toMatchObject({ kind: 'shape_changed' })
    expect(wrong.asked.length).toBe(1)
    const source = x(OPTIONS)
    const stubborn = account(() => COMPLAINTS.unknownFields)
    await expect(search(source, stubborn.context)).rejects.toMatchObject({ kind: 'shape_changed' })
    expect([stubborn.asked.length, stubborn.spent[MONEY]]).toEqual([2, 0])
    const next = account((url) => answer(many(0), url.searchParams))
    await search(source, next.context)
    expect(next.asked[0]!.searchParams.has('tweet.fields')).toBe(true)
  })

  test('credits that are used up are a matter of the operator; a month or a billing cycle that is used up is asked about a day later', async () => {
    const fault = async (reply: ServedReply) =>
      search(x(OPTIONS), account(() => reply).context).catch((error: unknown) => error)
    expect(await fault(COMPLAINTS.creditsDepleted)).toMatchObject({
      kind: 'credentials',
      message: expect.stringContaining('credits'),
    })
    expect(await fault({ ...COMPLAINTS.creditsDepleted, status: 403 })).toMatchObject({
      kind: 'credentials',
      message: expect.stringContaining('credits'),
    })
    expect(await fault(COMPLAINTS.monthReached)).toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: 86_400,
      daily: true,
    })
    expect(await fault(COMPLAINTS.spendCapReached)).toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: 86_400,
      daily: true,
    })
    expect(
      await fault({ status: 429, headers: { 'retry-after': '3', 'x-rate-limit-reset': '9' }, body: '' }),
    ).toMatchObject({
      retryAfterSeconds: 3,
      daily: false,
    })
    expect(await fault({ status: 429, headers: { 'x-rate-limit-reset': 'soon' }, body: '' })).toMatchObject({
      retryAfterSeconds: null,
    })
  })

  test('a reply that counts posts without holding them, or holds mostly odd ones, is a change of shape', async () => {
    const odd = many(5)
    const spoilt = { ...odd, data: odd.data.map((item, at) => (at > 0 ? { ...item, id: `id-${at}` } : item)) }
    for (const reply of [{ meta: { result_count: 3 } }, spoilt])
      await expect(search(x(OPTIONS), account(() => reply).context)).rejects.toMatchObject({ kind: 'shape_changed' })
  })
})

describe('the posts of x', () => {
  test('a post: characters and addresses as they are read, the picture without its address, where links lead', () => {
    expect(found('2123687789982646273')).toEqual({
      platform: 'x',
      nativeId: '2123687789982646273',
      url: 'https://x.com/i/status/2123687789982646273',
      title: null,
      text: 'Moved the team to Acme Corp & kept our notes: https://short.example/acme <3',
      imageUrl: 'https://pbs.example/media/one.jpg',
      links: ['https://acme.example/pricing?plan=team&seats=5'],
      publishedAt: new Date('2026-11-20T08:00:00Z'),
      languageHint: 'en',
      engagement: { likes: 9, reposts: 2, replies: 1, quotes: 1, views: 420, bookmarks: 3 },
      replyTo: null,
      author: {
        id: '700000000001',
        name: null,
        handle: null,
        url: 'https://x.com/i/user/700000000001',
        avatarUrl: null,
        followers: null,
        automated: null,
      },
      review: null,
    })
  })

  test('a reply names the post and the person it answers; a language that is not known is none', () => {
    expect(found('2123710439224246274')).toMatchObject({
      languageHint: null,
      replyTo: { author: 'ada_example', url: 'https://x.com/i/status/2123687789982646273', text: null },
    })
    const raw = post.parse(STAGES.ordinary.data.find(({ id }) => id === '2123710439224246274'))
    expect(toPost({ ...raw, entities: null }, new Map(), AT)?.replyTo?.author).toBe('700000000001')
  })

  test('a long post is read whole', () => {
    const { text, links, languageHint } = found('2123902957777846275')
    expect(text).toMatch(
      /5\. It explains more than you think, and nobody writes about it\.\n\nAll of it: https:\/\/cleo\.example\/acme-year$/,
    )
    expect([links, languageHint]).toEqual([['https://cleo.example/acme-year'], 'id'])
  })

  test('new names of fields are read like the old ones', () => {
    expect(found('2124105542661046277')).toMatchObject({
      text: 'Acme Corp, the film',
      links: [],
      engagement: { reposts: 4 },
      replyTo: null,
    })
    const raw = post.parse(STAGES.ordinary.data.find(({ id }) => id === '2123902957777846275'))
    const renamed = {
      ...raw,
      note_tweet: null,
      note_post: raw.note_tweet,
      referenced_posts: [{ type: 'replied_to', id: '5' }],
    }
    expect(toPost(renamed, new Map(), AT)).toMatchObject({
      text: found('2123902957777846275').text,
      replyTo: { url: 'https://x.com/i/status/5' },
    })
  })

  test('the time follows from the id where it is not given', () => {
    const raw = post.parse(STAGES.ordinary.data[0])
    expect(toPost({ ...raw, created_at: null }, new Map(), AT)?.publishedAt).toEqual(
      toPost(raw, new Map(), AT)?.publishedAt,
    )
  })
})

describe('the people of x', () => {
  const USERS = recorded<object>('users.json')
  const byAda = found('2123687789982646273')
  const byBoris = found('2123710439224246274')
  const byCleo = found('2123902957777846275')

  test('authors of matched posts are looked up together; the address gets their name; who is gone stays a number', async () => {
    const { context, asked, taken, spent } = account(() => USERS)
    const posts = await x(OPTIONS).enrich!(context, [byAda, byBoris, byCleo, byAda])
    expect(asked.map((url) => [url.pathname, url.searchParams.get('ids')])).toEqual([
      ['/2/users', '700000000001,700000000002,700000000003'],
    ])
    expect([taken, spent]).toEqual([[{ lookups: 1, [MONEY]: 30_000 }], { lookups: 1, [MONEY]: 20_000 }])
    expect(posts[0]).toEqual({
      ...byAda,
      url: 'https://x.com/ada_example/status/2123687789982646273',
      author: {
        id: '700000000001',
        name: 'Ada Example ✨',
        handle: 'ada_example',
        url: 'https://x.com/ada_example',
        avatarUrl: 'https://pbs.example/people/ada.jpg',
        followers: 1200,
        automated: null,
      },
    })
    expect(posts[1]?.author).toMatchObject({ handle: 'boris_example', followers: 0 })
    expect([posts[2], posts[3]]).toEqual([byCleo, posts[0]])
  })

  test('a person is paid for once in thirty days, also one who is gone', async () => {
    const source = x(OPTIONS)
    const asked = async (at: string) => {
      const { context, asked: urls } = account(() => USERS, new Date(at))
      await source.enrich!(context, [byAda, byCleo])
      return urls.length
    }
    expect([
      await asked('2026-11-21T12:00:00Z'),
      await asked('2026-12-21T11:59:59Z'),
      await asked('2026-12-21T12:00:00Z'),
    ]).toEqual([1, 0, 1])
  })

  test('people are looked up by twenty-five, so that little money fills in some', async () => {
    const posts = Array.from({ length: 60 }, (_, at) => ({
      ...byAda,
      author: { ...byAda.author!, id: String(900 + at) },
    }))
    const { context, asked } = account(() => ({ errors: [] }))
    expect(await x(OPTIONS).enrich!(context, posts)).toEqual(posts)
    expect(asked.map((url) => url.searchParams.get('ids')!.split(',').length)).toEqual([25, 25, 10])
  })

  test.each([
    ['the money', new QuotaReached('the day is used up', 3600, true), false],
    ['the time', new Error('too late'), true],
  ])('who was looked up before %s ran out is filled in', async (_what, error, aborted) => {
    const posts = Array.from({ length: 30 }, (_, at) => ({
      ...byAda,
      author: { ...byAda.author!, id: String(900 + at) },
    }))
    const abort = new AbortController()
    const { context } = account((url) => {
      const ids = url.searchParams.get('ids')!.split(',')
      if (ids.length === 25) return { data: ids.map((id) => ({ id, username: `p${id}`, name: 'P' })) }
      if (aborted) abort.abort()
      return error
    })
    const filled = await x(OPTIONS).enrich!({ ...context, signal: abort.signal }, posts)
    expect(filled.map(({ author }) => author?.handle ?? null)).toEqual([
      ...Array.from({ length: 25 }, (_, at) => `p${900 + at}`),
      ...Array(5).fill(null),
    ])
    expect(filled.slice(25)).toEqual(posts.slice(25))
  })

  test('somebody who could not be read is asked for again, and is not taken for gone', async () => {
    const source = x(OPTIONS)
    const odd = account(() => ({ data: [{ id: '700000000001' }] }))
    expect(await source.enrich!(odd.context, [byAda])).toEqual([byAda])
    const { context, asked } = account(() => USERS)
    expect((await source.enrich!(context, [byAda]))[0]?.author?.handle).toBe('ada_example')
    expect(asked.length).toBe(1)
    await expect(source.resolveAuthor!(odd.context, 'ada')).rejects.toMatchObject({ kind: 'shape_changed' })
  })

  test('a look-up that is refused or unreadable fails as collecting does', async () => {
    const fault = async (reply: ServedReply | object) =>
      x(OPTIONS).enrich!(account(() => reply).context, [byAda]).catch((error: unknown) => error)
    expect(await fault(COMPLAINTS.creditsDepleted)).toMatchObject({ kind: 'credentials' })
    expect(await fault({})).toMatchObject({ kind: 'shape_changed' })
    expect(await fault({ data: [{ id: 'x' }, { id: 'y' }, { id: 'z' }] })).toMatchObject({ kind: 'shape_changed' })
  })

  test('a handle is resolved once in thirty days; what is no handle is not asked for', async () => {
    const source = x(OPTIONS)
    const { context, asked, spent } = account(() => ({
      data: [{ id: '700000000001', username: 'Ada_Example', name: 'Ada' }],
    }))
    expect([
      await source.resolveAuthor!(context, '@Ada_Example'),
      await source.resolveAuthor!(context, 'ada_example'),
    ]).toEqual(['700000000001', '700000000001'])
    expect(asked.map((url) => `${url.pathname}${url.search}`)).toEqual(['/2/users/by?usernames=ada_example'])
    expect(spent).toEqual({ lookups: 1, [MONEY]: 10_000 })
    expect(await source.resolveAuthor!(context, 'no handle/at all')).toBeNull()
    const nobody = account(() => ({ errors: [{ title: 'Not Found Error' }] }))
    expect([await source.resolveAuthor!(nobody.context, 'nobody_here'), nobody.spent[MONEY]]).toEqual([null, 0])
  })
})
