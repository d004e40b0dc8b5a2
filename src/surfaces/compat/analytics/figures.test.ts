import { beforeAll, describe, expect, test } from 'vitest'
import type { TestKeyword } from '../../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../../test/use-world.ts'
import { DAY_MS, dayOf, dayStart, HOUR_MS, plus } from '../../../kernel/clock.ts'
import { compatOf, makeKeyword, makeMention } from '../compat.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
const get = async (path: string) => (await compatOf(acme).call('GET', `/analytics/${path}`)).body
let keywords: TestKeyword[]
let numbers: number[]
let today: Date

beforeAll(async () => {
  keywords = [await makeKeyword(acme), await makeKeyword(acme)]
  numbers = [await compatOf(acme).numberOf(keywords[0]!), await compatOf(acme).numberOf(keywords[1]!)]
  today = dayStart(world.clock.now())
  const day = (back: number, hour = 1) => plus(today, -back * DAY_MS + (hour * HOUR_MS) / 100)
  const reply = { replyTo: { author: null, url: null, text: null } }
  await makeMention(
    world,
    keywords[0]!,
    { platform: 'reddit', publishedAt: day(0) },
    { relevance: 90, sentiment: 'positive' },
  )
  await makeMention(
    world,
    keywords[0]!,
    { platform: 'reddit', publishedAt: day(1), ...reply },
    { relevance: 50, sentiment: 'negative' },
  )
  await makeMention(
    world,
    keywords[0]!,
    { platform: 'x', publishedAt: plus(today, -29 * DAY_MS) },
    { relevance: 50, sentiment: 'negative' },
  )
  await makeMention(world, keywords[1]!, { platform: 'x', publishedAt: day(1) }, { relevance: 10 })
  await makeMention(world, keywords[1]!, { platform: 'x', publishedAt: plus(today, -30 * DAY_MS) }, { relevance: 90 })
})

describe('§9 window', () => {
  test('is the last 30 UTC days by publication, today included', async () => {
    const [first, before, now] = [-29, -1, 0].map((days) => dayOf(plus(today, days * DAY_MS)))
    expect(await get('volume')).toEqual({
      granularity: 'day',
      data: [first, before, now].map((bucket) => ({ bucket, count: 1 })),
    })
    const hours = await get('volume?granularity=hour')
    expect(hours.data.at(-1)).toEqual({ bucket: `${now}T00:00:00.000Z`, count: 1 })
    const [from, to] = [-30, -2].map((days) => dayOf(plus(today, days * DAY_MS)))
    expect((await get(`volume?startDate=${from}&endDate=${to}`)).data).toEqual([
      { bucket: from, count: 1 },
      { bucket: first, count: 1 },
    ])
  })

  test('is of high and medium relevance unless a set is asked for', async () => {
    const count = async (relevance: string) =>
      (await get(`sources?relevance=${relevance}`)).data.reduce(
        (sum: number, row: { count: number }) => sum + row.count,
        0,
      )
    expect([await count('0'), await count('0,1'), await count('2'), await count('0,1,2')]).toEqual([1, 3, 1, 4])
  })

  test('sources, sentiment and keywords count most first', async () => {
    expect((await get('sources?relevance=0,1,2')).data).toEqual([
      { source: 'twitter', count: 2 },
      { source: 'reddit', count: 1 },
      { source: 'reddit_comment', count: 1 },
    ])
    expect((await get('sentiment')).data).toEqual([
      { sentiment: 'Positive', count: 1 },
      { sentiment: 'Negative', count: 2 },
    ])
    expect((await get('keywords?relevance=0,1,2')).data).toEqual([
      { keywordId: numbers[0], keyword: keywords[0]!.shown.term, count: 3 },
      { keywordId: numbers[1], keyword: keywords[1]!.shown.term, count: 1 },
    ])
    expect((await get(`keywords?keywordIds=${numbers[0]}&platforms=reddit_comment`)).data).toMatchObject([{ count: 1 }])
    expect((await get('keywords?keywordIds=999999')).data).toEqual([])
  })

  test('the dashboard holds the figures in their own envelopes', async () => {
    expect(await get('dashboard')).toEqual({
      volume: await get('volume'),
      keywords: await get('keywords'),
      sentiment: await get('sentiment'),
      usage: (await compatOf(acme).call('GET', '/org/usage')).body,
    })
  })

  test.each(['volume', 'sentiment', 'sources', 'keywords', 'dashboard'])(
    '%s refuses what it cannot say',
    async (name) => {
      const { call } = compatOf(acme)
      for (const query of ['tag=pricing', 'sentiment=POSITIVE', 'relevance=1', 'relevance=0,2'])
        expect([query, (await call('GET', `/analytics/${name}?${query}`)).status]).toEqual([query, 501])
      for (const [query, path] of [
        ['startDate=2026-11-01', 'endDate'],
        ['endDate=2026-11-01', 'startDate'],
        ['startDate=2026-11-02&endDate=2026-11-01', 'endDate'],
        ['startDate=2025-01-01&endDate=2026-11-01', 'endDate'],
        ['platforms=x', 'platforms'],
        ['keywordIds=acme', 'keywordIds'],
        ['relevance=3', 'relevance'],
        ['nonsense=1', 'nonsense'],
      ]) {
        const { status, body } = await call('GET', `/analytics/${name}?${query}`)
        expect([query, status, body.error.details[0].path]).toEqual([query, 400, path])
      }
    },
  )
})
