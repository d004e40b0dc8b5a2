import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type EventStream, openEventStream } from '../../../test/event-stream.ts'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { createPerson } from '../../../test/people.ts'
import { randomFrom } from '../../../test/random.ts'
import { makeDelivery, removeMembership } from '../../../test/rows.ts'
import { until } from '../../../test/until.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted, createWorld, stored, type TestWorkspace } from '../../../test/world.ts'
import { createApiKey } from '../../commands/api-keys/create-api-key.ts'
import { createChannel } from '../../commands/channels/create-channel.ts'
import type { DeliveryState } from '../../domain/delivery/lifecycle.ts'
import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { units } from '../../kernel/money.ts'
import { openItems, resolveItems } from '../../store/attention/items.ts'
import { settleDeliveries } from '../../store/delivery/settle-deliveries.ts'
import { book } from '../../store/wallet/ledger.ts'
import { recordAccountEvents } from '../../store/workspace/account-events.ts'

interface Told {
  kind: string
  data: { ids: string[] | null; [field: string]: unknown }
}

let keyword: TestKeyword
const open: EventStream[] = []
const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  keyword = await makeKeyword(acme)
})
afterEach(() => {
  for (const stream of open.splice(0)) stream.leave()
})

async function follow(
  query = '',
  { key = acme.readKey, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
): Promise<EventStream> {
  const url = `${world.origin}/v1/events/stream${query}`
  const stream = await openEventStream(url, { authorization: `Bearer ${key}`, ...headers })
  open.push(stream)
  return stream
}

function eventsIn(stream: EventStream): Told[] {
  return [...stream.text().matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, kind, data]) => ({
    kind: kind!,
    data: JSON.parse(data!),
  }))
}

const idsIn = (stream: EventStream, kind: string) =>
  eventsIn(stream).flatMap((event) => (event.kind === kind ? (event.data.ids ?? [null]) : []))

/** Waits while time passes, since changes gather for a moment after events. */
const soon = (check: () => boolean) =>
  vi.waitFor(
    async () => {
      if (check()) return
      await world.clock.advance(5)
      throw new Error(`it did not come to pass: ${check}`)
    },
    { timeout: 10_000, interval: 10 },
  )

async function scored(of = keyword): Promise<string> {
  const made = await mention(world, of)
  await score(world, [made])
  return toId('mtn', made.mentionId)
}

async function makeChannel(workspace = acme): Promise<Uuid> {
  const url = 'https://receiver.example/hook'
  return stored('dest', accepted(await createChannel(workspace, { kind: 'webhook', url, events: ['wallet.low'] })).id)
}

const sendEvent = (workspaceId = acme.workspaceId) =>
  world.db.transaction((tx) =>
    recordAccountEvents(tx, [{ workspaceId, event: 'wallet.low', at: world.clock.now(), data: {} }]),
  )

const grant = (workspaceId = acme.workspaceId) =>
  world.db.transaction((tx) =>
    book(tx, {
      workspaceId,
      kind: 'grant',
      amount: units(30),
      key: `grant ${newUuid(world.clock.now())}`,
      at: world.clock.now(),
    }),
  )

const itemOf = (workspaceId: Uuid) => ({
  workspaceId,
  id: newUuid(world.clock.now()),
  kind: 'keyword.noisy' as const,
  subjectId: newUuid(world.clock.now()),
  data: {},
})

