import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, mention, score, store } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { DAY_MS, dayStart, plus } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const statsOf = async (id: string) => (await acme.api('GET', `/v1/keywords/${id}`)).body.stats

test('the statistics count what was matched, scored and charged', async () => {
  const keyword = await makeKeyword(acme)
  const now = world.clock.now()
  const mentions = await store(world, [
    ...Array.from({ length: 3 }, () => matchedBy(makePost(world), [keyword])),
    matchedBy(makePost(world, { publishedAt: plus(now, -7 * DAY_MS) }), [keyword]),
    matchedBy(makePost(world, { publishedAt: plus(now, -7 * DAY_MS - 1) }), [keyword]),
  ])
  await score(world, mentions.slice(0, 2))
  await score(world, mentions.slice(2, 3), { relevance: 39 })
  await score(world, mentions.slice(3, 4), null)
  await world.db.query(sql`insert into keyword_day (workspace_id, day, keyword_id, units)
      select ${acme.workspaceId}, day::date, ${keyword.uuid}, 500
    from unnest(array['2026-10-31', '2026-11-01', '2026-11-20']) day`)
  expect(await statsOf(keyword.shown.id)).toEqual({
    mentions: 5,
    relevant: 2,
    last7d: 4,
    thisMonth: 5,
    lastMentionAt: now.toISOString(),
    feedback: { relevant: 0, notRelevant: 0 },
    noise: { scored: 3, relevant: 2, noisy: false },
    health: 'new',
    // Three mentions are 2.4 cents and two days 33.3: each rounded once.
    cost: { keywordDays: 2, keywordCents: 33, billableMentions: 3, mentionCents: 2, totalCents: 35 },
  })
})

test('noise looks back fourteen days by the days of the matches', async () => {
  const keyword = await makeKeyword(acme)
  const before = world.clock.now()
  const old = await mention(world, keyword)
  await score(world, [await mention(world, keyword)], { relevance: 0 })
  expect(await statsOf(keyword.shown.id)).toMatchObject({ noise: { scored: 1, relevant: 0 } })
  // The day of the match is the last of the fourteen, until the next begins; a score that comes late counts for the day
  // of its match.
  world.clock.set(plus(dayStart(before), 14 * DAY_MS - 1))
  await score(world, [await mention(world, keyword), old])
  expect((await statsOf(keyword.shown.id)).noise).toEqual({ scored: 3, relevant: 2, noisy: false })
  world.clock.set(plus(dayStart(before), 14 * DAY_MS))
  expect((await statsOf(keyword.shown.id)).noise).toEqual({ scored: 1, relevant: 1, noisy: false })
  world.clock.set(before)
})

test('the cost of mentions is that of the month in which they are scored, as in the usage breakdown', async () => {
  const keyword = await makeKeyword(acme)
  const before = world.clock.now()
  const mentions = [await mention(world, keyword), await mention(world, keyword), await mention(world, keyword)]
  const costs = async () => {
    const breakdown = (
      await acme.api(
        'GET',
        `/v1/usage/breakdown?month=${world.clock.now().toISOString().slice(0, 7)}&keywordIds=${keyword.shown.id}`,
      )
    ).body.data[0]
    const { cost } = await statsOf(keyword.shown.id)
    for (const name of ['keywordDays', 'keywordCents', 'billableMentions', 'mentionCents', 'totalCents'])
      expect([name, cost[name]]).toEqual([name, breakdown[name]])
    return [cost.billableMentions, cost.mentionCents]
  }
  world.clock.set(new Date('2026-11-30T23:59:59.999Z'))
  await score(world, mentions.slice(0, 2))
  expect(await costs()).toEqual([2, 2])
  world.clock.set(new Date('2026-12-01T00:00:00.000Z'))
  await score(world, mentions.slice(2))
  expect(await costs()).toEqual([1, 1])
  world.clock.set(before)
})

test('a new month begins with nothing', async () => {
  const keyword = await makeKeyword(acme, { cap: { mentions: 3 } })
  const before = world.clock.now()
  await score(
    world,
    await store(
      world,
      [1, 2, 3].map(() => matchedBy(makePost(world), [keyword])),
    ),
  )
  expect(await statsOf(keyword.shown.id)).toMatchObject({ thisMonth: 3, health: 'capped' })
  world.clock.set(new Date('2026-12-01T00:00:00.000Z'))
  expect(await statsOf(keyword.shown.id)).toMatchObject({
    mentions: 3,
    thisMonth: 0,
    last7d: 0,
    cost: { billableMentions: 0, mentionCents: 0 },
    noise: { scored: 3 },
  })
  world.clock.set(before)
})

test('a quiet keyword turns from new to quiet after seven days, and healthy with something relevant', async () => {
  const keyword = await makeKeyword(acme)
  const before = world.clock.now()
  world.clock.set(plus(before, 7 * DAY_MS - 1))
  expect((await statsOf(keyword.shown.id)).health).toBe('new')
  world.clock.set(plus(before, 7 * DAY_MS))
  expect((await statsOf(keyword.shown.id)).health).toBe('quiet')
  await score(world, [await mention(world, keyword)])
  expect((await statsOf(keyword.shown.id)).health).toBe('healthy')
  world.clock.set(before)
})

test('a read key may look', async () => {
  const keyword = await makeKeyword(acme)
  expect((await acme.api('GET', `/v1/keywords/${keyword.shown.id}`, undefined, { key: acme.readKey })).body).toEqual(
    keyword.shown,
  )
})

test('a keyword that the workspace has not is not found', async () => {
  const foreign = await makeKeyword(await world.workspace('Other'))
  for (const id of [foreign.shown.id, newId('kw', world.clock.now()), 'kw_1']) {
    const { status, body } = await acme.api('GET', `/v1/keywords/${id}`)
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  }
})
