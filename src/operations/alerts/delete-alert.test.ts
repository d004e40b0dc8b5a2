import { expect, test } from 'vitest'
import { makeDelivery } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a deleted rule is gone, what it had not sent is cancelled, and the log keeps what it did', async () => {
  const channelId = (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' }))
    .body.id
  const rule = (await acme.api('POST', '/v1/alerts', { name: 'Rule', channelIds: [channelId] })).body
  const now = world.clock.now()
  const ofRule = { kind: 'mention', event: 'mention.matched', alertId: stored('feed', rule.id), at: now } as const
  for (const status of ['delivered', 'pending'])
    await makeDelivery(acme, acme.workspaceId, stored('dest', channelId), {
      ...ofRule,
      status,
      queued: status === 'pending',
    })
  const { status, body } = await acme.api('DELETE', `/v1/alerts/${rule.id}`)
  expect([status, body]).toEqual([204, null])
  expect((await acme.api('GET', `/v1/alerts/${rule.id}`)).status).toBe(404)
  const log = (await acme.api('GET', `/v1/channels/${channelId}/deliveries`)).body.data
  expect(log.map((entry: { status: string; alert: unknown }) => [entry.status, entry.alert])).toEqual([
    ['cancelled', null],
    ['delivered', null],
  ])
  expect(
    await acme.db.query(sql`select delivery_id from delivery_queue where workspace_id = ${acme.workspaceId}`),
  ).toEqual([])
})

test('a rule is deleted once, and only by its own workspace', async () => {
  const other = await world.workspace('Other')
  const { id } = (await acme.api('POST', '/v1/alerts', { name: 'Rule' })).body
  expect((await other.api('DELETE', `/v1/alerts/${id}`)).status).toBe(404)
  expect((await acme.api('DELETE', `/v1/alerts/${id}`)).status).toBe(204)
  const { status, body } = await acme.api('DELETE', `/v1/alerts/${id}`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})
