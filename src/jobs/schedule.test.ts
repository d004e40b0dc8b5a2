import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { makeKeyword, makePost, matchedBy, store } from '../../test/mentions.ts'
import { makeDelivery } from '../../test/rows.ts'
import { useWorkspace, useWorld } from '../../test/use-world.ts'
import { accepted, stored } from '../../test/world.ts'
import { createChannel } from '../commands/channels/create-channel.ts'
import { DAY_MS, plus } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import { units } from '../kernel/money.ts'
import { sql } from '../store/database.ts'
import { book } from '../store/wallet/ledger.ts'
import { SCHEDULE } from './schedule.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

/** Runs a job as two processes would that start it at once. */
async function run(name: string): Promise<void> {
  const job = SCHEDULE.find((job) => job.name === name)
  if (job === undefined) throw new Error(`the schedule has no job ${name}`)
  await Promise.all([job.run(world.services), job.run(world.services)])
}

test('turn-month lets capped keywords collect again on the first of the month', async () => {
  const keyword = await makeKeyword(acme, { cap: { mentions: 1 } })
  await store(world, [matchedBy(makePost(world), [keyword])])
  const before = world.clock.now()
  await run('turn-month')
  expect((await acme.api('GET', `/v1/keywords/${keyword.shown.id}`)).body.pausedForCap).toBe(true)
  world.clock.set(new Date('2026-12-01T00:00:00.000Z'))
  await run('turn-month')
  expect((await acme.api('GET', `/v1/keywords/${keyword.shown.id}`)).body.pausedForCap).toBe(false)
  world.clock.set(before)
})

test('daily-run charges every running keyword once a day, from five past midnight on', async () => {
  const workspace = await world.workspace('Charged')
  await makeKeyword(workspace)
  const days = () =>
    world.db.query(sql`select day from keyword_day where workspace_id = ${workspace.workspaceId} order by day`)
  const before = world.clock.now()
  world.clock.set(new Date('2026-11-21T00:04:59.999Z'))
  await run('daily-run')
  expect(await days()).toEqual([])
  world.clock.set(new Date('2026-11-21T00:05:00.000Z'))
  await run('daily-run')
  world.clock.set(new Date('2026-11-21T18:00:00.000Z'))
  await run('daily-run')
  expect(await days()).toEqual([{ day: '2026-11-21' }])
  world.clock.set(before)
})

test('watch-wallets stops the keywords of a wallet with nothing left', async () => {
  const workspace = await world.workspace('Spent')
  const keyword = await makeKeyword(workspace)
  const amount = units(-17_400)
  await world.db.transaction((tx) =>
    book(tx, { workspaceId: workspace.workspaceId, kind: 'refund', amount, key: 'refund re_1', at: world.clock.now() }),
  )
  await run('watch-wallets')
  expect((await workspace.api('GET', `/v1/keywords/${keyword.shown.id}`)).body).toMatchObject({
    muted: true,
    pausedForBalance: true,
  })
})

test('prune-queries forgets what nobody asks platforms for any more', async () => {
  const keyword = await makeKeyword(acme)
  await acme.api('DELETE', `/v1/keywords/${keyword.shown.id}`)
  const unasked = () =>
    world.db.query(
      sql`select 1 from source_query q where not exists (select from keyword_query w
          where w.platform = q.platform and w.key = q.key)`,
    )
  expect(await unasked()).not.toEqual([])
  await run('prune-queries')
  expect(await unasked()).toEqual([])
})

test('forget-request-answers forgets answers after a day', async () => {
  const body = { term: 'Once', requestId: randomUUID() }
  await acme.api('POST', '/v1/keywords', body)
  const kept = () => world.db.query(sql`select 1 from request_answer`)
  const before = world.clock.now()
  world.clock.set(plus(before, DAY_MS - 1))
  await run('forget-request-answers')
  expect(await kept()).toHaveLength(1)
  world.clock.set(plus(before, DAY_MS))
  await run('forget-request-answers')
  expect(await kept()).toEqual([])
  world.clock.set(before)
})

test('prune-deliveries keeps thirty days of the log', async () => {
  const channel = stored(
    'dest',
    accepted(await createChannel(acme, { kind: 'webhook', url: 'https://receiver.example/' })).id,
  )
  const id = '01900000-0000-7000-8000-000000000001' as Uuid
  await makeDelivery(world, acme.workspaceId, channel, { id, status: 'failed', at: world.clock.now() })
  const kept = () => world.db.query(sql`select 1 from delivery where id = ${id}`)
  const before = world.clock.now()
  const made = new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16))
  world.clock.set(plus(made, 30 * DAY_MS))
  await run('prune-deliveries')
  expect(await kept()).toHaveLength(1)
  world.clock.set(plus(made, 30 * DAY_MS + 1))
  await run('prune-deliveries')
  expect(await kept()).toEqual([])
  world.clock.set(before)
})

test('prune-keyword-changes keeps seven days of the log', async () => {
  const { uuid } = await makeKeyword(acme)
  const logged = () =>
    world.db.query<{ changed_at: Date }>(sql`select changed_at from keyword_change where keyword_id = ${uuid}`)
  const madeAt = (await logged())[0]!.changed_at
  const before = world.clock.now()
  world.clock.set(plus(madeAt, 7 * DAY_MS - 1))
  await run('prune-keyword-changes')
  expect(await logged()).toHaveLength(1)
  world.clock.set(plus(madeAt, 7 * DAY_MS + 1))
  // An open transaction of another test on the same server is waited for.
  await vi.waitFor(
    async () => {
      await run('prune-keyword-changes')
      expect(await logged()).toEqual([])
    },
    { timeout: 10_000 },
  )
  world.clock.set(before)
})
