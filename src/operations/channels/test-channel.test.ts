import { createHmac } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { createReceiver } from '../../../test/receiver.ts'
import { useFreshWorkspace, useResource, useWorld } from '../../../test/use-world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const receiver = useResource(createReceiver)
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(() => {
  receiver.requests.length = 0
  receiver.status = 204
})

async function channel(input: object = {}) {
  return (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: receiver.url, ...input })).body
}

test('a test arrives at once, signed, in the form of every event, and is in no log', async () => {
  const { id, config } = await channel({ headers: { 'X-Team': 'blue' } })
  const { status, body } = await acme.api('POST', `/v1/channels/${id}/test`)
  expect(status).toBe(200)
  expect(body).toEqual({ outcomes: [{ channelId: id, ok: true, error: null }] })
  const [request, ...others] = receiver.requests
  expect(others).toEqual([])
  expect(request!.body).toEqual({
    id: expect.stringMatching(/^dlv_[0-9a-z]{26}$/),
    event: 'test',
    createdAt: world.clock.now().toISOString(),
    alert: { id: null, name: 'Channel test' },
    data: { message: expect.any(String) },
  })
  const timestamp = request!.headers['x-mentions-timestamp']
  expect(request!.headers['x-team']).toBe('blue')
  expect(request!.headers['x-mentions-signature-v2']).toBe(
    `v2=${createHmac('sha256', config.secret).update(`${timestamp}.${request!.raw}`).digest('hex')}`,
  )
  expect((await acme.api('GET', `/v1/channels/${id}/deliveries`)).body.data).toEqual([])
  expect(await acme.db.query(sql`select id from delivery where workspace_id = ${acme.workspaceId}`)).toEqual([])
})

test.each([
  [500, 'status 500'],
  [404, 'status 404'],
  [302, 'status 302: redirects are not followed'],
])('an answer of %i is told and not tried again', async (status, error) => {
  const { id } = await channel()
  receiver.status = status
  const answer = await acme.api('POST', `/v1/channels/${id}/test`)
  expect([answer.status, answer.body]).toEqual([200, { outcomes: [{ channelId: id, ok: false, error }] }])
  expect(receiver.requests).toHaveLength(1)
})

test('a receiver that is not there is told', async () => {
  const gone = await createReceiver()
  await gone.close()
  const { id } = await channel({ url: gone.url })
  expect((await acme.api('POST', `/v1/channels/${id}/test`)).body.outcomes).toEqual([
    { channelId: id, ok: false, error: 'the connection was refused' },
  ])
})

test('a channel that is switched off is not tested', async () => {
  const { id } = await channel()
  await acme.api('PATCH', `/v1/channels/${id}`, { enabled: false })
  const { status, body } = await acme.api('POST', `/v1/channels/${id}/test`)
  expect([status, body.error.code]).toEqual([409, 'channel_disabled'])
  expect(receiver.requests).toEqual([])
})

test('a secret that cannot be opened, such as one copied from another channel, is never used', async () => {
  const [first, second] = [await channel(), await channel()]
  await acme.db.query(
    sql`update channel c set secret_sealed = o.secret_sealed from channel o where c.workspace_id = o.workspace_id
        and c.workspace_id = ${acme.workspaceId} and c.id <> o.id`,
  )
  for (const { id } of [first, second]) {
    const { status, body } = await acme.api('POST', `/v1/channels/${id}/test`)
    expect([status, body.error.code]).toEqual([503, 'delivery_key_unavailable'])
  }
  expect(receiver.requests).toEqual([])
})

test('the channel of another workspace is not found', async () => {
  const { id } = await channel()
  const other = await world.workspace('Other')
  const { status, body } = await other.api('POST', `/v1/channels/${id}/test`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
  expect(receiver.requests).toEqual([])
})

test('a workspace tests ten times a minute, its rules included', async () => {
  const { id } = await channel()
  const rule = (await acme.api('POST', '/v1/alerts', { name: 'Rule', channelIds: [id] })).body
  for (let times = 0; times < 12; times += 1)
    expect((await acme.api('POST', `/v1/channels/${id}/test`, { nonsense: 1 })).status).toBe(400)
  const statuses: number[] = []
  for (let times = 0; times < 10; times += 1)
    statuses.push((await acme.api('POST', times % 2 ? `/v1/channels/${id}/test` : `/v1/alerts/${rule.id}/test`)).status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  const { status, body } = await acme.api('POST', `/v1/channels/${id}/test`)
  expect([status, body.error.code]).toEqual([429, 'rate_limited'])
  await world.clock.advance(MINUTE_MS)
  expect((await acme.api('POST', `/v1/channels/${id}/test`)).status).toBe(200)
})
