import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EventStream, openEventStream } from '../../../test/event-stream.ts'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { createPerson } from '../../../test/people.ts'
import { randomFrom } from '../../../test/random.ts'
import { changeSessions, makeMembership, removeMembership } from '../../../test/rows.ts'
import { until } from '../../../test/until.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted, createWorld } from '../../../test/world.ts'
import { revokeGrant } from '../../commands/accounts/revoke-grant.ts'
import { createApiKey } from '../../commands/api-keys/create-api-key.ts'
import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { createRestServer } from '../../surfaces/rest/server.ts'

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
  { key = acme.readKey, headers = {} }: { key?: string | null; headers?: Record<string, string> } = {},
): Promise<EventStream> {
  const stream = await openEventStream(`${world.origin}/v1/mentions/stream${query}`, {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...headers,
  })
  open.push(stream)
  return stream
}

const idOf = ({ mentionId }: NewMention) => toId('mtn', mentionId)
const scored = async (of = keyword, verdict = {}) => {
  const made = await mention(world, of)
  await score(world, [made], verdict)
  return idOf(made)
}

test('tells each mention as soon as it is scored, in the form in which it is listed', async () => {
  const stream = await follow()
  expect([
    stream.status,
    stream.headers.get('content-type'),
    stream.headers.get('x-accel-buffering'),
    stream.headers.get('cache-control'),
  ]).toEqual([200, 'text/event-stream; charset=utf-8', 'no', 'no-store'])
  const id = await scored()
  await until(() => stream.ids().length === 1)
  expect(stream.ids()).toEqual([id])
  const event = /event: mention\ndata: (.*)\n\n/.exec(stream.text())![1]!
  expect(JSON.parse(event)).toEqual((await acme.api('GET', `/v1/mentions/${id}`)).body)
})

test('tells what the conditions admit, and nothing of another workspace', async () => {
  const other = await world.workspace('Other')
  const theirs = await makeKeyword(other)
  const stream = await follow('?sentiment=negative')
  const all = await follow()
  await scored(theirs, { sentiment: 'negative' })
  await scored(keyword, { sentiment: 'positive' })
  const bad = await scored(keyword, { sentiment: 'negative' })
  await until(() => all.ids().length === 2 && stream.ids().length === 1)
  expect(stream.ids()).toEqual([bad])
})

test('tells of words by their beginnings and without accents, also of a word that nobody had said when it began', async () => {
  const stream = await follow(`?q=${encodeURIComponent('neolog*')}`)
  const accents = await follow('?q=musica')
  const all = await follow()
  const told = async (text: string) => {
    const made = await mention(world, keyword, { text })
    await score(world, [made])
    return idOf(made)
  }
  const first = await told('A neologism')
  const song = await told('Música')
  const second = await told('and neologists')
  await until(() => all.ids().length === 3 && stream.ids().length === 2 && accents.ids().length === 1)
  expect([stream.ids(), accents.ids()]).toEqual([[first, second], [song]])
})

test('says every 15 seconds that it is still there', async () => {
  const begunAt = world.clock.now().getTime()
  const stream = await follow()
  for (let at = 1; at <= 3; at += 1) {
    while (stream.text().split('still here').length <= at) await world.clock.advance(SECOND_MS)
    expect(world.clock.now().getTime() - begunAt).toBeGreaterThanOrEqual(at * 15 * SECOND_MS)
  }
  expect(stream.ids()).toEqual([])
})

