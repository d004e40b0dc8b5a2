import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { liveBytes } from '../../../test/live-bytes.ts'
import { silentLog } from '../../kernel/log.ts'
import { createCollectContext } from '../collect-context.ts'
import { collecting, describeSource, type ServedReply, type Stage } from '../conformance.suite.ts'
import type { CollectContext, Cursor, LiveSource, SourceBatch, SourceFault } from '../contract.ts'
import { placeAt } from './place.ts'
import { readMessage } from './read-message.ts'
import { bluesky } from './source.ts'

const text = (name: string): string => readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8')
const lines = (name: string): string[] => text(name).trim().split('\n')
const AT = new Date('2026-11-21T12:00:00Z')
const AT_US = AT.getTime() * 1000
const ORDINARY = lines('ordinary.jsonl')
const STAGES: Record<Stage, string[]> = {
  ordinary: ORDINARY,
  later: [...ORDINARY, ...lines('later.jsonl')],
  changed: [...ORDINARY, ...lines('changed.jsonl')],
}
const ADA = 'did:plc:adaexampleaaaaaaaaaaaaaa'
const BORIS = 'did:plc:borisexamplebbbbbbbbbbbb'
const CARLA = 'did:web:carla.example'

/** As the feed does: everything from the cursor on, the cursor included. */
const from = (messages: readonly string[], url: URL): string[] =>
  messages.filter((message) => JSON.parse(message).time_us >= Number(url.searchParams.get('cursor')))

describeSource('bluesky', {
  open: (silenceMs) => collecting(bluesky({ limits: { silenceMs, pongMs: silenceMs, gatherMs: 5 } })),
  at: { ordinary: AT, later: new Date(AT.getTime() + 60_000) },
  serves: { messages: ({ url }, stage) => from(STAGES[stage], url) },
  refusals: JSON.parse(text('refusals.json')) as Record<
    'throttled' | 'unavailable' | 'credentials' | 'gone',
    ServedReply
  >,
  throttledForSeconds: 7,
  expected: {
    ordinary: [
      `post ${ADA}/3mone`,
      `post ${BORIS}/3mtwo`,
      `post ${CARLA}/3mthree`,
      `post ${ADA}/3mfour`,
      `post ${BORIS}/3mfive`,
      `post ${ADA}/3mone`,
      `post ${CARLA}/3msix`,
      `post_gone ${BORIS}/3mfive`,
      'author_gone did:plc:deletedexampledddddddd',
      'author_gone did:plc:takendownexampleeeeeee',
    ],
    later: [`post ${ADA}/3mseven`, `post ${CARLA}/3meight`, `post_gone ${ADA}/3mone`],
  },
  nativeIdPattern: /^did:(?:plc|web):[a-z0-9.]+\/\w+$/,
  urlPattern: /^https:\/\/bsky\.app\/profile\/did:(?:plc|web):[a-z0-9.]+\/post\/\w+$/,
})

const servers: WebSocketServer[] = []
let stopTime = () => {}
afterEach(() => {
  stopTime()
  vi.useRealTimers()
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate()
    server.close()
  }
})

/** A feed on loopback that does what it is told with each connection. */
async function feed(connected: (socket: WebSocket, url: URL) => void, autoPong = true): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, autoPong })
  servers.push(server)
  server.on('connection', (socket, request) => connected(socket, new URL(request.url ?? '/', 'http://feed')))
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function contextFor(source: LiveSource, address: string, signal = new AbortController().signal): CollectContext {
  return createCollectContext(source, { address, userAgent: 'test/1', at: AT, signal, log: silentLog })
}

