import { expect, test } from 'vitest'
import { changeKeywords, changeWallet, makeKeywordDay, makeUsageDay } from '../../../test/rows.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import { getUsage } from '../../queries/usage/get-usage.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')

const daysAgo = (days: number) => dayOf(plus(world.clock.now(), -days * DAY_MS))

async function used(day: string, matched: number, mentionUnits: number): Promise<void> {
  await makeUsageDay(acme, { workspaceId: acme.workspaceId, day, matched, mentionUnits })
}

async function charged(day: string): Promise<void> {
  await makeKeywordDay(acme, acme.workspaceId, newUuid(world.clock.now()), day)
}

async function balance(balanceUnits: number, lastCreditUnits: number): Promise<void> {
  await changeWallet(acme, acme.workspaceId, { balanceUnits, lastCreditUnits })
}

const usage = async () => (await acme.api('GET', '/v1/usage', undefined, { key: acme.readKey })).body

test('a new workspace has its welcome credit and has used nothing', async () => {
  expect((await acme.api('GET', '/v1/usage', undefined, { key: acme.readKey })).body).toEqual({
    balance: { cents: 580, pendingCents: 0, effectiveCents: 580, currency: 'USD' },
    burn: { perDayCents: 0, daysLeft: null },
    keywords: { active: 0, paused: 0, capped: 0, limit: 500, dayCents: 0 },
    mentions: { today: 0, last30d: 0 },
    stopped: false,
    lowBalance: false,
    lastTopUpAt: null,
  })
})

test('what is scored and not settled is pending, and lowers the effective balance', async () => {
  await used(daysAgo(0), 10, 10 * 24)
  expect((await usage()).balance).toEqual({ cents: 580, pendingCents: 8, effectiveCents: 572, currency: 'USD' })
})

test('the pace is the mean of seven days, rounded once, and tells how long the balance lasts', async () => {
  await changeWallet(acme, acme.workspaceId, { createdAt: `${daysAgo(7)}T10:00:00Z` })
  await balance(14_500, 14_500)
  await charged(daysAgo(6))
  await charged(daysAgo(1))
  await used(daysAgo(3), 25, 25 * 24)
  await charged(daysAgo(7))
  await used(daysAgo(7), 1000, 1000 * 24)
  // 1,600 units in seven days: 7.6 cents a day. 14,500 units are 483 cents: at 8 a day they last 60 days.
  expect((await usage()).burn).toEqual({ perDayCents: 8, daysLeft: 60 })
})

test('before anything is spent, how long it lasts goes by what the next day costs', async () => {
  await acme.api('POST', '/v1/keywords', { term: 'one' })
  expect(await usage()).toMatchObject({ burn: { perDayCents: 0, daysLeft: 34 }, keywords: { dayCents: 17 } })
})

test('an empty balance lasts no day', async () => {
  await balance(-100, 600)
  await charged(daysAgo(1))
  expect(await usage()).toMatchObject({
    burn: { daysLeft: 0 },
    balance: { cents: -3, effectiveCents: -3 },
    lowBalance: true,
  })
})

test('matches are counted for today and for thirty days', async () => {
  await used(daysAgo(0), 3, 0)
  await used(daysAgo(29), 40, 0)
  await used(daysAgo(30), 500, 0)
  expect((await usage()).mentions).toEqual({ today: 3, last30d: 43 })
})

test('the balance is low at a fifth of the last credit, and not a unit above', async () => {
  await balance(1000, 5000)
  expect((await usage()).lowBalance).toBe(true)
  await balance(1001, 5000)
  expect((await usage()).lowBalance).toBe(false)
})

test('keywords are counted by status; everything is stopped when the wallet has paused some and none runs', async () => {
  const made: string[] = []
  for (const term of ['one', 'two', 'three', 'four', 'five'])
    made.push((await acme.api('POST', '/v1/keywords', { term, muted: term === 'five' })).body.id)
  const set = (term: string, assignment: ReturnType<typeof sql>) =>
    acme.db.query(sql`update keyword set ${assignment} where workspace_id = ${acme.workspaceId} and term = ${term}`)
  expect(made.every((id) => id !== undefined)).toBe(true)
  await set('two', sql`paused_for_cap = true`)
  await set('three', sql`muted = true, paused_for_noise = true`)
  await set('four', sql`muted = true, paused_for_balance = true`)
  // Two keywords run, the capped one included: 1,000 units a day.
  expect(await usage()).toMatchObject({
    keywords: { active: 1, capped: 1, paused: 2, limit: 500, dayCents: 33 },
    stopped: false,
  })
  await set('two', sql`muted = true, paused_for_balance = true`)
  expect((await usage()).stopped).toBe(false)
  await set('one', sql`muted = true, paused_for_balance = true`)
  expect(await usage()).toMatchObject({ keywords: { active: 0, paused: 4, dayCents: 0 }, stopped: true })
})

test('an installation without metering has neither a low balance nor a pace at which it ends', async () => {
  await balance(0, 5000)
  await acme.api('POST', '/v1/keywords', { term: 'running', muted: true })
  await changeKeywords(acme, acme.workspaceId, { muted: true, pausedForBalance: true })
  await charged(daysAgo(1))
  expect(await getUsage({ ...acme, billing: 'unmetered' })).toMatchObject({
    burn: { daysLeft: null },
    keywords: { dayCents: 0 },
    lowBalance: false,
    stopped: false,
  })
})
