import { describe, expect, test, vi } from 'vitest'
import {
  makeKeyword,
  makePost,
  matchedBy,
  mention,
  score,
  store,
  type TestKeyword,
  VERDICT,
} from '../../../test/mentions.ts'
import { makeKeywordDay } from '../../../test/rows.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, createWorld, type TestWorkspace } from '../../../test/world.ts'
import { DAY_MS, dayStart, HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { readUnscored } from '../../store/model/unscored.ts'
import { startMonth } from '../keywords/start-month.ts'
import { updateKeyword } from '../keywords/update-keyword.ts'
import { recordScores } from '../mentions/record-scores.ts'
import { runDay } from './daily-run.ts'
import {
  disagreements,
  everything,
  failingAt,
  hearing,
  ledgerOf,
  nextRun,
  setBalance,
  toldTo,
} from './wallet-setting.suite.ts'

const world = useWorld()

const keywordDays = ({ workspaceId }: TestWorkspace) =>
  world.db.query<{ day: string; keyword_id: string; units: number }>(
    sql`select day, keyword_id, units from keyword_day where workspace_id = ${workspaceId} order by day, keyword_id`,
  )
const debits = async (workspace: TestWorkspace) =>
  (await ledgerOf(world, workspace))
    .filter(({ kind }) => kind.startsWith('debit'))
    .map(({ key, amount_units, units }) => [key, amount_units, units])
const shown = async (workspace: TestWorkspace, keyword: TestKeyword) =>
  (await workspace.api('GET', `/v1/keywords/${keyword.shown.id}`)).body
const funds = async (workspace: TestWorkspace) =>
  (
    await world.db.query<{ balance_units: number; settled_through: string }>(
      sql`select balance_units, settled_through from workspace where id = ${workspace.workspaceId}`,
    )
  )[0]!

/** Makes mentions of a keyword and scores them. */
async function spend(keyword: TestKeyword, count: number, at = world.clock.now()): Promise<void> {
  const made = await store(
    world,
    Array.from({ length: count }, () => matchedBy(makePost(world), [keyword])),
    { at },
  )
  await score(world, made, {}, { at })
}

describe('a run charges', () => {
  test('every running keyword for the day, capped ones too, and neither muted nor new ones', async () => {
    const workspace = await hearing(world)
    const running = await makeKeyword(workspace)
    const capped = await makeKeyword(workspace, { cap: { mentions: 1 } })
    await mention(world, capped)
    await makeKeyword(workspace, { muted: true })
    expect(await runDay(world.services)).toBe(0)
    expect(await keywordDays(workspace)).toEqual([])
    const day = nextRun(world)
    await runDay(world.services)
    expect(await keywordDays(workspace)).toEqual(
      [running, capped].map(({ uuid }) => ({ day, keyword_id: uuid, units: 500 })),
    )
    expect(await debits(workspace)).toEqual([[`keyword_days ${day}`, -1000, 2]])
    await makeKeyword(workspace)
    await runDay(world.services)
    expect(await keywordDays(workspace)).toHaveLength(2)
    expect(await disagreements(world)).toEqual([])
  })

  test('the mentions of each day before, once, however late it comes; days without a run cost no keyword-days', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    const first = world.clock.now()
    await spend(keyword, 3)
    const failed = await mention(world, keyword)
    await score(world, [failed], null)
    world.clock.set(plus(first, DAY_MS))
    await spend(keyword, 2)
    world.clock.set(plus(first, 3 * DAY_MS))
    const day = nextRun(world, 20 * HOUR_MS)
    await spend(keyword, 1)
    await runDay(world.services)
    const dayOf = (at: Date) => at.toISOString().slice(0, 10)
    expect(await debits(workspace)).toEqual([
      [`mentions ${dayOf(first)}`, -72, 3],
      [`mentions ${dayOf(plus(first, DAY_MS))}`, -48, 2],
      [`keyword_days ${day}`, -500, 1],
    ])
    // What was scored today waits for tomorrow.
    expect((await workspace.api('GET', '/v1/usage')).body.balance).toMatchObject({
      cents: Math.round((17_400 - 620) / 30),
      pendingCents: 1,
    })
    const next = nextRun(world)
    await runDay(world.services)
    expect((await debits(workspace)).slice(3)).toEqual([
      [`mentions ${day}`, -24, 1],
      [`keyword_days ${next}`, -500, 1],
    ])
    expect(await disagreements(world)).toEqual([])
  })

  test('nothing before five past midnight, and everything from then on', async () => {
    const workspace = await hearing(world)
    await makeKeyword(workspace)
    nextRun(world, -1)
    expect(await runDay(world.services)).toBe(0)
    expect(await debits(workspace)).toEqual([])
    world.clock.set(plus(world.clock.now(), 1))
    expect(await runDay(world.services)).toBeGreaterThan(0)
    expect(await debits(workspace)).toHaveLength(1)
  })

  test('a keyword of a workspace that was made before the run of its first day, and not of one that was made after', async () => {
    world.clock.set(plus(dayStart(plus(world.clock.now(), DAY_MS)), MINUTE_MS))
    const early = await hearing(world)
    await makeKeyword(early)
    world.clock.set(plus(world.clock.now(), 4 * MINUTE_MS))
    const late = await hearing(world)
    await makeKeyword(late)
    await runDay(world.services)
    expect([await debits(early), await debits(late)].map(({ length }) => length)).toEqual([1, 0])
    nextRun(world)
    await runDay(world.services)
    expect([await debits(early), await debits(late)].map(({ length }) => length)).toEqual([2, 1])
  })

  test('over the turn of a month: the last day is settled, and what the calendar lets go on is charged like all others', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace, { cap: { mentions: 2 } })
    const last = new Date(Date.UTC(world.clock.now().getUTCFullYear(), world.clock.now().getUTCMonth() + 1, 0, 23))
    world.clock.set(last)
    await spend(keyword, 2)
    const before = (await debits(workspace)).length
    const day = nextRun(world)
    expect(day.endsWith('-01')).toBe(true)
    await Promise.all([runDay(world.services), startMonth(world.services)])
    // The look at the month passes over what the run has locked, and comes again.
    await startMonth(world.services)
    expect((await debits(workspace)).slice(before)).toEqual([
      [`mentions ${last.toISOString().slice(0, 10)}`, -48, 2],
      [`keyword_days ${day}`, -500, 1],
    ])
    expect(await shown(workspace, keyword)).toMatchObject({ pausedForCap: false, stats: { cost: { keywordDays: 1 } } })
  })

  test('nothing on an unmetered installation, which settles what was charged before it became one', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await spend(keyword, 2)
    const charged = world.clock.now().toISOString().slice(0, 10)
    await score(world, [await mention(world, keyword)], {}, { metered: false })
    await setBalance(world, workspace, 0)
    const before = await toldTo(world, workspace)
    const free = { ...world.services, billing: 'unmetered' as const }
    for (const _day of [1, 2, 3]) {
      nextRun(world)
      await score(world, [await mention(world, keyword)], {}, { metered: false })
      expect(await runDay(free)).toBeGreaterThan(0)
      expect(await runDay(free)).toBe(0)
    }
    // Two of the three of that day were charged.
    expect(await debits(workspace)).toEqual([[`mentions ${charged}`, -48, 2]])
    expect(await keywordDays(workspace)).toEqual([])
    expect(await toldTo(world, workspace)).toEqual(before)
    expect(await funds(workspace)).toEqual({
      balance_units: -48,
      settled_through: plus(world.clock.now(), -DAY_MS).toISOString().slice(0, 10),
    })
    expect(await shown(workspace, keyword)).toMatchObject({ muted: false })
    expect(await disagreements(world)).toEqual([])
  })
})