/** Follows until the feed ends, which it does with a fault. */
async function follow(
  source: LiveSource,
  context: CollectContext,
  cursor: Cursor | null,
): Promise<{ batches: SourceBatch[]; fault: SourceFault; ids: string[] }> {
  const batches: SourceBatch[] = []
  try {
    for await (const batch of source.follow(context, cursor)) batches.push(batch)
  } catch (error) {
    const ids = batches.flatMap((batch) =>
      batch.events.map((event) => (event.kind === 'post' ? event.post.nativeId.split('/')[1]! : event.kind)),
    )
    return { batches, fault: error as SourceFault, ids }
  }
  throw new Error('the feed ended without a fault')
}

const message = (number: number, more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    did: ADA,
    time_us: AT_US + number * 1000,
    kind: 'commit',
    commit: {
      rev: `r${number}`,
      operation: 'create',
      collection: 'app.bsky.feed.post',
      rkey: `k${number}`,
      cid: 'c',
      record: { text: `post ${number}` },
    },
    ...more,
  })
const oddMessage = (number: number): string => message(number).replace('"text"', '"txt"')
/** Lets everything happen that is due on the event loop, so many times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Makes time run by a millisecond with each turn of the event loop, until the answered function is called. */
function fakeTime(): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let running = true
  const turn = () => {
    if (!running) return
    vi.advanceTimersByTime(1)
    setImmediate(turn)
  }
  turn()
  stopTime = () => {
    running = false
  }
  return stopTime
}

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)

