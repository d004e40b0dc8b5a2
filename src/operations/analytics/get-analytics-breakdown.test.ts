import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { type Cast, type CastMention, countBy, createCast, engagementOf, publishedIn, reachOf } from './cast.suite.ts'

let cast: Cast
const world = useWorld()
beforeAll(async () => {
  cast = await createCast(world)
})

const ask = async (query: string) => (await cast.workspace.api('GET', `/v1/analytics/breakdown?${query}`)).body

const VALUES: Record<string, (mention: CastMention) => (string | null)[]> = {
  keyword: ({ keyword }) => [keyword.shown.id],
  group: ({ keyword }) => [keyword.shown.group.id],
  platform: ({ platform }) => [platform],
  sentiment: ({ sentiment }) => [sentiment],
  intent: ({ intents }) => (intents.length === 0 ? [null] : intents),
  language: ({ language }) => [language],
}

test.each(Object.entries(VALUES))('by %s every row is that of a recount', async (by, valuesOf) => {
  const body = await ask(`from=2026-10-16&to=2026-11-20&by=${by}&compare=true&limit=100`)
  const inside = publishedIn(cast.mentions, '2026-10-16', '2026-11-20', 'UTC')
  const before = countBy(publishedIn(cast.mentions, '2026-09-10', '2026-10-15', 'UTC').flatMap(valuesOf))
  const counts = countBy(inside.flatMap(valuesOf))
  expect([body.total, body.mentions]).toEqual([counts.size, inside.length])
  for (const row of body.data) {
    const own = inside.filter((mention) => valuesOf(mention).includes(row.key))
    expect(row).toMatchObject({
      mentions: own.length,
      relevant: own.filter(({ relevance }) => (relevance ?? 0) >= 40).length,
      reach: reachOf(own),
      engagement: engagementOf(own),
      share: own.length / inside.length,
      previousMentions: before.get(row.key) ?? 0,
      sentiment: { negative: own.filter(({ sentiment }) => sentiment === 'negative').length },
    })
  }
  const order = body.data.map(({ mentions }: { mentions: number }) => mentions)
  expect(order).toEqual([...order].sort((a: number, b: number) => b - a))
})

test('only as many rows come as were asked for, and the total says how many there are', async () => {
  const body = await ask('range=90d&by=platform&limit=3')
  expect([body.data.length, body.total]).toEqual([3, new Set(cast.mentions.map(({ platform }) => platform)).size])
})

test('names are those of keywords and groups, also of a hostile kind', async () => {
  const name = '=cmd|<b>"\u202e’'
  await cast.workspace.api('PATCH', `/v1/groups/${cast.keywords[2]!.shown.group.id}`, { name })
  const body = await ask('range=90d&by=group')
  expect(body.data.map(({ label }: { label: string }) => label)).toContain(
    (await cast.workspace.api('GET', `/v1/groups/${cast.keywords[2]!.shown.group.id}`)).body.name,
  )
})

test('a window without mentions has no rows', async () => {
  expect(await ask('from=2001-01-01&to=2001-01-02&by=intent')).toMatchObject({ data: [], total: 0, mentions: 0 })
})

test.each([
  ['limit=101', 'limit: must be at most 100'],
  ['limit=0', 'limit: must be at least 1'],
  ['by=author', 'by: must be one of keyword, group, platform, sentiment, intent, language'],
])('%s is refused by naming the parameter', async (query, message) => {
  const { status, body } = await cast.workspace.api('GET', `/v1/analytics/breakdown?${query}`)
  expect([status, body.error.message]).toEqual([400, message])
})
