import { beforeEach, expect, test } from 'vitest'
import { makeMailChannel } from '../../../test/mail-channel.ts'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { setPresets } from '../../commands/alerts/set-presets.ts'
import { toId } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'

let channelId: string
let path: string
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  channelId = (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })).body.id
  path = `/v1/channels/${channelId}/presets`
})

const get = async () => (await acme.api('GET', path)).body
/** Sets the events on top of what is there now. */
const set = async (events: unknown) => acme.api('PUT', path, { events, version: (await get()).version })

interface Rule {
  id: string
  name: string
  event: string
  enabled: boolean
  channelIds: string[]
}

const rules = async (): Promise<Rule[]> =>
  (await acme.api('GET', '/v1/alerts')).body.data.filter((rule: Rule) => rule.channelIds.includes(channelId))

test.each([
  ['mention.matched', 'instant', {}],
  ['mention.high_relevance', 'instant', { minRelevance: 80 }],
  ['mention.negative', 'instant', { sentiments: ['negative'] }],
  ['mention.positive', 'instant', { sentiments: ['positive'] }],
  ['mention.buy_intent', 'instant', { intents: ['buy_intent'] }],
  ['mention.question', 'instant', { intents: ['question'] }],
  ['mention.complaint', 'instant', { intents: ['complaint'] }],
  ['mention.comparison', 'instant', { intents: ['comparison'] }],
  ['mention.churn_intent', 'instant', { intents: ['churn_intent'] }],
  ['mention.bug_report', 'instant', { intents: ['bug_report'] }],
  ['mention.pricing', 'instant', { intents: ['pricing'] }],
  ['review.negative', 'instant', { ratings: [1, 2] }],
  ['digest', 'daily', {}],
])('%s becomes an ordinary %s rule of the channel alone', async (event, mode, filter) => {
  const { status, body } = await set([event])
  expect([status, body]).toEqual([200, { events: [event], version: expect.any(Number) }])
  expect(await get()).toEqual(body)
  const [rule, ...others] = await rules()
  expect(others).toEqual([])
  const schedule = mode === 'daily' ? { hour: 9, minute: 0, timezone: 'UTC', skipEmpty: false, weekday: null } : null
  expect(rule).toMatchObject({ event, mode, filter, schedule, channelIds: [channelId], enabled: true, version: 1 })
  expect(rule).toMatchObject({ stats: { nextRunAt: mode === 'daily' ? '2026-11-21T09:00:00.000Z' : null } })
  expect((await acme.api('PATCH', `/v1/alerts/${rule!.id}`, { ifVersion: 1, name: 'Mine' })).status).toBe(200)
})

test('events that are left out lose their rules, the others keep theirs, and a second time nothing changes', async () => {
  await set(['mention.matched', 'digest', 'mention.negative'])
  const before = await rules()
  const { body } = await set(['mention.question', 'digest', 'digest', 'mention.negative'])
  expect(body.events).toEqual(['mention.negative', 'mention.question', 'digest'])
  const after = await rules()
  expect(after.filter(({ event }) => event !== 'mention.question')).toEqual(
    before.filter(({ event }) => event !== 'mention.matched'),
  )
  expect((await set(body.events)).body).toEqual(body)
  expect(await rules()).toEqual(after)
  expect((await set([])).body.events).toEqual([])
  expect(await rules()).toEqual([])
})

test('what is made sends, and what is taken away has its deliveries cancelled', async () => {
  const keyword = await makeKeyword(acme)
  await set(['mention.matched', 'mention.negative'])
  const sent = await score(world, [await mention(world, keyword)], { sentiment: 'negative' })
  expect(sent.filter((delivery) => delivery.channelId === stored('dest', channelId)).map(({ event }) => event)).toEqual(
    ['mention.matched', 'mention.negative'],
  )
  await set(['mention.negative'])
  const log = await world.db.query(
    sql`select event, status from delivery where workspace_id = ${acme.workspaceId}
        and channel_id = ${stored('dest', channelId)} order by event`,
  )
  expect(log).toEqual([
    { event: 'mention.matched', status: 'cancelled' },
    { event: 'mention.negative', status: 'pending' },
  ])
})

test('rules that people changed further are left alone', async () => {
  await set(['mention.matched', 'mention.negative'])
  const [matched, negative] = (await rules()) as [Rule, Rule]
  await acme.api('PATCH', `/v1/alerts/${matched.id}`, { filter: { minLikes: 5 } })
  await acme.api('PATCH', `/v1/alerts/${negative.id}`, { name: 'My own name' })
  await acme.api('POST', `/v1/alerts/${negative.id}/mute`, { authors: ['jane'] })
  const { body } = await set(['mention.negative', 'mention.matched'])
  expect(body.events).toEqual(['mention.matched', 'mention.negative'])
  const kept = await rules()
  expect(kept).toHaveLength(3)
  expect(kept.find(({ id }) => id === negative.id)).toMatchObject({
    name: 'My own name',
    filter: { sentiments: ['negative'], excludeAuthors: ['jane'] },
  })
  await set([])
  expect(await rules()).toMatchObject([{ id: matched.id, filter: { minLikes: 5 } }])
})