describe('a run takes place once for each workspace and day', () => {
  test('however often it is started, and by however many at once', async () => {
    const many = await Promise.all(Array.from({ length: 5 }, () => hearing(world)))
    for (const workspace of many) await spend(await makeKeyword(workspace), 2)
    const day = nextRun(world)
    const counts = await Promise.all([runDay(world.services), runDay(world.services), runDay(world.services)])
    const [all] = await world.db.query<{ count: number }>(sql`select count(*) as count from workspace`)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all!.count)
    expect(await runDay(world.services)).toBe(0)
    world.clock.set(plus(world.clock.now(), 23 * HOUR_MS))
    expect(await runDay(world.services)).toBe(0)
    for (const acme of many)
      expect((await debits(acme)).filter(([key]) => key === `keyword_days ${day}`)).toEqual([
        [`keyword_days ${day}`, -500, 1],
      ])
    expect(await disagreements(world)).toEqual([])
  })

  test('also where it stopped everything and the caller started something again', async () => {
    const workspace = await hearing(world)
    const [first] = [await makeKeyword(workspace), await makeKeyword(workspace)]
    await setBalance(world, workspace, 999)
    nextRun(world)
    await runDay(world.services)
    accepted(await updateKeyword(workspace, first!.uuid, { muted: false }))
    await runDay(world.services)
    expect(await keywordDays(workspace)).toEqual([])
    const day = nextRun(world)
    await runDay(world.services)
    expect(await keywordDays(workspace)).toEqual([{ day, keyword_id: first!.uuid, units: 500 }])
  })

  test.each([
    ['pays', 17_400, []],
    ['is paid for and low by then', 600, ['wallet.low']],
    ['is stopped', 499, ['keyword.paused_for_balance', 'wallet.paused']],
  ])(
    'a failure at any statement leaves nothing behind, and the next start makes up for it: a keyword that %s',
    async (_name, balance, events) => {
      const own = await createWorld()
      try {
        const workspace = await hearing(own)
        const keyword = await makeKeyword(workspace)
        await score(own, [await mention(own, keyword)])
        await setBalance(own, workspace, balance)
        nextRun(own)
        const before = await everything(own)
        let n = 1
        for (; ; n += 1) {
          const failing = failingAt(own.db, n)
          const outcome = await runDay({ ...own.services, db: failing.db }).catch((error: Error) => error)
          if (failing.seen() < n) {
            expect(outcome).toBe(1)
            break
          }
          expect(outcome).toMatchObject({ errors: [{ message: `statement ${n} fails` }] })
          expect(await everything(own)).toEqual(before)
        }
        expect(n).toBeGreaterThan(8)
        expect(await runDay(own.services)).toBe(0)
        expect(await disagreements(own)).toEqual([])
        expect((await toldTo(own, workspace)).map(({ event }) => event)).toEqual(events)
      } finally {
        await own.close()
      }
    },
  )

  test('a workspace for which it fails holds up no other, and is told of', async () => {
    const many = await Promise.all(Array.from({ length: 5 }, () => hearing(world)))
    const keywords = await Promise.all(many.map((workspace) => makeKeyword(workspace)))
    const day = nextRun(world)
    // Nothing that the service does: a day that is charged already although the run has not taken place.
    await makeKeywordDay(world, many[2]!.workspaceId, keywords[2]!.uuid, day)
    await expect(runDay(world.services)).rejects.toThrow(/failed for 1 workspaces/)
    expect(await Promise.all(many.map(async (workspace) => (await debits(workspace)).length))).toEqual([1, 1, 0, 1, 1])
    await world.db.query(sql`delete from keyword_day where workspace_id = ${many[2]!.workspaceId}`)
    expect(await runDay(world.services)).toBe(1)
    expect(await debits(many[2]!)).toHaveLength(1)
  })
})

