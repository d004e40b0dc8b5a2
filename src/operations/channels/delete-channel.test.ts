import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { sql } from '../../store/database.ts'
import { recordAccountEvents } from '../../store/workspace/account-events.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

async function channel(): Promise<string> {
  return (
    await acme.api('POST', '/v1/channels', {
      kind: 'webhook',
      url: 'https://hooks.example.com/',
      events: ['wallet.low'],
    })
  ).body.id
}

test('a deleted channel is gone from all rules, with all that waited for it', async () => {
  const [kept, removed] = [await channel(), await channel()]
  const both = (await acme.api('POST', '/v1/alerts', { name: 'Both', channelIds: [removed, kept] })).body
  const only = (await acme.api('POST', '/v1/alerts', { name: 'Only', channelIds: [kept] })).body
  await acme.db.transaction((tx) =>
    recordAccountEvents(tx, [{ workspaceId: acme.workspaceId, event: 'wallet.low', at: world.clock.now(), data: {} }]),
  )
  const { status, body } = await acme.api('DELETE', `/v1/channels/${removed}`)
  expect([status, body]).toEqual([204, null])
  expect((await acme.api('GET', `/v1/channels/${removed}`)).status).toBe(404)
  expect((await acme.api('GET', `/v1/alerts/${both.id}`)).body).toMatchObject({
    channelIds: [kept],
    version: both.version + 1,
  })
  expect((await acme.api('GET', `/v1/alerts/${only.id}`)).body).toEqual(only)
  const [left] = await acme.db.query<{ log: number; queue: number }>(sql`
    select (select count(*) from delivery where status <> 'cancelled' and workspace_id = ${acme.workspaceId}) as log,
      (select count(*) from delivery_queue where workspace_id = ${acme.workspaceId}) as queue`)
  expect(left).toEqual({ log: 1, queue: 1 })
})

test('a channel is deleted once, and only by its own workspace', async () => {
  const other = await world.workspace('Other')
  const id = await channel()
  expect((await other.api('DELETE', `/v1/channels/${id}`)).status).toBe(404)
  expect((await acme.api('DELETE', `/v1/channels/${id}`)).status).toBe(204)
  const { status, body } = await acme.api('DELETE', `/v1/channels/${id}`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})