test('a rule that was switched off is switched on again instead of made twice, and stays when it is not asked for', async () => {
  await set(['digest'])
  const [{ id }] = (await rules()) as [Rule]
  await acme.api('PATCH', `/v1/alerts/${id}`, { enabled: false, schedule: { hour: 12, minute: 0, timezone: 'UTC' } })
  expect((await set(['mention.matched'])).body.events).toEqual(['mention.matched'])
  expect((await rules()).map(({ enabled }) => enabled)).toEqual([false, true])
  await set(['digest'])
  expect(await rules()).toMatchObject([
    { id, enabled: true, schedule: { hour: 12 }, stats: { nextRunAt: '2026-11-20T12:00:00.000Z' } },
  ])
})

test('of changes to one version only the first is made, also from nothing', async () => {
  for (const start of [[], ['mention.matched']]) {
    await set(start)
    const { version } = await get()
    const answers = await Promise.all(
      ['digest', 'mention.pricing', 'mention.question'].map((event) =>
        acme.api('PUT', path, { events: [event, 'mention.positive'], version }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused.map(({ body }) => body.error.code)).toEqual(['version_conflict', 'version_conflict'])
    expect(await rules()).toHaveLength(2)
    await set([])
  }
})

test('a rule that changed since it was read is a conflict, and nothing changes', async () => {
  await set(['mention.matched'])
  const { version } = await get()
  const [{ id }] = (await rules()) as [Rule]
  await acme.api('PATCH', `/v1/alerts/${id}`, { filter: { minLikes: 1 } })
  const { status, body } = await acme.api('PUT', path, { events: [], version })
  expect([status, body.error.code]).toEqual([409, 'version_conflict'])
  expect(await rules()).toHaveLength(1)
})

test('presets and people who change and delete the same rules at the same time all get an answer', async () => {
  await set(['mention.matched', 'mention.negative', 'digest'])
  const { version } = await get()
  const own = await rules()
  const answers = await Promise.all([
    acme.api('PUT', path, { events: [], version }),
    ...own.map(({ id }) => acme.api('DELETE', `/v1/alerts/${id}`)),
    ...own.map(({ id }) => acme.api('PATCH', `/v1/alerts/${id}`, { channelIds: [channelId], name: 'Other' })),
    acme.api('PUT', path, { events: ['mention.matched'], version }),
  ])
  for (const { status } of answers) expect([200, 204, 404, 409]).toContain(status)
})

test('a deleted channel takes its presets along, and its rules stay without a channel', async () => {
  await set(['mention.matched'])
  const [{ id }] = (await rules()) as [Rule]
  await acme.api('DELETE', `/v1/channels/${channelId}`)
  expect((await acme.api('PUT', path, { events: [], version: 0 })).status).toBe(404)
  expect((await acme.api('GET', `/v1/alerts/${id}`)).body.channelIds).toEqual([])
})

test('a body that is wrong is refused by naming the field, and other kinds of channel have no presets', async () => {
  const version = 1
  for (const [body, message] of [
    [{ events: [] }, 'version: is required'],
    [{ version }, 'events: is required'],
    [{ version, events: ['keyword.capped'] }, /^events\.0: must be one of mention\.matched, /],
    [{ version, events: ['digest', 'test'] }, /^events\.1: must be one of /],
    [{ version: -1, events: [] }, 'version: must be at least 0'],
    [{ version: 1.5, events: [] }, 'version: must be a whole number'],
  ] as const) {
    const answer = await acme.api('PUT', path, body)
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      typeof message === 'string' ? message : expect.stringMatching(message),
    ])
  }
  const mail = toId('dest', await makeMailChannel(acme))
  expect((await acme.api('PUT', `/v1/channels/${mail}/presets`, { events: [], version })).body.error.code).toBe(
    'not_found',
  )
})

test('whoever is refused because a rule changed meanwhile has cancelled nothing', async () => {
  const keyword = await makeKeyword(acme)
  await set(['mention.matched'])
  const { version } = await get()
  const [{ id }] = (await rules()) as [Rule]
  await score(world, [await mention(world, keyword)])
  const own = sql`workspace_id = ${acme.workspaceId} and channel_id = ${stored('dest', channelId)}`
  const waiting = () =>
    world.db.query(
      sql`select d.status, (select count(*) from delivery_queue where ${own}) as places from delivery d where ${own}`,
    )
  let wasCancelled = false
  const changing = (tx: Transaction): Transaction => ({
    ...tx,
    async query(statement) {
      const cancelled = wasCancelled
        ? []
        : await tx.query(sql`select from delivery where ${own} and status = 'cancelled'`)
      if (cancelled.length > 0) {
        wasCancelled = true
        await acme.api('PATCH', `/v1/alerts/${id}`, { name: 'Changed meanwhile' })
      }
      return await tx.query(statement)
    },
  })
  const db = {
    ...world.db,
    transaction: <Result>(work: (tx: Transaction) => Promise<Result>) =>
      world.db.transaction((tx) => work(changing(tx))),
  }
  expect(await setPresets({ ...acme, db }, stored('dest', channelId), { events: [], version })).toMatchObject({
    code: 'version_conflict',
  })
  expect([wasCancelled, await waiting()]).toEqual([true, [{ status: 'pending', places: 1 }]])
})

test('rules of the channel that are of no preset are not waited for', async () => {
  await set(['mention.matched'])
  const mine = (await acme.api('POST', '/v1/alerts', { name: 'Mine', event: 'my.own', channelIds: [channelId] })).body
    .id
  await world.db.transaction(async (tx) => {
    await tx.query(
      sql`select from alert where workspace_id = ${acme.workspaceId} and id = ${stored('feed', mine)} for update`,
    )
    expect((await set([])).body.events).toEqual([])
  })
})
