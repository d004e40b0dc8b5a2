import { describe, expect, test, vi } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import { HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { fromId } from '../../kernel/ids.ts'
import { type Database, sql } from '../../store/database.ts'
import { createGroup } from '../groups/create-group.ts'
import { deleteGroup } from '../groups/delete-group.ts'
import { createKeyword } from '../keywords/create-keyword.ts'
import { updateKeyword } from '../keywords/update-keyword.ts'
import { runDay } from './daily-run.ts'
import { grantCredit } from './grant-credit.ts'
import { disagreements, hearing, nextRun, setBalance, toldTo } from './wallet-setting.suite.ts'
import { watchWallets } from './watch-wallets.ts'

const world = useWorld()

/** Holds the counter of a keyword until the answered function is called. */
async function hold({ uuid }: Pick<TestKeyword, 'uuid'>): Promise<() => Promise<void>> {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const holding = world.db.transaction(async (tx) => {
    await tx.query(sql`select from keyword_counter where keyword_id = ${uuid} for update`)
    begin()
    await released
  })
  await begun
  return async () => {
    release()
    await holding
  }
}

const isWaitedFor = () =>
  vi.waitFor(
    async () =>
      expect(
        await world.db.query(
          sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      ).not.toEqual([]),
    { timeout: 10_000 },
  )
const daysOf = ({ uuid }: TestKeyword) =>
  world.db.query<{ day: string }>(sql`select day from keyword_day where keyword_id = ${uuid} order by day`)
const isMuted = async ({ uuid }: TestKeyword) =>
  (await world.db.query<{ muted: boolean }>(sql`select muted from keyword where id = ${uuid}`))[0]!.muted

describe('while somebody holds a counter', () => {
  test('the run neither holds up other workspaces nor what they do, and comes back when it is free', async () => {
    const [free, held] = [await hearing(world), await hearing(world)]
    const [first, second] = [await makeKeyword(free), await makeKeyword(held)]
    const made = await store(world, [matchedBy(makePost(world), [first])])
    const day = nextRun(world)
    const release = await hold(second)
    const running = runDay(world.services)
    await isWaitedFor()
    // The others have had their turn, and nothing of theirs is held any longer.
    expect(await daysOf(first)).toEqual([{ day }])
    await score(world, made)
    expect(await runDay(world.services)).toBe(0)
    expect(await running).toBeGreaterThan(0)
    expect(await daysOf(second)).toEqual([])
    await release()
    expect(await runDay(world.services)).toBe(1)
    expect(await daysOf(second)).toEqual([{ day }])
  })

  test('the look does neither, and leaves a note for the next', async () => {
    const [free, held] = [await hearing(world), await hearing(world)]
    const [first, second] = [await makeKeyword(free), await makeKeyword(held)]
    await setBalance(world, free, 0)
    await setBalance(world, held, 0)
    const release = await hold(second)
    expect(await watchWallets(world.services)).toBe(1)
    expect([await isMuted(first), await isMuted(second)]).toEqual([true, false])
    await release()
    expect(await watchWallets(world.services)).toBe(1)
    expect(await isMuted(second)).toBe(true)
    expect((await toldTo(world, held)).map(({ event }) => event)).toEqual([
      'keyword.paused_for_balance',
      'wallet.paused',
    ])
  })
})

describe('a run that has to wait', () => {
  test('over midnight leaves the day to the next run: nothing is charged for a day that is over', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    nextRun(world, 23 * HOUR_MS + 54 * MINUTE_MS + 50 * SECOND_MS)
    const release = await hold(keyword)
    const running = runDay(world.services)
    await isWaitedFor()
    world.clock.set(plus(world.clock.now(), 20 * SECOND_MS))
    await release()
    await running
    expect(await daysOf(keyword)).toEqual([])
    const day = world.clock.now().toISOString().slice(0, 10)
    world.clock.set(plus(world.clock.now(), 5 * MINUTE_MS))
    await runDay(world.services)
    expect(await daysOf(keyword)).toEqual([{ day }])
    expect(await disagreements(world)).toEqual([])
  })

  test('and a credit that has to, tell and book the time at which they could', async () => {
    const workspace = await hearing(world)
    const keyword = await makeKeyword(workspace)
    await setBalance(world, workspace, 0)
    nextRun(world)
    const begun = world.clock.now()
    const release = await hold(keyword)
    const running = runDay(world.services)
    await isWaitedFor()
    world.clock.set(plus(begun, 20 * SECOND_MS))
    await release()
    await running
    const [paused] = (await toldTo(world, workspace)).slice(-1)
    expect(paused).toMatchObject({ event: 'wallet.paused', data: { at: plus(begun, 20 * SECOND_MS).toISOString() } })

    const again = await hold(keyword)
    const crediting = grantCredit(workspace, 100)
    await isWaitedFor()
    world.clock.set(plus(begun, 40 * SECOND_MS))
    await again()
    await crediting
    const [resumed] = (await toldTo(world, workspace)).slice(-1)
    expect(resumed).toMatchObject({ event: 'wallet.resumed', data: { at: plus(begun, 40 * SECOND_MS).toISOString() } })
    const [entry] = await world.db.query(
      sql`select created_at from ledger_entry where workspace_id = ${workspace.workspaceId} and kind = 'grant'`,
    )
    expect(entry).toEqual({ created_at: plus(begun, 40 * SECOND_MS) })
  })
})

test('the events of one change are due in the order in which they are told, however many there are', async () => {
  const workspace = await hearing(world)
  for (let count = 0; count < 30; count += 1) await makeKeyword(workspace)
  await setBalance(world, workspace, 0)
  await watchWallets(world.services)
  const queued = () =>
    world.db.query<{ event: string; due_at: Date; at: string }>(sql`
      select d.event, q.due_at from delivery_queue q join delivery d on d.workspace_id = q.workspace_id
        and d.id = q.delivery_id
      where q.workspace_id = ${workspace.workspaceId} order by q.due_at`)
  expect((await queued()).map(({ event }) => event)).toEqual([
    ...Array.from({ length: 30 }, () => 'keyword.paused_for_balance'),
    'wallet.paused',
  ])
  const [distinct] = await world.db.query<{ times: number; late: number }>(sql`
    select count(distinct due_at) as times, count(*) filter (where due_at > ${world.clock.now()}) as late
      from delivery_queue where workspace_id = ${workspace.workspaceId}`)
  expect(distinct).toEqual({ times: 31, late: 0 })
})

test('making, moving and removing keywords, runs, looks and credits never wait for each other in a ring', {
  timeout: 120_000,
}, async () => {
  const workspace = await hearing(world)
  await grantCredit(workspace, 100_000)
  let rings = 0
  // The server ends a ring by failing one of its transactions, which is then tried again.
  const db: Database = {
    ...world.db,
    transaction(work) {
      let tries = 0
      return world.db.transaction((tx) => {
        tries += 1
        if (tries > 1) rings += 1
        return work(tx)
      })
    },
  }
  const [writing, services] = [
    { ...workspace, db },
    { ...world.services, db },
  ]
  const fresh = { kind: 'brand' as const, muted: false, platforms: null, context: null, cap: null, reviewSources: [] }
  const groupOf = async (name: string) => fromId('grp', accepted(await createGroup(workspace, { name })).id)!
  // Somebody who holds a counter of the group, as the run does, wants the workspace while the group is removed and gets
  // a keyword.
  const groupId = await groupOf('Ring')
  accepted(await createKeyword(workspace, { ...fresh, term: 'held', groupId }))
  const waiting = async (count: number) =>
    vi.waitFor(
      async () =>
        expect(
          await world.db.query(
            sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        ).toHaveLength(count),
      { timeout: 10_000 },
    )
  const others: Promise<unknown>[] = []
  await db.transaction(async (tx) => {
    await tx.query(sql`select from keyword_counter where workspace_id = ${workspace.workspaceId} for no key update`)
    if (others.length === 0) {
      others.push(deleteGroup(writing, groupId))
      await waiting(1)
      others.push(createKeyword(writing, { ...fresh, term: 'made', groupId }))
      await waiting(2)
    }
    await tx.query(sql`select from workspace where id = ${workspace.workspaceId} for no key update`)
  })
  await Promise.all(others)
  for (let round = 0; round < 8; round += 1) {
    const groupId = await groupOf(`Group ${round}`)
    for (const term of ['first', 'second', 'third'])
      accepted(await createKeyword(workspace, { ...fresh, term: `${term} ${round}`, groupId }))
    const moving = await makeKeyword(workspace)
    nextRun(world)
    await Promise.all([
      createKeyword(writing, { ...fresh, term: `fourth ${round}`, groupId }),
      runDay(services),
      deleteGroup(writing, groupId),
      updateKeyword(writing, moving.uuid, { groupId, muted: round % 2 === 0 }),
      grantCredit(writing, 1),
      watchWallets(services),
      createKeyword(writing, { ...fresh, term: `fifth ${round}`, groupId }),
    ])
  }
  expect(rings).toBe(0)
  expect(await disagreements(world)).toEqual([])
})
