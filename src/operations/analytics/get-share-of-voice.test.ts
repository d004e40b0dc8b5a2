import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { type Cast, type CastMention, createCast, publishedIn } from './cast.suite.ts'

let cast: Cast
const world = useWorld()
beforeAll(async () => {
  cast = await createCast(world)
})

const ask = async (query: string) => (await cast.workspace.api('GET', `/v1/analytics/share-of-voice?${query}`)).body
const isRelevant = ({ relevance }: CastMention) => (relevance ?? 0) >= 40
const kindOf = ({ keyword }: CastMention) => keyword.shown.kind

test('the brand stands beside its competitors with its share of the relevant mentions, then and now', async () => {
  const body = await ask('from=2026-10-16&to=2026-11-20&compare=true')
  const voices = (from: string, to: string) =>
    publishedIn(cast.mentions, from, to, 'UTC').filter((mention) => isRelevant(mention) && kindOf(mention) !== 'topic')
  const [now, before] = [voices('2026-10-16', '2026-11-20'), voices('2026-09-10', '2026-10-15')]
  expect([body.mentions, body.previousMentions]).toEqual([now.length, before.length])
  expect(body.data).toHaveLength(2)
  for (const { kind, keyword, mentions, relevant, share, previousShare } of body.data) {
    const own = now.filter((mention) => kindOf(mention) === kind).length
    expect([keyword, mentions, relevant, share]).toEqual([null, own, own, own / now.length])
    expect(previousShare).toBe(before.filter((mention) => kindOf(mention) === kind).length / before.length)
  }
})

test('all mentions count when that is asked for, and only the irrelevant ones when the filter says so', async () => {
  const voices = publishedIn(cast.mentions, '2026-09-01', '2026-11-20', 'UTC').filter(
    (mention) => kindOf(mention) !== 'topic',
  )
  expect((await ask('from=2026-09-01&to=2026-11-20&include=all')).mentions).toBe(voices.length)
  expect((await ask('from=2026-09-01&to=2026-11-20&relevant=false')).mentions).toBe(
    voices.filter((voice) => !isRelevant(voice)).length,
  )
})

test('keyword by keyword each has its own share, and topics have none', async () => {
  const body = await ask('range=90d&by=keyword&include=all')
  const wanted = cast.keywords
    .filter(({ shown }) => shown.kind !== 'topic')
    .map(({ shown }) => [shown.id, shown.term, shown.kind])
  const shown = body.data.map(({ keyword, kind }: { keyword: { id: string; term: string }; kind: string }) => [
    keyword.id,
    keyword.term,
    kind,
  ])
  expect(shown.sort()).toEqual(wanted.sort())
  expect(body.data.reduce((sum: number, { share }: { share: number }) => sum + share, 0)).toBeCloseTo(1, 12)
})

test('where nothing is said of anybody there are no shares', async () => {
  const { data, mentions } = await ask('from=2001-01-01&to=2001-01-02&compare=true')
  expect(mentions).toBe(0)
  expect(data.map(({ kind, share, previousShare }: Record<string, unknown>) => [kind, share, previousShare])).toEqual([
    ['brand', null, null],
    ['competitor', null, null],
  ])
})

test('something else to compare than kinds and keywords is refused', async () => {
  const { status, body } = await cast.workspace.api('GET', '/v1/analytics/share-of-voice?by=platform')
  expect([status, body.error.message]).toEqual([400, 'by: must be one of kind, keyword'])
})
