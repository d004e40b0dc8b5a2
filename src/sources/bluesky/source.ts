import { z } from 'zod'
import type { CollectContext, Cursor, LiveSource, SourceBatch } from '../contract.ts'
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
import { type JetstreamCursor, OVERLAP_US, placeAt, type YieldedEvents } from './place.ts'
import { type Message, readMessage } from './read-message.ts'
import { type BlueskyAccount, searchingAs } from './search.ts'
import { type FeedLimits, JetstreamFeed, MAX_MESSAGE_BYTES } from './socket.ts'
import { POST_COLLECTION, resolvedHandle } from './wire.ts'

/** Public instances with the same events; a cursor is valid on each. */
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
  /** In order of preference; the public ones if absent. */
  hosts?: readonly string[]
  /** Without an account there is no search. */
  account?: BlueskyAccount | null
  limits?: Partial<FeedLimits>
}

/**
 * Every post written, edited or deleted on Bluesky (Jetstream). Caches host and yielded events between calls of
 * `follow`, so an instance serves one follower.
 */
export function bluesky(options: BlueskyOptions = {}): LiveSource {
  const feedHosts = options.hosts?.length ? options.hosts : JETSTREAM_HOSTS
  const account = options.account ?? null
  const limits = { ...LIMITS, ...options.limits }
  const choice = hostChoice(feedHosts)
  const yielded: YieldedEvents = new Map()
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

  async function* follow(context: CollectContext, cursor: Cursor | null): AsyncIterable<SourceBatch> {
    const startUs = cursor === null ? null : cursorShape.parse(cursor).timeUs
    const place = placeAt(startUs, yielded)
    const feed = new JetstreamFeed(context.addressOf(feedUrl(choice.host(), startUs, context.at)), context, limits)
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

/** The AppView answers 400 for a handle that is unknown or malformed. */
async function resolveAuthor(context: CollectContext, handle: string): Promise<string | null> {
  const name = handle.trim().replace(/^@/, '').toLowerCase()
  if (!/^[a-z0-9.-]{3,253}$/.test(name) || !name.includes('.')) return null
  const reply = await askAppView(context, 'com.atproto.identity.resolveHandle', [['handle', name]])
  if (reply.status === 400 && refusalOf(reply, context.at) === 'InvalidRequest') return null
  return readReply(reply, resolvedHandle, context.at).did
}

function* batches(messages: readonly string[], place: JetstreamCursor, context: CollectContext): Iterable<SourceBatch> {
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

/** Without a cursor the feed starts at the call, so that events during the connection are not lost. */
function feedUrl(host: string, startUs: number | null, at: Date): string {
  const url = new URL(`wss://${host}/subscribe`)
  url.searchParams.set('wantedCollections', POST_COLLECTION)
  url.searchParams.set('maxMessageSizeBytes', String(MAX_MESSAGE_BYTES))
  url.searchParams.set('cursor', String(startUs === null ? at.getTime() * 1000 : startUs - OVERLAP_US))
  return url.href
}

/** Rotates after two failures in a row or a long quiet. */
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
