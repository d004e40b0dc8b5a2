import { describe, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { changeWallet } from '../../../test/rows.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, createWorld, type TestWorkspace, type World } from '../../../test/world.ts'
import { units } from '../../kernel/money.ts'
import { sql } from '../../store/database.ts'
import { book } from '../../store/wallet/ledger.ts'
import { updateKeyword } from '../keywords/update-keyword.ts'
import { runDay } from './daily-run.ts'
import { grantCredit } from './grant-credit.ts'
import { disagreements, everything, failingAt, hearing, nextRun, setBalance, toldTo } from './wallet-setting.suite.ts'
import { watchWallets } from './watch-wallets.ts'

const world = useWorld()

const events = async (workspace: TestWorkspace) => (await toldTo(world, workspace)).map(({ event }) => event)
const muted = async ({ workspaceId }: TestWorkspace) =>
  (
    await world.db.query<{ paused_for_balance: boolean }>(
      sql`select paused_for_balance from keyword where workspace_id = ${workspaceId} order by id`,
    )
  ).map((row) => row.paused_for_balance)
const notes = () => world.db.query(sql`select from wallet_spent`)

async function spend(keyword: TestKeyword, count: number, on: World = world): Promise<void> {
  await score(
    on,
    await store(
      on,
      Array.from({ length: count }, () => matchedBy(makePost(on), [keyword])),
    ),
  )
}

describe('between two runs', () => {
  test('everything stops as soon as nothing is left, settled or not', async () => {
    const workspace = await hearing(world)
    const [keyword] = [await makeKeyword(workspace), await makeKeyword(workspace)]
    await setBalance(world, workspace, 72)
    await watchWallets(world.services)
    expect(await muted(workspace)).toEqual([false, false])
    await spend(keyword!, 2)
    await watchWallets(world.services)
    expect(await muted(workspace)).toEqual([false, false])
    await spend(keyword!, 1)
    await watchWallets(world.services)
    expect(await muted(workspace)).toEqual([true, true])
    const told = (await toldTo(world, workspace)).filter(({ event }) => event !== 'wallet.low')
    expect(told.map(({ event }) => event)).toEqual([
      'keyword.paused_for_balance',
      'keyword.paused_for_balance',
      'wallet.paused',
    ])
    const wallet = {
      balanceCents: 2,
      effectiveCents: 0,
      nextDayCents: 0,
      resumeCostCents: 33,
      activeKeywords: 0,
      pausedKeywords: 2,
    }
    for (const { data } of told) expect(data.wallet).toEqual(wallet)
    expect(told[2]!.data).toEqual({ wallet, keywordsPaused: 2, at: world.clock.now().toISOString() })
  })

  test('a low balance is told once a credit', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await setBalance(world, workspace, 3504)
    await watchWallets(world.services)
    expect(await events(workspace)).toEqual([])
    await spend(keyword, 1)
    await watchWallets(world.services)
    expect(await toldTo(world, workspace)).toEqual([
      {
        event: 'wallet.low',
        data: {
          wallet: {
            balanceCents: 117,
            effectiveCents: 116,
            nextDayCents: 17,
            resumeCostCents: 17,
            activeKeywords: 1,
            pausedKeywords: 0,
          },
          lastCreditCents: 580,
          at: world.clock.now().toISOString(),
        },
      },
    ])
    await spend(keyword, 1)
    await watchWallets(world.services)
    expect(await events(workspace)).toEqual(['wallet.low'])
    await grantCredit(workspace, 1000)
    await setBalance(world, workspace, 6000)
    await watchWallets(world.services)
    expect(await events(workspace)).toEqual(['wallet.low', 'wallet.low'])
  })

  test('a balance that is low while tracking is paused is not told of', async () => {
    const workspace = await hearing(world)
    await makeKeyword(workspace)
    await setBalance(world, workspace, 0)
    await watchWallets(world.services)
    await setBalance(world, workspace, -100)
    await watchWallets(world.services)
    expect(await events(workspace)).toEqual(['keyword.paused_for_balance', 'wallet.paused'])
  })

  test('a day that was paid with the last unit is given, until a mention is charged', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await setBalance(world, workspace, 500)
    await watchWallets(world.services)
    nextRun(world)
    await runDay(world.services)
    await watchWallets(world.services)
    expect(await muted(workspace)).toEqual([false])
    await spend(keyword, 1)
    await watchWallets(world.services)
    expect(await muted(workspace)).toEqual([true])
  })

  test('a refund may take the balance below nothing and stops what runs', async () => {
    const workspace = await hearing(world)
    await makeKeyword(workspace)
    await world.db.transaction((tx) =>
      book(tx, {
        workspaceId: workspace.workspaceId,
        kind: 'refund',
        amount: units(-60_000),
        key: 'refund re_1',
        at: world.clock.now(),
      }),
    )
    await watchWallets(world.services)
    expect(await events(workspace)).toEqual(['keyword.paused_for_balance', 'wallet.paused'])
    expect((await toldTo(world, workspace))[1]!.data.wallet).toMatchObject({
      balanceCents: -1420,
      effectiveCents: -1420,
    })
  })

  test('an unmetered installation stops nothing and keeps no notes', async () => {
    const own = await createWorld()
    try {
      const workspace = await hearing(own)
      await makeKeyword(workspace)
      await setBalance(own, workspace, -1)
      expect(await own.db.query(sql`select from wallet_spent`)).toHaveLength(1)
      expect(await watchWallets({ ...own.services, billing: 'unmetered' })).toBe(0)
      expect(await toldTo(own, workspace)).toEqual([])
      expect(await own.db.query(sql`select from wallet_spent`)).toEqual([])
    } finally {
      await own.close()
    }
  })

  test('an installation that became unmetered lets go on what the wallet and the welcome limit had stopped, told once', async () => {
    const workspace = await hearing(world)
    const [first, limited, own, muted] = [
      await makeKeyword(workspace),
      await makeKeyword(workspace),
      await makeKeyword(workspace, { cap: { mentions: 1 } }),
      await makeKeyword(workspace, { muted: true }),
    ]
    const posts = (count: number, keyword: TestKeyword) =>
      Array.from({ length: count }, () => matchedBy(makePost(world), [keyword]))
    await store(world, [...posts(201, limited), ...posts(1, own)])
    await setBalance(world, workspace, 0)
    await watchWallets(world.services)
    const before = (await toldTo(world, workspace)).length
    const free = { ...world.services, billing: 'unmetered' as const }
    expect(await watchWallets(free)).toBeGreaterThan(0)
    expect(await watchWallets(free)).toBe(0)
    const told = (await toldTo(world, workspace)).slice(before)
    expect(told.map(({ event, data }) => [event, data.keyword?.id, data.reason])).toEqual([
      ['keyword.resumed', first.shown.id, 'balance_restored'],
      ['keyword.resumed', limited.shown.id, 'cap_raised'],
      ['keyword.resumed', limited.shown.id, 'balance_restored'],
      ['wallet.resumed', undefined, undefined],
    ])
    expect(told.at(-1)!.data.keywordsResumed).toBe(3)
    const rows = await world.db.query(
      sql`select muted, paused_for_balance, paused_for_cap from keyword where workspace_id = ${workspace.workspaceId}
          order by id`,
    )
    const running = { muted: false, paused_for_balance: false, paused_for_cap: false }
    expect(rows).toEqual([running, running, { ...running, paused_for_cap: true }, { ...running, muted: true }])
    expect(muted.shown.muted).toBe(true)
  })

  test('and what the noise brake had stopped, which costs nobody anything any more', async () => {
    const workspace = await hearing(world)
    const [noisy, muted] = [await makeKeyword(workspace), await makeKeyword(workspace, { muted: true })]
    const made = await store(
      world,
      Array.from({ length: 20 }, () => matchedBy(makePost(world), [noisy])),
    )
    await score(world, made, { relevance: 10 })
    const stateOf = async ({ shown }: TestKeyword) => {
      const { body } = await workspace.api('GET', `/v1/keywords/${shown.id}`)
      return { muted: body.muted, pausedForNoise: body.pausedForNoise, health: body.stats.health }
    }
    expect(await stateOf(noisy)).toEqual({ muted: true, pausedForNoise: true, health: 'paused' })
    await world.clock.advance(1000)
    const free = { ...world.services, billing: 'unmetered' as const }
    expect([await watchWallets(free), await watchWallets(free)]).toEqual([1, 0])
    // Judged anew, and stopped for noise no more.
    expect(await stateOf(noisy)).toEqual({ muted: false, pausedForNoise: false, health: 'new' })
    expect(await stateOf(muted)).toEqual({ muted: true, pausedForNoise: false, health: 'paused' })
    expect(await events(workspace)).toEqual([])
    expect(await store(world, [matchedBy(makePost(world), [noisy])], { metered: false })).toHaveLength(1)
  })
})

