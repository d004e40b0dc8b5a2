import { beforeEach, expect, test } from 'vitest'
import { createReceiver } from '../../../test/receiver.ts'
import { useFreshWorkspace, useResource, useWorld } from '../../../test/use-world.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const receiver = useResource(createReceiver)
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(() => {
  receiver.requests.length = 0
  receiver.status = 204
})

async function channel(url = receiver.url): Promise<string> {
  return (await acme.api('POST', '/v1/channels', { kind: 'webhook', url })).body.id
}

async function rule(channelIds: string[], more: object = {}): Promise<string> {
  return (await acme.api('POST', '/v1/alerts', { name: 'My rule', channelIds, ...more })).body.id
}

test('every channel of the rule gets a test that names the rule', async () => {
  const channels = [await channel(), await channel(`${receiver.url}?second`)]
  const id = await rule(channels)
  const { status, body } = await acme.api('POST', `/v1/alerts/${id}/test`)
  expect([status, body]).toEqual([
    200,
    { outcomes: channels.map((channelId) => ({ channelId, ok: true, error: null })) },
  ])
  expect(receiver.requests.map((request) => request.path).sort()).toEqual(['/hook', '/hook?second'])
  for (const request of receiver.requests)
    expect(request.body).toMatchObject({
      event: 'test',
      alert: { id, name: 'My rule' },
      data: { message: expect.any(String) },
    })
  expect(new Set(receiver.requests.map((request) => request.body.id)).size).toBe(2)
  expect(await acme.db.query(sql`select id from delivery where workspace_id = ${acme.workspaceId}`)).toEqual([])
})

test('one channel that fails or is switched off does not keep the others from being tested', async () => {
  const [off, on] = [await channel(), await channel()]
  await acme.api('PATCH', `/v1/channels/${off}`, { enabled: false })
  const { body } = await acme.api('POST', `/v1/alerts/${await rule([off, on])}/test`)
  expect(body.outcomes).toEqual([
    { channelId: off, ok: false, error: 'the channel is disabled' },
    { channelId: on, ok: true, error: null },
  ])
  receiver.status = 503
  expect((await acme.api('POST', `/v1/alerts/${await rule([on])}/test`)).body.outcomes).toEqual([
    { channelId: on, ok: false, error: 'status 503' },
  ])
})

test.each([
  ['rule_disabled', { enabled: false }, true],
  ['no_channels', {}, false],
])('%s is the answer to a rule that cannot send', async (code, more, withChannel) => {
  const id = await rule(withChannel ? [await channel()] : [], more)
  const { status, body } = await acme.api('POST', `/v1/alerts/${id}/test`)
  expect([status, body.error.code]).toEqual([409, code])
  expect(receiver.requests).toEqual([])
})

test('a secret that cannot be opened is an answer, not a signature', async () => {
  const id = await rule([await channel()])
  await acme.db.query(sql`update channel set secret_sealed = 'v1.AAAA' where workspace_id = ${acme.workspaceId}`)
  const { status, body } = await acme.api('POST', `/v1/alerts/${id}/test`)
  expect([status, body.error.code]).toEqual([503, 'delivery_key_unavailable'])
  expect(receiver.requests).toEqual([])
})

test('a rule of another workspace is not found', async () => {
  const id = await rule([await channel()])
  const other = await world.workspace('Other')
  const { status, body } = await other.api('POST', `/v1/alerts/${id}/test`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})
