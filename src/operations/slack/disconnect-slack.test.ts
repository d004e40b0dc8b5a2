import { expect, test } from 'vitest'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { createSlackStandIn } from '../../../test/stand-ins/slack.ts'
import { useResource, useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { connect, makeSlackChannel, tryChannel } from '../../commands/channels/slack/slack.suite.ts'

const stand = useResource(createSlackStandIn)
const world = useWorld(() => ({ slack: stand.slack }))

/** A workspace whose rule has a mention that waits to be sent to Slack. */
async function waiting(name: string, team = 'T1'): Promise<{ workspace: TestWorkspace; channelId: string }> {
  const workspace = await world.workspace(name)
  await connect(world, stand, workspace, team)
  const channelId = await makeSlackChannel(workspace)
  const rule = await workspace.api('POST', '/v1/alerts', {
    name: 'All',
    mode: 'instant',
    event: 'mention.matched',
    filter: {},
    channelIds: [channelId],
  })
  expect(rule.status).toBe(201)
  await score(world, [await mention(world, await makeKeyword(workspace))])
  expect(await log(workspace, channelId)).toEqual([['pending', null]])
  return { workspace, channelId }
}

async function log(workspace: TestWorkspace, channelId: string): Promise<[string, string | null][]> {
  const { body } = await workspace.api('GET', `/v1/channels/${channelId}/deliveries`)
  return body.data.map((item: { status: string; error: string | null }) => [item.status, item.error])
}

test('the connection is forgotten here and at Slack, what waits is cancelled, and the channels stay', async () => {
  const { workspace, channelId } = await waiting('Acme')
  expect((await workspace.api('DELETE', '/v1/slack', undefined, { key: workspace.readKey })).status).toBe(403)
  expect((await workspace.api('DELETE', '/v1/slack')).status).toBe(204)
  expect(stand.tokens.size).toBe(0)
  expect(await log(workspace, channelId)).toEqual([['cancelled', 'Slack was disconnected']])
  expect(await tryChannel(workspace, channelId)).toBe('Slack is no longer connected to the workspace')
  const again = await workspace.api('DELETE', '/v1/slack')
  expect([again.status, again.body.error.code]).toEqual([404, 'slack_not_connected'])
  await connect(world, stand, workspace)
  expect(await tryChannel(workspace, channelId)).toBeNull()
})

test('Slack that cannot be reached does not keep anybody connected', async () => {
  const { workspace } = await waiting('Unreached', 'T5')
  stand.faults.push({ method: 'auth.revoke', status: 500 })
  expect((await workspace.api('DELETE', '/v1/slack')).status).toBe(204)
  expect((await workspace.api('GET', '/v1/slack')).status).toBe(404)
  expect(stand.lines.join('')).toContain('auth.revoke')
})

test('a team that another workspace is connected to as well keeps the app, whichever token it gave', async () => {
  const [first, second] = [await world.workspace('First'), await world.workspace('Second')]
  for (const workspace of [first, second]) await connect(world, stand, workspace, 'T6')
  const asked = stand.called.length
  expect((await first.api('DELETE', '/v1/slack')).status).toBe(204)
  expect(stand.called.slice(asked)).toEqual([])
  expect((await second.api('DELETE', '/v1/slack')).status).toBe(204)
  expect(stand.called.slice(asked)).toEqual(['auth.revoke'])
})

test('a token that another workspace speaks with too stays good for it', async () => {
  const [first, second] = [await world.workspace('One'), await world.workspace('Two')]
  await connect(world, stand, first, 'T7')
  const [token] = [...stand.tokens].find(([, team]) => team === 'T7')!
  stand.grant = { access_token: token }
  await connect(world, stand, second, 'T7')
  const channelId = await makeSlackChannel(second)
  expect((await first.api('DELETE', '/v1/slack')).status).toBe(204)
  expect(await tryChannel(second, channelId)).toBeNull()
  expect((await second.api('DELETE', '/v1/slack')).status).toBe(204)
  expect(stand.tokens.has(token)).toBe(false)
})
