import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { systemClock } from '../../src/kernel/clock.ts'
import { answer } from './child.ts'
import { createPlan, type Plan, type PlanOptions, readBases } from './plan.ts'

/**
 * A feed in the form of Bluesky's Jetstream, and the public view that says who wrote a post, in a process of its own.
 * It remembers only when each post was published: a post is made from its number whenever somebody asks with an older
 * cursor, so the whole history can be had again and takes eight bytes a post. An event's time is that of the instant in
 * which it is written to the socket.
 */
export type FeedQuestions = {
  /** Answers the address for SOURCE_BLUESKY_URL. */
  open: { asks: { plan: PlanOptions }; answers: { url: string } }
  /**
   * Publishes posts at an even rate, and a few more until one that a keyword has to find: the place behind a post
   * without a mention is only written down with later ones, so nobody could tell when the feed is read to its end.
   * Answers at the end how late the latest post was.
   */
  run: { asks: { rate: number; seconds: number }; answers: { first: number; next: number; lateMs: number } }
  /** Publishes so many posts that hold a term, at once; answers their numbers. */
  burst: { asks: { posts: number }; answers: { numbers: number[]; beganMs: number } }
  state: { asks: null; answers: FeedState }
  /** Writes the time of every post, microseconds since 1970 as doubles by post number, nought for numbers left out. */
  times: { asks: { path: string }; answers: null }
}

export interface FeedState {
  listeners: number
  /** One more than the number of the last post. */
  next: number
  /** Its time in microseconds since 1970. */
  lastUs: number
  /** Every connection so far: when it came, and from where it asked. */
  connections: { atMs: number; cursorUs: number | null }[]
}

const FOLLOWERS = 120
const TICK_MS = 4
const CATCH_UP_MS = 20
/** What may wait in a connection's buffer before its listener has to catch up first. */
const BUFFERED_MAX = 4 * 2 ** 20
/** Posts written to one connection before the others get their turn. */
const SLICE = 2000

interface Listener {
  socket: WebSocket
  wire: Socket
  /** The number of the post to be sent next. */
  next: number
}

let plan: Plan
let timesUs = new Float64Array(1 << 16)
let next = 0
let lastUs = 0
const listeners = new Set<Listener>()
const connections: FeedState['connections'] = []

function publish(number: number): void {
  if (number >= timesUs.length) {
    const larger = new Float64Array(2 * timesUs.length)
    larger.set(timesUs)
    timesUs = larger
  }
  lastUs = Math.max(lastUs + 1, systemClock.now().getTime() * 1000)
  timesUs[number] = lastUs
  next = number + 1
}

/** Writes what a listener has not got yet, in one portion for the kernel. */
function pump(listener: Listener): void {
  const { socket, wire } = listener
  if (listener.next >= next || socket.readyState !== socket.OPEN) return
  const until = Math.min(next, listener.next + SLICE)
  wire.cork()
  while (listener.next < until && socket.bufferedAmount < BUFFERED_MAX) {
    const timeUs = timesUs[listener.next]!
    if (timeUs > 0) socket.send(eventText(listener.next, timeUs))
    listener.next += 1
  }
  wire.uncork()
}

function eventText(number: number, timeUs: number): string {
  const { did, rkey, text } = plan.post(number)
  const createdAt = new Date(timeUs / 1000).toISOString()
  return (
    `{"did":"${did}","time_us":${timeUs},"kind":"commit","commit":{"rev":"${rkey}","operation":"create",` +
    `"collection":"app.bsky.feed.post","rkey":"${rkey}","record":{"$type":"app.bsky.feed.post",` +
    `"createdAt":"${createdAt}","langs":["en"],"text":${JSON.stringify(text)}},"cid":"bafyreisoak${rkey}"}}`
  )
}

function pumpAll(): void {
  for (const listener of listeners) pump(listener)
}

/** The number of the first post behind a time. */
function firstBehind(cursorUs: number): number {
  let low = 0
  let high = next
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timeAtOrBefore(middle) > cursorUs) high = middle
    else low = middle + 1
  }
  return low
}

/** Numbers that were left out count with the time of the post before them. */
function timeAtOrBefore(number: number): number {
  let at = number
  while (at > 0 && timesUs[at] === 0) at -= 1
  return timesUs[at]!
}

/** What the service fills posts in with. Nobody has moved, and a post has no counts yet. */
function answerView({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://stand.in')
  const reply = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (pathname === '/xrpc/app.bsky.actor.getProfiles')
    reply(200, { profiles: searchParams.getAll('actors').map(profileFor) })
  else if (pathname === '/xrpc/app.bsky.feed.getPosts') reply(200, { posts: [] })
  else reply(404, { error: 'MethodNotImplemented', message: pathname })
}

function profileFor(did: string): object {
  const name = did.split(':').at(-1)
  return { did, handle: `${name}.soak.example`, displayName: `The ${name}`, followersCount: FOLLOWERS }
}

async function open(): Promise<string> {
  const server = createServer(answerView)
  const feed = new WebSocketServer({ server, path: '/subscribe' })
  feed.on('connection', (socket, request) => {
    const cursor = new URL(request.url ?? '', 'http://stand.in').searchParams.get('cursor')
    connections.push({ atMs: systemClock.now().getTime(), cursorUs: cursor === null ? null : Number(cursor) })
    const listener = { socket, wire: request.socket, next: cursor === null ? next : firstBehind(Number(cursor)) }
    listeners.add(listener)
    socket.on('close', () => listeners.delete(listener))
    socket.on('error', () => undefined)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // Whoever is behind is served between the ticks of a run, and after it.
  setInterval(pumpAll, CATCH_UP_MS)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function run(rate: number, seconds: number): Promise<{ first: number; next: number; lateMs: number }> {
  const first = next
  const total = Math.round(rate * seconds)
  const beganMs = systemClock.monotonicMs()
  let lateMs = 0
  for (let sent = 0; sent < total; ) {
    const elapsedMs = systemClock.monotonicMs() - beganMs
    const due = Math.min(total, Math.floor((elapsedMs / 1000) * rate))
    if (due > sent) lateMs = Math.max(lateMs, elapsedMs - ((sent + 1) / rate) * 1000)
    for (; sent < due; sent += 1) publish(next)
    pumpAll()
    await systemClock.wait(TICK_MS)
  }
  while (next > first && plan.expected(next - 1).length === 0) publish(next)
  pumpAll()
  return { first, next, lateMs }
}

function burst(posts: number): { numbers: number[]; beganMs: number } {
  const every = plan.options.holdingEvery
  const from = Math.ceil(next / every)
  const numbers = Array.from({ length: posts }, (_, at) => (from + at) * every)
  for (const number of numbers) publish(number)
  const beganMs = lastUs / 1000
  pumpAll()
  return { numbers, beganMs }
}

answer<FeedQuestions>({
  async open({ plan: options }) {
    plan = createPlan(options, await readBases())
    return { url: await open() }
  },
  run: ({ rate, seconds }) => run(rate, seconds),
  burst: ({ posts }) => burst(posts),
  state: () => ({ listeners: listeners.size, next, lastUs, connections }),
  times({ path }) {
    writeFileSync(path, Buffer.from(timesUs.buffer, 0, next * 8))
    return null
  },
})
