import { expect, test } from 'vitest'
import { ruled } from '../../../test/stand-ins/pipeline.ts'
import { useFreshWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { ATTENTION_EVENTS } from '../../domain/attention/account-events.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { noteDatabaseSize } from '../../store/retention/database-size.ts'
import { watchAttention } from './watch-attention.ts'

const world = useFreshWorld()
const GB = 1e9

/** Notes a database that grows by a gigabyte a day, and looks after the next full hour. */
async function look(freeBytes: number | null, { afterMs = HOUR_MS } = {}): Promise<void> {
  const at = world.clock.now()
  const bytes = Math.round((at.getTime() / DAY_MS) * GB)
  await world.db.transaction((tx) => noteDatabaseSize(tx, { at, bytes, freeBytes }))
  await world.clock.advance(afterMs)
  await watchAttention(world.services)
}

const items = async (workspace: TestWorkspace, status = 'all') =>
  (await workspace.api('GET', `/v1/attention?kind=disk.filling&status=${status}`)).body.data

async function grown(): Promise<TestWorkspace[]> {
  const made = [await world.workspace('First'), await world.workspace('Second')]
  for (const each of made) await ruled(each, 'https://receiver.example/', { events: [...ATTENTION_EVENTS] })
  await look(99 * GB, { afterMs: 2 * DAY_MS })
  return made
}

test('the first workspace is told how many days are left, until the disk lasts for three weeks', async () => {
  const [first, second] = await grown()
  expect(await items(first!)).toEqual([])
  await look(13.5 * GB)
  const openedAt = world.clock.now().toISOString()
  const [item, ...more] = await items(first!)
  expect(item).toEqual({
    id: expect.stringMatching(/^att_/),
    kind: 'disk.filling',
    status: 'open',
    subject: { type: 'workspace', id: toId('org', first!.workspaceId) },
    title: 'The disk of the database is full in 13 days at the present growth',
    ...{ openedAt, resolvedAt: null, dismissedAt: null },
    data: {
      attentionId: item.id,
      url: `https://earshot.test/attention?item=${item.id}`,
      ...{ daysLeft: 13, freeBytes: 13.5 * GB, bytesPerDay: GB },
    },
  })
  expect(more).toEqual([])
  await look(0.5 * GB)
  expect(await items(first!)).toMatchObject([
    { ...item, title: 'The disk of the database is full within a day at the present growth', data: { daysLeft: 0 } },
  ])
  await look(20.5 * GB)
  expect(await items(first!)).toMatchObject([{ id: item.id, status: 'open', data: { daysLeft: 20 } }])
  await look(21.5 * GB)
  expect(await items(first!)).toMatchObject([{ id: item.id, status: 'resolved', data: { daysLeft: 20 } }])
  await look(14.5 * GB)
  expect(await items(first!, 'open')).toEqual([])
  expect(await items(second!)).toEqual([])
  expect(await world.db.query(sql`select event from delivery where kind = 'event'`)).toEqual([])
})

test('nobody is told while the free space is not known, or was seen hours ago', async () => {
  const [first] = await grown()
  await look(null)
  await look(GB, { afterMs: 4 * HOUR_MS })
  expect(await items(first!)).toEqual([])
  await look(GB)
  expect(await items(first!)).toHaveLength(1)
})

test('the next workspace is told when the first is deleted', async () => {
  const [first, second] = await grown()
  await look(GB)
  await world.db.query(sql`update workspace set deletes_at = ${world.clock.now()} where id = ${first!.workspaceId}`)
  await look(GB)
  const told = await world.db.query(sql`
    select workspace_id, resolved_at is null as open from attention_item where kind = 'disk.filling' order by id`)
  expect(told).toEqual([
    { workspace_id: first!.workspaceId, open: false },
    { workspace_id: second!.workspaceId, open: true },
  ])
})
