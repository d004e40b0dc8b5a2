import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeMailChannel } from '../../../test/mail-channel.ts'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { useResource } from '../../../test/use-world.ts'
import { stored, type TestWorkspace } from '../../../test/world.ts'
import { toId } from '../../kernel/ids.ts'
import { type Route, startDelivering } from '../../operations/deliveries/delivering.suite.ts'
import { sql } from '../../store/database.ts'
import { EVENTS_OF_MENTION_MAX } from './rule-matches.ts'

let acme: TestWorkspace
let keyword: TestKeyword
let hook: Route
const delivering = useResource(startDelivering)
beforeAll(() => {
  acme = delivering.acme
})
beforeEach(async () => {
  for (const { id } of (await acme.api('GET', '/v1/alerts')).body.data) await acme.api('DELETE', `/v1/alerts/${id}`)
  keyword = await makeKeyword(acme)
  hook = await delivering.route()
})

const idOf = ({ channelId }: Route) => toId('dest', channelId)
const rule = async (name: string, event: string, channelIds = [idOf(hook)]): Promise<string> =>
  (await acme.api('POST', '/v1/alerts', { name, event, channelIds })).body.id
const logOf = async (channelId: string) =>
  (await acme.api('GET', `/v1/channels/${channelId}/deliveries?sort=oldest`)).body.data

/** Makes a mention that every rule wants and answers what follows from its score. */
async function matched() {
  return score(delivering.world, [await mention(delivering.world, keyword)])
}

test('a webhook gets a mention once for each event, with every rule that wanted it under it by name', async () => {
  const first = await rule('First', 'mention.matched')
  await rule('Other', 'mention.question')
  const third = await rule('Third', 'mention.matched')
  await matched()
  const { stop } = delivering.run()
  await delivering.soon(() => expect(hook.receiver.received).toHaveLength(2))
  await stop()
  const bodies = hook.receiver.received.map(({ body }) => JSON.parse(body.toString()))
  const shared = bodies.find(({ event }) => event === 'mention.matched')
  expect(Object.keys(shared)).toEqual(['id', 'event', 'createdAt', 'alert', 'alerts', 'data'])
  expect(shared.alert).toEqual({ id: first, name: 'First' })
  expect(shared.alerts).toEqual([
    { id: first, name: 'First' },
    { id: third, name: 'Third' },
  ])
  // With one rule the body is the one of always.
  expect(Object.keys(bodies.find(({ event }) => event === 'mention.question'))).toEqual([
    'id',
    'event',
    'createdAt',
    'alert',
    'data',
  ])
  expect(
    (await logOf(idOf(hook))).map(({ event, alert, alerts }: Record<string, unknown>) => ({ event, alert, alerts })),
  ).toEqual([
    { event: 'mention.matched', alert: { name: 'First' }, alerts: [{ name: 'First' }, { name: 'Third' }] },
    { event: 'mention.question', alert: { name: 'Other' }, alerts: [{ name: 'Other' }] },
  ])
  const { data: rules } = (await acme.api('GET', '/v1/alerts')).body
  expect(
    rules.map(({ name, stats }: { name: string; stats: { sentLast7d: number; lastSentAt: string | null } }) => [
      name,
      stats.sentLast7d,
      stats.lastSentAt !== null,
    ]),
  ).toEqual([
    ['First', 1, true],
    ['Other', 1, true],
    ['Third', 1, true],
  ])
})

test('people get a mention once, whatever the events of the rules', async () => {
  const id = toId('dest', await makeMailChannel(acme))
  for (const [name, event] of [
    ['One', 'mention.matched'],
    ['Two', 'mention.question'],
    ['Three', 'mention.high_relevance'],
  ] as const)
    await rule(name, event, [id])
  expect((await matched()).map(({ alerts }) => alerts.map(({ name }) => name))).toEqual([['One', 'Two', 'Three']])
})

test('of very many events a webhook gets so many requests, and no rule is left out', async () => {
  for (let number = 0; number < EVENTS_OF_MENTION_MAX + 5; number += 1)
    await rule(`Rule ${number}`, `own.event_${number}`)
  const made = await matched()
  expect(made).toHaveLength(EVENTS_OF_MENTION_MAX)
  expect(made.flatMap(({ alerts }) => alerts)).toHaveLength(EVENTS_OF_MENTION_MAX + 5)
})

test('what several rules want goes on without the one that is removed, and ends with the last one', async () => {
  const [first, second] = [await rule('First', 'mention.matched'), await rule('Second', 'mention.matched')]
  const [made] = await matched()
  const shown = async () => (await logOf(idOf(hook)))[0]
  await acme.api('DELETE', `/v1/alerts/${first}`)
  expect(await shown()).toMatchObject({ status: 'pending', alert: { name: 'Second' }, alerts: [{ name: 'Second' }] })
  await acme.api('DELETE', `/v1/alerts/${second}`)
  expect(await shown()).toMatchObject({ status: 'cancelled', error: 'the rule was removed', alert: null, alerts: [] })
  expect(
    await delivering.world.db.query(sql`select from delivery_queue where delivery_id = ${made!.deliveryId}`),
  ).toEqual([])
})

test('what is read again while it waits names the rules by their present names, those that are gone left out', async () => {
  const ids = [
    await rule('First', 'mention.matched'),
    await rule('Second', 'mention.matched'),
    await rule('Third', 'mention.matched'),
  ]
  await matched()
  await acme.api('DELETE', `/v1/alerts/${ids[0]}`)
  await acme.api('PATCH', `/v1/alerts/${ids[2]}`, { name: 'Renamed' })
  const { stop } = delivering.run()
  await delivering.soon(() => expect(hook.receiver.received).toHaveLength(1))
  await stop()
  const body = JSON.parse(hook.receiver.received[0]!.body.toString())
  expect([body.alert, body.alerts]).toEqual([
    { id: ids[1], name: 'Second' },
    [
      { id: ids[1], name: 'Second' },
      { id: ids[2], name: 'Renamed' },
    ],
  ])
  // A replay tells of the same rules.
  const { data } = (await acme.api('GET', `/v1/channels/${idOf(hook)}/deliveries`)).body
  const replay = await acme.api('POST', `/v1/deliveries/${data[0].id}/replay`, { requestId: crypto.randomUUID() })
  expect(replay.body.alerts).toEqual([{ name: 'Second' }, { name: 'Renamed' }])
  expect(stored('dlv', replay.body.id)).not.toBe(stored('dlv', data[0].id))
})