describe('a client that was away', () => {
  test('before the first mention continues from the start of its stream', async () => {
    const stream = await follow()
    await until(() => stream.text().includes('from here'))
    const [, start] = /^id: (mtn_\w+)\n: from here$/m.exec(stream.text())!
    stream.leave()
    await world.clock.advance(SECOND_MS)
    const missed = await scored()
    const again = await follow(`?lastEventId=${start}`)
    await until(() => again.ids().includes(missed))
    expect(again.text()).not.toContain('from here')
  })

  test('gets what was scored since its last event, also what was matched before it', async () => {
    const early = await mention(world, keyword)
    await world.clock.advance(SECOND_MS)
    const first = await scored()
    await world.clock.advance(MINUTE_MS)
    await score(world, [early])
    const second = await scored()
    for (const stream of [
      await follow('', { headers: { 'last-event-id': first } }),
      await follow(`?lastEventId=${first}`),
    ]) {
      await until(() => stream.ids().length >= 2)
      const third = await scored()
      await until(() => stream.ids().includes(third))
      expect(stream.ids().slice(0, 2).sort()).toEqual([idOf(early), second].sort())
    }
  })

  test('goes on from a mention that is gone', async () => {
    const gone = await makeKeyword(acme)
    const last = await scored(gone)
    await acme.api('DELETE', `/v1/keywords/${gone.shown.id}`)
    const next = await scored()
    const stream = await follow(`?lastEventId=${last}`)
    await until(() => stream.ids().length === 1)
    expect(stream.ids()).toEqual([next])
  })

  test.each(['nonsense', 'kw_01', '1'])('with the last event %j is refused', async (id) => {
    const reply = await fetch(`${world.origin}/v1/mentions/stream`, {
      headers: { authorization: `Bearer ${acme.readKey}`, 'last-event-id': id },
    })
    expect([reply.status, ((await reply.json()) as { error: { message: string } }).error.message]).toEqual([
      400,
      'Last-Event-ID: must be an id that starts with mtn_',
    ])
  })
})

test('notifications that never came are made up for by looking', async () => {
  const stream = await follow()
  await world.admin('delete from workspace_follower')
  const id = await scored()
  expect(stream.ids()).toEqual([])
  while (stream.ids().length === 0) await world.clock.advance(SECOND_MS)
  expect(stream.ids()).toEqual([id])
})

test('without anybody who follows, scoring tells nobody', async () => {
  const heard: string[] = []
  const ending = new AbortController()
  await new Promise<void>((resolve) =>
    world.db.listen('earshot_changes', (payload) => void heard.push(payload), resolve, ending.signal),
  )
  const stream = await follow()
  await scored()
  await until(() => heard.length === 1)
  stream.leave()
  await world.admin('delete from workspace_follower')
  await scored()
  const other = await follow()
  await scored()
  await until(() => heard.length === 2)
  other.leave()
  ending.abort()
})

describe('without any time going by, a stream ends when', () => {
  /** Streams of one workspace, of which only the first is to end. */
  async function endsAlone(key: string, end: () => Promise<unknown>): Promise<void> {
    const [going, staying] = [await follow('', { key }), await follow()]
    const id = await scored()
    await until(() => going.ids().length === 1 && staying.ids().length === 1)
    await end()
    await until(() => going.ended())
    const next = await scored()
    await until(() => staying.ids().length === 2)
    expect([going.ids(), staying.ids()]).toEqual([[id], [id, next]])
  }

  test('its key is revoked', async () => {
    const { id, key } = accepted(await createApiKey(acme, { name: 'Going', scope: 'read', expiresAt: null }))
    await endsAlone(key, () => acme.api('DELETE', `/v1/api-keys/${id}`))
  })

  test('the app is taken back that follows', async () => {
    const { token, grantId, userId } = await createPerson(acme, acme.workspaceId, 'member')
    await endsAlone(token, () => revokeGrant(world.services, userId, { workspaceId: acme.workspaceId, id: grantId }))
  })

  test('its person is no member any more', async () => {
    const { token, userId } = await createPerson(acme, acme.workspaceId, 'member')
    await endsAlone(token, () => removeMembership(world, { workspaceId: acme.workspaceId, userId }))
  })

  test.each(['delete from user_session', 'update user_session set workspace_id = null'])(
    'of its session is said: %s',
    async (statement) => {
      const { userId, sessionSecret } = await createPerson(acme, acme.workspaceId, 'member')
      const stream = await follow('', {
        headers: { cookie: `__Host-earshot_session=${sessionSecret}`, 'sec-fetch-site': 'same-origin' },
        key: null,
      })
      await scored()
      await until(() => stream.ids().length === 1)
      await world.db.query(sql`${sql.raw(statement)} where user_id = ${userId}`)
      await until(() => stream.ended())
    },
  )

  test('another process revokes its key', async () => {
    const { id, key } = accepted(await createApiKey(acme, { name: 'Going', scope: 'read', expiresAt: null }))
    const other = createRestServer({ services: world.services, log: world.services.log })
    try {
      const origin = await other.listen({ host: '127.0.0.1', port: 0 })
      const reply = await fetch(`${origin}/v1/mentions/stream`, { headers: { authorization: `Bearer ${key}` } })
      const text = reply.text()
      expect((await acme.api('DELETE', `/v1/api-keys/${id}`)).status).toBe(204)
      expect(await text).toContain('listening')
    } finally {
      await other.close()
    }
  })
})

