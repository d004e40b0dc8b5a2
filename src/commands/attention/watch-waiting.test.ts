import { expect, test } from 'vitest'
import { makeKeyword, mention, VERDICT } from '../../../test/mentions.ts'
import { ruled } from '../../../test/stand-ins/pipeline.ts'
import { useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { ATTENTION_EVENTS } from '../../domain/attention/account-events.ts'
import { WAITING_DELIVERIES_MAX } from '../../domain/channel/room.ts'
import { HOUR_MS, SECOND_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { releaseWaiting, WaitingRoom } from '../../store/delivery/waiting-room.ts'
import { readUnscored } from '../../store/model/unscored.ts'
import { recordScores } from '../mentions/record-scores.ts'
import { watchAttention } from './watch-attention.ts'

const world = useWorld()

/** Scores so many mentions, a second apart, where only one delivery may wait; answers when each was scored. */
async function flood(workspace: TestWorkspace, count: number): Promise<Date[]> {
  const room = new WaitingRoom(1)
  const keyword = await makeKeyword(workspace)
  const times: Date[] = []
  for (let number = 0; number < count; number += 1) {
    await world.clock.advance(SECOND_MS)
    const [unscored] = await readUnscored(world.db, [await mention(world, keyword)])
    const at = world.clock.now()
    await world.db.transaction((tx) =>
      recordScores(tx, [{ mention: unscored!, verdict: VERDICT, authorKeys: [] }], { at, metered: true, room }),
    )
    times.push(at)
  }
  return times
}

async function nextHour(): Promise<string> {
  await world.clock.advance(HOUR_MS)
  await watchAttention(world.services)
  return world.clock.now().toISOString()
}

const waiting = async (workspace: TestWorkspace, status = 'open') =>
  (
    await workspace.api('GET', `/v1/attention?kind=deliveries.waiting&status=${status}`, undefined, {
      key: workspace.readKey,
    })
  ).body.data
const emptyQueue = ({ workspaceId }: TestWorkspace) =>
  world.db.query(sql`delete from delivery_queue where workspace_id = ${workspaceId}`)

test('an item says how many deliveries are held for want of room, without an event, and resolves when none is', async () => {
  const [first, second] = [await world.workspace('Flooded'), await world.workspace('Quiet')]
  for (const each of [first, second]) await ruled(each, 'https://receiver.example/', { events: [...ATTENTION_EVENTS] })
  const [, since] = await flood(first, 4)
  await flood(second, 1)
  const openedAt = await nextHour()
  const [item, ...more] = await waiting(first)
  expect(item).toEqual({
    id: expect.stringMatching(/^att_/),
    kind: 'deliveries.waiting',
    status: 'open',
    subject: { type: 'workspace', id: toId('org', first.workspaceId) },
    title: `Deliveries are held because too many wait to be sent: 3 above the limit of ${WAITING_DELIVERIES_MAX} waiting deliveries`,
    ...{ openedAt, resolvedAt: null, dismissedAt: null },
    data: {
      attentionId: item.id,
      url: `https://earshot.test/attention?item=${item.id}`,
      ...{ held: 3, waitingLimit: WAITING_DELIVERIES_MAX, since: since!.toISOString() },
    },
  })
  expect(more).toEqual([])
  expect(await waiting(second, 'all')).toEqual([])
  expect(await world.db.query(sql`select event from delivery where kind = 'event'`)).toEqual([])
  await emptyQueue(first)
  expect(await releaseWaiting(world.db, world.clock.now(), 2)).toBe(2)
  await nextHour()
  expect(await waiting(first)).toEqual([item])
  await emptyQueue(first)
  expect(await releaseWaiting(world.db, world.clock.now(), 2)).toBe(1)
  const resolvedAt = await nextHour()
  expect(await waiting(first, 'all')).toEqual([{ ...item, status: 'resolved', resolvedAt }])
})

test('it is dismissed like any other, alone and by its kind', async () => {
  const workspace = await world.workspace('Dismissing')
  await ruled(workspace, 'https://receiver.example/')
  await flood(workspace, 2)
  await nextHour()
  expect((await workspace.api('POST', '/v1/attention/dismiss', { kind: 'deliveries.waiting' })).body).toMatchObject({
    dismissed: 1,
  })
  await nextHour()
  expect(await waiting(workspace, 'all')).toMatchObject([{ status: 'dismissed', resolvedAt: null, data: { held: 1 } }])
})

test('what is held for another reason opens none', async () => {
  const workspace = await world.workspace('Waiting for the hour')
  await ruled(workspace, 'https://receiver.example/')
  await flood(workspace, 2)
  await world.db.query(
    sql`update delivery_held set waits_for = 'email_hourly_limit' where workspace_id = ${workspace.workspaceId}`,
  )
  await nextHour()
  expect(await waiting(workspace, 'all')).toEqual([])
})
