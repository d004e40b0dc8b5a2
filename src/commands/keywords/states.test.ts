import { describe, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, type TestWorkspace } from '../../../test/world.ts'
import { DAY_MS, monthStart, nextMonthStart, plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { NewMention } from '../mentions/ingest-posts.ts'
import { recordScores } from '../mentions/record-scores.ts'
import { removePosts } from '../mentions/remove-posts.ts'
import { runDay } from '../wallet/daily-run.ts'
import { grantCredit } from '../wallet/grant-credit.ts'
import { hearing, nextRun, setBalance, toldTo } from '../wallet/wallet-setting.suite.ts'
import { watchWallets } from '../wallet/watch-wallets.ts'
import { deleteKeyword } from './delete-keyword.ts'
import { startMonth } from './start-month.ts'
import { updateKeyword } from './update-keyword.ts'

/** Each row of the specification's table of running states, and what else follows from it. */
const world = useWorld()

const collect = (keyword: TestKeyword, count: number): Promise<NewMention[]> =>
  store(
    world,
    Array.from({ length: count }, () => matchedBy(makePost(world), [keyword])),
  )
const change = (workspace: TestWorkspace, keyword: TestKeyword, input: Parameters<typeof updateKeyword>[2]) =>
  updateKeyword(workspace, keyword.uuid, input)
const shownOf = async (workspace: TestWorkspace, keyword: TestKeyword) =>
  (await workspace.api('GET', `/v1/keywords/${keyword.shown.id}`)).body
const stateOf = async (workspace: TestWorkspace, keyword: TestKeyword) => {
  const { muted, pausedForBalance, pausedForNoise, pausedForCap, stats } = await shownOf(workspace, keyword)
  return { muted, pausedForBalance, pausedForNoise, pausedForCap, health: stats.health }
}
const told = async (workspace: TestWorkspace) =>
  (await toldTo(world, workspace)).map(({ event, data }) => [event, data])
const shortly = ({ shown: { id, term, kind } }: TestKeyword) => ({ id, term, kind })

const RUNNING = { muted: false, pausedForBalance: false, pausedForNoise: false, pausedForCap: false, health: 'new' }
const CAPPED = { ...RUNNING, pausedForCap: true, health: 'capped' }
const MUTED = { ...RUNNING, muted: true, health: 'paused' }
const SHORT = { ...MUTED, pausedForBalance: true }
const NOISY = { ...MUTED, pausedForNoise: true }

/** A capped keyword of a workspace that has paid, and what was told of it. */
async function capped(cap: number) {
  const workspace = await hearing(world)
  await grantCredit(workspace, 1000)
  const keyword = await makeKeyword(workspace, { cap: { mentions: cap } })
  const at = world.clock.now()
  await collect(keyword, cap + 3)
  const event = [
    'keyword.capped',
    {
      keyword: shortly(keyword),
      cap: { mentions: cap },
      thisMonth: cap,
      pausedAt: at.toISOString(),
      resumesAt: nextMonthStart(at).toISOString(),
    },
  ]
  return {
    one: workspace,
    keyword,
    event,
    resumed: (reason: string) => [
      'keyword.resumed',
      { keyword: shortly(keyword), reason, resumedAt: world.clock.now().toISOString() },
    ],
  }
}

describe('a cap', () => {
  test('that this month reaches stops collecting but not the charge, and is told once', async () => {
    const { one, keyword, event } = await capped(2)
    await collect(keyword, 2)
    expect(await stateOf(one, keyword)).toEqual(CAPPED)
    expect(await told(one)).toEqual([event])
    expect((await shownOf(one, keyword)).stats).toMatchObject({ mentions: 2, thisMonth: 2 })
    nextRun(world)
    await runDay(world.services)
    expect((await shownOf(one, keyword)).stats.cost).toMatchObject({ keywordDays: 1, keywordCents: 17 })
  })

  test('counts every match of the month, scored or not, relevant or not, and those whose post is gone', async () => {
    const workspace = await hearing(world)
    await grantCredit(workspace, 1000)
    const keyword = await makeKeyword(workspace, { cap: { mentions: 4 } })
    const [first, second, third] = await collect(keyword, 3)
    await score(world, [first!], { relevance: 0 })
    await score(world, [second!], null)
    const [row] = await world.db.query<{ post_id: Uuid }>(
      sql`select post_id from mention where id = ${third!.mentionId}`,
    )
    await world.db.transaction((tx) => removePosts(tx, [row!.post_id], world.clock.now()))
    expect((await shownOf(workspace, keyword)).stats).toMatchObject({ mentions: 2, thisMonth: 3 })
    await collect(keyword, 2)
    expect(await stateOf(workspace, keyword)).toEqual(CAPPED)
    expect((await shownOf(workspace, keyword)).stats).toMatchObject({ mentions: 3, thisMonth: 4 })
  })

  test('ends with the month (UTC), at once when somebody looks', async () => {
    const { one, keyword, event, resumed } = await capped(2)
    const before = world.clock.now()
    world.clock.set(plus(nextMonthStart(before), -1))
    await startMonth(world.services)
    expect(await stateOf(one, keyword)).toMatchObject({ pausedForCap: true })
    world.clock.set(nextMonthStart(before))
    await startMonth(world.services)
    await startMonth(world.services)
    expect(await stateOf(one, keyword)).toMatchObject({ pausedForCap: false, muted: false })
    expect(await told(one)).toEqual([event, resumed('month_turned')])
    expect((await shownOf(one, keyword)).stats).toMatchObject({ thisMonth: 0, mentions: 2 })
  })

  test('ends when it is raised above the count, or removed, immediately', async () => {
    const { one, keyword, event, resumed } = await capped(2)
    await change(one, keyword, { cap: { mentions: 3 } })
    expect(await stateOf(one, keyword)).toEqual(RUNNING)
    expect(await told(one)).toEqual([event, resumed('cap_raised')])
    const removed = await capped(2)
    await change(removed.one, removed.keyword, { cap: null })
    expect(await stateOf(removed.one, removed.keyword)).toEqual(RUNNING)
    expect(await told(removed.one)).toEqual([removed.event, removed.resumed('cap_removed')])
  })

  test.each([1, 2])('of %i, which is at or below the count, leaves it capped without a word', async (cap) => {
    const { one, keyword, event } = await capped(2)
    await change(one, keyword, { cap: { mentions: cap } })
    expect(await stateOf(one, keyword)).toEqual(CAPPED)
    expect(await told(one)).toEqual([event])
  })

  test('of the welcome credit ends with the first top-up, and the caller’s own is in force again', async () => {
    const workspace = await hearing(world)
    const [plain, own] = [await makeKeyword(workspace), await makeKeyword(workspace, { cap: { mentions: 500 } })]
    await collect(plain, 201)
    await collect(own, 201)
    expect((await shownOf(workspace, plain)).cap).toEqual({ mentions: 200, welcome: true, own: null })
    expect((await shownOf(workspace, own)).cap).toEqual({ mentions: 200, welcome: true, own: 500 })
    expect((await shownOf(workspace, own)).stats.thisMonth).toBe(200)
    // Naming the limit that is in force chooses nothing.
    await change(workspace, own, { cap: { mentions: 200 } })
    await grantCredit(workspace, 100)
    expect((await shownOf(workspace, plain)).cap).toBeNull()
    expect((await shownOf(workspace, own)).cap).toEqual({ mentions: 500, welcome: false, own: 500 })
    expect((await told(workspace)).slice(2)).toEqual(
      [plain, own].map((keyword) => [
        'keyword.resumed',
        { keyword: shortly(keyword), reason: 'cap_raised', resumedAt: world.clock.now().toISOString() },
      ]),
    )
    expect([await stateOf(workspace, plain), await stateOf(workspace, own)]).toEqual([RUNNING, RUNNING])
  })
})

describe('a keyword that both its welcome limit and the balance had stopped', () => {
  test('is told of both by the first top-up, before the whole', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await collect(keyword, 201)
    await setBalance(world, workspace, 0)
    nextRun(world)
    await runDay(world.services)
    expect(await stateOf(workspace, keyword)).toEqual({ ...SHORT, pausedForCap: true })
    const before = (await told(workspace)).length
    await grantCredit(workspace, 1000)
    expect(await stateOf(workspace, keyword)).toEqual(RUNNING)
    expect((await told(workspace)).slice(before).map(([event, data]) => [event, data['reason']])).toEqual([
      ['keyword.resumed', 'cap_raised'],
      ['keyword.resumed', 'balance_restored'],
      ['wallet.resumed', undefined],
    ])
  })
})

