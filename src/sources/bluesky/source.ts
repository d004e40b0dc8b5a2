import { z } from 'zod'
import type { Batch, CollectContext, Cursor, LiveSource } from '../contract.ts'
import { SourceFault } from '../contract.ts'
import {
  ACCOUNT_HOST,
  APPVIEW_HOST,
  APPVIEW_LIMITS,
  askAppView,
  readReply,
  refusalOf,
  SESSION_LIMITS,
} from './appview.ts'
import { enriching } from './enrich.ts'
import { type Memory, OVERLAP_US, type Place, placeAt } from './place.ts'
import { type Message, readMessage } from './read-message.ts'
import { type Account, searchingAs } from './search.ts'
import { Feed, type FeedLimits, MAX_MESSAGE_BYTES } from './socket.ts'
import { POST_COLLECTION, resolvedHandle } from './wire.ts'

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
const LIMITS: FeedLimits = {
  maxWaiting: 5000,
  maxWaitingBytes: 32 * 1024 * 1024,
  silenceMs: 60_000,
  pongMs: 10_000,
  quietPings: 10,
  gatherMs: 5,
}
const cursorShape = z.object({ timeUs: z.int().positive() })

type Read = Extract<Message, { kind: 'read' }>

export interface BlueskyOptions {
  /** Hosts of the feed in order of preference, names only; the public ones when empty or absent. */
  hosts?: readonly string[]
  /** Who searches; without an account there is no searching. */
  account?: Account | null
  /** Bounds of the connection; tests make them small. */
  limits?: Partial<FeedLimits>
}

/**
 * Every post of Bluesky as it is written, rewritten or deleted, from the public feed (Jetstream). The source remembers
 * between calls of `follow` which host answers and which events it handed over, so one instance serves one follower.
 * People, parents, counts and handles come from the public AppView; searching needs an account.
 */
export function bluesky(options: BlueskyOptions = {}): LiveSource {
  const feedHosts = options.hosts?.length ? options.hosts : JETSTREAM_HOSTS
  const account = options.account ?? null
  const limits = { ...LIMITS, ...options.limits }
  const choice = hostChoice(feedHosts)
  const memory: Memory = new Map()
  return {
    platform: 'bluesky',
    hosts: [...feedHosts, APPVIEW_HOST, ...(account ? [ACCOUNT_HOST] : [])],
    limits: [...APPVIEW_LIMITS, ...(account ? SESSION_LIMITS : [])],
    mode: 'live',
    follow,
    enrich: enriching(),
    resolveAuthor,
    ...(account ? { searching: searchingAs(account) } : {}),
  }

  async function* follow(context: CollectContext, cursor: Cursor | null): AsyncIterable<Batch> {
    const startUs = cursor === null ? null : cursorShape.parse(cursor).timeUs
    const place = placeAt(startUs, memory)
    const feed = new Feed(context.addressOf(feedUrl(choice.host(), startUs, context.at)), context, limits)
    try {
      for (;;) {
        const messages = await feed.next(BATCH_EVENTS)
        if (messages.length === 0) {
          if (!context.signal.aborted) choice.next()
          return
        }
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

/**
 * The did behind a handle. The AppView answers a handle that leads nowhere, or cannot be one, as a request that makes
 * no sense.
 */
async function resolveAuthor(context: CollectContext, handle: string): Promise<string | null> {
  const name = handle.trim().replace(/^@/, '').toLowerCase()
  if (!/^[a-z0-9.-]{3,253}$/.test(name) || !name.includes('.')) return null
  const reply = await askAppView(context, 'com.atproto.identity.resolveHandle', [['handle', name]])
  if (reply.status === 400 && refusalOf(reply, context.at) === 'InvalidRequest') return null
  return readReply(reply, resolvedHandle, context.at).did
}

/** A batch of what is fresh in the messages, if anything; then the fault, if the messages are no longer understood. */
function* batches(messages: readonly string[], place: Place, context: CollectContext): Iterable<Batch> {
  const taken: Read[] = []
  let lostShape = false
  for (const text of messages) {
    const message = readMessage(text)
    if (message.kind === 'odd')
      context.log.warn(
        { event: 'source.item_invalid', platform: 'bluesky', timeUs: message.timeUs, reason: message.reason },
        'Items have an unexpected form',
      )
    const fresh = place.take(message)
    if (fresh) taken.push(fresh)
    lostShape = place.lostShape()
    if (lostShape) break
  }
  if (taken.length > 0) yield { cursor: place.handOver(taken), events: taken.map((item) => item.event) }
  if (lostShape) throw new SourceFault('shape_changed', 'more than half of the last 20 posts have an unexpected form')
}

/**
 * Without a cursor the feed starts at the instant of the call, not when the connection stands, so that nothing falls
 * between.
 */
function feedUrl(host: string, startUs: number | null, at: Date): string {
  const url = new URL(`wss://${host}/subscribe`)
  url.searchParams.set('wantedCollections', POST_COLLECTION)
  url.searchParams.set('maxMessageSizeBytes', String(MAX_MESSAGE_BYTES))
  url.searchParams.set('cursor', String(startUs === null ? at.getTime() * 1000 : startUs - OVERLAP_US))
  return url.href
}

/**
 * The host to ask: the same one until two tries in a row have failed on it, or it was quiet for long, then the next,
 * round and round.
 */
function hostChoice(hosts: readonly string[]) {
  let index = 0
  let failures = 0
  const next = () => {
    failures = 0
    index += 1
  }
  return {
    host: () => hosts[index % hosts.length]!,
    answered: () => {
      failures = 0
    },
    failed: () => {
      failures += 1
      if (failures >= TRIES_PER_HOST) next()
    },
    next,
  }
}