describe('an open stream tells', () => {
  test('what is scored, and who triages it', async () => {
    const { token, userId } = await createPerson(acme, acme.workspaceId, 'member')
    const stream = await follow()
    expect([stream.status, stream.headers.get('content-type'), stream.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ])
    const [first, second] = [await scored(), await scored()]
    await soon(() => idsIn(stream, 'mention.scored').length === 2)
    const byKey = await acme.api('PATCH', '/v1/mentions', { ids: [first, second], status: 'done' })
    expect(byKey.status).toBe(200)
    await soon(() => idsIn(stream, 'mention.triaged').length === 2)
    await acme.api('PATCH', `/v1/mentions/${second}`, { relevant: false }, { key: token })
    await soon(() => idsIn(stream, 'mention.triaged').length === 3)
    const told = eventsIn(stream).filter(({ kind }) => kind === 'mention.triaged')
    expect(told.map(({ data }) => data)).toEqual([
      { ids: expect.arrayContaining([first, second]), by: { kind: 'api_key', id: expect.stringMatching(/^key_/) } },
      { ids: [second], by: { kind: 'person', id: toId('user', userId) } },
    ])
  })

  test('what becomes of a delivery, and of many of a channel', async () => {
    const channelId = await makeChannel()
    const shownId = toId('dest', channelId)
    const stream = await follow('?kinds=delivery.changed')
    await sendEvent()
    await soon(() => eventsIn(stream).length === 1)
    const id = idsIn(stream, 'delivery.changed')[0]!
    const state: DeliveryState = {
      status: 'delivered',
      timing: { mode: 'instant' },
      attempts: 1,
      attemptLimit: 5,
      nextAttemptAt: null,
      error: null,
      responseStatus: 200,
      sentAt: world.clock.now(),
    }
    const settled = { workspaceId: acme.workspaceId, deliveryId: stored('dlv', id), mentionId: null, state }
    await world.db.transaction((tx) =>
      settleDeliveries(tx, [{ ...settled, leasedUntil: world.clock.now(), attempt: null }]),
    )
    await soon(() => eventsIn(stream).length === 2)
    await sendEvent()
    await soon(() => eventsIn(stream).length === 3)
    await acme.api('PATCH', `/v1/channels/${shownId}`, { enabled: false })
    await soon(() => eventsIn(stream).length === 4)
    expect(eventsIn(stream).map(({ data }) => data)).toEqual([
      { ids: [id], channelId: shownId, status: 'pending' },
      { ids: [id], channelId: shownId, status: 'delivered' },
      { ids: [expect.not.stringMatching(id)], channelId: shownId, status: 'pending' },
      { ids: null, channelId: shownId, status: null },
    ])
  })

  test('what opens, resolves and is dismissed, what is booked, and which keywords change', async () => {
    const [first, second] = [itemOf(acme.workspaceId), itemOf(acme.workspaceId)]
    const stream = await follow(
      '?kinds=attention.opened,attention.resolved,attention.dismissed,wallet.changed,keyword.changed',
    )
    await world.db.transaction((tx) => openItems(tx, [first, second], world.clock.now()))
    await acme.api('POST', `/v1/attention/${toId('att', first.id)}/dismiss`)
    await world.db.transaction((tx) => resolveItems(tx, [second], world.clock.now()))
    await grant()
    const added = await makeKeyword(acme)
    await soon(() => eventsIn(stream).length >= 5)
    const told = Object.fromEntries(eventsIn(stream).map(({ kind, data }) => [kind, data]))
    expect(told).toEqual({
      'attention.opened': { ids: [toId('att', first.id), toId('att', second.id)] },
      'attention.dismissed': { ids: [toId('att', first.id)] },
      'attention.resolved': { ids: [toId('att', second.id)] },
      'wallet.changed': { ids: null },
      'keyword.changed': { ids: [added.shown.id] },
    })
  })

  test('only the kinds that are asked for, and every 15 seconds that it is still there', async () => {
    const stream = await follow('?kinds=wallet.changed')
    const all = await follow()
    await scored()
    await grant()
    await soon(() => idsIn(all, 'wallet.changed').length === 1 && eventsIn(stream).length === 1)
    expect(eventsIn(stream)).toEqual([{ kind: 'wallet.changed', data: { ids: null } }])
    while (!stream.text().includes('still here')) await world.clock.advance(SECOND_MS)
  })
})

async function changeEverything(workspace: TestWorkspace): Promise<void> {
  const theirs = await makeKeyword(workspace)
  await makeChannel(workspace)
  const id = await scored(theirs)
  await workspace.api('PATCH', `/v1/mentions/${id}`, { status: 'done' })
  await sendEvent(workspace.workspaceId)
  const item = itemOf(workspace.workspaceId)
  await world.db.transaction((tx) => openItems(tx, [item], world.clock.now()))
  await world.db.transaction((tx) => resolveItems(tx, [item], world.clock.now()))
  await grant(workspace.workspaceId)
}

