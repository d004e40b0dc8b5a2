import { beforeAll, expect, test } from 'vitest'
import { makeDelivery } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

let id: string
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  id = (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })).body.id
})

async function log(channelId: Uuid, status: string, at: Date, sentAt: Date | null): Promise<void> {
  await makeDelivery(acme, acme.workspaceId, channelId, { status, at, sentAt })
}

test('the statistics count rules, and the deliveries of seven days', async () => {
  const rule = { name: 'Rule', channelIds: [id] }
  await acme.api('POST', '/v1/alerts', rule)
  await acme.api('POST', '/v1/alerts', { ...rule, enabled: false })
  const now = world.clock.now()
  // Ids grow over time within a process, so what is older comes first.
  await log(stored('dest', id), 'delivered', plus(now, -8 * DAY_MS), plus(now, -8 * DAY_MS))
  await acme.db.query(
    sql`update delivery set id = '00000000-0000-7000-8000-000000000001' where workspace_id = ${acme.workspaceId}`,
  )
  const lastAt = plus(now, 1000)
  await log(stored('dest', id), 'delivered', now, lastAt)
  await log(stored('dest', id), 'failed', now, null)
  await log(stored('dest', id), 'pending', now, null)
  const { status, body } = await acme.api('GET', `/v1/channels/${id}`, undefined, { key: acme.readKey })
  expect(status).toBe(200)
  expect(body.stats).toEqual({
    alerts: 2,
    activeAlerts: 1,
    lastDeliveryAt: lastAt.toISOString(),
    last7d: { total: 3, failed: 1 },
  })
})

test('a channel of another workspace is not found', async () => {
  const other = await world.workspace('Other')
  const { status, body } = await other.api('GET', `/v1/channels/${id}`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})