describe('a balance that does not cover the day', () => {
  test('stops every running keyword, charges none, and tells each and then the whole with what is left', async () => {
    const workspace = await hearing(world)
    const [first, capped] = [await makeKeyword(workspace), await makeKeyword(workspace, { cap: { mentions: 1 } })]
    const muted = await makeKeyword(workspace, { muted: true })
    await spend(capped, 1)
    await setBalance(world, workspace, 1023)
    const day = nextRun(world)
    await runDay(world.services)
    expect(await keywordDays(workspace)).toEqual([])
    for (const keyword of [first, capped])
      expect(await shown(workspace, keyword)).toMatchObject({ muted: true, pausedForBalance: true })
    expect(await shown(workspace, muted)).toMatchObject({ muted: true, pausedForBalance: false })
    const at = world.clock.now().toISOString()
    expect(at.slice(0, 10)).toBe(day)
    const wallet = {
      balanceCents: 33,
      effectiveCents: 33,
      nextDayCents: 0,
      resumeCostCents: 33,
      activeKeywords: 0,
      pausedKeywords: 2,
    }
    const told = (await toldTo(world, workspace)).filter(({ event }) => event !== 'keyword.capped')
    expect(told).toEqual([
      ...[first, capped].map(({ shown: { id, term, kind } }) => ({
        event: 'keyword.paused_for_balance',
        data: { keyword: { id, term, kind }, pausedAt: at, wallet },
      })),
      { event: 'wallet.paused', data: { wallet, keywordsPaused: 2, at } },
    ])
    expect(await disagreements(world)).toEqual([])
    nextRun(world)
    await runDay(world.services)
    expect(await toldTo(world, workspace)).toHaveLength(told.length + 1)
  })

  test('counts mentions that are not settled as spent', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    nextRun(world)
    await runDay(world.services)
    await setBalance(world, workspace, 523)
    nextRun(world)
    await spend(keyword, 1)
    await runDay(world.services)
    expect(await shown(workspace, keyword)).toMatchObject({ pausedForBalance: true })
    expect((await toldTo(world, workspace)).at(-1)!.data.wallet).toMatchObject({ balanceCents: 17, effectiveCents: 17 })
  })

  test('to the last unit is one that covers it', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await setBalance(world, workspace, 500)
    nextRun(world)
    await runDay(world.services)
    expect((await funds(workspace)).balance_units).toBe(0)
    expect(await shown(workspace, keyword)).toMatchObject({ muted: false })
  })

  test('matchers are told, and a stopped keyword gets no further mention', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await setBalance(world, workspace, 0)
    nextRun(world)
    const changes = () =>
      world.db.query(
        sql`select from keyword_change where workspace_id = ${workspace.workspaceId} and keyword_id = ${keyword.uuid}`,
      )
    const before = (await changes()).length
    await runDay(world.services)
    expect(await changes()).toHaveLength(before + 1)
    expect(await store(world, [matchedBy(makePost(world), [keyword])])).toEqual([])
  })
})

