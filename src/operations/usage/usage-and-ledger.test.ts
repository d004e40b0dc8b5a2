import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { runDay } from '../../commands/wallet/daily-run.ts'
import { nextRun, setBalance } from '../../commands/wallet/wallet-setting.suite.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS, dayOf, HOUR_MS, plus } from '../../kernel/clock.ts'
import { getUsageBreakdown, type UsageBreakdown } from '../../queries/usage/get-breakdown.ts'
import { getUsage } from '../../queries/usage/get-usage.ts'
import { getWallet } from '../../queries/wallet/get-wallet.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()

const cents = (amount: number) => Math.floor(amount / 30 + 0.5)

async function told(workspace: TestWorkspace, from: string, to: string): Promise<UsageBreakdown> {
  const search = {
    by: 'day' as const,
    from,
    to,
    keywordIds: null,
    groupIds: null,
    platforms: null,
    limit: 500,
    offset: 0,
  }
  const answer = await getUsageBreakdown(workspace, search)
  if (isRefusal(answer)) throw new Error(answer.message)
  return answer
}

interface DayOfLife {
  /** Matches of each of two keywords, and how many of all these are scored on the day. */
  matches: [number, number]
  scored: number
  /** Which of the keywords run at the end of the day. */
  running: [boolean, boolean]
  removes: boolean
  run: 'in time' | 'late' | 'twice' | 'missed'
}

const anyDay: fc.Arbitrary<DayOfLife> = fc.record({
  matches: fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 })),
  scored: fc.nat({ max: 8 }),
  running: fc.tuple(fc.boolean(), fc.boolean()),
  removes: fc.boolean(),
  run: fc.constantFrom('in time', 'in time', 'late', 'twice', 'missed'),
})

/** What every day cost in units, by an account that is kept beside the service. */
type Account = Map<string, { keywordDays: number; billed: number }>

async function live(workspace: TestWorkspace, days: readonly DayOfLife[]): Promise<Account> {
  const account: Account = new Map()
  const on = (day: string) => account.get(day) ?? account.set(day, { keywordDays: 0, billed: 0 }).get(day)!
  const keywords: [TestKeyword, TestKeyword] = [await makeKeyword(workspace), await makeKeyword(workspace)]
  for (const day of days) {
    const made = await store(
      world,
      keywords.flatMap((keyword, at) =>
        Array.from({ length: day.matches[at]! }, () => matchedBy(makePost(world), [keyword])),
      ),
    )
    const scored = made.slice(0, day.scored)
    await score(world, scored)
    on(dayOf(world.clock.now())).billed += scored.length
    if (day.removes) {
      await workspace.api('DELETE', `/v1/keywords/${keywords[0].shown.id}`)
      keywords[0] = await makeKeyword(workspace)
    }
    for (const [at, { shown }] of keywords.entries())
      expect((await workspace.api('PATCH', `/v1/keywords/${shown.id}`, { muted: !day.running[at] })).status).toBe(200)
    const next = nextRun(world, day.run === 'late' ? 20 * HOUR_MS : 0)
    if (day.run === 'missed') continue
    await runDay(world.services)
    if (day.run === 'twice') await runDay(world.services)
    on(next).keywordDays += day.running.filter(Boolean).length
  }
  return account
}

const SEED = Math.trunc(Math.random() * 2 ** 31)

test('once a day is settled its usage is what the ledger was debited for it, and until then the rest is pending', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyDay, { minLength: 1, maxLength: 8 }), async (days) => {
      const workspace = await world.workspace('Lived')
      await setBalance(world, workspace, 6_000_000)
      const first = dayOf(world.clock.now())
      const account = await live(workspace, days)
      const last = dayOf(world.clock.now())
      const [{ settled_through: settledThrough }] = (await world.db.query(
        sql`select settled_through from workspace where id = ${workspace.workspaceId}`,
      )) as [{ settled_through: string }]
      const lines = await world.db.query<{ day: string; debited: number }>(sql`
        select day, (-sum(amount_units))::bigint as debited from ledger_entry where workspace_id = ${workspace.workspaceId}
          and kind like 'debit%' group by day`)
      const debited = new Map(lines.map((line) => [line.day, line.debited]))

      let [pending, all, booked] = [0, 0, 0]
      const whole = await told(workspace, first, last)
      expect(whole.data.map(({ key }) => key)).toEqual(
        Array.from({ length: days.length + 1 }, (_, at) => dayOf(plus(new Date(first), at * DAY_MS))),
      )
      for (const row of whole.data) {
        const { keywordDays, billed } = account.get(row.key) ?? { keywordDays: 0, billed: 0 }
        const waits = row.key > settledThrough ? billed * 24 : 0
        const units = keywordDays * 500 + billed * 24
        expect(row).toMatchObject({ keywordDays, billableMentions: billed, totalCents: cents(units) })
        expect(debited.get(row.key) ?? 0).toBe(units - waits)
        expect((await told(workspace, row.key, row.key)).totals).toMatchObject({
          totalCents: cents(units),
          ledgerDebitCents: cents(units - waits),
        })
        pending += waits
        all += units
        booked += units - waits
      }
      expect(whole.totals).toMatchObject({ totalCents: cents(all), ledgerDebitCents: cents(booked) })
      const [wallet, usage] = [await getWallet(workspace), await getUsage(workspace)]
      expect(wallet).toMatchObject({
        balanceCents: cents(6_000_000 - booked),
        pendingCents: cents(pending),
        effectiveBalanceCents: cents(6_000_000 - all),
      })
      expect([usage.balance.pendingCents, usage.burn.daysLeft, usage.burn.perDayCents]).toEqual([
        wallet.pendingCents,
        wallet.daysLeft,
        wallet.burnPerDayCents,
      ])
    }),
    { numRuns: 12, seed: SEED },
  )
}, 180_000)