test('ends within five seconds when its key expires', async () => {
  const expiresAt = new Date(world.clock.now().getTime() + MINUTE_MS)
  const { key } = accepted(await createApiKey(acme, { name: 'Ending', scope: 'read', expiresAt }))
  const stream = await follow('', { key })
  await world.clock.advance(MINUTE_MS - SECOND_MS)
  const id = await scored()
  await until(() => stream.ids().length === 1)
  await world.clock.advance(6 * SECOND_MS)
  await scored()
  await until(() => stream.ended())
  expect(stream.ids()).toEqual([id])
})

test('has room for twenty a workspace, and again when one has left', async () => {
  const streams: EventStream[] = []
  for (let at = 0; at < 20; at += 1) streams.push(await follow())
  const refused = await fetch(`${world.origin}/v1/mentions/stream`, {
    headers: { authorization: `Bearer ${acme.readKey}` },
  })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
  await refused.text()
  streams[0]!.leave()
  let status = 429
  while (status === 429) status = (await follow()).status
  expect(status).toBe(200)
})

test('asking for the head alone follows nothing', async () => {
  for (let at = 0; at < 25; at += 1) {
    const head = await fetch(`${world.origin}/v1/mentions/stream`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${acme.readKey}` },
    })
    expect(head.status).toBe(200)
  }
})

test('a service that ends, ends its streams at once', async () => {
  const own = await createWorld()
  const workspace = await own.workspace('Acme')
  const reply = await fetch(`${own.origin}/v1/mentions/stream`, {
    headers: { authorization: `Bearer ${workspace.readKey}` },
  })
  const text = reply.text()
  await own.close()
  expect(await text).toContain('listening')
})

test('whatever is scored, and however often the client is cut off, every mention arrives, each once a connection', async () => {
  const random = randomFrom(Number(process.env['STREAM_SEED'] ?? 7))
  const expected: string[] = []
  const arrived = new Set<string>()
  let waiting: NewMention[] = []
  let stream = await follow()
  for (let step = 0; step < 60; step += 1) {
    const draw = random()
    if (draw < 0.45) waiting.push(await mention(world, keyword))
    else if (draw < 0.8) {
      const batch = waiting.filter(() => random() < 0.6)
      waiting = waiting.filter((mention) => !batch.includes(mention))
      if (batch.length > 0) await score(world, batch)
      expected.push(...batch.map(idOf))
    } else if (draw < 0.9) await world.clock.advance(Math.ceil(random() * 20) * SECOND_MS)
    else {
      stream.leave()
      const ids = stream.ids()
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of ids) arrived.add(id)
      const last = ids.at(-1) ?? [...arrived].at(-1)
      if (last !== undefined) stream = await follow('', { headers: { 'last-event-id': last } })
      else {
        stream = await follow()
        expected.length = 0
      }
    }
  }
  const last = stream
  while (!expected.every((id) => arrived.has(id) || last.ids().includes(id))) await world.clock.advance(SECOND_MS)
  expect(new Set(last.ids()).size).toBe(last.ids().length)
})

test('a stream of a session that was taken to another workspace ends', async () => {
  const other = await world.workspace('Other')
  const { userId, sessionSecret } = await createPerson(acme, acme.workspaceId, 'member')
  await makeMembership(world, other.workspaceId, userId, { role: 'member', at: world.clock.now() })
  const stream = await follow('', {
    headers: { cookie: `__Host-earshot_session=${sessionSecret}`, 'sec-fetch-site': 'same-origin' },
    key: null,
  })
  const id = await scored()
  await until(() => stream.ids().length === 1)
  expect(stream.ids()).toEqual([id])
  await changeSessions(world, { userId }, { workspaceId: other.workspaceId })
  while (!stream.ended()) await world.clock.advance(5 * SECOND_MS)
})
