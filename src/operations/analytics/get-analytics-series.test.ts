import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { HOUR_MS } from '../../kernel/clock.ts'
import { dayPlus } from '../../kernel/local-days.ts'
import { type Cast, type CastMention, calendarDay, countBy, createCast, publishedIn } from './cast.suite.ts'

let cast: Cast
const world = useWorld()
beforeAll(async () => {
  cast = await createCast(world)
})

const ask = async (query: string) => {
  const { status, body } = await cast.workspace.api('GET', `/v1/analytics/series?${query}`)
  expect(status).toBe(200)
  return body
}

test.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'Asia/Kolkata'])(
  'in %s every day is there once, with what was published on it',
  async (zone) => {
    const [from, to] = ['2026-09-20', '2026-11-20']
    const body = await ask(`from=${from}&to=${to}&timezone=${zone}`)
    expect(body.buckets).toHaveLength(62)
    expect(body.buckets.map((bucket: string) => calendarDay(new Date(bucket), zone))).toEqual(
      Array.from({ length: 62 }, (_, day) => dayPlus(from, day)),
    )
    const days = countBy(cast.mentions.map(({ publishedAt }) => calendarDay(publishedAt, zone)))
    expect(body.totals.mentions).toEqual(Array.from({ length: 62 }, (_, day) => days.get(dayPlus(from, day)) ?? 0))
    const relevant = countBy(
      cast.mentions
        .filter(({ relevance }) => (relevance ?? 0) >= 40)
        .map(({ publishedAt }) => calendarDay(publishedAt, zone)),
    )
    expect(body.totals.relevant).toEqual(Array.from({ length: 62 }, (_, day) => relevant.get(dayPlus(from, day)) ?? 0))
    expect(body.series).toEqual([])
  },
)

test('a day on which clocks are set back has 25 hours, and one on which they are set forward 23', async () => {
  const hours = async (day: string) => (await ask(`from=${day}&to=${day}&timezone=Europe/Berlin&interval=hour`)).buckets
  const long = await hours('2026-10-25')
  expect([long.length, long[0], long.at(-1)]).toEqual([25, '2026-10-24T22:00:00.000Z', '2026-10-25T22:00:00.000Z'])
  expect(await hours('2026-03-29')).toHaveLength(23)
  expect(await hours('2026-10-26')).toHaveLength(24)
})

test('where the clocks skip midnight the day begins after the gap, and where midnight comes twice with the first', async () => {
  const begin = async (zone: string, day: string) => (await ask(`from=${day}&to=${day}&timezone=${zone}`)).buckets
  expect(await begin('America/Sao_Paulo', '2018-11-04')).toEqual(['2018-11-04T03:00:00.000Z'])
  expect(await begin('America/Havana', '2026-11-01')).toEqual(['2026-11-01T04:00:00.000Z'])
  expect(await begin('Africa/Cairo', '2026-04-24')).toEqual(['2026-04-23T22:00:00.000Z'])
})

test('hours and weeks hold what was published in them', async () => {
  for (const [interval, query] of [
    ['hour', 'from=2026-10-20&to=2026-11-19&timezone=Europe/Berlin'],
    ['week', 'from=2026-09-20&to=2026-11-19&timezone=Europe/Berlin'],
  ]) {
    const { buckets, totals, window } = await ask(`${query}&interval=${interval}`)
    const starts = buckets.map((bucket: string) => Date.parse(bucket))
    const inside = publishedIn(cast.mentions, window.from, window.to, 'Europe/Berlin').map(({ publishedAt }) =>
      publishedAt.getTime(),
    )
    const counts = starts.map(
      (start: number, at: number) =>
        inside.filter((time) => time >= start && time < (starts[at + 1] ?? Number.POSITIVE_INFINITY)).length,
    )
    expect(totals.mentions).toEqual(counts)
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(inside.length)
    if (interval === 'hour')
      expect(starts.every((start: number, at: number) => at === 0 || start - starts[at - 1] === HOUR_MS)).toBe(true)
  }
})

const VALUES: Record<string, (mention: CastMention) => (string | null)[]> = {
  keyword: ({ keyword }) => [keyword.shown.id],
  group: ({ keyword }) => [keyword.shown.group.id],
  platform: ({ platform }) => [platform],
  sentiment: ({ sentiment }) => [sentiment],
  intent: ({ intents }) => (intents.length === 0 ? [null] : intents),
  language: ({ language }) => [language],
}

test.each(Object.entries(VALUES))(
  'parted by %s, the ten values with most mentions have a series and the others one together',
  async (by, valuesOf) => {
    const body = await ask(`range=90d&by=${by}`)
    const counts = countBy(cast.mentions.flatMap(valuesOf))
    const own = body.series.filter(({ other }: { other: boolean }) => !other)
    expect(own).toHaveLength(Math.min(10, counts.size))
    for (const { key, total, mentions } of own) {
      expect([key, total]).toEqual([key, counts.get(key)])
      expect(mentions.reduce((sum: number, count: number) => sum + count, 0)).toBe(total)
    }
    const totals = own.map(({ total }: { total: number }) => total)
    expect(totals).toEqual([...totals].sort((a, b) => b - a))
    expect(totals).toEqual([...counts.values()].sort((a, b) => b - a).slice(0, 10))
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const rest = all - totals.reduce((sum: number, count: number) => sum + count, 0)
    expect(
      body.series.filter(({ other }: { other: boolean }) => other).map(({ total }: { total: number }) => total),
    ).toEqual(rest === 0 ? [] : [rest])
  },
)

test('the window before comes bucket by bucket', async () => {
  const body = await ask('from=2026-11-06&to=2026-11-19&compare=true&by=sentiment')
  const before = await ask('from=2026-10-23&to=2026-11-05')
  expect(body.previous).toEqual({ buckets: before.buckets, totals: before.totals })
  expect(body.totals).toEqual((await ask('from=2026-11-06&to=2026-11-19')).totals)
})

test('an empty window has all its buckets and no series', async () => {
  expect(await ask('from=2001-01-01&to=2001-01-03&by=platform')).toMatchObject({
    totals: { mentions: [0, 0, 0], relevant: [0, 0, 0] },
    series: [],
  })
})

test.each([
  ['interval=hour&range=90d', 'interval: can be hour in windows of at most 31 days'],
  ['interval=minute', 'interval: must be one of hour, day, week'],
  ['by=person', 'by: must be one of keyword, group, platform, sentiment, intent, language'],
])('%s is refused by naming the parameter', async (query, message) => {
  const { status, body } = await cast.workspace.api('GET', `/v1/analytics/series?${query}`)
  expect([status, body.error.code, body.error.message]).toEqual([400, 'validation_error', message])
})
