import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeKeyword } from '../../../test/mentions.ts'
import { changeKeyword, changeKeywords, changeWallet, makeKeywordDay, makeUsageDay } from '../../../test/rows.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { grantCredit } from '../../commands/wallet/grant-credit.ts'
import { insertWorkspace } from '../../commands/workspaces/create-workspace.ts'
import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { getUsage } from '../../queries/usage/get-usage.ts'
import { getWallet } from '../../queries/wallet/get-wallet.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()

const daysAgo = (days: number) => dayOf(plus(world.clock.now(), -days * DAY_MS))
const wallet = async (workspace: TestWorkspace) =>
  (await workspace.api('GET', '/v1/billing/wallet', undefined, { key: workspace.readKey })).body

/** Notes what a day was charged, as scoring and the daily run do. */
async function charge(
  { workspaceId }: TestWorkspace,
  day: string,
  { mentions = 0, keywords = 0 }: { mentions?: number; keywords?: number },
): Promise<void> {
  if (mentions > 0) await makeUsageDay(world, { workspaceId, day, scored: mentions })
  for (let count = 0; count < keywords; count += 1)
    await makeKeywordDay(world, workspaceId, newUuid(world.clock.now()), day)
}

test('a new workspace has its welcome credit, which is no top-up, and nobody takes payments unless that is set up', async () => {
  const workspace = await world.workspace('New')
  const grantedAt = world.clock.now().toISOString()
  const { status, body } = await workspace.api('GET', '/v1/billing/wallet', undefined, { key: workspace.readKey })
  expect(status).toBe(200)
  expect(body).toEqual({
    balanceCents: 580,
    pendingCents: 0,
    effectiveBalanceCents: 580,
    burnPerDayCents: 0,
    daysLeft: null,
    stopped: false,
    lowBalance: false,
    activeKeywords: 0,
    autoMutedKeywords: 0,
    nextDayCents: 0,
    resumeCostCents: 0,
    signupCredit: { amountCents: 580, grantedAt },
    lastTopUpAt: null,
    billingConfigured: false,
    minTopUpCents: 2000,
    maxTopUpCents: 500_000,
    defaultTopUpCents: 5000,
    currency: 'USD',
    autoRecharge: {
      available: false,
      enabled: false,
      thresholdCents: 1000,
      amountCents: 5000,
      lastRunAt: null,
      lastError: null,
    },
  })
})

test('a workspace that began without a credit has none to show, also after a top-up', async () => {
  const workspace = await world.workspace('Uncredited')
  const workspaceId = await world.db.transaction((tx) =>
    insertWorkspace(tx, { name: 'Bare', credited: false }, world.clock.now()),
  )
  expect(await getWallet({ ...workspace, workspaceId })).toMatchObject({
    signupCredit: null,
    balanceCents: 0,
    lastTopUpAt: null,
  })
  await grantCredit({ ...workspace, workspaceId }, 700)
  expect(await getWallet({ ...workspace, workspaceId })).toMatchObject({
    signupCredit: null,
    balanceCents: 700,
    lastTopUpAt: world.clock.now().toISOString(),
  })
  expect((await wallet(workspace)).signupCredit).toMatchObject({ amountCents: 580 })
})

test('what is scored and not settled is pending, and every amount is rounded once', async () => {
  const workspace = await world.workspace('Pending')
  await charge(workspace, daysAgo(0), { mentions: 3 })
  // 72 units of 30 to the cent: 2.4 pending of 580, which leaves 577.6.
  expect(await wallet(workspace)).toMatchObject({ balanceCents: 580, pendingCents: 2, effectiveBalanceCents: 578 })
})

test('running keywords are counted with the capped ones, and those that the wallet stopped apart; others stand for themselves', async () => {
  const workspace = await world.workspace('Counted')
  const set = async (flags: ReturnType<typeof sql>) =>
    world.db.query(
      sql`update keyword set ${flags} where workspace_id = ${workspace.workspaceId}
          and id = ${(await makeKeyword(workspace, { muted: true })).uuid}`,
    )
  await set(sql`muted = false`)
  await set(sql`muted = false, paused_for_cap = true`)
  await set(sql`paused_for_balance = true`)
  await set(sql`paused_for_balance = true, paused_for_cap = true`)
  await set(sql`paused_for_balance = true`)
  await set(sql`paused_for_noise = true`)
  await set(sql`muted = true`)
  expect(await wallet(workspace)).toMatchObject({
    activeKeywords: 2,
    autoMutedKeywords: 3,
    nextDayCents: 33,
    resumeCostCents: 83,
    stopped: false,
  })
  await changeKeywords(world, workspace.workspaceId, { muted: true })
  expect(await wallet(workspace)).toMatchObject({
    activeKeywords: 0,
    autoMutedKeywords: 3,
    nextDayCents: 0,
    resumeCostCents: 50,
    stopped: true,
  })
})

test('the auto-recharge is that of the workspace', async () => {
  const [first, second] = [await world.workspace('Recharged'), await world.workspace('Other')]
  const at = world.clock.now()
  await world.db.query(sql`
    insert into billing_profile (workspace_id, auto_enabled, auto_threshold_cents, auto_amount_cents, last_run_at,
      last_error)
    values (${first.workspaceId}, true, 250, 2000, ${at}, 'card_declined')`)
  expect((await wallet(first)).autoRecharge).toMatchObject({
    enabled: true,
    thresholdCents: 250,
    amountCents: 2000,
    lastRunAt: at.toISOString(),
    lastError: 'card_declined',
  })
  expect((await wallet(second)).autoRecharge).toMatchObject({ enabled: false, thresholdCents: 1000, lastRunAt: null })
})