test('nothing of another workspace is told, neither at once nor after a reconnection', async () => {
  const other = await world.workspace('Other')
  const before = world.clock.now().toISOString()
  const [stream, theirs] = [await follow(), await follow('', { key: other.readKey })]
  await changeEverything(other)
  const last = await scored()
  await soon(() => idsIn(stream, 'mention.scored').includes(last) && idsIn(theirs, 'wallet.changed').length > 0)
  expect(eventsIn(stream)).toEqual([{ kind: 'mention.scored', data: { ids: [last] } }])
  const again = await follow('', { headers: { 'last-event-id': before } })
  await soon(() => idsIn(again, 'keyword.changed').length > 0 && idsIn(again, 'mention.scored').length > 0)
  expect(idsIn(again, 'mention.scored')).toEqual([last])
  expect(new Set(eventsIn(again).map(({ kind }) => kind))).toEqual(
    // The keyword and the welcome credit of the workspace itself are seconds old.
    new Set(['mention.scored', 'wallet.changed', 'keyword.changed']),
  )
})

describe('a client that was away', () => {
  test('gets what changed since, with deliveries by their channels', async () => {
    const stream = await follow()
    const first = await scored()
    await soon(() => idsIn(stream, 'mention.scored').length === 1)
    stream.leave()
    const lastEventId = stream.ids().at(-1)!
    await world.clock.advance(30 * SECOND_MS)
    const channelId = await makeChannel()
    await makeDelivery(world, acme.workspaceId, channelId, { at: world.clock.now() })
    const second = await scored()
    await acme.api('PATCH', `/v1/mentions/${first}`, { status: 'done' })
    const item = itemOf(acme.workspaceId)
    await world.db.transaction((tx) => openItems(tx, [item], world.clock.now()))
    await grant()
    for (const again of [
      await follow('', { headers: { 'last-event-id': lastEventId } }),
      await follow(`?lastEventId=${lastEventId}`),
    ]) {
      await soon(() => idsIn(again, 'keyword.changed').length > 0)
      expect(idsIn(again, 'mention.scored')).toContain(second)
      expect(idsIn(again, 'mention.triaged')).toEqual([first])
      expect(idsIn(again, 'attention.opened')).toEqual([toId('att', item.id)])
      expect(idsIn(again, 'wallet.changed').length).toBeGreaterThan(0)
      expect(eventsIn(again).filter(({ kind }) => kind === 'delivery.changed')).toEqual([
        { kind: 'delivery.changed', data: { ids: null, channelId: toId('dest', channelId), status: null } },
      ])
      await until(() => again.ids().length > 0)
      expect(new Date(again.ids().at(-1)!) > new Date(lastEventId)).toBe(true)
    }
  })

  test.each(['nonsense', 'mtn_01', '2026-13-40'])('with the last event %j is refused', async (id) => {
    const reply = await fetch(`${world.origin}/v1/events/stream`, {
      headers: { authorization: `Bearer ${acme.readKey}`, 'last-event-id': id },
    })
    expect([reply.status, ((await reply.json()) as { error: { message: string } }).error.message]).toEqual([
      400,
      'Last-Event-ID: must be the id of an event, which is a time',
    ])
  })

  test('loses no mention and no triage, whatever happens and however often it is cut off', async () => {
    const random = randomFrom(Number(process.env['STREAM_SEED'] ?? 11))
    const expected = { 'mention.scored': new Set<string>(), 'mention.triaged': new Set<string>() }
    const arrived = { 'mention.scored': new Set<string>(), 'mention.triaged': new Set<string>() }
    const collect = (from: EventStream) => {
      for (const kind of ['mention.scored', 'mention.triaged'] as const)
        for (const id of idsIn(from, kind)) arrived[kind].add(id!)
    }
    let stream = await follow('?kinds=mention.scored,mention.triaged')
    await until(() => stream.positions().length > 0)
    let last = stream.positions().at(-1)!
    for (let step = 0; step < 50; step += 1) {
      const draw = random()
      if (draw < 0.4) expected['mention.scored'].add(await scored())
      else if (draw < 0.6 && expected['mention.scored'].size > expected['mention.triaged'].size) {
        const id = [...expected['mention.scored']].find((scoredId) => !expected['mention.triaged'].has(scoredId))!
        await acme.api('PATCH', `/v1/mentions/${id}`, { status: 'done' })
        expected['mention.triaged'].add(id)
      } else if (draw < 0.85) await world.clock.advance(Math.ceil(random() * 12) * SECOND_MS)
      else {
        stream.leave()
        collect(stream)
        last = stream.positions().at(-1) ?? last
        stream = await follow('?kinds=mention.scored,mention.triaged', { headers: { 'last-event-id': last } })
      }
    }
    await soon(() => {
      collect(stream)
      return [...expected['mention.triaged']].every((id) => arrived['mention.triaged'].has(id))
    })
    await soon(() => {
      collect(stream)
      return [...expected['mention.scored']].every((id) => arrived['mention.scored'].has(id))
    })
    expect(arrived).toEqual(expected)
  })
})