describe('bluesky', () => {
  test('a post: plain text, whole links, picture, parent, language, and the person by did', () => {
    const posts = ORDINARY.map(readMessage).flatMap((message) =>
      message.kind === 'read' && message.event.kind === 'post' ? [message.event.post] : [],
    )
    const [first, second, three, four, five] = posts
    expect(first).toMatchObject({
      text: 'Trying Acme Notes today. The search is quick 🚀',
      title: null,
      languageHint: 'en',
      publishedAt: new Date('2026-11-21T11:59:59.450Z'),
      engagement: null,
      review: null,
    })
    expect(first?.author).toMatchObject({ id: ADA, handle: null, url: `https://bsky.app/profile/${ADA}` })
    expect(second).toMatchObject({
      text: 'Our write-up: blog.example/a-long-add...',
      links: ['https://blog.example/a-long-address/about-acme?ref=1'],
      imageUrl: `https://cdn.bsky.app/img/feed_thumbnail/plain/${BORIS}/bafkreicomposedpicture0001`,
      languageHint: 'pt',
    })
    expect(three).toMatchObject({
      replyTo: { author: null, url: `https://bsky.app/profile/${ADA}/post/3mone`, text: null },
      imageUrl: `https://cdn.bsky.app/img/feed_thumbnail/plain/${CARLA}/bafkreicomposedpicture0002`,
    })
    expect(four).toMatchObject({
      text: '',
      links: ['https://pictures.example/cat.gif'],
      languageHint: null,
      publishedAt: new Date('2026-11-21T12:00:01Z'),
    })
    expect(five?.publishedAt, 'an import of 2019 counts from when the feed saw it').toEqual(
      new Date('2026-11-21T12:00:01.600Z'),
    )
  })

  test('a host is left after two failed tries, and kept while it answers', async () => {
    const hosts = ['one.example', 'two.example']
    const source = bluesky({ hosts, limits: { gatherMs: 1 } })
    const asked: string[] = []
    const refusing = await feed((socket) => socket.terminate())
    const answering = await feed((socket) => {
      socket.send(message(1))
      socket.close()
    })
    for (const address of [refusing, refusing, refusing, refusing, answering, answering, answering, refusing]) {
      const context = contextFor(source, address)
      const addressOf = (url: string) => {
        asked.push(new URL(url).host)
        return context.addressOf(url)
      }
      const { fault } = await follow(source, { ...context, addressOf }, null)
      expect(fault.kind).toBe('unavailable')
    }
    expect(asked.map((host) => hosts.indexOf(host))).toEqual([0, 0, 1, 1, 0, 0, 0, 0])
  })

  test('it resumes five seconds behind the cursor, and without one at the instant of the call', async () => {
    const cursors: (string | null)[] = []
    const address = await feed((socket, url) => {
      cursors.push(url.searchParams.get('cursor'))
      expect(url.pathname).toBe('/subscribe')
      expect(url.searchParams.get('wantedCollections')).toBe('app.bsky.feed.post')
      socket.close()
    })
    const source = bluesky()
    await follow(source, contextFor(source, address), null)
    await follow(source, contextFor(source, address), { timeUs: AT_US })
    expect(cursors).toEqual([String(AT_US), String(AT_US - 5_000_000)])
  })

  test('a consumer that falls behind slows the socket down instead of filling memory, and loses nothing', async () => {
    const total = 10_000
    let peer: WebSocket | undefined
    const address = await feed((socket) => {
      peer = socket
      // More than the buffers of the operating system on both sides take.
      for (const number of range(total)) socket.send(message(number, { padding: 'x'.repeat(4000) }))
      socket.close()
    })
    const source = bluesky({ limits: { maxWaiting: 100, gatherMs: 1 } })
    const ids: string[] = []
    let stillQueued = 0
    try {
      for await (const batch of source.follow(contextFor(source, address), null)) {
        if (ids.length === 0) {
          await turns(200)
          stillQueued = peer?.bufferedAmount ?? 0
        }
        for (const event of batch.events) if (event.kind === 'post') ids.push(event.post.nativeId)
      }
    } catch (error) {
      expect(error).toMatchObject({ kind: 'unavailable' })
    }
    expect(stillQueued, 'bytes that the other side could not get rid of').toBeGreaterThan(100_000)
    expect(ids).toEqual(range(total).map((number) => `${ADA}/k${number}`))
  })

  test('messages that are long slow the socket down long before there are many of them', async () => {
    const total = 300
    let peer: WebSocket | undefined
    const address = await feed((socket) => {
      peer = socket
      for (const number of range(total)) socket.send(message(number, { padding: 'x'.repeat(100_000) }))
      socket.close()
    })
    const source = bluesky({ limits: { maxWaitingBytes: 1_000_000, gatherMs: 1 } })
    let count = 0
    let stillQueued = 0
    const following = (async () => {
      for await (const batch of source.follow(contextFor(source, address), null)) {
        if (count === 0) {
          await turns(200)
          stillQueued = peer?.bufferedAmount ?? 0
        }
        expect(batch.events.length, 'no batch holds much more than may wait').toBeLessThan(50)
        count += batch.events.length
      }
    })()
    await expect(following).rejects.toMatchObject({ kind: 'unavailable' })
    expect(stillQueued).toBeGreaterThan(1_000_000)
    expect(count).toBe(total)
  })

  test('while the consumer holds it back, silence is not taken for a dead connection; afterwards it is', async () => {
    const address = await feed((socket) => {
      for (const number of range(4000)) socket.send(message(number, { padding: 'x'.repeat(2000) }))
    }, false)
    const stop = fakeTime()
    const source = bluesky({ limits: { maxWaiting: 600, gatherMs: 1 } })
    let count = 0
    const following = (async () => {
      for await (const batch of source.follow(contextFor(source, address), null)) {
        if (count === 0) {
          await turns(200)
          vi.advanceTimersByTime(600_000)
        }
        count += batch.events.length
        if (count === 4000) setImmediate(() => vi.advanceTimersByTime(70_000))
      }
    })()
    await expect(following).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('no message'),
    })
    stop()
    expect(count).toBe(4000)
  })

  test('a feed that was held back and then falls silent is noticed', async () => {
    const address = await feed((socket) => {
      for (const number of range(4000)) socket.send(message(number))
    }, false)
    const source = bluesky({ limits: { maxWaiting: 600, gatherMs: 1, silenceMs: 300, pongMs: 50 } })
    const { fault, ids } = await follow(source, contextFor(source, address), null)
    expect([fault.message, ids.length]).toEqual(['no message for 300 ms, and no answer to a ping', 4000])
  })

  test('a quiet feed that answers pings is followed on, and what comes at last arrives at once', async () => {
    let [connections, pings] = [0, 0]
    const address = await feed((socket) => {
      connections += 1
      socket.on('ping', () => {
        pings += 1
        if (pings === 5) socket.send(message(1))
      })
    })
    const source = bluesky({ limits: { silenceMs: 200, pongMs: 5000, gatherMs: 1 } })
    const abort = new AbortController()
    let count = 0
    for await (const batch of source.follow(contextFor(source, address, abort.signal), null)) {
      count += batch.events.length
      abort.abort()
    }
    expect([connections, pings, count]).toEqual([1, 5, 1])
  })

  test('a feed that answers pings and brings nothing for long is left without a fault, for the next host', async () => {
    const hosts: string[] = []
    const address = await feed(() => undefined)
    const source = bluesky({
      hosts: ['one.example', 'two.example'],
      limits: { silenceMs: 300, pongMs: 5000, quietPings: 1 },
    })
    for (let time = 0; time < 3; time += 1) {
      const context = contextFor(source, address)
      const addressOf = (url: string) => {
        hosts.push(new URL(url).host)
        return context.addressOf(url)
      }
      for await (const _ of source.follow({ ...context, addressOf }, null));
    }
    expect(hosts).toEqual(['one.example', 'two.example', 'one.example'])
  })

  test('a connection lives as long as messages come within a minute of each other, and is closed by an abort', async () => {
    let peer: WebSocket | undefined
    const address = await feed((socket) => {
      peer = socket
      socket.send(message(1))
    })
    const stop = fakeTime()
    const source = bluesky({ limits: { gatherMs: 1 } })
    const abort = new AbortController()
    let count = 0
    for await (const batch of source.follow(contextFor(source, address, abort.signal), null)) {
      count += batch.events.length
      vi.advanceTimersByTime(40_000)
      if (count < 6) peer?.send(message(count + 1))
      else abort.abort()
    }
    stop()
    expect(count).toBe(6)
    if (peer && peer.readyState !== peer.CLOSED) await once(peer, 'close')
  })

  test('batches hold at most 500 events, and their cursors grow', async () => {
    const address = await feed((socket) => {
      for (const number of range(1700)) socket.send(message(number))
      socket.close()
    })
    const source = bluesky({ limits: { gatherMs: 200 } })
    const { batches } = await follow(source, contextFor(source, address), null)
    expect(Math.max(...batches.map((batch) => batch.events.length))).toBe(500)
    expect(batches.at(-1)?.cursor).toEqual({ timeUs: AT_US + 1_700_000 })
    for (const [at, batch] of batches.entries())
      if (at > 0) expect(Number(batch.cursor['timeUs'])).toBeGreaterThan(Number(batches[at - 1]?.cursor['timeUs']))
  })

  test('single odd posts are left out; the cursor waits in front of one until twenty others have followed', async () => {
    const sent = [message(1), oddMessage(2), ...range(19).map((number) => message(number + 2))]
    const address = await feed((socket, url) => {
      for (const text of from(sent, url)) socket.send(text)
      socket.close()
    })
    const source = bluesky({ limits: { gatherMs: 20 } })
    const held = await follow(source, contextFor(source, address), null)
    expect(held.ids).toEqual(['k1', ...range(19).map((number) => `k${number + 2}`)])
    expect(held.batches.at(-1)?.cursor['timeUs']).toBeLessThan(AT_US + 2000)
    sent.push(message(22))
    const released = await follow(source, contextFor(source, address), held.batches.at(-1)?.cursor ?? null)
    expect(released.ids).toEqual(['k22'])
    expect(released.batches.at(-1)?.cursor).toEqual({ timeUs: AT_US + 22_000 })
  })

  test('when more than half of twenty posts are odd the shape has changed, and all of them are read again later', async () => {
    const sent = [
      message(1),
      ...range(5).map((number) => message(number + 1)),
      ...range(11).map((number) => oddMessage(number + 6)),
      ...range(23).map((number) => message(number + 17)),
    ]
    const address = await feed((socket, url) => {
      for (const text of from(sent, url)) socket.send(text)
      socket.close()
    })
    const source = bluesky({ limits: { gatherMs: 20 } })
    const failed = await follow(source, contextFor(source, address), null)
    expect(failed.fault.kind).toBe('shape_changed')
    expect(failed.ids).toEqual(['k1', 'k2', 'k3', 'k4', 'k5', 'k6'])
    const cursor = failed.batches.at(-1)?.cursor ?? null
    for (let at = 6; at < 17; at += 1) sent[at] = message(at + 1)
    const repaired = await follow(source, contextFor(source, address), cursor)
    expect(repaired.ids).toEqual(range(34).map((number) => `k${number + 6}`))
  })

  test('a feed of nothing but rubbish is a change of shape as well', async () => {
    const address = await feed((socket) => {
      for (const _ of range(30)) socket.send('<html>')
    })
    const source = bluesky({ limits: { gatherMs: 5 } })
    expect((await follow(source, contextFor(source, address), null)).fault.kind).toBe('shape_changed')
  })

  test('events of the same post are told apart, and the same event sent twice is not', () => {
    const place = placeAt(null, new Map())
    const taken = [...ORDINARY, ...ORDINARY]
      .map((line) => place.take(readMessage(line)))
      .filter((item) => item !== null)
    expect(taken.length).toBe(10)
    expect(
      taken.filter((item) => item.event.kind === 'post' && item.event.post.nativeId === `${ADA}/3mone`).length,
    ).toBe(2)
  })

  test('a batch that holds only stragglers has a greater cursor all the same, so that it is known whether it was stored', () => {
    const memory = new Map()
    const place = placeAt(null, memory)
    const handOver = (number: number) =>
      place.handOver([place.take(readMessage(message(number)))].filter((item) => item !== null))
    const [first, straggler] = [handOver(10), handOver(5)].map((cursor) => Number(cursor['timeUs'])) as [number, number]
    expect(straggler).toBeGreaterThan(first)
    expect(placeAt(straggler, new Map(memory)).take(readMessage(message(5)))).toBeNull()
    expect(placeAt(first, new Map(memory)).take(readMessage(message(5)))).not.toBeNull()
    expect(placeAt(first, new Map(memory)).take(readMessage(message(10)))).toBeNull()
  })

  test('the memory of seen events is bounded by the time of the feed', () => {
    const memory = new Map()
    const place = placeAt(null, memory)
    for (const second of range(300)) {
      const read = place.take(readMessage(message(second * 1000)))
      place.handOver(read ? [read] : [])
    }
    expect(memory.size).toBe(61)
  })

  test('what is remembered of a busy feed takes little more room than its keys', () => {
    const memory = new Map()
    const place = placeAt(null, memory)
    const record = { text: 'post' }
    const posted = (number: number) => {
      const commit = {
        rev: `3mrev${number}`,
        operation: 'create',
        collection: 'app.bsky.feed.post',
        rkey: `3mkey${number}`,
        cid: `bafyreih${'x'.repeat(44)}${number}`,
        record,
      }
      return message(0, { did: `did:plc:${'y'.repeat(18)}${number}`, time_us: AT_US + number, commit })
    }
    const before = liveBytes()
    for (const batch of range(400)) {
      const taken = range(100).map((number) => place.take(readMessage(posted(100_000 + 100 * batch + number))))
      place.handOver(taken.filter((item) => item !== null))
    }
    expect(memory.size).toBe(40_000)
    expect((liveBytes() - before) / memory.size).toBeLessThan(320)
  })
})