describe('a low balance', () => {
  test('is told by the run that makes it so, once', async () => {
    const workspace = await hearing(world)
    await makeKeyword(workspace)
    await setBalance(world, workspace, 3980)
    nextRun(world)
    await runDay(world.services)
    const wallet = {
      balanceCents: 116,
      effectiveCents: 116,
      nextDayCents: 17,
      resumeCostCents: 17,
      activeKeywords: 1,
      pausedKeywords: 0,
    }
    const at = world.clock.now().toISOString()
    expect(await toldTo(world, workspace)).toEqual([
      { event: 'wallet.low', data: { wallet, lastCreditCents: 580, at } },
    ])
    nextRun(world)
    await runDay(world.services)
    expect(await toldTo(world, workspace)).toHaveLength(1)
  })
})

describe('scores that come while a day is settled', () => {
  test('are settled with it when they were begun before', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    world.clock.set(plus(dayStart(plus(world.clock.now(), DAY_MS)), -SECOND_MS))
    const at = world.clock.now()
    const made = await mention(world, keyword)
    nextRun(world)
    const scores = (await readUnscored(world.db, [made])).map((unscored) => ({
      mention: unscored,
      verdict: VERDICT,
      authorKeys: [],
    }))
    let finish: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      finish = resolve
    })
    let begun: () => void = () => undefined
    const scored = new Promise<void>((resolve) => {
      begun = resolve
    })
    const scoring = world.db.transaction(async (tx) => {
      await recordScores(tx, scores, { at, metered: true })
      begun()
      await held
    })
    await scored
    const running = runDay(world.services)
    await vi.waitFor(
      async () =>
        expect(
          await world.db.query(
            sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        ).not.toEqual([]),
      { timeout: 10_000 },
    )
    finish()
    await Promise.all([scoring, running])
    expect((await debits(workspace)).map(([, amount]) => amount)).toEqual([-24, -500])
    expect(await disagreements(world)).toEqual([])
  })

  test('are charged to the next day when their own is settled', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    world.clock.set(plus(dayStart(plus(world.clock.now(), DAY_MS)), -SECOND_MS))
    const at = world.clock.now()
    const made = await mention(world, keyword)
    const today = nextRun(world)
    await runDay(world.services)
    await score(world, [made], {}, { at })
    const pending = { pendingCents: 1 }
    expect((await workspace.api('GET', '/v1/usage')).body.balance).toMatchObject(pending)
    nextRun(world)
    await runDay(world.services)
    expect((await debits(workspace)).map(([key, amount]) => [key, amount])).toContainEqual([`mentions ${today}`, -24])
    expect(await disagreements(world)).toEqual([])
  })
})
