import { systemClock } from '../src/kernel/clock.ts'
import { silentLog } from '../src/kernel/log.ts'
import { createCollectContext } from '../src/sources/collect-context.ts'
import type { LiveSource } from '../src/sources/contract.ts'
import { encodeEvent, MESSAGE_POSTS, type PostStream, type StreamEnd } from '../src/stream/contract.ts'
import { NatsLog } from '../src/stream/nats/nats-log.ts'
import { createPostStream } from '../src/stream/post-stream.ts'
import { postStreamSettingsOf } from '../src/stream/settings.ts'
import { madeUpPost } from '../test/makers.ts'
import { startNats } from '../test/stand-ins/nats-server.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import { readTexts } from './texts.ts'

const POSTS = 300_000
const QUICK_POSTS = 30_000
const KEPT_MB = 1000

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
 * each acknowledged, then read from the first on with every event checked. Matching and storing are not part of it.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const count = quick ? QUICK_POSTS : POSTS
  const server = await startNats()
  const settings = { POST_STREAM_URL: server.url, POST_STREAM_KEPT_HOURS: 1, POST_STREAM_KEPT_MB: KEPT_MB }
  const stream = createPostStream(new NatsLog(postStreamSettingsOf(settings)!))
  try {
    await stream.prepare(SOURCE.platform)
    const messages = await messagesOf(count)
    const publishing = await measured(count, () => publishAll(stream, messages))
    const state = await stream.state(SOURCE.platform)
    const following = await measured(count, () => followAll(stream, count))
    return [
      { measure: 'posts published, each message acknowledged', value: publishing.perSecond, unit: '/s' },
      { measure: 'processor time of publishing a post', value: publishing.cpuUs, unit: 'µs', better: 'lower' },
      { measure: 'posts followed', value: following.perSecond, unit: '/s' },
      { measure: 'processor time of following a post', value: following.cpuUs, unit: 'µs', better: 'lower' },
      { measure: 'a post in the stream', value: Math.round(state!.bytes / count), unit: 'bytes', better: 'lower' },
    ]
  } finally {
    await stream.close()
    await server.close()
  }
}

async function messagesOf(count: number) {
  const texts = await readTexts()
  const at = systemClock.now()
  const posts = Array.from({ length: count }, (_, number) => madeUpPost(at, texts[number % texts.length]!))
  return Array.from({ length: count / MESSAGE_POSTS }, (_, number) =>
    posts.slice(number * MESSAGE_POSTS, (number + 1) * MESSAGE_POSTS),
  )
}

async function publishAll(stream: PostStream, messages: Awaited<ReturnType<typeof messagesOf>>): Promise<void> {
  let end: StreamEnd = { number: 0, posts: 0 }
  for (const posts of messages) {
    const events = posts.map((post) => encodeEvent({ kind: 'post', post }))
    end = await stream.publish(SOURCE.platform, { events, cursor: { number: end.number } }, end)
  }
}

async function followAll(stream: PostStream, count: number): Promise<void> {
  const ending = new AbortController()
  const outside = { address: null, userAgent: 'bench', at: systemClock.now(), signal: ending.signal, log: silentLog }
  let read = 0
  for await (const { events } of stream.followed(SOURCE).follow(createCollectContext(SOURCE, outside), { number: 0 })) {
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
