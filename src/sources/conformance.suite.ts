import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import type { Platform } from '../domain/platform/platforms.ts'
import { POST_LIMITS, type Post } from '../domain/post/post.ts'
import { silentLog } from '../kernel/log.ts'
import { cleanText } from '../kernel/text.ts'
import { createCollectContext, isDeclaredHost } from './collect-context.ts'
import {
  type CollectContext,
  type Cursor,
  type FeedSource,
  type PageSource,
  type PlacesSource,
  type ReviewPageQuery,
  type SearchSource,
  type SourceBatch,
  type SourceEvent,
  SourceFault,
  type SourceFaultKind,
} from './contract.ts'

/** For a live source it refuses the connection. */
export interface ServedReply {
  status?: number
  headers?: Record<string, string>
  body: string
}

/** A request under the platform's own host and path. */
export interface ServedRequest {
  method: string
  /** The host is the stand-in's. */
  url: URL
  headers: IncomingMessage['headers']
  body: string
}

/** The state of the platform: `later` has the `ordinary` posts and more; `changed` has another form without notice. */
export type Stage = 'ordinary' | 'later' | 'changed'

export interface Collecting {
  platform: Platform
  hosts: readonly string[]
  collect(context: CollectContext, cursor: Cursor | null): AsyncIterable<SourceBatch>
}

/** An event of a stream of server-sent events. */
export interface ServedEvent {
  event: string
  data: string
}

/** What the platform answers: whole replies, messages of a web socket, or an event stream next to replies. */
type Serves =
  | { replies(request: ServedRequest, stage: Stage): ServedReply }
  | { messages(request: ServedRequest, stage: Stage): string[] }
  | {
      streamPath: string
      events(request: ServedRequest, stage: Stage): ServedEvent[]
      replies(request: ServedRequest, stage: Stage): ServedReply
    }

export interface ConformanceFixture {
  /** `silenceMs` is when a live source gives up. */
  open(silenceMs: number): Collecting
  /** The times of both polls. */
  at: Record<'ordinary' | 'later', Date>
  serves: Serves
  /** The one for `throttled` asks for seven seconds if the platform can say so. */
  refusals: Partial<Record<Exclude<SourceFaultKind, 'shape_changed'>, ServedReply>>
  throttledForSeconds: number | null
  /** Due events in order, as `kind nativeId` (or author id); `later` has only the new ones. */
  expected: Record<'ordinary' | 'later', string[]>
  nativeIdPattern: RegExp
  urlPattern: RegExp
}

type Behaviour =
  | { stage: Stage; keepOpen?: boolean }
  | { refuse: ServedReply }
  | { hang: true }
  | { reset: true }
  | { damage: (good: string) => string }

