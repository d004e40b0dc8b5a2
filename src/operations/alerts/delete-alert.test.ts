import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { newUuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a deleted rule is gone, what it had not sent is cancelled, and the log keeps what it did', async () => {
  const channelId = (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' }))
    .body.id
  const rule = (await acme.api('POST', '/v1/alerts', { name: 'Rule', channelIds: [channelId] })).body
  const now = world.clock.now()
  for (const status of ['delivered', 'pending']) {
    const id = newUuid(now)
    await acme.db.query(sql`
      insert into delivery (workspace_id, id, channel_id, kind, event, alert_id, status, created_at)
      values (${acme.workspaceId}, ${id}, ${stored('dest', channelId)}, 'mention', 'mention.matched',
        ${stored('feed', rule.id)}, ${status}, ${now})`)
    if (status === 'pending')
      await acme.db.query(sql`
        insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at)
          values (${acme.workspaceId}, ${id}, ${stored('dest', channelId)}, ${now})`)
  }
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
