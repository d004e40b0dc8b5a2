import { expect, test } from 'vitest'
import { makeKeyword, mention, VERDICT } from '../../../test/mentions.ts'
import { ruled } from '../../../test/stand-ins/pipeline.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { recordScores } from '../../commands/mentions/record-scores.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { deleteChannel } from '../channel/channels.ts'
import { sql } from '../database.ts'
import { readUnscored } from '../model/unscored.ts'
import { recordAccountEvents } from '../workspace/account-events.ts'
import { releaseWaiting, WaitingRoom } from './waiting-room.ts'

const world = useWorld()

/** Scores mentions one by one, under a bound of so many that wait. */
async function scored(workspace: TestWorkspace, count: number, room: WaitingRoom): Promise<void> {
  const keyword = await makeKeyword(workspace)
  for (let number = 0; number < count; number += 1) {
    await world.clock.advance(SECOND_MS)
    const [unscored] = await readUnscored(world.db, [await mention(world, keyword)])
    const at = world.clock.now()
    await world.db.transaction((tx) =>
      recordScores(tx, [{ mention: unscored!, verdict: VERDICT, authorKeys: [] }], { at, metered: true, room }),
    )
  }
}

const rows = ({ workspaceId }: TestWorkspace) =>
  world.db.query<{ status: string; error: string | null; queued: boolean }>(sql`
    select d.status, d.error, q.delivery_id is not null as queued from delivery d left
      join delivery_queue q on q.workspace_id = d.workspace_id and q.delivery_id = d.id
    where d.workspace_id = ${workspaceId} order by d.id`)
const statuses = async (workspace: TestWorkspace) => (await rows(workspace)).map(({ status }) => status)

test('what is more than may wait is held and says why, without harm to others, and goes in order as there is room', async () => {
  const [first, second] = [await world.workspace('One'), await world.workspace('Other')]
  const { channelId } = await ruled(first, 'https://receiver.example/')
  await ruled(second, 'https://receiver.example/')
  const room = new WaitingRoom(3)
  await scored(first, 6, room)
  await scored(second, 2, room)
  expect(await statuses(first)).toEqual(['pending', 'pending', 'pending', 'held', 'held', 'held'])
  expect(await statuses(second)).toEqual(['pending', 'pending'])
  expect((await rows(first)).slice(3)).toEqual(
    Array.from({ length: 3 }, () => ({ status: 'held', error: 'waiting_limit', queued: false })),
  )
  const log = (await first.api('GET', `/v1/channels/${toId('dest', channelId)}/deliveries?status=held`)).body.data
  expect(log.map(({ error }: { error: string }) => error)).toEqual(['waiting_limit', 'waiting_limit', 'waiting_limit'])
  expect(await releaseWaiting(world.db, world.clock.now(), 3)).toBe(0)
  // Two were sent.
  await world.db.query(sql`
    with gone as (delete from delivery_queue where workspace_id = ${first.workspaceId} and delivery_id in (
      select id from delivery where workspace_id = ${first.workspaceId} order by id limit 2) returning delivery_id)
    update delivery d set status = 'delivered' from gone where d.workspace_id = ${first.workspaceId}
      and d.id = gone.delivery_id`)
  await world.clock.advance(MINUTE_MS)
  // What comes now goes behind what is held.
  await scored(first, 1, room)
  expect(await releaseWaiting(world.db, world.clock.now(), 3)).toBe(2)
  expect(await statuses(first)).toEqual(['delivered', 'delivered', 'pending', 'pending', 'pending', 'held', 'held'])
  expect((await rows(first)).filter(({ queued }) => queued)).toHaveLength(3)
  await world.db.query(sql`delete from delivery_queue where workspace_id = ${first.workspaceId}`)
  expect(await releaseWaiting(world.db, world.clock.now(), 3)).toBe(2)
  expect(await world.db.query(sql`select 1 from delivery_held`)).toEqual([])
})

test('what is held can be retried at once, and goes with its channel', async () => {
  const workspace = await world.workspace('Retrying')
  const { channelId } = await ruled(workspace, 'https://receiver.example/')
  await scored(workspace, 3, new WaitingRoom(1))
  const path = `/v1/channels/${toId('dest', channelId)}/deliveries`
  const held = (await workspace.api('GET', `${path}?status=held&sort=oldest`)).body.data
  expect(
    (await workspace.api('POST', `/v1/deliveries/${held[0].id}/retry`, { requestId: crypto.randomUUID() })).status,
  ).toBe(202)
  expect(await statuses(workspace)).toEqual(['pending', 'pending', 'held'])
  expect(await world.db.transaction((tx) => deleteChannel(tx, workspace.workspaceId, channelId))).toBe(true)
  expect(await statuses(workspace)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  expect(await releaseWaiting(world.db, world.clock.now(), 10)).toBe(0)
})

test('the data of an event keeps the order of its keys, also when it is replayed', async () => {
  const workspace = await world.workspace('Ordered')
  const channel = (
    await workspace.api('POST', '/v1/channels', {
      kind: 'webhook',
      url: 'https://receiver.example/',
      events: ['wallet.low'],
    })
  ).body
  const data = { wallet: { resumeCostCents: 1, balanceCents: 2 }, lastCreditCents: 3, at: 'now' }
  await world.db.transaction((tx) =>
    recordAccountEvents(tx, [{ workspaceId: workspace.workspaceId, event: 'wallet.low', at: world.clock.now(), data }]),
  )
  const [made] = (await workspace.api('GET', `/v1/channels/${channel.id}/deliveries`)).body.data
  await world.db.query(sql`update delivery set status = 'failed' where workspace_id = ${workspace.workspaceId}`)
  expect(
    (await workspace.api('POST', `/v1/deliveries/${made.id}/replay`, { requestId: crypto.randomUUID() })).status,
  ).toBe(202)
  const stored = await world.db.query<{ data: object }>(
    sql`select data from delivery where workspace_id = ${workspace.workspaceId} order by id`,
  )
  expect(stored.map((row) => JSON.stringify(row.data))).toEqual([JSON.stringify(data), JSON.stringify(data)])
})
