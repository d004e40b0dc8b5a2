import { describe, expect, test } from 'vitest'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, stored, type TestWorkspace } from '../../../test/world.ts'
import { ACCOUNT_EVENTS, type AccountEvent } from '../../domain/attention/account-events.ts'
import { KEYWORD_DAY } from '../../domain/wallet/prices.ts'
import { sql } from '../../store/database.ts'
import { createChannel } from '../channels/create-channel.ts'
import { updateChannel } from '../channels/update-channel.ts'
import { updateKeyword } from '../keywords/update-keyword.ts'
import { grantCredit } from '../wallet/grant-credit.ts'
import { setBalance } from '../wallet/wallet-setting.suite.ts'
import { watchWallets } from '../wallet/watch-wallets.ts'

// The four events that call for attention are proven where they are looked for, in watch-attention.test.ts.
const world = useWorld()

let made = 0

/** A workspace with a channel that hears these events, and one that hears none. */
async function hearing(...events: AccountEvent[]) {
  made += 1
  const workspace = await world.workspace(`Workspace ${made}`)
  accepted(await createChannel(workspace, { kind: 'webhook', url: 'https://deaf.example/' }))
  const { id } = accepted(await createChannel(workspace, { kind: 'webhook', url: 'https://hearing.example/', events }))
  const told = () =>
    world.db.query<{ event: string; data: Record<string, unknown>; heard: boolean; kind: string }>(sql`
      select event, data, kind, channel_id = ${stored('dest', id)} as heard from delivery
        where workspace_id = ${workspace.workspaceId} order by id`)
  return { one: workspace, id, told }
}

const event = (name: AccountEvent, data: Record<string, unknown>) => ({ event: name, data, kind: 'event', heard: true })
const now = () => world.clock.now().toISOString()

/** Leaves nothing, and lets that be seen. */
async function runDry(workspace: TestWorkspace): Promise<void> {
  await setBalance(world, workspace, 0)
  await watchWallets(world.services)
}

describe('a subscribed webhook is told', () => {
  test('keyword.capped, with the limit and when it ends', async () => {
    const { one, told } = await hearing('keyword.capped')
    const keyword = await makeKeyword(one, { term: 'acme', cap: { mentions: 2 } })
    for (let count = 0; count < 2; count += 1) await mention(world, keyword)
    const data = {
      keyword: { id: keyword.shown.id, term: 'acme', kind: 'brand' },
      cap: { mentions: 2 },
      thisMonth: 2,
      ...{ pausedAt: now(), resumesAt: '2026-12-01T00:00:00.000Z' },
    }
    expect(await told()).toEqual([event('keyword.capped', data)])
  })

  test.each([
    ['cap_raised', { cap: { mentions: 5 } }],
    ['cap_removed', { cap: null }],
  ] as const)('keyword.resumed for %s', async (reason, change) => {
    const { one, told } = await hearing('keyword.resumed')
    await grantCredit(one, 2000)
    const keyword = await makeKeyword(one, { term: 'acme', cap: { mentions: 1 } })
    await mention(world, keyword)
    accepted(await updateKeyword(one, keyword.uuid, change))
    expect(await told()).toEqual([
      event('keyword.resumed', {
        keyword: { id: keyword.shown.id, term: 'acme', kind: 'brand' },
        reason,
        resumedAt: now(),
      }),
    ])
  })

  test('keyword.paused_for_balance of each keyword, with what the wallet is then', async () => {
    const { one, told } = await hearing('keyword.paused_for_balance')
    const keyword = await makeKeyword(one, { term: 'acme' })
    await runDry(one)
    const wallet = {
      balanceCents: 0,
      effectiveCents: 0,
      nextDayCents: 0,
      resumeCostCents: 17,
      activeKeywords: 0,
      pausedKeywords: 1,
    }
    expect(await told()).toEqual([
      event('keyword.paused_for_balance', {
        keyword: { id: keyword.shown.id, term: 'acme', kind: 'brand' },
        pausedAt: now(),
        wallet,
      }),
    ])
  })

  test('wallet.low once a credit', async () => {
    const { one, told } = await hearing('wallet.low')
    const keyword = await makeKeyword(one)
    await setBalance(world, one, KEYWORD_DAY * 2)
    for (let times = 0; times < 2; times += 1) {
      await score(world, [await mention(world, keyword)])
      await watchWallets(world.services)
    }
    const wallet = {
      balanceCents: 33,
      effectiveCents: 33,
      nextDayCents: 17,
      resumeCostCents: 17,
      activeKeywords: 1,
      pausedKeywords: 0,
    }
    expect(await told()).toEqual([event('wallet.low', { wallet, lastCreditCents: 580, at: now() })])
  })

  test('wallet.paused and wallet.resumed, each after all of its keywords', async () => {
    const { one, told } = await hearing(
      'keyword.paused_for_balance',
      'wallet.paused',
      'keyword.resumed',
      'wallet.resumed',
    )
    for (const term of ['one', 'two']) await makeKeyword(one, { term })
    await runDry(one)
    const paused = (await told()).at(-1)!
    const stopped = {
      balanceCents: 0,
      effectiveCents: 0,
      nextDayCents: 0,
      resumeCostCents: 33,
      activeKeywords: 0,
      pausedKeywords: 2,
    }
    expect(paused).toEqual(event('wallet.paused', { wallet: stopped, keywordsPaused: 2, at: now() }))
    await grantCredit(one, 100)
    const resumed = (await told()).at(-1)!
    const running = {
      balanceCents: 100,
      effectiveCents: 100,
      nextDayCents: 33,
      resumeCostCents: 33,
      activeKeywords: 2,
      pausedKeywords: 0,
    }
    expect(resumed).toEqual(event('wallet.resumed', { wallet: running, keywordsResumed: 2, at: now() }))
    const names = (await told()).map((item) =>
      `${item.event} ${(item.data.keyword as { term: string } | undefined)?.term ?? ''}`.trim(),
    )
    expect(names).toEqual([
      ...['keyword.paused_for_balance one', 'keyword.paused_for_balance two', 'wallet.paused'],
      ...['keyword.resumed one', 'keyword.resumed two', 'wallet.resumed'],
    ])
    expect((await told())[3]!.data).toMatchObject({ reason: 'balance_restored', resumedAt: now() })
  })
})

test('a channel hears what happens after it subscribes, and nothing after it no longer does or is turned off', async () => {
  const { one, id, told } = await hearing()
  const keywords = []
  for (let count = 0; count < 4; count += 1) keywords.push(await makeKeyword(one, { cap: { mentions: 1 } }))
  const settings = [
    { events: [] },
    { events: ['keyword.capped'] as const },
    { events: [] },
    { events: ['keyword.capped'] as const, enabled: false },
  ]
  for (const [at, { events, ...more }] of settings.entries()) {
    accepted(await updateChannel(one, stored('dest', id), { events: [...events], ...more }))
    await mention(world, keywords[at]!)
  }
  expect((await told()).map(({ data }) => (data.keyword as { id: string }).id)).toEqual([keywords[1]!.shown.id])
})

test('muting and unmuting a keyword oneself sends nothing', async () => {
  const { one, told } = await hearing(...ACCOUNT_EVENTS)
  const keyword = await makeKeyword(one)
  for (const muted of [true, false]) accepted(await updateKeyword(one, keyword.uuid, { muted }))
  expect(await told()).toEqual([])
})
