import { expect, test } from 'vitest'
import { createSlackStandIn } from '../../../test/stand-ins/slack.ts'
import { useResource, useWorkspace, useWorld } from '../../../test/use-world.ts'
import { createWorld } from '../../../test/world.ts'
import { connect, makeSlackChannel, tryChannel } from '../../commands/channels/slack/slack.suite.ts'

const stand = useResource(createSlackStandIn)
const world = useWorld(() => ({ slack: stand.slack }))
const acme = useWorkspace(world, 'Acme')

test('who has no connection is told so, and a channel cannot be made', async () => {
  const got = await acme.api('GET', '/v1/slack', undefined, { key: acme.readKey })
  expect([got.status, got.body.error.code]).toEqual([404, 'slack_not_connected'])
  const made = await acme.api('POST', '/v1/channels', { kind: 'slack', channelId: 'C1', channelName: 'general' })
  expect([made.status, made.body.error.code]).toEqual([409, 'slack_not_connected'])
})

test('a connection is of its workspace alone', async () => {
  await connect(world, stand, acme)
  const other = await world.workspace('Other')
  expect((await acme.api('GET', '/v1/slack', undefined, { key: acme.readKey })).status).toBe(200)
  expect((await other.api('GET', '/v1/slack')).status).toBe(404)
})

test('a channel is made with the connection, shows no secret, and what it cannot have is refused by its name', async () => {
  const made = await acme.api('POST', '/v1/channels', {
    kind: 'slack',
    channelId: 'C1',
    channelName: '#general',
    events: ['mention.spike'],
  })
  expect([made.status, made.body.label, made.body.config]).toEqual([
    201,
    '#general',
    { channelId: 'C1', channelName: 'general', events: ['mention.spike'] },
  ])
  const path = `/v1/channels/${made.body.id}`
  const changed = await acme.api('PATCH', path, { label: 'Ours', events: ['keyword.noisy'], enabled: false })
  expect(changed.body).toMatchObject({ label: 'Ours', enabled: false, config: { events: ['keyword.noisy'] } })
  expect((await acme.api('PATCH', path, { label: null, enabled: true })).body).toMatchObject({
    label: '#general',
    config: { channelId: 'C1', channelName: 'general' },
  })
  for (const [field, body] of Object.entries({
    url: { url: 'https://x.example' },
    headers: { headers: {} },
    events: { events: ['wallet.low'] },
  })) {
    const refused = await acme.api('PATCH', path, body)
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^${field}: `)),
    ])
  }
  expect(await tryChannel(acme, made.body.id)).toBeNull()
})

test('a token that Slack does not take any more is seen at the next message, and nothing is made with it until it is mended', async () => {
  const other = await world.workspace('Revoked')
  await connect(world, stand, other)
  const id = await makeSlackChannel(other)
  stand.tokens.clear()
  expect(await tryChannel(other, id)).toContain('connect Slack again')
  expect((await other.api('GET', '/v1/slack')).body.brokenAt).toBe(world.clock.now().toISOString())
  const made = await other.api('POST', '/v1/channels', { kind: 'slack', channelId: 'C1', channelName: 'general' })
  expect([made.status, made.body.error.code]).toEqual([409, 'slack_not_connected'])
  await connect(world, stand, other)
  expect((await other.api('GET', '/v1/slack')).body.brokenAt).toBeNull()
  expect(await tryChannel(other, id)).toBeNull()
})

test('what an old token was refused for does not break the connection that has taken its place', async () => {
  const other = await world.workspace('Replaced')
  await connect(world, stand, other)
  const id = await makeSlackChannel(other)
  const { around } = world.services
  const sending = {
    workspaceId: other.workspaceId,
    channelId: other.workspaceId,
    kind: 'test' as const,
    deliveryId: other.workspaceId,
    mentionId: null,
  }
  await around.slack?.after?.(sending, {
    outcome: 'permanent',
    reason: 'x',
    status: 200,
    durationMs: 1,
    replyExcerpt: null,
    learned: { worthlessToken: Buffer.from('another') },
  })
  expect((await other.api('GET', '/v1/slack')).body.brokenAt).toBeNull()
  expect(await tryChannel(other, id)).toBeNull()
})

test('without an app there is nothing to read, to list, to take away or to make', async () => {
  const bare = await createWorld()
  const alone = await bare.workspace('Alone')
  for (const [method, path] of [
    ['GET', '/v1/slack'],
    ['GET', '/v1/slack/channels'],
    ['DELETE', '/v1/slack'],
    ['POST', '/v1/slack/connect'],
  ] as const) {
    const { status, body } = await alone.api(method, path)
    expect([path, status, body.error.code]).toEqual([path, 503, 'slack_not_configured'])
  }
  const made = await alone.api('POST', '/v1/channels', { kind: 'slack', channelId: 'C1', channelName: 'general' })
  expect([made.status, made.body.error.code]).toEqual([503, 'slack_not_configured'])
  await bare.close()
})