describe('the balance', () => {
  test('that cannot cover the next day stops all, each told first and then the whole; a top-up that covers a day of all lets them go on', async () => {
    const workspace = await hearing(world)
    await grantCredit(workspace, 1000)
    const [first, second] = [await makeKeyword(workspace), await makeKeyword(workspace)]
    await setBalance(world, workspace, 999)
    nextRun(world)
    const pausedAt = world.clock.now().toISOString()
    await runDay(world.services)
    expect([await stateOf(workspace, first), await stateOf(workspace, second)]).toEqual([SHORT, SHORT])
    const wallet = {
      balanceCents: 33,
      effectiveCents: 33,
      nextDayCents: 0,
      resumeCostCents: 33,
      activeKeywords: 0,
      pausedKeywords: 2,
    }
    const stopped = [first, second].map((keyword) => [
      'keyword.paused_for_balance',
      { keyword: shortly(keyword), pausedAt, wallet },
    ])
    expect(await told(workspace)).toEqual([...stopped, ['wallet.paused', { wallet, keywordsPaused: 2, at: pausedAt }]])

    await world.clock.advance(SECOND_MS)
    await grantCredit(workspace, 1)
    const at = world.clock.now().toISOString()
    const funded = {
      balanceCents: 34,
      effectiveCents: 34,
      nextDayCents: 33,
      resumeCostCents: 33,
      activeKeywords: 2,
      pausedKeywords: 0,
    }
    expect((await told(workspace)).slice(3)).toEqual([
      ...[first, second].map((keyword) => [
        'keyword.resumed',
        { keyword: shortly(keyword), reason: 'balance_restored', resumedAt: at },
      ]),
      ['wallet.resumed', { wallet: funded, keywordsResumed: 2, at }],
    ])
    expect([await stateOf(workspace, first), await stateOf(workspace, second)]).toEqual([RUNNING, RUNNING])
  })

  test('lets a keyword that it has stopped run again when the caller unmutes it and it is covered, without a word', async () => {
    const workspace = await hearing(world)
    await grantCredit(workspace, 1000)
    const [first, second] = [await makeKeyword(workspace), await makeKeyword(workspace)]
    await setBalance(world, workspace, 499)
    nextRun(world)
    await runDay(world.services)
    const before = (await told(workspace)).length
    expect(await change(workspace, first, { muted: false })).toMatchObject({ code: 'insufficient_balance' })
    expect(await stateOf(workspace, first)).toEqual(SHORT)
    await setBalance(world, workspace, 500)
    accepted(await change(workspace, first, { muted: false }))
    expect([await stateOf(workspace, first), await stateOf(workspace, second)]).toEqual([RUNNING, SHORT])
    expect((await told(workspace)).length).toBe(before)
  })
})

