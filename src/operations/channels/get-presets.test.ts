import { beforeEach, expect, test } from 'vitest'
import { makeMailChannel } from '../../../test/mail-channel.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { toId } from '../../kernel/ids.ts'

let channelId: string
let otherChannelId: string
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
const makeChannel = async (): Promise<string> =>
  (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })).body.id
beforeEach(async () => {
  channelId = await makeChannel()
  otherChannelId = await makeChannel()
})

const presets = async () =>
  (await acme.api('GET', `/v1/channels/${channelId}/presets`, undefined, { key: acme.readKey })).body
const makeRule = async (rule: object): Promise<string> =>
  (await acme.api('POST', '/v1/alerts', { name: 'Rule', channelIds: [channelId], ...rule })).body.id

test('a rule that somebody made by hand with the form of a preset is one, in the order of the presets', async () => {
  expect(await presets()).toEqual({ events: [], version: expect.any(Number) })
  await makeRule({ mode: 'daily', schedule: { hour: 7, minute: 30, timezone: 'Asia/Kathmandu' } })
  await makeRule({ event: 'review.negative', filter: { ratings: [1, 2] } })
  await makeRule({})
  expect((await presets()).events).toEqual(['mention.matched', 'review.negative', 'digest'])
})

test.each([
  ['goes to another channel as well', () => ({ channelIds: [channelId, otherChannelId] })],
  ['goes to another channel', () => ({ channelIds: [otherChannelId] })],
  ['goes nowhere', () => ({ channelIds: [] })],
  ['has another event', () => ({ event: 'mention.mine' })],
  ['has the event of another preset', () => ({ event: 'mention.negative' })],
  ['asks for more', () => ({ filter: { minLikes: 5 } })],
  ['runs otherwise', () => ({ mode: 'hourly' })],
])('a rule that %s is none', async (_, change) => {
  await makeRule(change())
  expect((await presets()).events).toEqual([])
})

test('the version is another after every change of a preset rule, and after none of another', async () => {
  const seen = new Set<number>()
  const changed = async () => {
    const { version } = await presets()
    expect(seen).not.toContain(version)
    seen.add(version)
  }
  await changed()
  const id = await makeRule({})
  await changed()
  await acme.api('PATCH', `/v1/alerts/${id}`, { name: 'Another name' })
  await changed()
  await acme.api('PATCH', `/v1/alerts/${id}`, { enabled: false })
  await changed()
  await acme.api('POST', `/v1/alerts/${id}/mute`, { authors: ['jane'] })
  await changed()
  const kept = await presets()
  await acme.api('PATCH', `/v1/alerts/${id}`, { enabled: false })
  const mine = await makeRule({ event: 'mine' })
  await acme.api('PATCH', `/v1/alerts/${mine}`, { name: 'Mine' })
  expect(await presets()).toEqual(kept)
  expect(kept.events).toEqual([])
})

test('a rule that is switched off sends nothing and is not listed, and one with muted authors is', async () => {
  const id = await makeRule({ enabled: false })
  expect((await presets()).events).toEqual([])
  await acme.api('PATCH', `/v1/alerts/${id}`, { enabled: true })
  await acme.api('POST', `/v1/alerts/${id}/mute`, { authors: ['jane'] })
  expect((await presets()).events).toEqual(['mention.matched'])
})

test('other kinds of channel have no presets, nor have channels of others', async () => {
  const mail = toId('dest', await makeMailChannel(acme))
  const answer = await acme.api('GET', `/v1/channels/${mail}/presets`)
  expect([answer.status, answer.body.error]).toMatchObject([
    404,
    { code: 'not_found', message: 'Only webhook channels have presets' },
  ])
  const other = await world.workspace('Other')
  expect((await other.api('GET', `/v1/channels/${channelId}/presets`)).status).toBe(404)
})
