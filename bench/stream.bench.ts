import type { Post } from '../src/domain/post/post.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { silentLog } from '../src/kernel/log.ts'
import { createCollectContext } from '../src/sources/collect-context.ts'
import type { LiveSource } from '../src/sources/contract.ts'
import { encodeEvent, MESSAGE_POSTS, type PostStream, type StreamEnd } from '../src/stream/contract.ts'
import { NatsLog } from '../src/stream/nats/nats-log.ts'
import { createPostStream } from '../src/stream/post-stream.ts'
import { postStreamSettingsOf } from '../src/stream/settings.ts'
import { madeUpPost } from '../test/makers.ts'
import { type NatsServer, startNats } from '../test/stand-ins/nats-server.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import { asText, posts } from './match/corpus.ts'
import { loaded } from './match/measure.ts'
import { terms } from './match/terms.ts'
import { processorSeconds } from './soak/sampler.ts'
import { readTexts } from './texts.ts'

const POSTS = 300_000
const QUICK_POSTS = 30_000
const KEPT_MB = 1000
/** Cells that follow the stream at the same time. */
const CELLS = [1, 2, 4, 8]
/** That each cell looks for. */
const TERMS = 100_000
const PUBLISHED = { must: 100_000, goal: 300_000 }
const FOLLOWED = { must: 50_000, goal: 100_000 }

const SOURCE: LiveSource = {
  platform: 'bluesky',
  hosts: [],
  limits: [],
  mode: 'live',
  // biome-ignore lint/correctness/useYield: nothing is read from the platform itself
  async *follow() {
    throw new Error('the platform is not asked')
  },
}

/**
 * What the post stream costs its two ends, in one process beside a NATS server: messages published one after the other,
 * each acknowledged, then read from the first on with every event checked. Then several cells read and match them at
 * the same time. Storing is not part of it.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const count = quick ? QUICK_POSTS : POSTS
  const server = await startNats()
  const stream = openStream(server)
  try {
    await stream.prepare(SOURCE.platform)
    const messages = await messagesOf(count)
    const publishing = await measured(count, () => publishAll(stream, messages))
    const state = await stream.state(SOURCE.platform)
    const following = await measured(count, () => followAll(stream, count))
    const cells: MeasuredCells[] = []
    for (const size of quick ? [1, 4] : CELLS) cells.push({ size, ...(await measuredCells(server, size, count)) })
    return [
      { measure: 'posts published, each message acknowledged', value: publishing.perSecond, unit: '/s', ...PUBLISHED },
      { measure: 'processor time of publishing a post', value: publishing.cpuUs, unit: 'µs', better: 'lower' },
      { measure: 'posts followed', value: following.perSecond, unit: '/s' },
      { measure: 'processor time of following a post', value: following.cpuUs, unit: 'µs', better: 'lower' },
      { measure: 'a post in the stream', value: Math.round(state!.bytes / count), unit: 'bytes', better: 'lower' },
      ...rowsOfCells(cells),
    ]
  } finally {
    await stream.close()
    await server.close()
  }
}

interface MeasuredCells {
  /** Cells that follow at the same time. */
  size: number
  /** Of the cells and the server together, for one post in one cell. */
  cpuUs: number
}

/** Each cell reads every post from the first on, and matches it. */
async function measuredCells(server: NatsServer, size: number, count: number): Promise<{ cpuUs: number }> {
  const matcher = loaded(terms(TERMS, posts(QUICK_POSTS).posts))
  const streams = Array.from({ length: size }, () => openStream(server))
  const beganSeconds = processorSeconds(server.pid)
  const began = process.cpuUsage()
  await Promise.all(
    streams.map((stream) =>
      followAll(stream, count, ({ title, text, links }) => matcher.match(asText(title, text, links))),
    ),
  )
  const { user, system } = process.cpuUsage(began)
  const serverUs = (processorSeconds(server.pid) - beganSeconds) * 1e6
  await Promise.all(streams.map((stream) => stream.close()))
  return { cpuUs: (user + system + serverUs) / (count * size) }
}

function rowsOfCells(cells: readonly MeasuredCells[]): BenchRow[] {
  const rows = cells.map(({ size, cpuUs }): BenchRow => {
    const measure = `posts followed and matched by each of ${size} cells, a core for each`
    const note = `${cpuUs.toFixed(1)} µs a post and cell, the server included; ${TERMS.toLocaleString('en-US')} terms`
    return { measure, value: Math.round(1e6 / cpuUs), unit: '/s', note, ...(size === 4 ? FOLLOWED : {}) }
  })
  const [first, last] = [cells[0]!, cells.at(-1)!]
  const slope = Math.log(last.cpuUs / first.cpuUs) / Math.log(last.size / first.size)
  const measure = `slope of the time a post and cell over 1 to ${last.size} cells (log-log)`
  return [...rows, { measure, value: Number(slope.toFixed(4)), unit: 'slope', better: 'lower' }]
}

function openStream({ url }: NatsServer): PostStream {
  const settings = { POST_STREAM_URL: url, POST_STREAM_KEPT_HOURS: 1, POST_STREAM_KEPT_MB: KEPT_MB }
  return createPostStream(new NatsLog(postStreamSettingsOf(settings)!))
}

async function messagesOf(count: number) {
  const texts = await readTexts()
  const at = systemClock.now()
  const all = Array.from({ length: count }, (_, number) => madeUpPost(at, texts[number % texts.length]!))
  return Array.from({ length: count / MESSAGE_POSTS }, (_, number) =>
    all.slice(number * MESSAGE_POSTS, (number + 1) * MESSAGE_POSTS),
  )
}

async function publishAll(stream: PostStream, messages: Awaited<ReturnType<typeof messagesOf>>): Promise<void> {
  let end: StreamEnd = { number: 0, posts: 0 }
  for (const posts of messages) {
    const events = posts.map((post) => encodeEvent({ kind: 'post', post }))
    end = await stream.publish(SOURCE.platform, { events, cursor: { number: end.number } }, end)
  }
}

async function followAll(stream: PostStream, count: number, use: (post: Post) => unknown = () => null): Promise<void> {
  const ending = new AbortController()
  const outside = { address: null, userAgent: 'bench', at: systemClock.now(), signal: ending.signal, log: silentLog }
  let read = 0
  for await (const { events } of stream.followed(SOURCE).follow(createCollectContext(SOURCE, outside), { number: 0 })) {
    for (const event of events) if (event.kind === 'post') use(event.post)
    read += events.length
    if (read >= count) ending.abort()
  }
  if (read !== count) throw new Error(`${read} of ${count} posts were read`)
}

async function measured(count: number, work: () => Promise<void>): Promise<{ perSecond: number; cpuUs: number }> {
  const beganMs = systemClock.monotonicMs()
  const began = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(began)
  const seconds = (systemClock.monotonicMs() - beganMs) / 1000
  return { perSecond: Math.round(count / seconds), cpuUs: Math.round(((user + system) / count) * 10) / 10 }
}
