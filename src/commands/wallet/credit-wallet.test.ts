import { describe, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, store, type TestKeyword } from '../../../test/mentions.ts'
import { changeKeyword } from '../../../test/rows.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace, World } from '../../../test/world.ts'
import type { CreditKind } from '../../domain/wallet/ledger.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { type Units, units } from '../../kernel/money.ts'
import { sql } from '../../store/database.ts'
import { creditWallet } from './credit-wallet.ts'
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

let keys = 0
const world = useWorld()

interface Given {
  kind?: CreditKind
  key?: string
  services?: World['services']
}

function credit(
  { workspaceId }: TestWorkspace,
  amount: number,
  { kind = 'topup', key, services = world.services }: Given = {},
) {
  keys += 1
  const given = { workspaceId, kind, amount: amount as Units, key: key ?? `payment pi_${keys}`, note: null }
  return services.db.transaction((tx) => creditWallet(tx, services, given))
}

const states = async ({ workspaceId }: TestWorkspace) =>
  (
    await world.db.query<{
      muted: boolean
      paused_for_balance: boolean
      paused_for_noise: boolean
      paused_for_cap: boolean
    }>(
      sql`select muted, paused_for_balance, paused_for_noise, paused_for_cap from keyword
          where workspace_id = ${workspaceId} order by id`,
    )
  ).map((row) => Object.entries(row).flatMap(([flag, on]) => (on ? [flag] : [])))
const events = async (workspace: TestWorkspace) => (await toldTo(world, workspace)).map(({ event }) => event)

/** A workspace whose keywords the wallet has stopped. */
async function stopped(count: number): Promise<{ one: TestWorkspace; keywords: TestKeyword[] }> {
  const workspace = await hearing(world)
  const keywords: TestKeyword[] = []
  for (let at = 0; at < count; at += 1) keywords.push(await makeKeyword(workspace))
  await setBalance(world, workspace, 100)
  nextRun(world)
  await runDay(world.services)
  return { one: workspace, keywords }
}

describe('a credit', () => {
  test('is booked once a key, by however many at once, with everything that follows', async () => {
    const { one } = await stopped(2)
    const results = await Promise.all(Array.from({ length: 5 }, () => credit(one, 5000, { key: 'payment pi_same' })))
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(results.map(({ balance }) => balance)).toEqual(results.map(() => 5100))
    expect((await events(one)).slice(3)).toEqual(['keyword.resumed', 'keyword.resumed', 'wallet.resumed'])
    expect((await ledgerOf(world, one)).filter(({ kind }) => kind === 'topup')).toHaveLength(1)
    expect(await disagreements(world)).toEqual([])
  })

  test('that comes again changes nothing at all, whatever has happened since', async () => {
    const { one } = await stopped(1)
    await credit(one, 600, { key: 'payment pi_late' })
    await setBalance(world, one, 100)
    nextRun(world)
    await runDay(world.services)
    await setBalance(world, one, 700)
    const before = await everything(world)
    expect(await credit(one, 900, { key: 'payment pi_late' })).toEqual({ balance: 700, isNew: false })
    expect(await everything(world)).toEqual(before)
  })

  test.each([
    ['topup', false],
    ['auto_recharge', false],
    ['grant', false],
    ['signup_credit', true],
  ] as const)('of the kind %s leaves the welcome limits in force: %s', async (kind, limited) => {
    const workspace = await hearing(world)
    await credit(workspace, 300, { kind })
    const [row] = await world.db.query(
      sql`select last_credit_units, welcome_limits, last_top_up_at from workspace where id = ${workspace.workspaceId}`,
    )
    expect(row).toEqual({
      last_credit_units: 300,
      welcome_limits: limited,
      last_top_up_at: limited ? null : world.clock.now(),
    })
  })

  test.each([0, -30])('of %d is none', async (amount) => {
    const workspace = await hearing(world)
    await expect(credit(workspace, amount)).rejects.toThrow(RangeError)
  })
})

