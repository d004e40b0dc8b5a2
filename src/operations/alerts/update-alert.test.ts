import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeMailChannel } from '../../../test/mail-channel.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { newId, toId } from '../../kernel/ids.ts'

const NINE = { hour: 9, minute: 0, timezone: 'Europe/Berlin', skipEmpty: false, weekday: null }

let channels: string[]
// biome-ignore lint/suspicious/noExplicitAny: the answer of the interface, read freely
let rule: any
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  channels = []
  for (const label of ['first', 'second'])
    channels.push(
      (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/', label })).body.id,
    )
})
beforeEach(async () => {
  rule = (
    await acme.api('POST', '/v1/alerts', {
      name: 'Rule',
      channelIds: channels,
      filter: { minLikes: 3, minRelevance: 80 },
    })
  ).body
})

test('only what is sent changes, and every change raises the version', async () => {
  const { status, body } = await acme.api('PATCH', `/v1/alerts/${rule.id}`, {
    name: 'New name',
    event: 'mention.high_relevance',
    enabled: false,
  })
  expect([status, body]).toEqual([
    200,
    { ...rule, name: 'New name', event: 'mention.high_relevance', enabled: false, version: 2 },
  ])
  expect((await acme.api('PATCH', `/v1/alerts/${rule.id}`, { enabled: true })).body).toEqual({
    ...body,
    enabled: true,
    version: 3,
  })
})

test.each([
  ['nothing', () => ({})],
  [
    'what is there already',
    () => ({
      name: rule.name,
      filter: { minRelevance: 80, minLikes: 3 },
      channelIds: channels,
      schedule: null,
      enabled: true,
    }),
  ],
])('a change that says %s leaves the version', async (_, change) => {
  expect((await acme.api('PATCH', `/v1/alerts/${rule.id}`, change())).body).toEqual(rule)
})

test('the order of the channels is a change', async () => {
  const { body } = await acme.api('PATCH', `/v1/alerts/${rule.id}`, { channelIds: [...channels].reverse() })
  expect(body).toMatchObject({ channelIds: [...channels].reverse(), version: 2 })
})

test('the filter is replaced as a whole', async () => {
  expect((await acme.api('PATCH', `/v1/alerts/${rule.id}`, { filter: { minViews: 5 } })).body.filter).toEqual({
    minViews: 5,
  })
  expect((await acme.api('PATCH', `/v1/alerts/${rule.id}`, { filter: {} })).body.filter).toEqual({})
})

test('the channels are replaced as a whole, in their new order', async () => {
  const [first, second] = channels
  expect((await acme.api('PATCH', `/v1/alerts/${rule.id}`, { channelIds: [second, first] })).body.channelIds).toEqual([
    second,
    first,
  ])
  expect((await acme.api('PATCH', `/v1/alerts/${rule.id}`, { channelIds: [first] })).body.channelIds).toEqual([first])
  expect((await acme.api('PATCH', `/v1/alerts/${rule.id}`, { channelIds: [] })).body).toMatchObject({
    channelIds: [],
    channels: [],
  })
})

const patch = async (change: object) => (await acme.api('PATCH', `/v1/alerts/${rule.id}`, change)).body

test('another mode brings its event along, keeps what it needs of the schedule, and says when it runs', async () => {
  expect(await patch({ mode: 'hourly' })).toMatchObject({
    event: 'digest',
    schedule: null,
    stats: { nextRunAt: '2026-11-20T10:05:00.000Z' },
    version: 2,
  })
  const weekly = await patch({ mode: 'weekly', schedule: { ...NINE, weekday: 1 } })
  expect(weekly).toMatchObject({
    event: 'digest',
    schedule: { ...NINE, weekday: 1 },
    stats: { nextRunAt: '2026-11-23T08:00:00.000Z' },
  })
  expect(await patch({ mode: 'daily' })).toMatchObject({
    schedule: NINE,
    stats: { nextRunAt: '2026-11-21T08:00:00.000Z' },
  })
  const back = await patch({ mode: 'weekly' })
  expect(back.error.message).toBe('schedule.weekday: is required for weekly rules')
  expect(await patch({ mode: 'instant' })).toEqual({ ...rule, version: 5 })
})

test('an event of its own stays with the rule, and so does one that comes with the mode', async () => {
  await patch({ event: 'my.event' })
  expect((await patch({ mode: 'hourly' })).event).toBe('my.event')
  expect((await patch({ mode: 'instant', event: 'digest' })).event).toBe('digest')
  expect((await patch({ mode: 'hourly' })).event).toBe('digest')
})

test('null clears filter and channels, and brings the event of the mode back', async () => {
  await patch({ event: 'my.event' })
  expect(await patch({ event: null, mode: 'hourly' })).toMatchObject({
    event: 'digest',
    filter: rule.filter,
    channelIds: channels,
  })
  await patch({ event: 'my.event', mode: 'instant' })
  expect(await patch({ event: null, filter: null, channelIds: null })).toMatchObject({
    event: 'mention.matched',
    filter: {},
    channelIds: [],
    channels: [],
  })
})

