import { z } from 'zod'
import type { Batch, CollectContext, Cursor, LiveSource } from '../contract.ts'
import { SourceFault } from '../contract.ts'
import { type Memory, OVERLAP_US, type Place, placeAt } from './place.ts'
import { type Message, readMessage } from './read-message.ts'
import { type FeedLimits, MAX_MESSAGE_BYTES, openFeed } from './socket.ts'
import { POST_COLLECTION } from './wire.ts'

/** The public instances of the feed. They serve the same events, and a cursor of one is good on all. */
export const JETSTREAM_HOSTS = [
  'jetstream2.us-east.bsky.network',
  'jetstream1.us-east.bsky.network',
  'jetstream2.us-west.bsky.network',
  'jetstream1.us-west.bsky.network',
  'jetstream.us-east.bsky.network',
  'jetstream.us-west.bsky.network',
] as const

const BATCH_EVENTS = 500
const TRIES_PER_HOST = 2
const LIMITS: FeedLimits = { maxWaiting: 5000, silenceMs: 60_000, gatherMs: 5 }
const cursorShape = z.object({ timeUs: z.int().positive() })

type Read = Extract<Message, { kind: 'read' }>

export interface BlueskyOptions {
  /** Hosts of the feed in order of preference, names only; the public ones when empty or absent. */
  hosts?: readonly string[]
  /** Bounds of the connection; tests make them small. */
  limits?: Partial<FeedLimits>
}

/**
 * Every post of Bluesky as it is written, rewritten or deleted, from the public feed (Jetstream). The source remembers
 * between calls of `follow` which host answers and which events it handed over, so one instance serves one follower.
 */
export function bluesky(options: BlueskyOptions = {}): LiveSource {
  const hosts = options.hosts?.length ? options.hosts : JETSTREAM_HOSTS
  const limits = { ...LIMITS, ...options.limits }
  const choice = hostChoice(hosts)
  const memory: Memory = new Map()
  return { platform: 'bluesky', hosts, mode: 'live', follow }

  async function* follow(context: CollectContext, cursor: Cursor | null): AsyncIterable<Batch> {
    const startUs = cursor === null ? null : cursorShape.parse(cursor).timeUs
    const place = placeAt(startUs, memory)
    const feed = openFeed(context.addressOf(feedUrl(choice.host(), startUs, context.at)), context, limits)
    try {
      for (;;) {
        const messages = await feed.next(BATCH_EVENTS)
        if (messages.length === 0) return
        choice.answered()
        yield* batches(messages, place, context)
      }
    } catch (error) {
      choice.failed()
      throw error
    } finally {
      feed.close()
    }
  }
}

/** A batch of what is fresh in the messages, if anything; then the fault, if the messages are no longer understood. */
function* batches(messages: readonly string[], place: Place, context: CollectContext): Iterable<Batch> {
  const taken: Read[] = []
  let lostShape = false
  for (const text of messages) {
    const message = readMessage(text)
    if (message.kind === 'odd') context.log.warn({ platform: 'bluesky', timeUs: message.timeUs, reason: message.reason }, 'an event has an unexpected form')
    const fresh = place.take(message)
    if (fresh) taken.push(fresh)
    lostShape = place.lostShape()
    if (lostShape) break
  }
  if (taken.length > 0) yield { cursor: place.handOver(taken), events: taken.map((one) => one.event) }
  if (lostShape) throw new SourceFault('shape_changed', 'more than half of the last 20 posts have an unexpected form')
}

/** Without a cursor the feed starts at the instant of the call, not when the connection stands, so that nothing falls between. */
function feedUrl(host: string, startUs: number | null, at: Date): string {
  const url = new URL(`wss://${host}/subscribe`)
  url.searchParams.set('wantedCollections', POST_COLLECTION)
  url.searchParams.set('maxMessageSizeBytes', String(MAX_MESSAGE_BYTES))
  url.searchParams.set('cursor', String(startUs === null ? at.getTime() * 1000 : startUs - OVERLAP_US))
  return url.href
}

/** The host to ask: the same one until two tries in a row have failed on it, then the next, round and round. */
function hostChoice(hosts: readonly string[]) {
  let index = 0
  let failures = 0
  return {
    host: () => hosts[index % hosts.length]!,
    answered: () => {
      failures = 0
    },
    failed: () => {
      failures += 1
      if (failures < TRIES_PER_HOST) return
      failures = 0
      index += 1
    },
  }
}
