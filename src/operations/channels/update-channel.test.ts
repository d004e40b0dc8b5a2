import { beforeEach, expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { newUuid, toId } from '../../kernel/ids.ts'
import { insertChannel } from '../../store/channel/channels.ts'
import { sql } from '../../store/database.ts'
import { recordAccountEvents } from '../../store/workspace/account-events.ts'

let id: string
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  const input = {
    kind: 'webhook',
    url: 'https://hooks.example.com/in',
    label: 'Inbox',
    headers: { 'x-team': 'blue' },
    events: ['wallet.low'],
  }
  id = (await acme.api('POST', '/v1/channels', input)).body.id
  await acme.db.transaction((tx) =>
    recordAccountEvents(tx, [{ workspaceId: acme.workspaceId, event: 'wallet.low', at: world.clock.now(), data: {} }]),
  )
})

async function deliveries(): Promise<{ status: string; error: string | null; queued: number }[]> {
  return acme.db.query(sql`
    select d.status, d.error, (select count(*) from delivery_queue q where q.workspace_id = d.workspace_id
      and q.delivery_id = d.id) as queued
    from delivery d where d.workspace_id = ${acme.workspaceId} and d.channel_id = ${stored('dest', id)}`)
}

const WAITING = [{ status: 'pending', error: null, queued: 1 }]

test('what is not sent stays, and what waits is sent, when label or events change', async () => {
  const { status, body } = await acme.api('PATCH', `/v1/channels/${id}`, { label: 'New', events: [] })
  expect(status).toBe(200)
  expect(body).toMatchObject({ id, label: 'New', enabled: true })
  expect(body.config).toEqual({ url: 'https://hooks.example.com/in', headers: { 'x-team': 'blue' }, events: [] })
  expect(await deliveries()).toEqual(WAITING)
})

test('null brings the default label back and clears headers and events', async () => {
  const { status, body } = await acme.api('PATCH', `/v1/channels/${id}`, { label: null, headers: null, events: null })
  expect([status, body.label, body.config]).toEqual([
    200,
    'hooks.example.com',
    { url: 'https://hooks.example.com/in', headers: {}, events: [] },
  ])
  const moved = await acme.api('PATCH', `/v1/channels/${id}`, {
    url: 'https://elsewhere.example.com:8443/',
    label: null,
  })
  expect(moved.body.label).toBe('elsewhere.example.com:8443')
})

test('sending what is there already cancels nothing', async () => {
  await acme.api('PATCH', `/v1/channels/${id}`, {
    url: 'https://hooks.example.com/in',
    headers: { 'X-Team': 'blue' },
    enabled: true,
  })
  expect(await deliveries()).toEqual(WAITING)
})

test.each([
  [{ url: 'https://hooks.example.com/other' }, 'the channel was changed'],
  [{ headers: {} }, 'the channel was changed'],
  [{ enabled: false }, 'the channel was disabled'],
])('%j cancels what is not sent yet', async (change, error) => {
  expect((await acme.api('PATCH', `/v1/channels/${id}`, change)).body).toMatchObject(
    'enabled' in change ? change : { config: change },
  )
  expect(await deliveries()).toEqual([{ status: 'cancelled', error, queued: 0 }])
})

test('a channel that was switched off can be switched on again', async () => {
  await acme.api('PATCH', `/v1/channels/${id}`, { enabled: false })
  expect((await acme.api('PATCH', `/v1/channels/${id}`, { enabled: true })).body.enabled).toBe(true)
})

test('a channel of another workspace is not found and stays as it is', async () => {
  const other = await world.workspace('Other')
  const { status, body } = await other.api('PATCH', `/v1/channels/${id}`, { enabled: false })
  expect([status, body.error.code]).toEqual([404, 'not_found'])
  expect(await deliveries()).toEqual(WAITING)
})

test.each([
  [{ url: 'https://127.0.0.2/' }, /^url: /],
  [{ headers: { host: 'x' } }, /^headers\.host: /],
  [{ events: ['nonsense'] }, /^events\.0: /],
  [{ kind: 'slack' }, 'kind: is not a field of this operation'],
  [{ enabled: null }, 'enabled: must be true or false'],
])('%j is refused by naming the field', async (change, message) => {
  const { status, body } = await acme.api('PATCH', `/v1/channels/${id}`, change)
  expect([status, body.error.code]).toEqual([400, 'validation_error'])
  expect(body.error.message).toMatch(message)
  expect(await deliveries()).toEqual(WAITING)
})

test.each([
  ['slack', { teamId: 'T1', channelId: 'C1', channelName: 'general' }],
  ['telegram', { chatId: '1', chatType: 'private' }],
] as const)(
  'a channel of the kind %s, which this installation has not any more, can be changed, switched off and deleted',
  async (kind, config) => {
    const at = world.clock.now()
    const id = newUuid(at)
    const channel = {
      workspaceId: acme.workspaceId,
      id,
      kind,
      label: 'Old',
      enabled: true,
      config,
      secretSealed: null,
      events: [],
      createdAt: at,
    }
    await world.db.transaction((tx) => insertChannel(tx, channel))
    const path = `/v1/channels/${toId('dest', id)}`
    const { status, body } = await acme.api('PATCH', path, {
      label: 'New',
      enabled: false,
      events: ['channel.failing'],
    })
    expect([status, body.label, body.enabled, body.config.events]).toEqual([200, 'New', false, ['channel.failing']])
    expect((await acme.api('DELETE', path)).status).toBe(204)
  },
)