interface StandIn {
  address: string
  requests: ServedRequest[]
  asked(): Promise<void>
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

const HTML = '<!DOCTYPE html><html><head><title>Just a moment</title></head><body><h1>Please wait</h1></body></html>'
const HUGE_BYTES = 11 * 1024 * 1024
const SILENCE_MS = 150

/** Collects from a feed as the service does. */
export function collecting(source: FeedSource): Collecting {
  const { platform, hosts } = source
  return {
    platform,
    hosts,
    collect: (context, cursor) =>
      source.mode === 'live' ? source.follow(context, cursor) : source.poll(context, cursor),
  }
}

/** Polls one feed or forum as the service does. */
export function placing(source: PlacesSource, address: string, since: Date): Collecting {
  return {
    platform: source.platform,
    hosts: source.hostsOf(address),
    async *collect(context, cursor) {
      const { posts, cursor: next } = await source.poll(context, { address, since }, cursor)
      yield { events: posts.map((post) => ({ kind: 'post', post })), cursor: next }
    },
  }
}

/** Collects one search term as the service does; `cursor` is the service's state of the term. */
export function searching(source: SearchSource, terms: readonly string[], limit = 1000): Collecting {
  const { platform, hosts, lookBackDays, overlapSeconds } = source
  const ask = (context: CollectContext, since: Date) => source.searching.search(context, { terms, since, limit })
  return { platform, hosts, collect: remembered({ ask, lookBackDays, overlapSeconds }) }
}

/** Collects one review page as the service does. */
export function reading(source: PageSource, page: ReviewPageQuery): Collecting {
  const { platform, hosts, overlapSeconds } = source
  return {
    platform,
    hosts,
    collect: remembered({
      ask: (context, since) => source.read(context, page, since),
      lookBackDays: 30,
      overlapSeconds,
    }),
  }
}

interface Asking {
  ask(context: CollectContext, since: Date): AsyncIterable<Post[]>
  lookBackDays: number
  overlapSeconds: number
}

/** Adds the caller's state: the newest time and known ids. Posts of a poll are oldest first. */
function remembered({ ask, lookBackDays, overlapSeconds }: Asking): Collecting['collect'] {
  return async function* collect(context, cursor) {
    const newestMs = cursor === null ? null : Number(cursor['newestMs'])
    const sinceMs =
      newestMs === null ? context.at.getTime() - lookBackDays * 86_400_000 : newestMs - overlapSeconds * 1000
    const known = new Set((cursor?.['known'] ?? []) as readonly string[])
    const found = new Map<string, Post>()
    for await (const posts of ask(context, new Date(sinceMs)))
      for (const post of posts) if (!known.has(post.nativeId)) found.set(post.nativeId, post)
    const posts = [...found.values()].sort(
      (a, b) => a.publishedAt.getTime() - b.publishedAt.getTime() || (a.nativeId < b.nativeId ? -1 : 1),
    )
    for (const post of posts) known.add(post.nativeId)
    const latestMs = Math.max(newestMs ?? 0, ...posts.map(({ publishedAt }) => publishedAt.getTime()))
    yield { events: posts.map((post) => ({ kind: 'post', post })), cursor: { newestMs: latestMs, known: [...known] } }
  }
}

/**
 * The contract of every source, checked against a server on loopback. Call in a `describe` or at the top of a test
 * file.
 */
export function describeSource(name: string, fixture: ConformanceFixture): void {
  const live = 'messages' in fixture.serves || 'events' in fixture.serves
  const scheme = 'messages' in fixture.serves ? 'wss:' : 'https:'
  let platform: StandIn | null = null
  afterEach(async () => {
    await platform?.close()
    platform = null
  })

  async function standIn(behaviour: Behaviour): Promise<StandIn> {
    platform = await serve(fixture.serves)
    platform.behave(behaviour)
    return platform
  }

  describe(`${name} keeps the promises of a source`, () => {
    test('every reply becomes valid posts, in the order of the platform', async () => {
      const { batches } = await run(fixture, fixture.open(SILENCE_MS), await standIn({ stage: 'ordinary' }), null)
      expect(labels(batches)).toEqual(fixture.expected.ordinary)
      for (const post of postsOf(batches)) expectValid(post, fixture)
    })

    test('the same replies give the same events under the same ids', async () => {
      const at = await standIn({ stage: 'ordinary' })
      const [first, second] = [
        await run(fixture, fixture.open(SILENCE_MS), at, null),
        await run(fixture, fixture.open(SILENCE_MS), at, null),
      ]
      expect(eventsOf(first.batches)).toEqual(eventsOf(second.batches))
    })

    test('resuming from the stored cursor repeats nothing and skips nothing', async () => {
      const at = await standIn({ stage: 'ordinary' })
      const source = fixture.open(SILENCE_MS)
      const first = await run(fixture, source, at, null)
      at.behave({ stage: 'later' })
      const second = await run(fixture, source, at, stored(first.batches), 'later')
      expect(labels(second.batches)).toEqual(fixture.expected.later)
      const third = await run(fixture, source, at, stored(second.batches), 'later')
      expect(labels(third.batches)).toEqual([])
    })

    test('after a restart of the process nothing is skipped', async () => {
      const at = await standIn({ stage: 'ordinary' })
      const first = await run(fixture, fixture.open(SILENCE_MS), at, null)
      at.behave({ stage: 'later' })
      const second = await run(fixture, fixture.open(SILENCE_MS), at, stored(first.batches), 'later')
      expect(labels(second.batches)).toEqual(expect.arrayContaining(fixture.expected.later))
    })

    test('what was handed over but not stored is handed over again', async () => {
      const at = await standIn({ stage: 'ordinary' })
      const source = fixture.open(SILENCE_MS)
      const first = await run(fixture, source, at, null)
      at.behave({ stage: 'later' })
      const cursor = stored(first.batches)
      const lost = await run(fixture, source, at, cursor, 'later')
      const again = await run(fixture, source, at, cursor, 'later')
      expect(eventsOf(again.batches)).toEqual(eventsOf(lost.batches))
      expect(labels(again.batches)).toEqual(fixture.expected.later)
    })

    test('a cursor survives being stored as JSON', async () => {
      const { batches } = await run(fixture, fixture.open(SILENCE_MS), await standIn({ stage: 'ordinary' }), null)
      for (const { cursor } of batches) expect(JSON.parse(JSON.stringify(cursor))).toEqual(cursor)
    })

    for (const [kind, reply] of Object.entries(fixture.refusals)) {
      test(`a platform that says so is ${kind}`, async () => {
        const { batches, fault } = await run(fixture, fixture.open(SILENCE_MS), await standIn({ refuse: reply }), null)
        expect([fault?.kind, batches]).toEqual([kind, []])
        if (kind === 'throttled') expect(fault?.retryAfterSeconds).toBe(fixture.throttledForSeconds)
      })
    }

    test('a platform that breaks the connection is unavailable', async () => {
      const { fault } = await run(fixture, fixture.open(SILENCE_MS), await standIn({ reset: true }), null)
      expect(fault?.kind).toBe('unavailable')
    })

    test('a platform that falls silent is unavailable', async () => {
      const { fault } = await run(
        fixture,
        fixture.open(SILENCE_MS),
        await standIn(live ? { stage: 'ordinary', keepOpen: true } : { hang: true }),
        null,
        'ordinary',
        new AbortController(),
        SILENCE_MS,
      )
      expect(fault?.kind).toBe('unavailable')
    })

    test('replies in another form are shape_changed, and the cursor does not move over them', async () => {
      const at = await standIn({ stage: 'ordinary' })
      const source = fixture.open(SILENCE_MS)
      const cursor = stored((await run(fixture, source, at, null)).batches)
      at.behave({ stage: 'changed' })
      const { batches, fault } = await run(fixture, source, at, cursor, 'later')
      expect([fault?.kind, labels(batches)]).toEqual(['shape_changed', []])
      at.behave({ stage: 'later' })
      expect(labels((await run(fixture, source, at, cursor, 'later')).batches)).toEqual(fixture.expected.later)
    })

    const damages: [string, (good: string) => string][] = [
      ['HTML', () => HTML],
      ['cut short', (good) => good.slice(0, Math.floor(good.length / 2))],
      ['empty', () => ''],
      ['null', () => 'null'],
      ['another sort of JSON', () => '[[[]]]'],
    ]
    for (const [what, damage] of damages) {
      test(`something that is ${what} never becomes posts or moves the cursor`, async () => {
        const { batches, fault } = await run(fixture, fixture.open(SILENCE_MS), await standIn({ damage }), null)
        // A live feed skips the damaged message; a damaged reply fails the poll.
        if (live) expect(labels(batches)).toEqual(fixture.expected.ordinary)
        else expect([fault?.kind === 'shape_changed' || fault?.kind === 'unavailable', batches]).toEqual([true, []])
      })
    }

    test('something absurdly large is unavailable, and is not kept', async () => {
      const { fault } = await run(
        fixture,
        fixture.open(SILENCE_MS),
        await standIn({ damage: () => JSON.stringify({ text: 'x'.repeat(HUGE_BYTES) }) }),
        null,
      )
      expect(fault?.kind).toBe('unavailable')
    })

    test('only its declared hosts are asked, encrypted', async () => {
      const at = await standIn({ stage: 'ordinary' })
      const source = fixture.open(SILENCE_MS)
      const { addresses } = await run(fixture, source, at, null)
      expect(addresses.length).toBeGreaterThan(0)
      for (const address of addresses) {
        expect(address.protocol).toBe(scheme)
        expect(isDeclaredHost(source.hosts, address.host), address.host).toBe(true)
      }
      for (const request of at.requests) expect(request.headers['user-agent']).toContain('conformance/1')
    })

    test('an abort ends it at once, without a fault', async () => {
      for (const behaviour of [{ hang: true } as const, { stage: 'ordinary', keepOpen: true } as const]) {
        const at = await standIn(behaviour)
        const abort = new AbortController()
        const collected = run(fixture, fixture.open(60_000), at, null, 'ordinary', abort)
        await at.asked()
        abort.abort()
        const { fault } = await collected
        expect(fault).toBeNull()
        await at.close()
      }
    }, 5000)

    test('nothing is asked once the signal is aborted', async () => {
      const at = await standIn({ stage: 'ordinary' })
      const abort = new AbortController()
      abort.abort()
      const { batches, fault } = await run(fixture, fixture.open(SILENCE_MS), at, null, 'ordinary', abort)
      expect([batches, fault]).toEqual([[], null])
      if (!live) expect(at.requests).toEqual([])
    })
  })
}

interface Run {
  batches: SourceBatch[]
  /** The end of the poll, other than a live feed closed after its last message. */
  fault: SourceFault | null
  /** Requested addresses before replacement. */
  addresses: URL[]
}

/** Collects until the source ends or fails. An abort may end it either way; any other error fails the test. */
async function run(
  fixture: ConformanceFixture,
  source: Collecting,
  at: StandIn,
  cursor: Cursor | null,
  stage: 'ordinary' | 'later' = 'ordinary',
  abort = new AbortController(),
  timeoutMs = 5000,
): Promise<Run> {
  const done: Run = { batches: [], fault: null, addresses: [] }
  const context = createCollectContext(source, {
    address: at.address,
    userAgent: 'conformance/1',
    at: fixture.at[stage],
    signal: abort.signal,
    log: silentLog,
    timeoutMs,
  })
  try {
    for await (const batch of source.collect(watched(context, done.addresses), cursor)) done.batches.push(batch)
  } catch (error) {
    if (error instanceof SourceFault) done.fault = error
    else if (!abort.signal.aborted) throw error
  }
  return done
}

function watched(context: CollectContext, addresses: URL[]): CollectContext {
  const note = (url: string) => addresses.push(new URL(url))
  return {
    ...context,
    fetch(url, init) {
      note(url)
      return context.fetch(url, init)
    },
    open(url, headers) {
      note(url)
      return context.open(url, headers)
    },
    addressOf(url) {
      note(url)
      return context.addressOf(url)
    },
  }
}

/** The cursor after a round trip through JSON. */
function stored(batches: readonly SourceBatch[]): Cursor {
  const cursor = batches.at(-1)?.cursor
  if (!cursor) throw new Error('the source handed over no cursor')
  return JSON.parse(JSON.stringify(cursor)) as Cursor
}

const eventsOf = (batches: readonly SourceBatch[]): SourceEvent[] => batches.flatMap((batch) => batch.events)
const postsOf = (batches: readonly SourceBatch[]): Post[] =>
  eventsOf(batches).flatMap((event) => (event.kind === 'post' ? [event.post] : []))
const labels = (batches: readonly SourceBatch[]): string[] =>
  eventsOf(batches).map(
    (event) =>
      `${event.kind} ${event.kind === 'post' ? event.post.nativeId : event.kind === 'post_gone' ? event.nativeId : event.authorId}`,
  )

function expectValid(post: Post, fixture: ConformanceFixture): void {
  expect(post.nativeId).toMatch(fixture.nativeIdPattern)
  expect(post.nativeId.length).toBeLessThanOrEqual(POST_LIMITS.nativeIdCharacters)
  expect(post.url).toMatch(fixture.urlPattern)
  expect(Buffer.byteLength(post.text)).toBeLessThanOrEqual(POST_LIMITS.textBytes)
  for (const text of [post.text, post.title, post.author?.name, post.replyTo?.text])
    if (text != null) expect(cleanText(text)).toBe(text)
  expect(post.title === '').toBe(false)
  expect(post.links.length).toBeLessThanOrEqual(POST_LIMITS.links)
  expect(new Set(post.links).size).toBe(post.links.length)
  for (const address of [
    post.url,
    post.imageUrl,
    ...post.links,
    post.author?.url,
    post.author?.avatarUrl,
    post.replyTo?.url,
  ])
    if (address != null) expect(address).toMatch(/^https?:\/\/[^\s]+$/)
  expect(post.publishedAt).toBeInstanceOf(Date)
  expect(post.publishedAt.getTime()).toBeGreaterThanOrEqual(Date.UTC(2000, 0, 1))
  expect(post.publishedAt.getTime()).toBeLessThanOrEqual(fixture.at.later.getTime())
  if (post.languageHint !== null) expect(post.languageHint).toMatch(/^[a-z]{2}$/)
  for (const item of Object.values(post.engagement ?? {}))
    if (item !== null) expect(Number.isSafeInteger(item) && item >= 0).toBe(true)
}

// The stand-in

async function serve(serves: Serves): Promise<StandIn> {
  let behaviour: Behaviour = { hang: true }
  const requests: ServedRequest[] = []
  const sockets = new Set<Duplex>()
  let arrived = () => {}
  const first = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const server = createServer((request, response) => {
    void read(request).then((served) => {
      requests.push(served)
      arrived()
      if ('hang' in behaviour) return
      if ('reset' in behaviour) return request.socket.destroy()
      if ('events' in serves && !('refuse' in behaviour) && served.url.pathname === serves.streamPath)
        return stream(response, behaviour, serves.events(served, 'stage' in behaviour ? behaviour.stage : 'ordinary'))
      const reply = 'replies' in serves ? replyTo(served, behaviour, serves.replies) : { status: 426, body: '' }
      response.writeHead(reply.status ?? 200, reply.headers)
      response.end(reply.body)
      return undefined
    })
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (request, socket, head) => {
    requests.push({
      method: 'GET',
      url: new URL(request.url ?? '/', 'http://stand-in'),
      headers: request.headers,
      body: '',
    })
    arrived()
    if ('messages' in serves) upgrade(requests.at(-1)!, { request, socket, head }, behaviour, serves.messages)
    else socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/platform`,
    requests,
    asked: () => first,
    behave: (next) => {
      behaviour = next
    },
    close: () => closed(server, sockets),
  }
}

function closed(server: Server, sockets: Set<Duplex>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of sockets) socket.destroy()
  })
}

async function read(request: IncomingMessage): Promise<ServedRequest> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const url = new URL((request.url ?? '/').replace(/^\/platform/, ''), 'http://stand-in')
  return { method: request.method ?? 'GET', url, headers: request.headers, body }
}

function replyTo(
  request: ServedRequest,
  behaviour: Behaviour,
  replies: (request: ServedRequest, stage: Stage) => ServedReply,
): ServedReply {
  if ('refuse' in behaviour) return behaviour.refuse
  if ('damage' in behaviour) {
    const good = replies(request, 'ordinary')
    return { ...good, body: behaviour.damage(good.body) }
  }
  return replies(request, 'stage' in behaviour ? behaviour.stage : 'ordinary')
}

// A silent feed is dead here: it does not answer pings.
const sockets = new WebSocketServer({ noServer: true, autoPong: false })

function stream(response: ServerResponse, behaviour: Behaviour, good: ServedEvent[]): void {
  const half = Math.floor(good.length / 2)
  const { event = 'update', data = '' } = good[half] ?? {}
  const sent =
    'damage' in behaviour
      ? [...good.slice(0, half), { event, data: behaviour.damage(data) }, ...good.slice(half)]
      : good
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(':)\n\n')
  for (const { event, data } of sent) response.write(`event: ${event}\ndata: ${data.replaceAll('\n', ' ')}\n\n`)
  if (!('keepOpen' in behaviour && behaviour.keepOpen)) response.end()
}

function upgrade(
  served: ServedRequest,
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
  behaviour: Behaviour,
  messages: (request: ServedRequest, stage: Stage) => string[],
): void {
  if ('hang' in behaviour) return
  if ('reset' in behaviour) {
    socket.destroy()
    return
  }
  if ('refuse' in behaviour) {
    const { status = 503, headers = {}, body } = behaviour.refuse
    const lines = Object.entries({
      ...headers,
      connection: 'close',
      'content-length': String(Buffer.byteLength(body)),
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`)
    return
  }
  const good = messages(served, 'stage' in behaviour ? behaviour.stage : 'ordinary')
  const half = Math.floor(good.length / 2)
  const sent =
    'damage' in behaviour ? [...good.slice(0, half), behaviour.damage(good[half] ?? ''), ...good.slice(half)] : good
  sockets.handleUpgrade(request, socket, head, (open) => {
    for (const message of sent) open.send(message)
    if (!('keepOpen' in behaviour && behaviour.keepOpen)) open.close(1000)
  })
}