test('notifications that never came are made up for by looking', async () => {
  const stream = await follow('?kinds=mention.scored')
  await world.admin('delete from workspace_follower')
  const id = await scored()
  while (idsIn(stream, 'mention.scored').length === 0) await world.clock.advance(SECOND_MS)
  expect(idsIn(stream, 'mention.scored')).toEqual([id])
})

test('changes of kinds that nobody follows are not notified', async () => {
  const heard: string[] = []
  const ending = new AbortController()
  await new Promise<void>((resolve) =>
    world.db.listen('earshot_changes', (payload) => void heard.push(payload), resolve, ending.signal),
  )
  await follow('?kinds=wallet.changed')
  await scored()
  await grant()
  await until(() => heard.length > 0)
  expect(heard.map((payload) => payload.split(' ')[1])).toEqual(['wallet.changed'])
  ending.abort()
})

describe('without any time going by, a stream ends when', () => {
  test('its key is revoked', async () => {
    const { id, key } = accepted(await createApiKey(acme, { name: 'Going', scope: 'read', expiresAt: null }))
    const [going, staying] = [await follow('', { key }), await follow()]
    await scored()
    await until(() => eventsIn(going).length === 1 && eventsIn(staying).length === 1)
    await acme.api('DELETE', `/v1/api-keys/${id}`)
    await until(() => going.ended())
    const next = await scored()
    await soon(() => idsIn(staying, 'mention.scored').includes(next))
    expect([idsIn(going, 'mention.scored').includes(next), staying.ended()]).toEqual([false, false])
  })

  test('its person is no member any more', async () => {
    const { token, userId } = await createPerson(acme, acme.workspaceId, 'member')
    const stream = await follow('', { key: token })
    await removeMembership(world, { workspaceId: acme.workspaceId, userId })
    await until(() => stream.ended())
  })

  test('the service ends', async () => {
    const own = await createWorld()
    const workspace = await own.workspace('Acme')
    const headers = { authorization: `Bearer ${workspace.readKey}` }
    const stream = await openEventStream(`${own.origin}/v1/events/stream`, headers)
    await own.close()
    await until(() => stream.ended())
  })
})

test('ends within five seconds when its key expires', async () => {
  const expiresAt = plus(world.clock.now(), 60 * SECOND_MS)
  const { key } = accepted(await createApiKey(acme, { name: 'Ending', scope: 'read', expiresAt }))
  const stream = await follow('', { key })
  await world.clock.advance(66 * SECOND_MS)
  const id = await scored()
  await until(() => stream.ended())
  expect(idsIn(stream, 'mention.scored')).not.toContain(id)
})

test('shares the room for twenty streams a workspace with the stream of mentions', async () => {
  const headers = { authorization: `Bearer ${acme.readKey}` }
  for (let at = 0; at < 10; at += 1) await follow()
  for (let at = 0; at < 10; at += 1) open.push(await openEventStream(`${world.origin}/v1/mentions/stream`, headers))
  for (const path of ['/v1/events/stream', '/v1/mentions/stream']) {
    const refused = await fetch(`${world.origin}${path}`, { headers })
    expect([path, refused.status, refused.headers.get('retry-after')]).toEqual([path, 429, '30'])
    await refused.text()
  }
})

test('an unknown kind is refused', async () => {
  const { status, body } = await acme.api('GET', '/v1/events/stream?kinds=mention.scored,post.edited')
  expect([status, body.error.code]).toEqual([400, 'validation_error'])
})