describe('keywords that the balance stopped', () => {
  test('go on when a credit covers a day of all, each told first and then the whole', async () => {
    const { one, keywords } = await stopped(2)
    const running = await makeKeyword(one, { muted: true })
    await credit(one, 900)
    const at = world.clock.now().toISOString()
    expect(await states(one)).toEqual([[], [], ['muted']])
    const wallet = {
      balanceCents: 33,
      effectiveCents: 33,
      nextDayCents: 33,
      resumeCostCents: 33,
      activeKeywords: 2,
      pausedKeywords: 0,
    }
    expect((await toldTo(world, one)).slice(3)).toEqual([
      ...keywords.map(({ shown: { id, term, kind } }) => ({
        event: 'keyword.resumed',
        data: { keyword: { id, term, kind }, reason: 'balance_restored', resumedAt: at },
      })),
      { event: 'wallet.resumed', data: { wallet, keywordsResumed: 2, at } },
    ])
    expect(running.shown.muted).toBe(true)
  })

  test('stay stopped, all of them, when it does not', async () => {
    const { one } = await stopped(2)
    await credit(one, 899)
    expect(await states(one)).toEqual([
      ['muted', 'paused_for_balance'],
      ['muted', 'paused_for_balance'],
    ])
    expect(await events(one)).toHaveLength(3)
    await credit(one, 1)
    expect(await states(one)).toEqual([[], []])
  })

  test('wait for a credit that covers those too that run already', async () => {
    const { one, keywords } = await stopped(2)
    await setBalance(world, one, 500)
    await one.api('PATCH', `/v1/keywords/${keywords[0]!.shown.id}`, { muted: false })
    expect(await states(one)).toEqual([[], ['muted', 'paused_for_balance']])
    await credit(one, 499)
    expect(await states(one)).toEqual([[], ['muted', 'paused_for_balance']])
    await credit(one, 1)
    expect(await states(one)).toEqual([[], []])
    expect((await events(one)).slice(3)).toEqual(['keyword.resumed', 'wallet.resumed'])
  })

  test('are not what was muted by the caller or for noise', async () => {
    const { one, keywords } = await stopped(3)
    await changeKeyword(world, keywords[0]!.uuid, { pausedForBalance: false, pausedForNoise: true })
    await changeKeyword(world, keywords[1]!.uuid, { pausedForBalance: false })
    await credit(one, 60_000)
    expect(await states(one)).toEqual([['muted', 'paused_for_noise'], ['muted'], []])
  })

  test('are asked for from then on, and matchers are told', async () => {
    const { one, keywords } = await stopped(1)
    const [keyword] = keywords
    world.clock.set(plus(world.clock.now(), 6 * HOUR_MS))
    await world.db.query(sql`
      update source_query q set due_at = ${plus(world.clock.now(), 16 * HOUR_MS)}, look_back = false, empty_polls = 4
      from keyword_query w where w.keyword_id = ${keyword!.uuid} and q.platform = w.platform and q.key = w.key`)
    const changes = () => world.db.query(sql`select from keyword_change where keyword_id = ${keyword!.uuid}`)
    const before = (await changes()).length
    await credit(one, 60_000)
    expect(await changes()).toHaveLength(before + 1)
    const asked = await world.db.query<{ since: Date; empty_polls: number; due: boolean }>(sql`
      select w.since, q.empty_polls, q.due_at <= ${world.clock.now()} as due from keyword_query w
        join source_query q on q.platform = w.platform and q.key = w.key
      where w.keyword_id = ${keyword!.uuid}`)
    expect(asked.length).toBeGreaterThan(0)
    for (const row of asked) expect(row).toEqual({ since: world.clock.now(), empty_polls: 0, due: true })
    expect(await store(world, [matchedBy(makePost(world), [keyword!])])).toHaveLength(1)
    const [judged] = await world.db.query<{ judged_since: Date }>(
      sql`select judged_since from keyword where id = ${keyword!.uuid}`,
    )
    expect(judged!.judged_since).toEqual(world.clock.now())
  })

  test('and that the welcome limit held too, collect again after the first top-up', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await store(
      world,
      Array.from({ length: 201 }, () => matchedBy(makePost(world), [keyword])),
    )
    expect(await states(workspace)).toEqual([['paused_for_cap']])
    await setBalance(world, workspace, 0)
    nextRun(world)
    await runDay(world.services)
    expect(await states(workspace)).toEqual([['muted', 'paused_for_balance', 'paused_for_cap']])
    await credit(workspace, 60_000)
    expect(await states(workspace)).toEqual([[]])
    expect((await toldTo(world, workspace)).slice(3).map(({ event, data }) => [event, data.reason])).toEqual([
      ['keyword.resumed', 'cap_raised'],
      ['keyword.resumed', 'balance_restored'],
      ['wallet.resumed', undefined],
    ])
  })

  test('and that are capped by their callers run and are counted, and are told when their cap ends', async () => {
    const workspace = await hearing(world)
    await makeKeyword(workspace)
    const capped = await makeKeyword(workspace, { cap: { mentions: 1 } })
    await store(world, [matchedBy(makePost(world), [capped])])
    await setBalance(world, workspace, 0)
    nextRun(world)
    await runDay(world.services)
    const paused = (await toldTo(world, workspace)).slice(1)
    expect(paused.map(({ event }) => event)).toEqual([
      'keyword.paused_for_balance',
      'keyword.paused_for_balance',
      'wallet.paused',
    ])
    expect(paused.at(-1)!.data.keywordsPaused).toBe(2)
    await credit(workspace, 60_000)
    expect(await states(workspace)).toEqual([[], ['paused_for_cap']])
    const resumed = (await toldTo(world, workspace)).slice(4)
    expect(resumed.map(({ event }) => event)).toEqual(['keyword.resumed', 'wallet.resumed'])
    expect(resumed[1]!.data).toMatchObject({ keywordsResumed: 2, wallet: { activeKeywords: 2, pausedKeywords: 0 } })
    await workspace.api('PATCH', `/v1/keywords/${capped.shown.id}`, { cap: null })
    expect(
      (await toldTo(world, workspace)).slice(6).map(({ event, data }) => [event, data.keyword.id, data.reason]),
    ).toEqual([['keyword.resumed', capped.shown.id, 'cap_removed']])
  })

  test('and that their callers muted since stay muted and cost nothing', async () => {
    const { one, keywords } = await stopped(2)
    const muted = await one.api('PATCH', `/v1/keywords/${keywords[0]!.shown.id}`, { muted: true })
    expect(muted.body).toMatchObject({ muted: true, pausedForBalance: false })
    expect(await events(one)).toHaveLength(3)
    await credit(one, 400)
    expect(await states(one)).toEqual([['muted'], []])
    expect((await toldTo(world, one)).slice(3).map(({ event }) => event)).toEqual(['keyword.resumed', 'wallet.resumed'])
  })

  test('for noise stay muted when their callers muted them since, whatever rules they are given', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await changeKeyword(world, keyword.uuid, { muted: true, pausedForNoise: true })
    await workspace.api('PATCH', `/v1/keywords/${keyword.shown.id}`, { muted: true })
    await workspace.api('PATCH', `/v1/keywords/${keyword.shown.id}`, { context: 'only shoes' })
    expect(await states(workspace)).toEqual([['muted']])
  })

  test('go on by any credit on an unmetered installation, and so do those that the welcome limit held', async () => {
    const workspace = await hearing(world)
    const [limited, own] = [await makeKeyword(workspace), await makeKeyword(workspace, { cap: { mentions: 1 } })]
    await store(world, [
      ...Array.from({ length: 201 }, () => matchedBy(makePost(world), [limited])),
      ...Array.from({ length: 2 }, () => matchedBy(makePost(world), [own])),
    ])
    await makeKeyword(workspace)
    await setBalance(world, workspace, -10_000)
    nextRun(world)
    await runDay(world.services)
    await credit(workspace, 30, { services: { ...world.services, billing: 'unmetered' } })
    expect(await states(workspace)).toEqual([[], ['paused_for_cap'], []])
  })
})

test('a credit that fails at any statement leaves nothing behind', async () => {
  const { one } = await stopped(2)
  const before = await everything(world)
  let n = 1
  for (; ; n += 1) {
    const failing = failingAt(world.db, n)
    const outcome = await credit(one, 60_000, { services: { ...world.services, db: failing.db } }).catch(
      (error: Error) => error,
    )
    if (failing.seen() < n) break
    expect(outcome).toMatchObject({ message: `statement ${n} fails` })
    expect(await everything(world)).toEqual(before)
  }
  expect(n).toBeGreaterThan(12)
  expect(await states(one)).toEqual([[], []])
  expect(await disagreements(world)).toEqual([])
  expect(units(60_100)).toBe((await ledgerOf(world, one)).at(-1)!.balance_units)
})
