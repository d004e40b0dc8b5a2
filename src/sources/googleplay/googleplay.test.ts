import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Post } from '../../domain/post/post.ts'
import { BARE_CONTEXT } from '../bare-context.suite.ts'
import { describeSource, reading, type ServedReply, type Stage } from '../conformance.suite.ts'
import type { CollectContext, SourceReply, SourceRequest } from '../contract.ts'
import { googleplay } from './source.ts'

const recorded = (name: string): string => readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')
const AT = new Date('2026-11-21T12:00:00Z')
const SINCE = new Date('2026-10-22T12:00:00Z')
const APP = 'com.acme.notes'
const PAGE = { id: APP, country: 'us', language: 'en' }
const TOKEN = 'CsABEXAMPLE_TOKEN'
const BATCH = '/_/PlayStoreUi/data/batchexecute'

/** What a batch call asks for, out of its form. */
function questionIn(body: string): { call: string; argument: unknown } {
  const [[[call, argument]]] = JSON.parse(new URLSearchParams(body).get('f.req') ?? 'null') as [[[string, string]]]
  return { call, argument: JSON.parse(argument) as unknown }
}

const argumentOf = (token: string | null) => [null, null, [2, 2, [199, null, token], null, []], [APP, 7]]
const isNext = (body: string) => body.includes(TOKEN)

const FILES: Record<Stage, string> = { ordinary: 'ordinary.txt', later: 'later.txt', changed: 'changed.txt' }

describeSource('googleplay', {
  open: () => reading(googleplay(), PAGE),
  at: { ordinary: AT, later: new Date('2026-11-22T12:00:00Z') },
  serves: {
    replies: ({ url, method, body }, stage) => {
      if (
        method !== 'POST' ||
        url.pathname !== BATCH ||
        url.searchParams.get('hl') !== 'en' ||
        url.searchParams.get('gl') !== 'us'
      )
        return { status: 404, body: '' }
      return {
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: recorded(isNext(body) ? 'ordinary-2.txt' : FILES[stage]),
      }
    },
  },
  refusals: JSON.parse(recorded('refusals.json')) as Record<'throttled' | 'unavailable' | 'gone', ServedReply>,
  throttledForSeconds: 7,
  expected: {
    ordinary: [
      'post 00000000-0000-4000-8000-000000000001',
      'post 00000000-0000-4000-8000-000000000002',
      'post gp:AOqpTOExample_-1',
      'post 00000000-0000-4000-8000-000000000004',
    ],
    later: ['post 00000000-0000-4000-8000-000000000005', 'post 00000000-0000-4000-8000-000000000006'],
  },
  nativeIdPattern: /^(?:[0-9a-f-]{36}|gp:[\w-]+)$/,
  urlPattern: /^https:\/\/play\.google\.com\/store\/apps\/details\?id=com\.acme\.notes&reviewId=[\w:-]+$/,
})

interface Asked {
  url: URL
  init: SourceRequest
}

/** A platform without a network. */
function platform(answer: (asked: Asked) => string | Partial<SourceReply>): {
  context: CollectContext
  asked: Asked[]
} {
  const asked: Asked[] = []
  const context: CollectContext = {
    fetch: async (address, init = {}) => {
      const item = { url: new URL(address), init }
      asked.push(item)
      const reply = answer(item)
      return { status: 200, headers: {}, body: '', ...(typeof reply === 'string' ? { body: reply } : reply) }
    },
    ...BARE_CONTEXT,
    userAgent: 'test/1',
    at: AT,
  }
  return { context, asked }
}

async function read(
  context: CollectContext,
  since = SINCE,
  page: { country: string | null; language: string | null } = PAGE,
): Promise<Post[]> {
  const posts: Post[] = []
  for await (const portion of googleplay().read(context, { id: APP, ...page }, since)) posts.push(...portion)
  return posts
}

const ordinary = ({ init }: Asked): string => recorded(isNext(init.body ?? '') ? 'ordinary-2.txt' : 'ordinary.txt')
const paths = (asked: readonly Asked[]) => asked.map(({ url }) => url.pathname)

/** A reply of so many reviews, an hour apart, from `first` on. */
function numbered(first: number, size: number, token: string | null, call = 'UsvDTd'): string {
  const row = (n: number) => [
    `r-${n}`,
    ['Ada'],
    3,
    null,
    'text',
    [AT.getTime() / 1000 - n * 60, 0],
    0,
    null,
    null,
    null,
    null,
  ]
  const payload = [Array.from({ length: size }, (_, at) => row(first + at)), token === null ? null : [null, token]]
  return `)]}'\n\n${JSON.stringify([['wrb.fr', call, JSON.stringify(payload), null, null, null, 'generic']])}`
}

const refusal = (code: number) => recorded('question.txt').replace('[3]', `[${code}]`)

