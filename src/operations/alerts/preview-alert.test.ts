import { beforeAll, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { makeAuthor } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { DAY_MS, HOUR_MS, plus } from '../../kernel/clock.ts'
import { newId, toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

const FILTERS = [
  {},
  { minRelevance: 0 },
  { minRelevance: 80 },
  { sentiments: ['negative'] },
  { excludeAuthors: ['@jane'] },
  { anyOf: [{ sentiments: ['positive'] }, { intents: ['complaint'] }], minRelevance: 10 },
]
const AUTHORS = ['jane', 'joe', 'ada']
const VERDICTS = [
  { relevance: 90, sentiment: 'negative' as const, intents: ['complaint' as const] },
  { relevance: 39, sentiment: 'positive' as const, intents: [] },
  { relevance: 40, sentiment: 'neutral' as const, intents: ['question' as const] },
  null,
]

let keyword: TestKeyword
let rules: string[]
/** Newest last. */
let made: string[]
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  keyword = await makeKeyword(acme)
  rules = []
  for (const [place, filter] of FILTERS.entries()) {
    // A channel gets a mention once, however many rules want it; so each rule has its own.
    const { id } = (
      await acme.api('POST', '/v1/channels', { kind: 'webhook', url: `https://hooks.example.com/${place}` })
    ).body
    rules.push((await acme.api('POST', '/v1/alerts', { name: 'Rule', filter, channelIds: [id] })).body.id)
  }
  made = []
  // Twelve combinations and one that waits for its score on each of three days.
  for (let day = 0; day < 3; day += 1) {
    for (const handle of AUTHORS) for (const verdict of VERDICTS) made.push(await scored(handle, verdict))
    await mention(world, keyword)
    if (day < 2) world.clock.set(plus(world.clock.now(), DAY_MS))
  }
})

async function scored(handle: string, verdict: (typeof VERDICTS)[number]): Promise<string> {
  const author = { id: handle, name: null, handle, url: null, avatarUrl: null, followers: null, automated: null }
  const item = await mention(world, keyword, {
    platform: 'x',
    author,
    publishedAt: plus(world.clock.now(), -90 * DAY_MS),
  })
  await score(world, [item], verdict)
  return toId('mtn', item.mentionId)
}

const preview = (body: object, key = acme.writeKey) => acme.api('POST', '/v1/alerts/preview', body, { key })

test('the count is that of the deliveries which rules with the same filters have really made, day by day', async () => {
  for (const [place, filter] of FILTERS.entries()) {
    const sent = await world.db.query<{ day: string; count: number }>(sql`
      select (created_at at time zone 'UTC')::date::text as day, count(*) as count from delivery
      where workspace_id = ${acme.workspaceId} and alert_id = ${stored('feed', rules[place]!)} group by 1 order by 1`)
    const { status, body } = await preview({ filter, days: 3 })
    expect([status, filter, body.perDay.filter(({ count }: { count: number }) => count > 0)]).toEqual([
      200,
      filter,
      sent,
    ])
    expect(body.matched).toBe(sent.reduce((sum, { count }) => sum + count, 0))
    expect(body.matched).toBeGreaterThan(0)
  }
})

test('days are those of UTC with today among them, each shown, and what was matched before them does not count', async () => {
  const whole = (await preview({})).body
  expect(whole.days).toBe(7)
  expect(whole.perDay.map(({ day }: { day: string }) => day)).toEqual([
    '2026-11-16',
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
  ])
  const today = (await preview({ days: 1 })).body
  expect(today.perDay).toEqual(whole.perDay.slice(-1))
  expect(today.matched).toBe(whole.matched / 3)
})

test('the sample is the newest five, whole, also when they are spread over days', async () => {
  const wanted = made.filter((_, at) => [0, 2].includes(at % VERDICTS.length)).toReversed()
  const { sample } = (await preview({})).body
  expect(sample.map(({ id }: { id: string }) => id)).toEqual(wanted.slice(0, 5))
  expect(sample[0]).toEqual((await acme.api('GET', `/v1/mentions/${sample[0].id}`)).body)
  const rare = (await preview({ filter: { excludeAuthors: ['jane', 'joe'], minRelevance: 80 } })).body
  expect([rare.matched, rare.sample.length]).toEqual([3, 3])
  expect((await preview({ filter: { minViews: 1 } })).body).toMatchObject({ matched: 0, sample: [] })
})

test('what is done, ignored or by somebody muted by now is left out, and what is snoozed is not', async () => {
  const other = await world.workspace('Triage')
  const own = await makeKeyword(other)
  const ids: string[] = []
  for (const handle of ['a', 'b', 'c', 'd', 'e']) {
    const author = { id: handle, name: null, handle, url: null, avatarUrl: null, followers: null, automated: null }
    const item = await mention(world, own, { platform: 'x', author })
    await score(world, [item])
    ids.push(toId('mtn', item.mentionId))
  }
  await other.api('PATCH', `/v1/mentions/${ids[0]}`, { status: 'done' })
  await other.api('PATCH', `/v1/mentions/${ids[1]}`, { status: 'ignored' })
  await other.api('PATCH', `/v1/mentions/${ids[2]}`, { snoozedUntil: plus(world.clock.now(), HOUR_MS).toISOString() })
  const account = accountIdOf(other.workspaceId, 'x', { id: 'd', handle: 'd', url: null, name: null })!
  await makeAuthor(world, other.workspaceId, account, { muted: true })
  const { body } = await other.api('POST', '/v1/alerts/preview', {})
  expect(body.sample.map(({ id }: { id: string }) => id)).toEqual([ids[4], ids[2]])
  expect(body.matched).toBe(2)
})

test('nothing is changed by it, and a read key may not ask', async () => {
  const rows = () => world.db.query(sql`select count(*) from delivery union all select count(*) from alert`)
  const before = await rows()
  await preview({ filter: {} })
  expect(await rows()).toEqual(before)
  expect((await preview({}, acme.readKey)).body.error.code).toBe('read_only_key')
})

test('a filter that no rule could have is refused', async () => {
  const id = newId('kw', world.clock.now())
  expect((await preview({ filter: { keywordIds: [id] } })).body.error).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining(id),
  })
  for (const [body, message] of [
    [{ days: 0 }, 'days: must be at least 1'],
    [{ days: 31 }, 'days: must be at most 30'],
    [{ days: '7' }, 'days: must be a number'],
    [{ filter: { q: 'x' } }, 'filter.q: is not a field of this operation'],
    [{ mode: 'instant' }, 'mode: is not a field of this operation'],
  ] as const) {
    const { status, body: answer } = await preview(body)
    expect([status, answer.error.message]).toEqual([400, message])
  }
})
