import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored, type TestWorkspace } from '../../../test/world.ts'
import { DAY_MS, dayOf, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import type { UsageBreakdown } from '../../queries/usage/get-breakdown.ts'
import { sql } from '../../store/database.ts'
import { storeKeywordDay, storeUsage, storeWaiting, type Used } from './usage-setting.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const daysAgo = (days: number) => dayOf(plus(world.clock.now(), -days * DAY_MS))

const addUsage = (workspaceId: Uuid, keywordId: Uuid, used: Used) => storeUsage(world, workspaceId, keywordId, used)
const addKeywordDay = (workspaceId: Uuid, keywordId: Uuid, day: string) =>
  storeKeywordDay(world, workspaceId, keywordId, day)
const addWaiting = (workspaceId: Uuid, keywordId: Uuid, day: string, platform: number) =>
  storeWaiting(world, workspaceId, keywordId, day, platform)

async function addKeyword(workspace: TestWorkspace, term: string, groupId?: string): Promise<string> {
  return (await workspace.api('POST', '/v1/keywords', { term, muted: true, ...(groupId ? { groupId } : {}) })).body.id
}

const NOTHING = {
  keywordCents: 0,
  matchedMentions: 0,
  billableMentions: 0,
  unclassifiedMentions: 0,
  mentionCents: 0,
  totalCents: 0,
}

test('every breakdown tells the same usage: by keyword, group, platform and day', async () => {
  const workspace = await world.workspace('Told')
  const ask = async (query: string) =>
    (await workspace.api('GET', `/v1/usage/breakdown?${query}`, undefined, { key: workspace.readKey }))
      .body as UsageBreakdown
  const launch = (await workspace.api('POST', '/v1/groups', { name: 'Launch' })).body.id
  const [cheap, dear] = [await addKeyword(workspace, 'cheap', launch), await addKeyword(workspace, 'dear')]
  const home = (await workspace.api('GET', `/v1/keywords/${dear}`)).body.group
  const id = workspace.workspaceId
  await addUsage(id, stored('kw', cheap), { day: daysAgo(1), platform: 0, matched: 3, scored: 2 })
  await addUsage(id, stored('kw', dear), { day: daysAgo(0), platform: 1, matched: 10, scored: 9 })
  await addKeywordDay(id, stored('kw', cheap), daysAgo(1))
  await addKeywordDay(id, stored('kw', dear), daysAgo(1))
  await addWaiting(id, stored('kw', dear), daysAgo(0), 1)
  await addUsage(id, stored('kw', dear), { day: daysAgo(30), platform: 1, matched: 1000, scored: 1000 })
  await addWaiting(id, stored('kw', dear), daysAgo(30), 1)

  const cheapAmounts = {
    keywordCents: 17,
    matchedMentions: 3,
    billableMentions: 2,
    unclassifiedMentions: 0,
    mentionCents: 2,
    totalCents: 18,
  }
  const dearAmounts = {
    keywordCents: 17,
    matchedMentions: 10,
    billableMentions: 9,
    unclassifiedMentions: 1,
    mentionCents: 7,
    totalCents: 24,
  }
  // 1,000 units of keyword days and 264 of mentions.
  const totals = {
    keywordDays: 2,
    keywordCents: 33,
    matchedMentions: 13,
    billableMentions: 11,
    unclassifiedMentions: 1,
    mentionCents: 9,
    totalCents: 42,
    ledgerDebitCents: 0,
  }
  const head = { window: { from: daysAgo(29), to: daysAgo(0), days: 30 }, filtered: false, currency: 'USD', totals }
  const groups = {
    cheap: { id: launch, name: 'Launch', removed: false },
    dear: { id: home.id, name: home.name, removed: false },
  }
  expect(await ask('')).toEqual({
    ...head,
    by: 'keyword',
    data: [
      {
        key: dear,
        label: 'dear',
        keyword: { id: dear, term: 'dear', removed: false },
        group: groups.dear,
        keywordDays: 1,
        ...dearAmounts,
      },
      {
        key: cheap,
        label: 'cheap',
        keyword: { id: cheap, term: 'cheap', removed: false },
        group: groups.cheap,
        keywordDays: 1,
        ...cheapAmounts,
      },
    ],
    total: 2,
  })
  expect(await ask('by=group')).toEqual({
    ...head,
    by: 'group',
    data: [
      { key: home.id, label: home.name, keyword: null, group: groups.dear, keywordDays: 1, ...dearAmounts },
      { key: launch, label: 'Launch', keyword: null, group: groups.cheap, keywordDays: 1, ...cheapAmounts },
    ],
    total: 2,
  })
  const bare = { keyword: null, group: null, keywordDays: null }
  expect(await ask('by=platform')).toEqual({
    ...head,
    by: 'platform',
    data: [
      { key: 'keyword_days', label: 'Keyword days', ...bare, ...NOTHING, keywordCents: 33, totalCents: 33 },
      { key: 'hackernews', label: 'hackernews', ...bare, ...dearAmounts, keywordCents: 0, totalCents: 7 },
      { key: 'bluesky', label: 'bluesky', ...bare, ...cheapAmounts, keywordCents: 0, totalCents: 2 },
    ],
    total: 3,
  })
  const byDay = await ask('by=day&range=7d')
  expect(byDay).toMatchObject({ window: { from: daysAgo(6), to: daysAgo(0), days: 7 }, totals, total: 7 })
  expect(byDay.data.map((row) => row.key)).toEqual([6, 5, 4, 3, 2, 1, 0].map(daysAgo))
  expect(byDay.data[4]).toEqual({
    key: daysAgo(2),
    label: daysAgo(2),
    keyword: null,
    group: null,
    keywordDays: 0,
    ...NOTHING,
  })
  expect(byDay.data[5]).toMatchObject({
    keywordDays: 2,
    keywordCents: 33,
    matchedMentions: 3,
    unclassifiedMentions: 0,
    totalCents: 35,
  })
  expect(byDay.data[6]).toMatchObject({ keywordDays: 0, matchedMentions: 10, unclassifiedMentions: 1, totalCents: 7 })
})

test('removed keywords and groups keep their rows', async () => {
  const workspace = await world.workspace('Removed')
  const launch = (await workspace.api('POST', '/v1/groups', { name: 'Launch' })).body.id
  const [inGroup, alone] = [await addKeyword(workspace, 'in a group', launch), await addKeyword(workspace, 'alone')]
  await addUsage(workspace.workspaceId, stored('kw', inGroup), { day: daysAgo(0), platform: 0, matched: 1, scored: 1 })
  await addKeywordDay(workspace.workspaceId, stored('kw', alone), daysAgo(0))
  const before = (await workspace.api('GET', '/v1/usage/breakdown')).body
  await workspace.api('DELETE', `/v1/groups/${launch}`)
  await workspace.api('DELETE', `/v1/keywords/${alone}`)
  const after = (await workspace.api('GET', '/v1/usage/breakdown')).body
  expect(after.totals).toEqual(before.totals)
  expect(after.data).toMatchObject([
    {
      key: alone,
      label: 'alone',
      keyword: { id: alone, term: 'alone', removed: true },
      group: { removed: false },
      totalCents: 17,
    },
    {
      key: inGroup,
      label: 'in a group',
      keyword: { removed: true },
      group: { id: launch, name: 'Launch', removed: true },
      totalCents: 1,
    },
  ])
  const byGroup = (await workspace.api('GET', '/v1/usage/breakdown?by=group')).body
  expect(byGroup.data).toMatchObject([
    { group: { removed: false } },
    { key: launch, label: 'Launch', group: { id: launch, name: 'Launch', removed: true } },
  ])
})

test('usage can be narrowed to keywords, groups and platforms', async () => {
  const workspace = await world.workspace('Narrowed')
  const launch = (await workspace.api('POST', '/v1/groups', { name: 'Launch' })).body.id
  const [first, second] = [await addKeyword(workspace, 'one', launch), await addKeyword(workspace, 'other')]
  for (const keyword of [first, second])
    for (const platform of [0, 1])
      await addUsage(workspace.workspaceId, stored('kw', keyword), {
        day: daysAgo(0),
        platform,
        matched: platform + 1,
        scored: 0,
      })
  await addKeywordDay(workspace.workspaceId, stored('kw', first), daysAgo(0))
  const ask = async (query: string) => {
    const { body } = await workspace.api('GET', `/v1/usage/breakdown?${query}`)
    return [body.filtered, body.total, body.totals.matchedMentions, body.totals.keywordDays]
  }
  expect(await ask('')).toEqual([false, 2, 6, 1])
  expect(await ask(`keywordIds=${first}`)).toEqual([true, 1, 3, 1])
  expect(await ask(`keywordIds=${first},${second}`)).toEqual([true, 2, 6, 1])
  expect(await ask(`groupIds=${launch}`)).toEqual([true, 1, 3, 1])
  expect(await ask(`groupIds=${launch}&keywordIds=${second}`)).toEqual([true, 0, 0, 0])
  expect(await ask('platforms=hackernews')).toEqual([true, 2, 4, 0])
})

test('what another workspace used is not told', async () => {
  const [mine, other] = [await world.workspace('Mine'), await world.workspace('Other')]
  const keyword = await addKeyword(other, 'term')
  await addUsage(other.workspaceId, stored('kw', keyword), { day: daysAgo(0), platform: 0, matched: 1, scored: 1 })
  expect((await mine.api('GET', '/v1/usage/breakdown')).body).toMatchObject({ total: 0, totals: NOTHING })
  expect((await mine.api('GET', `/v1/usage/breakdown?keywordIds=${keyword}`)).body.total).toBe(0)
})

test('a group that was renamed and removed has one row, under its last name, also with keywords that were removed before', async () => {
  const workspace = await world.workspace('Renamed')
  const launch = (await workspace.api('POST', '/v1/groups', { name: 'Launch' })).body.id
  const [early, late] = [await addKeyword(workspace, 'early', launch), await addKeyword(workspace, 'late', launch)]
  for (const keyword of [early, late]) await addKeywordDay(workspace.workspaceId, stored('kw', keyword), daysAgo(0))
  const told = async (by: string) => {
    const { body } = await workspace.api('GET', `/v1/usage/breakdown?by=${by}`)
    return body.data.map((row: UsageBreakdown['data'][number]) => [
      row.label,
      row.keywordDays,
      row.group?.name,
      row.group?.removed,
    ])
  }
  await workspace.api('DELETE', `/v1/keywords/${early}`)
  expect(await told('group')).toEqual([['Launch', 2, 'Launch', false]])
  await workspace.api('PATCH', `/v1/groups/${launch}`, { name: 'Lift-off' })
  expect(await told('group')).toEqual([['Lift-off', 2, 'Lift-off', false]])
  await world.clock.advance(MINUTE_MS)
  await workspace.api('DELETE', `/v1/groups/${launch}`)
  expect(await told('group')).toEqual([['Lift-off', 2, 'Lift-off', true]])
  expect((await told('keyword')).sort()).toEqual([
    ['early', 1, 'Lift-off', true],
    ['late', 1, 'Lift-off', true],
  ])
})

test('the debits of the ledger are those for days of the window, whenever they were booked, the credits left out', async () => {
  const workspace = await world.workspace('Booked')
  const book = (kind: string, amountUnits: number, day: string | null, at: string) =>
    world.db.query(sql`
      insert into ledger_entry (workspace_id, id, kind, amount_units, balance_units, key, day, created_at)
      values (${workspace.workspaceId}, ${newUuid(new Date(at))}, ${kind}, ${amountUnits}, 0, ${`test ${kind} ${day}`},
        ${day}::date, ${new Date(at)})`)
  await book('debit_mentions', -2400, '2026-10-31', '2026-11-01T00:05:00.000Z')
  await book('debit_keyword_days', -500, '2026-10-31', '2026-10-31T00:05:00.000Z')
  await book('debit_keyword_days', -500, '2026-11-01', '2026-11-01T00:05:00.000Z')
  await book('debit_mentions', -240, '2026-11-05', '2026-11-09T12:00:00.000Z')
  await book('debit_mentions', -24, '2026-11-06', '2026-11-07T00:05:00.000Z')
  await book('topup', 60_000, null, '2026-11-02T00:00:00.000Z')
  await book('refund', -3000, null, '2026-11-03T00:00:00.000Z')
  const { body } = await workspace.api('GET', '/v1/usage/breakdown?from=2026-11-01&to=2026-11-05')
  expect(body.window).toEqual({ from: '2026-11-01', to: '2026-11-05', days: 5 })
  expect(body.totals.ledgerDebitCents).toBe(25)
  const filtered = (await workspace.api('GET', '/v1/usage/breakdown?from=2026-11-01&to=2026-11-05&platforms=bluesky'))
    .body
  expect(filtered).toMatchObject({ filtered: true, totals: { totalCents: 0, ledgerDebitCents: 25 } })
})

test('a month holds the days that it has in UTC, from the first to the last instant', async () => {
  const workspace = await world.workspace('Monthly')
  const keyword = stored('kw', await addKeyword(workspace, 'term'))
  for (const [at, day] of ['2026-09-30', '2026-10-01', '2026-10-31', '2026-11-01'].entries()) {
    await addUsage(workspace.workspaceId, keyword, { day, platform: 0, matched: 10 ** at, scored: 0 })
    await addKeywordDay(workspace.workspaceId, keyword, day)
    await addWaiting(workspace.workspaceId, keyword, day, 0)
  }
  const { body } = await workspace.api('GET', '/v1/usage/breakdown?month=2026-10&by=day')
  expect(body).toMatchObject({ window: { from: '2026-10-01', to: '2026-10-31', days: 31 }, total: 31 })
  expect(body.totals).toMatchObject({ matchedMentions: 110, keywordDays: 2, unclassifiedMentions: 2 })
  expect(body.data[30]).toMatchObject({
    key: '2026-10-31',
    matchedMentions: 100,
    keywordDays: 1,
    unclassifiedMentions: 1,
  })
})

test('a window may end in the future, whose days have nothing yet', async () => {
  const workspace = await world.workspace('Ahead')
  const keyword = stored('kw', await addKeyword(workspace, 'term'))
  await addKeywordDay(workspace.workspaceId, keyword, daysAgo(0))
  const { body } = await workspace.api('GET', `/v1/usage/breakdown?by=day&from=${daysAgo(1)}&to=${daysAgo(-2)}`)
  expect(body.window.days).toBe(4)
  expect(body.data.map((row: UsageBreakdown['data'][number]) => [row.key, row.keywordDays])).toEqual(
    [1, 0, -1, -2].map((ago) => [daysAgo(ago), ago === 0 ? 1 : 0]),
  )
})

test('the rows come in pages, and the totals are those of all pages', async () => {
  const all = (await acme.api('GET', '/v1/usage/breakdown?by=day&range=30d')).body
  const page = (await acme.api('GET', '/v1/usage/breakdown?by=day&range=30d&limit=4&offset=28')).body
  expect(page.data).toEqual(all.data.slice(28))
  expect(page).toMatchObject({ total: 30, totals: all.totals })
})

test.each([
  ['month=2026-11', { from: '2026-11-01', to: '2026-11-20', days: 20 }],
  ['month=2026-02', { from: '2026-02-01', to: '2026-02-28', days: 28 }],
  ['range=90d', { from: '2026-08-23', to: '2026-11-20', days: 90 }],
  ['from=1970-01-01&to=1970-01-02', { from: '1970-01-01', to: '1970-01-02', days: 2 }],
  ['from=9999-12-31&to=9999-12-31', { from: '9999-12-31', to: '9999-12-31', days: 1 }],
  ['from=2024-02-29&to=2025-02-28', { from: '2024-02-29', to: '2025-02-28', days: 366 }],
])('%s is the window it says', async (query, window) => {
  expect((await acme.api('GET', `/v1/usage/breakdown?${query}`)).body.window).toEqual(window)
})

test.each([
  ['month=2026-12', 'month: must not be in the future'],
  ['month=1969-12', 'month: must not be before 1970-01'],
  ['month=0000-01', 'month: must not be before 1970-01'],
  ['from=1969-12-31&to=1970-01-01', 'from: must not be before 1970-01-01'],
  ['from=0001-01-01&to=0001-01-02', 'from: must not be before 1970-01-01'],
  ['month=2026-13', 'month: must be a month, such as 2026-11'],
  ['month=november', 'month: must be a month, such as 2026-11'],
  ['month=2026-11&range=7d', 'month: cannot be combined with range'],
  ['from=2026-11-01', 'to: is required with from'],
  ['to=2026-11-01', 'from: is required with to'],
  ['from=2026-11-02&to=2026-11-01', 'to: must not be before from'],
  ['from=2024-02-28&to=2025-02-28', 'to: must be at most 366 days after from, both included'],
  ['from=2026-02-30&to=2026-03-01', 'from: must be a day, such as 2026-11-20'],
  ['from=2026-11-01&to=2026-11-02&month=2026-11', 'from: cannot be combined with range or month'],
  ['range=365d', 'range: must be one of 7d, 30d, 90d'],
  ['by=person', 'by: must be one of day, platform, keyword, group'],
  ['limit=501', 'limit: must be at most 500'],
  ['keywordIds=grp_1', 'keywordIds: must be an id that starts with kw_'],
])('%s is refused by naming the parameter', async (query, message) => {
  const workspace = await world.workspace('Refused')
  const { status, body } = await workspace.api('GET', `/v1/usage/breakdown?${query}`)
  expect([status, body.error.code, body.error.message]).toEqual([400, 'validation_error', message])
})

test('a breakdown may be asked for thirty times a minute', async () => {
  const workspace = await world.workspace('Eager')
  // Refused before and by the breakdown itself: neither counts.
  for (let times = 0; times < 40; times += 1)
    expect(
      (await workspace.api('GET', `/v1/usage/breakdown?${times % 2 ? 'limit=0' : 'from=2026-11-01'}`)).status,
    ).toBe(400)
  for (let times = 0; times < 30; times += 1)
    expect((await workspace.api('GET', '/v1/usage/breakdown')).status).toBe(200)
  const { status, body } = await workspace.api('GET', '/v1/usage/breakdown')
  expect([status, body.error.code]).toEqual([429, 'rate_limited'])
  await world.clock.advance(MINUTE_MS)
  expect((await workspace.api('GET', '/v1/usage/breakdown')).status).toBe(200)
})