describe('googleplay', () => {
  test('a review, place by place', async () => {
    const [first, second] = await read(platform(ordinary).context)
    expect(first).toEqual({
      platform: 'googleplay',
      nativeId: '00000000-0000-4000-8000-000000000004',
      url: 'https://play.google.com/store/apps/details?id=com.acme.notes&reviewId=00000000-0000-4000-8000-000000000004',
      title: null,
      text: 'Good, but the widget is slow &amp; ugly.\nStill: 😀',
      imageUrl: null,
      links: [],
      publishedAt: new Date('2026-11-21T09:15:00.482Z'),
      languageHint: 'en',
      engagement: { likes: 7, reposts: null, replies: null, quotes: null, views: null, bookmarks: null },
      replyTo: null,
      author: {
        id: null,
        name: 'Ada Example',
        handle: null,
        url: null,
        avatarUrl: 'https://play-lh.googleusercontent.com/a/ada',
        followers: null,
        automated: null,
      },
      review: {
        rating: 4,
        ratingMax: 5,
        title: null,
        version: '4.2.1',
        country: 'us',
        verified: null,
        response: null,
        responseAt: null,
        app: { platform: 'googleplay', id: APP, url: 'https://play.google.com/store/apps/details?id=com.acme.notes' },
      },
    })
    expect(second).toMatchObject({
      publishedAt: new Date('2026-11-21T01:00:00.001Z'),
      review: {
        rating: 1,
        version: null,
        response: 'Thanks, a fix is on the way.',
        responseAt: new Date('2026-11-21T05:00:00.101Z'),
      },
    })
  })

  test('asks for the newest, page by page, in the language and country of the page, until a review from before', async () => {
    const { context, asked } = platform(ordinary)
    const posts = await read(context, SINCE, { country: 'br', language: 'pt-BR' })
    expect(posts).toHaveLength(4)
    for (const post of posts) expect([post.languageHint, post.review?.country]).toEqual(['pt', 'br'])
    expect(asked.map(({ url }) => url.href)).toEqual(Array(2).fill(`https://play.google.com${BATCH}?hl=pt-BR&gl=br`))
    expect(asked.map(({ init }) => questionIn(init.body ?? ''))).toEqual([
      { call: 'UsvDTd', argument: argumentOf(null) },
      { call: 'UsvDTd', argument: argumentOf(TOKEN) },
    ])
    for (const { init } of asked) expect(init).toMatchObject({ method: 'POST', cost: { requests: 1 } })
    const short = platform(ordinary)
    expect(await read(short.context, new Date('2026-11-20T12:00:00Z'))).toHaveLength(2)
    expect(short.asked).toHaveLength(1)
  })

  test('a page without language or country is read in the default ones', async () => {
    const { context, asked } = platform(ordinary)
    await read(context, SINCE, { country: null, language: null })
    expect(asked[0]?.url.search).toBe('?hl=en&gl=us')
  })

  test('at most ten pages are read, and a token that leads back is not followed twice', async () => {
    let page = -1
    const endless = platform(() => {
      page += 1
      return numbered(199 * page, 199, `token-${page}`)
    })
    expect(await read(endless.context)).toHaveLength(1990)
    expect(endless.asked).toHaveLength(10)
    const round = platform(() => numbered(0, 199, 'again'))
    expect(await read(round.context)).toHaveLength(199)
    expect(round.asked).toHaveLength(2)
  })

  test('where one call is not understood the other one is asked, and carries on', async () => {
    for (const old of [
      recorded('question.txt'),
      recorded('ordinary.txt').replace('wrb.fr', 'wrb.xx'),
      { status: 400 },
    ]) {
      let page = -1
      const { context, asked } = platform(({ init }) => {
        if (init.body?.includes('UsvDTd')) return old
        page += 1
        return numbered(5 * page, 5, page < 2 ? 'next' : null, 'oCPfdb')
      })
      expect(await read(context)).toHaveLength(15)
      expect(asked.map(({ init }) => questionIn(init.body ?? '').call)).toEqual([
        'UsvDTd',
        'oCPfdb',
        'oCPfdb',
        'oCPfdb',
      ])
    }
  })

  test('where no call is understood it is a change of form, unless there is no such app', async () => {
    const asking = (details: number) =>
      platform(({ url }) => (url.pathname === BATCH ? recorded('question.txt') : { status: details }))
    const known = asking(200)
    await expect(read(known.context)).rejects.toMatchObject({ kind: 'shape_changed' })
    expect(paths(known.asked)).toEqual([BATCH, BATCH, '/store/apps/details'])
    await expect(read(asking(404).context)).rejects.toMatchObject({ kind: 'gone' })
  })

  test('without reviews it is gone only if the shop does not have the app', async () => {
    for (const empty of ['empty.txt', 'none.txt']) {
      const asking = (details: number) =>
        platform(({ url }) => (url.pathname === BATCH ? recorded(empty) : { status: details }))
      const known = asking(200)
      expect(await read(known.context)).toEqual([])
      expect(known.asked.at(-1)?.url.href).toBe(
        'https://play.google.com/store/apps/details?id=com.acme.notes&hl=en&gl=us',
      )
      await expect(read(asking(404).context)).rejects.toMatchObject({ kind: 'gone' })
    }
  })

  test('its numbers are told apart', async () => {
    const kinds = { 4: 'unavailable', 8: 'throttled', 13: 'unavailable', 14: 'unavailable' }
    for (const [code, kind] of Object.entries(kinds))
      await expect(read(platform(() => refusal(Number(code))).context)).rejects.toMatchObject({ kind })
  })

  test('that something is not found is said of the app only when its page is not there either', async () => {
    const asking = (details: number) =>
      platform(({ url }) => (url.pathname === BATCH ? refusal(5) : { status: details }))
    const known = asking(200)
    await expect(read(known.context)).rejects.toMatchObject({ kind: 'unavailable', onlyThis: true })
    expect(paths(known.asked)).toEqual([BATCH, '/store/apps/details'])
    await expect(read(asking(404).context)).rejects.toMatchObject({ kind: 'gone' })
    const later = platform(({ init }) => (init.body?.includes('next') ? refusal(5) : numbered(0, 199, 'next')))
    await expect(read(later.context)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(paths(later.asked)).toEqual([BATCH, BATCH])
  })

  test('an address of the call that is not there any more is a change of form for an app that is', async () => {
    const moved = platform(({ url }) => ({ status: url.pathname === BATCH ? 404 : 200 }))
    await expect(read(moved.context)).rejects.toMatchObject({ kind: 'shape_changed' })
  })

  test('a review from before is told again when the developer has answered since', async () => {
    const answered = (n: number, answeredAt: number | null) => {
      const answer = answeredAt === null ? null : ['Acme', 'Thanks', [answeredAt, 0]]
      return [`r-${n}`, ['Ada'], 3, null, 'text', [SINCE.getTime() / 1000 - n, 0], 0, answer, null, null, null]
    }
    const payload = [
      [answered(1, SINCE.getTime() / 1000 + 60), answered(2, SINCE.getTime() / 1000 - 1), answered(3, null)],
      null,
    ]
    const { context } = platform(
      () => `)]}'\n\n${JSON.stringify([['wrb.fr', 'UsvDTd', JSON.stringify(payload), null, null, null, 'generic']])}`,
    )
    expect((await read(context)).map(({ nativeId, review }) => [nativeId, review?.response])).toEqual([
      ['r-1', 'Thanks'],
    ])
  })

  test('at most sixty requests a minute are made, ten at once', () => {
    expect(googleplay().limits).toEqual([{ quota: 'requests', kind: 'paced', most: 60, perSeconds: 60, burst: 10 }])
  })

  test('a captcha, wherever it stands, is waited for an hour unless the shop says how long', async () => {
    const sorry = '<html><title>Sorry...</title><body>Our systems have detected unusual traffic</body></html>'
    const captchas = [
      { status: 200, body: sorry },
      { status: 503, body: sorry },
      { status: 429, body: '' },
      { status: 302, headers: { location: 'https://www.google.com/sorry/index?continue=x' } },
    ]
    for (const reply of captchas)
      await expect(read(platform(() => reply).context)).rejects.toMatchObject({
        kind: 'throttled',
        retryAfterSeconds: 3600,
      })
    const told = { status: 429, headers: { 'retry-after': '90' } }
    await expect(read(platform(() => told).context)).rejects.toMatchObject({ kind: 'throttled', retryAfterSeconds: 90 })
    // A reviewer may write about captchas as about anything else.
    const { context } = platform(({ init }) =>
      ordinary({ init } as Asked).replace('Love it', 'unusual traffic g-recaptcha'),
    )
    expect(await read(context)).toHaveLength(4)
  })

  test('an address that is refused is throttled, one that is led to the question about cookies finds the shop unavailable', async () => {
    await expect(read(platform(() => ({ status: 403 })).context)).rejects.toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: null,
    })
    const consent = { status: 302, headers: { location: 'https://consent.google.com/m?continue=x' } }
    await expect(read(platform(() => consent).context)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('one odd review is left out, a majority of odd ones is a change of form', async () => {
    const odd = (many: number) => numbered(0, 5, null).replaceAll(new RegExp(`\\\\"r-[0-${many - 1}]\\\\"`, 'g'), '17')
    expect(await read(platform(() => odd(2)).context)).toHaveLength(3)
    await expect(read(platform(() => odd(3)).context)).rejects.toMatchObject({ kind: 'shape_changed' })
  })
})
