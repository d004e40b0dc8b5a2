import { expect, test } from 'vitest'
import { createSlackStandIn } from '../../../test/stand-ins/slack.ts'
import { useResource, useWorkspace, useWorld } from '../../../test/use-world.ts'
import { connect } from '../../commands/channels/slack/slack.suite.ts'

const stand = useResource(createSlackStandIn)
const world = useWorld(() => ({ slack: stand.slack }))
const acme = useWorkspace(world, 'Acme')

const list = () => acme.api('GET', '/v1/slack/channels', undefined, { key: acme.readKey })

test('without a connection there is nothing to list', async () => {
  const { status, body } = await list()
  expect([status, body.error.code]).toEqual([404, 'slack_not_connected'])
})

test('channels are listed, private ones marked and old ones left out', async () => {
  await connect(world, stand, acme)
  expect((await list()).body).toEqual({
    data: [
      { id: 'C1', name: 'general', isPrivate: false },
      { id: 'C2', name: 'elsewhere', isPrivate: false },
      { id: 'G3', name: 'secret', isPrivate: true },
    ],
  })
})

test('all pages are read, up to four thousand channels', async () => {
  const few = stand.channels
  stand.channels = Array.from({ length: 4300 }, (_, at) => ({ id: `C${at}`, name: `channel-${at}` }))
  const { body } = await list()
  stand.channels = few
  expect([body.data.length, body.data.at(-1).id]).toEqual([4000, 'C3999'])
})

test.each([
  ['is down', { status: 500 }],
  ['has had too many questions', { status: 429, headers: { 'retry-after': '30' } }],
  ['answers in another form', { body: { ok: true, channels: 'none' } }],
  ['answers with a page of somebody else', { body: '<html>' }],
])('Slack that %s is a provider that did not respond', async (_, fault) => {
  stand.faults.push({ method: 'conversations.list', ...fault })
  const { status, body } = await list()
  expect([status, body.error.code]).toEqual([502, 'upstream_unavailable'])
})

test('how long Slack asks to be left alone is handed on, and nobody asks more than ten times a minute', async () => {
  await world.clock.advance(60_000)
  stand.faults.push({ method: 'conversations.list', status: 429, headers: { 'retry-after': '30' } })
  const refused = await list()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([502, '30'])
  const statuses: number[] = []
  for (let times = 0; times < 10; times += 1) statuses.push((await list()).status)
  expect(statuses).toEqual([...Array.from({ length: 9 }, () => 200), 429])
  await world.clock.advance(60_000)
})

test('a token that Slack does not take any more is no connection', async () => {
  stand.tokens.clear()
  const { status, body } = await list()
  expect([status, body.error.code]).toEqual([404, 'slack_not_connected'])
})