describe('the caller', () => {
  test('mutes and unmutes without a word, and mentions are kept', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await collect(keyword, 2)
    accepted(await change(workspace, keyword, { muted: true }))
    expect(await stateOf(workspace, keyword)).toEqual(MUTED)
    expect(await collect(keyword, 1)).toEqual([])
    expect((await shownOf(workspace, keyword)).stats.mentions).toBe(2)
    accepted(await change(workspace, keyword, { muted: false }))
    expect(await stateOf(workspace, keyword)).toEqual(RUNNING)
    expect(await collect(keyword, 1)).toHaveLength(1)
    expect(await told(workspace)).toEqual([])
  })
})

/** A keyword with so many scores, of which so many are relevant. */
async function scored(keyword: TestKeyword, count: number, relevant: number): Promise<void> {
  const mentions = await collect(keyword, count)
  await score(world, mentions.slice(0, relevant))
  await score(world, mentions.slice(relevant), { relevance: 39 })
}

describe('the noise brake', () => {
  async function noisy() {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await scored(keyword, 20, 5)
    await world.clock.advance(SECOND_MS)
    return { one: workspace, keyword }
  }

  test('stops what mostly brings noise while the welcome credit pays, in the transaction of the score, and sends no event', async () => {
    const { one, keyword } = await noisy()
    expect(await stateOf(one, keyword)).toEqual(NOISY)
    expect((await shownOf(one, keyword)).stats.noise).toEqual({ scored: 20, relevant: 5, noisy: true })
    expect(await collect(keyword, 1)).toEqual([])
    expect(await told(one)).toEqual([])
  })

  test.each([
    [19, 0],
    [20, 6],
    [100, 30],
  ])('leaves %i scored with %i relevant alone', async (count, relevant) => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await scored(keyword, count, relevant)
    expect(await stateOf(workspace, keyword)).toMatchObject({ muted: false, pausedForNoise: false })
  })

  test('does not count what failed, what is older than fourteen days, and other keywords', async () => {
    const workspace = await hearing(world)
    const [keyword, other] = [await makeKeyword(workspace), await makeKeyword(workspace)]
    await scored(keyword, 10, 0)
    await scored(other, 19, 0)
    await score(world, await collect(keyword, 30), null)
    await world.clock.advance(14 * DAY_MS)
    await scored(keyword, 19, 0)
    expect(await stateOf(workspace, keyword)).toMatchObject({ pausedForNoise: false })
    await scored(keyword, 1, 0)
    expect([await stateOf(workspace, keyword), await stateOf(workspace, other)]).toMatchObject([
      { pausedForNoise: true },
      { pausedForNoise: false },
    ])
  })

  test('is for the welcome credit only: not after a top-up, and not on an unmetered installation', async () => {
    const paid = await hearing(world)
    await grantCredit(paid, 100)
    const keyword = await makeKeyword(paid)
    await scored(keyword, 30, 0)
    expect(await stateOf(paid, keyword)).toMatchObject({ muted: false, health: 'noisy' })
    const free = await hearing(world)
    const unmetered = await makeKeyword(free)
    await score(world, await collect(unmetered, 30), { relevance: 0 }, { metered: false })
    expect(await stateOf(free, unmetered)).toMatchObject({ muted: false, health: 'noisy' })
  })

  test('is not ended by a top-up alone', async () => {
    const { one, keyword } = await noisy()
    await grantCredit(one, 1000)
    await watchWallets(world.services)
    expect(await stateOf(one, keyword)).toEqual(NOISY)
    expect((await told(one)).filter(([event]) => event === 'keyword.resumed')).toEqual([])
  })

  test.each([
    ['unmutes', { muted: false }, { muted: false }],
    ['changes required terms', { matching: { requiredTerms: ['x'] } }, { matching: { requiredTerms: ['y'] } }],
    ['changes excluded terms', { matching: { excludedTerms: ['x'] } }, { matching: { excludedTerms: ['y'] } }],
    ['changes platforms', { platforms: ['x' as const] }, { platforms: ['reddit' as const] }],
    ['changes the context', { context: 'The vehicle.' }, { context: 'The plant.' }],
  ])(
    'ends when the caller %s and another day is covered, and then only later matches count',
    async (_what, first, second) => {
      const { one, keyword } = await noisy()
      await setBalance(world, one, 499 + 24 * 20)
      // New rules are stored all the same.
      expect(await change(one, keyword, first)).toMatchObject(
        'muted' in first ? { code: 'insufficient_balance' } : { muted: true },
      )
      expect(await stateOf(one, keyword)).toEqual(NOISY)
      await setBalance(world, one, 10_000)
      accepted(await change(one, keyword, second))
      expect(await stateOf(one, keyword)).toEqual(RUNNING)
      expect((await shownOf(one, keyword)).stats.noise).toEqual({ scored: 20, relevant: 5, noisy: true })
      await scored(keyword, 19, 0)
      expect(await stateOf(one, keyword)).toEqual(RUNNING)
      await scored(keyword, 1, 0)
      expect(await stateOf(one, keyword)).toEqual(NOISY)
      expect(await told(one)).toEqual([])
    },
  )

  test('does not judge by scores that come late for matches from before the change', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    const late = await collect(keyword, 30)
    await world.clock.advance(SECOND_MS)
    accepted(await change(workspace, keyword, { context: 'The vehicle.' }))
    await score(world, late, { relevance: 0 })
    expect(await stateOf(workspace, keyword)).toEqual(RUNNING)
  })

  test('stops nothing that is stopped already, and nothing that is gone', async () => {
    const workspace = await hearing(world)
    const [muted, gone] = [await makeKeyword(workspace), await makeKeyword(workspace)]
    const mentions = [await collect(muted, 20), await collect(gone, 20)].flat()
    accepted(await change(workspace, muted, { muted: true }))
    const scores = mentions.map((mention) => ({ mention, verdict: null, authorKeys: [] }))
    await deleteKeyword(workspace, gone.uuid)
    await world.db.transaction((tx) => recordScores(tx, scores.slice(20), { at: world.clock.now(), metered: true }))
    await score(world, mentions, { relevance: 0 })
    expect(await stateOf(workspace, muted)).toEqual(MUTED)
  })

  test('of many keywords in one batch of scores stops each', async () => {
    const workspace = await hearing(world)
    const keywords = [await makeKeyword(workspace), await makeKeyword(workspace), await makeKeyword(workspace)]
    const mentions = await store(
      world,
      Array.from({ length: 20 }, () => matchedBy(makePost(world), keywords)),
    )
    await score(world, mentions, { relevance: 0 })
    for (const keyword of keywords) expect(await stateOf(workspace, keyword)).toEqual(NOISY)
  })
})

test('the month begins for all at the same instant, whatever else had stopped a keyword, and only those that run are told of', async () => {
  const { one, keyword, event } = await capped(1)
  const muted = await makeKeyword(one, { cap: { mentions: 1 } })
  await collect(muted, 1)
  accepted(await change(one, muted, { muted: true }))
  world.clock.set(plus(monthStart(nextMonthStart(world.clock.now())), SECOND_MS))
  await startMonth(world.services)
  expect([await stateOf(one, keyword), await stateOf(one, muted)]).toMatchObject([
    { pausedForCap: false },
    { pausedForCap: false, muted: true },
  ])
  expect((await told(one)).map(([name]) => name)).toEqual([event[0], 'keyword.capped', 'keyword.resumed'])
})
