import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { json, refused, type ScriptedAnswer, scriptedFetch } from '../../test/scripted-fetch.ts'
import { createClient, type StreamState } from './index.ts'

const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8' }

/** A stream that says the parts and then breaks, ends or stays open. */
function stream(parts: readonly string[], then: 'break' | 'end' | 'stay' = 'end'): Response {
  const left = parts.map((part) => new TextEncoder().encode(part))
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = left.shift()
      if (part !== undefined) controller.enqueue(part)
      else if (then === 'break') controller.error(new TypeError('terminated'))
      else if (then === 'end') controller.close()
      else return new Promise(() => undefined)
      return undefined
    },
  })
  return new Response(body, { headers: HEADERS })
}

const told = (id: string) => `id: ${id}\nevent: mention\ndata: {"id":"${id}"}\n\n`

/** The ids of so many mentions, and what the server was asked. */
async function follow(count: number, answers: ScriptedAnswer[]) {
  const script = scriptedFetch(...answers)
  const states: StreamState[] = []
  const leaving = new AbortController()
  const client = createClient({ url: 'https://earshot.example.com', apiKey: 'ref_1', fetch: script.fetch })
  const ids: string[] = []
  for await (const { id } of client.streamMentions(
    { relevant: true },
    { signal: leaving.signal, onState: (state) => states.push(state) },
  )) {
    ids.push(id)
    if (ids.length === count) leaving.abort()
  }
  return { ids, states, asked: script.requests.map(({ headers }) => headers.get('last-event-id')), ...script }
}

beforeEach(() => {
  vi.useFakeTimers().setTimerTickMode('nextTimerAsync')
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('a stream is read whatever the pieces in which it comes', async () => {
  const text = `retry: 10\n: listening\n\n${told('mtn_ä1')}${told('mtn_2').replaceAll('\n', '\r\n')}`
  const bytes = new TextEncoder().encode(text)
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  expect((await follow(2, [new Response(pieces, { headers: HEADERS })])).ids).toEqual(['mtn_ä1', 'mtn_2'])
})

describe('a stream continues after its last event', () => {
  test.each(['break', 'end'] as const)('when the connection comes to its %s', async (then) => {
    const { ids, asked, states } = await follow(3, [
      stream([`retry: 5\n\n${told('mtn_1')}`, told('mtn_2')], then),
      stream([told('mtn_3')], 'stay'),
    ])
    expect([ids, asked]).toEqual([
      ['mtn_1', 'mtn_2', 'mtn_3'],
      [null, 'mtn_2'],
    ])
    expect(states).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open'])
  })

  test('which may be the id of its start', async () => {
    const { asked } = await follow(1, [
      stream(['id: mtn_0\n: from here\n\n'], 'break'),
      stream([told('mtn_1')], 'stay'),
    ])
    expect(asked).toEqual([null, 'mtn_0'])
  })

  test('when the service restarts or is full for a while', async () => {
    const { ids, asked } = await follow(2, [
      stream([told('mtn_1')], 'break'),
      new TypeError('fetch failed'),
      refused(503, 'database_unavailable'),
      refused(429, 'rate_limited', { 'retry-after': '30' }),
      stream([told('mtn_2')], 'stay'),
    ])
    expect([ids, asked]).toEqual([
      ['mtn_1', 'mtn_2'],
      [null, 'mtn_1', 'mtn_1', 'mtn_1', 'mtn_1'],
    ])
  })

  test('and waits no longer than usual once it was let in again', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const { ids } = await follow(3, [
      stream(['retry: 5\n\n', told('mtn_1')], 'break'),
      refused(429, 'rate_limited', { 'retry-after': '30' }),
      stream([told('mtn_2')], 'break'),
      stream([told('mtn_3')], 'stay'),
    ])
    expect(ids).toEqual(['mtn_1', 'mtn_2', 'mtn_3'])
    const isLongWait = (ms = 0) => ms >= 30_000 && ms < 45_000
    expect(timers.mock.calls.filter(([, ms]) => isLongWait(ms))).toHaveLength(1)
  })

  test('when the connection falls silent', async () => {
    const { ids } = await follow(2, [stream([told('mtn_1')], 'stay'), stream([told('mtn_2')], 'stay')])
    expect(ids).toEqual(['mtn_1', 'mtn_2'])
  })

  test('and tells each mention once', async () => {
    const { ids } = await follow(2, [stream([told('mtn_1')]), stream([told('mtn_1'), told('mtn_2')], 'stay')])
    expect(ids).toEqual(['mtn_1', 'mtn_2'])
  })
})

test.each([
  ['a refusal that lasts', refused(401, 'unauthorized'), 'unauthorized'],
  ['something else than a stream', json({}), 'unreadable_answer'],
])('a stream ends with %s', async (_, answer, code) => {
  await expect(follow(1, [answer])).rejects.toMatchObject({ code })
})

test('changes of the workspace have their kind and the place after them', async () => {
  const text =
    'id: 2026-11-22T09:30:00.000Z\nevent: mention.triaged\ndata: {"ids":["mtn_1"],"by":{"kind":"person","id":"user_1"}}\n\n'
  const { fetch } = scriptedFetch(stream([text], 'stay'))
  const client = createClient({ url: 'https://earshot.example.com', fetch })
  for await (const change of client.streamEvents({ kinds: ['mention.triaged'] })) {
    expect(change).toEqual({
      kind: 'mention.triaged',
      ids: ['mtn_1'],
      by: { kind: 'person', id: 'user_1' },
      position: '2026-11-22T09:30:00.000Z',
    })
    break
  }
})