test('an installation without metering has a balance and nothing that draws on it', async () => {
  const workspace = await world.workspace('Unmetered')
  await makeKeyword(workspace)
  const { uuid } = await makeKeyword(workspace, { muted: true })
  await changeKeyword(world, uuid, { pausedForBalance: true })
  await changeWallet(world, workspace.workspaceId, { balanceUnits: 0 })
  await charge(workspace, daysAgo(1), { keywords: 2 })
  const nothing = { lowBalance: false, stopped: false, daysLeft: null, nextDayCents: 0, resumeCostCents: 0 }
  expect(await getWallet({ ...workspace, billing: 'unmetered' })).toMatchObject({
    ...nothing,
    activeKeywords: 1,
    autoMutedKeywords: 1,
  })
  await changeKeywords(world, workspace.workspaceId, { muted: true, pausedForBalance: true })
  expect(await getWallet({ ...workspace, billing: 'unmetered' })).toMatchObject(nothing)
})

const SEED = Math.trunc(Math.random() * 2 ** 31)

test('the wallet and the short summary say the same, and what can be worked out from the stored figures by hand', async () => {
  const workspace = await world.workspace('Agreeing')
  for (let count = 0; count < 4; count += 1) await makeKeyword(workspace, { muted: true })
  const facts = fc.record({
    balance: fc.oneof(fc.integer({ min: -100_000, max: 2_000_000 }), fc.integer({ min: -60, max: 60 })),
    lastCredit: fc.nat({ max: 2_000_000 }),
    settled: fc.integer({ min: 0, max: 3 }),
    age: fc.integer({ min: 0, max: 9 }),
    charges: fc.array(
      fc.record({ ago: fc.integer({ min: 0, max: 9 }), mentions: fc.nat({ max: 3000 }), keywords: fc.nat({ max: 3 }) }),
      { maxLength: 5 },
    ),
    states: fc.array(fc.constantFrom('runs', 'muted', 'capped', 'stopped'), { minLength: 4, maxLength: 4 }),
  })
  const keywords = await world.db.query<{ id: string }>(
    sql`select id from keyword where workspace_id = ${workspace.workspaceId} order by id`,
  )
  await fc.assert(
    fc.asyncProperty(facts, async ({ balance, lastCredit, settled, age, charges, states }) => {
      for (const table of ['usage_day', 'keyword_day'])
        await world.db.query(sql`delete from ${sql.table(table)} where workspace_id = ${workspace.workspaceId}`)
      await changeWallet(world, workspace.workspaceId, {
        balanceUnits: balance,
        lastCreditUnits: lastCredit,
        settledThrough: daysAgo(settled),
        createdAt: `${daysAgo(age)}T00:00:00Z`,
      })
      for (const { ago, ...used } of charges) await charge(workspace, daysAgo(ago), used)
      for (const [at, state] of states.entries())
        await changeKeyword(world, keywords[at]!.id as Uuid, {
          muted: state === 'muted' || state === 'stopped',
          pausedForBalance: state === 'stopped',
          pausedForCap: state === 'capped',
        })
      const [full, short] = [await getWallet(workspace), await getUsage(workspace)]

      const cents = (amount: number) => Math.floor(amount / 30 + 0.5)
      const unitsOf = ({ mentions, keywords: days }: { mentions: number; keywords: number }) =>
        mentions * 24 + days * 500
      const pending = charges.filter(({ ago }) => ago < settled).reduce((sum, { mentions }) => sum + mentions * 24, 0)
      const spent = charges.filter(({ ago }) => ago < 7).reduce((sum, used) => sum + unitsOf(used), 0)
      const [running, stopped] = [
        states.filter((state) => state === 'runs' || state === 'capped').length,
        states.filter((state) => state === 'stopped').length,
      ]
      const rate = cents(spent / 7) || cents(running * 500)
      const expected = {
        balanceCents: cents(balance),
        pendingCents: cents(pending),
        effectiveBalanceCents: cents(balance - pending),
        burnPerDayCents: cents(spent / 7),
        daysLeft: rate === 0 ? null : Math.max(0, Math.floor(cents(balance - pending) / rate)),
        stopped: stopped > 0 && running === 0,
        lowBalance: balance - pending <= lastCredit / 5,
        nextDayCents: cents(running * 500),
        resumeCostCents: cents((running + stopped) * 500),
        activeKeywords: running,
        autoMutedKeywords: stopped,
      }
      expect(full).toMatchObject(expected)
      expect(short).toMatchObject({
        balance: {
          cents: expected.balanceCents,
          pendingCents: expected.pendingCents,
          effectiveCents: expected.effectiveBalanceCents,
        },
        burn: { perDayCents: expected.burnPerDayCents, daysLeft: expected.daysLeft },
        stopped: expected.stopped,
        lowBalance: expected.lowBalance,
        lastTopUpAt: full.lastTopUpAt,
      })
      expect(short.keywords.dayCents).toBe(full.nextDayCents)
      expect(short.keywords.active + short.keywords.capped).toBe(full.activeKeywords)
    }),
    { numRuns: 40, seed: SEED },
  )
}, 120_000)

test.each(['?range=7d', '?limit=1'])('%s is no parameter of it', async (query) => {
  const workspace = await world.workspace('Strict')
  const { status, body } = await workspace.api('GET', `/v1/billing/wallet${query}`)
  expect([status, body.error.code]).toEqual([400, 'validation_error'])
})