test('the next run follows the schedule and the switch, never lies in the past, and stays when something else changes', async () => {
  const daily = await patch({ mode: 'daily', schedule: NINE })
  const due = daily.stats.nextRunAt
  expect(due).toBe('2026-11-21T08:00:00.000Z')
  expect((await patch({ enabled: false })).stats.nextRunAt).toBeNull()
  expect((await patch({ schedule: { ...NINE, hour: 11 } })).stats.nextRunAt).toBeNull()
  expect((await patch({ enabled: true })).stats.nextRunAt).toBe('2026-11-20T10:00:00.000Z')
  const began = world.clock.now()
  // Half an hour on it is due, and whoever sends digests has not come by yet.
  world.clock.set(new Date(began.getTime() + 31 * MINUTE_MS))
  expect((await patch({ name: 'Late', schedule: { ...NINE, hour: 11, skipEmpty: true } })).stats.nextRunAt).toBe(
    '2026-11-20T10:00:00.000Z',
  )
  expect((await patch({ schedule: { ...NINE, hour: 11, minute: 1 } })).stats.nextRunAt).toBe('2026-11-21T10:01:00.000Z')
  world.clock.set(began)
})

test('a rule that goes by e-mail does not become hourly, nor an hourly one go by e-mail, whichever changes', async () => {
  const mail = toId('dest', await makeMailChannel(acme))
  const refused = async (change: object) => {
    const before = (await acme.api('GET', `/v1/alerts/${rule.id}`)).body
    expect((await patch(change)).error.code).toBe('hourly_email_unsupported')
    expect((await acme.api('GET', `/v1/alerts/${rule.id}`)).body).toEqual(before)
  }
  await refused({ mode: 'hourly', channelIds: [mail] })
  await patch({ channelIds: [channels[0], mail] })
  await refused({ mode: 'hourly' })
  expect((await patch({ mode: 'hourly', channelIds: channels })).mode).toBe('hourly')
  await refused({ channelIds: [mail] })
  expect((await patch({ mode: 'instant', channelIds: [mail] })).channelIds).toEqual([mail])
})

test('of two changes to one version only the first is made', async () => {
  const change = (name: string) => acme.api('PATCH', `/v1/alerts/${rule.id}`, { name, ifVersion: rule.version })
  const answers = await Promise.all([change('one'), change('other')])
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
  const refused = answers.find((answer) => answer.status === 409)
  expect(refused?.body.error.code).toBe('stale_version')
  expect((await acme.api('GET', `/v1/alerts/${rule.id}`)).body.version).toBe(2)
})

test('an unknown channel changes nothing', async () => {
  const { status, body } = await acme.api('PATCH', `/v1/alerts/${rule.id}`, {
    name: 'New',
    channelIds: [newId('dest', world.clock.now())],
  })
  expect([status, body.error.code]).toEqual([400, 'unknown_channel'])
  expect((await acme.api('GET', `/v1/alerts/${rule.id}`)).body).toEqual(rule)
})

test('a filter that names an unknown keyword changes nothing', async () => {
  const { status, body } = await acme.api('PATCH', `/v1/alerts/${rule.id}`, {
    name: 'New',
    filter: { keywordIds: [newId('kw', world.clock.now())] },
  })
  expect([status, body.error.code]).toEqual([404, 'not_found'])
  expect((await acme.api('GET', `/v1/alerts/${rule.id}`)).body).toEqual(rule)
})

test('a rule of another workspace is not found and stays as it is', async () => {
  const other = await world.workspace('Other')
  const { status, body } = await other.api('PATCH', `/v1/alerts/${rule.id}`, { enabled: false })
  expect([status, body.error.code]).toEqual([404, 'not_found'])
  expect((await acme.api('GET', `/v1/alerts/${rule.id}`)).body).toEqual(rule)
})

test.each([
  [{ mode: 'monthly' }, 'mode: must be one of instant, hourly, daily, weekly'],
  [{ mode: 'weekly' }, 'schedule: is required for weekly rules'],
  [{ mode: 'hourly', schedule: NINE }, 'schedule: must be null: hourly rules have none'],
  [{ schedule: NINE }, 'schedule: must be null: instant rules have none'],
  [{ name: '' }, 'name: must not be empty'],
  [{ filter: [] }, 'filter: must be an object'],
  [{ filter: { nonsense: 1 } }, 'filter.nonsense: is not a field of this operation'],
  [{ ifVersion: 0 }, 'ifVersion: must be at least 1'],
  [{ ifVersion: '1' }, 'ifVersion: must be a number'],
  [{ filter: { minLikes: '3' } }, 'filter.minLikes: must be a number'],
  [{ schedule: {} }, 'schedule.hour: is required'],
  [{ version: 2 }, 'version: is not a field of this operation'],
])('%j is refused by naming the field', async (change, message) => {
  const { status, body } = await acme.api('PATCH', `/v1/alerts/${rule.id}`, change)
  expect([status, body.error.code, body.error.message]).toEqual([400, 'validation_error', message])
})