describe('a look', () => {
  test('is only at workspaces that spent something since the last', async () => {
    await watchWallets(world.services)
    const [workspace, quiet] = [await hearing(world), await hearing(world)]
    const keyword = await makeKeyword(workspace)
    await makeKeyword(quiet)
    // Behind the ledger's back, so that nothing says that there is something to see.
    await changeWallet(world, quiet.workspaceId, { balanceUnits: 0 })
    await spend(keyword, 1)
    expect(await notes()).toHaveLength(1)
    await watchWallets(world.services)
    expect(await notes()).toEqual([])
    expect(await muted(quiet)).toEqual([false])
    await changeWallet(world, quiet.workspaceId, { balanceUnits: 17400 })
  })

  test('misses no charge whose transaction ends after it', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await setBalance(world, workspace, 24)
    await watchWallets(world.services)
    const made = await store(world, [matchedBy(makePost(world), [keyword])])
    const { db } = world
    let looked = 0
    // The look comes when the charge is written and not committed.
    const late = {
      ...world,
      db: {
        ...db,
        transaction: (work: Parameters<typeof db.transaction>[0]) =>
          db.transaction(async (tx) => {
            const result = await work(tx)
            looked = await watchWallets(world.services)
            return result
          }),
      },
    } as World
    await score(late, made)
    expect(looked).toBe(0)
    expect(await muted(workspace)).toEqual([false])
    await watchWallets(world.services)
    expect(await muted(workspace)).toEqual([true])
  })

  test('that fails for one workspace holds up no other, is told of, and is made up for', async () => {
    const many = [await hearing(world), await hearing(world), await hearing(world)]
    const keywords: TestKeyword[] = []
    for (const workspace of many) {
      keywords.push(await makeKeyword(workspace))
      await setBalance(world, workspace, 0)
    }
    await world.admin(`create function refuse_stop() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
      create trigger refuse_stop before update on keyword for each row when (old.id = '${keywords[1]!.uuid}') execute function refuse_stop()`)
    await expect(watchWallets(world.services)).rejects.toThrow(/failed for 1 workspaces/)
    expect(await Promise.all(many.map(muted))).toEqual([[true], [false], [true]])
    await world.admin('drop trigger refuse_stop on keyword')
    expect(await watchWallets(world.services)).toBe(1)
    expect(await muted(many[1]!)).toEqual([true])
  })

  test('by two at once stops and tells once', async () => {
    const many = await Promise.all(Array.from({ length: 4 }, () => hearing(world)))
    for (const workspace of many) {
      await makeKeyword(workspace)
      await setBalance(world, workspace, 0)
    }
    await Promise.all([watchWallets(world.services), watchWallets(world.services), watchWallets(world.services)])
    for (const acme of many) expect(await events(acme)).toEqual(['keyword.paused_for_balance', 'wallet.paused'])
  })

  test('goes together with charges, credits and callers that come at the same time', async () => {
    const workspace = await hearing(world)
    const keywords = await Promise.all(Array.from({ length: 4 }, () => makeKeyword(workspace)))
    await setBalance(world, workspace, 2400)
    for (let round = 0; round < 4; round += 1) {
      nextRun(world)
      await Promise.all([
        ...keywords.map((keyword) => spend(keyword, 3)),
        watchWallets(world.services),
        runDay(world.services),
        updateKeyword(workspace, keywords[round]!.uuid, { muted: round % 2 === 0 }),
        grantCredit(workspace, 20),
      ])
    }
    await watchWallets(world.services)
    expect(await disagreements(world)).toEqual([])
    const paused = await muted(workspace)
    const told = await events(workspace)
    const count = (event: string) => told.filter((name) => name === event).length
    expect(count('keyword.paused_for_balance') - count('keyword.resumed')).toBeGreaterThanOrEqual(
      paused.filter(Boolean).length,
    )
  })

  test('that fails at any statement leaves nothing behind, and the next does it', async () => {
    const own = await createWorld()
    try {
      const workspace = await hearing(own)
      await spend(await makeKeyword(workspace), 1, own)
      await setBalance(own, workspace, 0)
      const before = await everything(own)
      let n = 1
      for (; ; n += 1) {
        const failing = failingAt(own.db, n)
        const outcome = await watchWallets({ ...own.services, db: failing.db }).catch((error: Error) => error)
        if (failing.seen() < n) {
          expect(outcome).toBe(1)
          break
        }
        expect(outcome).toMatchObject({ errors: [{ message: `statement ${n} fails` }] })
        expect(await everything(own)).toEqual(before)
      }
      expect(n).toBeGreaterThan(8)
      expect((await toldTo(own, workspace)).map(({ event }) => event)).toEqual([
        'keyword.paused_for_balance',
        'wallet.paused',
      ])
    } finally {
      await own.close()
    }
  })
})

test('a stopped keyword that its caller starts again stays on while there is something left', async () => {
  const workspace = await hearing(world)
  const keyword = await makeKeyword(workspace)
  await setBalance(world, workspace, 0)
  await watchWallets(world.services)
  await setBalance(world, workspace, 499)
  expect(await updateKeyword(workspace, keyword.uuid, { muted: false })).toMatchObject({ code: 'insufficient_balance' })
  await setBalance(world, workspace, 500)
  expect(accepted(await updateKeyword(workspace, keyword.uuid, { muted: false }))).toMatchObject({
    muted: false,
    pausedForBalance: false,
  })
  await watchWallets(world.services)
  expect(await muted(workspace)).toEqual([false])
  expect(await events(workspace)).not.toContain('keyword.resumed')
})
