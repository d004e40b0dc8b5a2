import { hash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { PLATFORMS, type Platform } from '../domain/platform/platforms.ts'
import { POST_LIMITS, type Post } from '../domain/post/post.ts'
import { type Cursor, type SourceEvent, SourceFault } from '../sources/contract.ts'
import { cursorShape, type StreamBatch, type StreamEnd } from './contract.ts'

/** Raised when an older version could not read a message any more. */
const FORM = 1
/** Bounds what a small message may unpack to. */
const MOST_UNPACKED_BYTES = 4 * 1024 * 1024
/** For speed. A message mostly fits into one chunk, which halves the time of packing and unpacking. */
const CHUNK_BYTES = 128 * 1024
const PACKING = { level: 1, memLevel: 9, chunkSize: CHUNK_BYTES }
const UNPACKING = { maxOutputLength: MOST_UNPACKED_BYTES, chunkSize: CHUNK_BYTES }

export interface ReadMessage {
  id: string
  /** Posts up to and with this message, over the life of the stream. */
  posts: number
  /** Posts in this message, invalid ones included. */
  held: number
  cursor: Cursor | null
  events: SourceEvent[]
  /** Events with an unexpected form, which are left out. */
  invalid: number
}

/** The same message behind the same one has the same id, so that a repeat is stored once. */
export function writeMessage(platform: Platform, batch: StreamBatch, end: StreamEnd) {
  const held = batch.events.filter(({ isPost }) => isPost).length
  const posts = end.posts + held
  const head = JSON.stringify({ form: FORM, platform, posts, held, cursor: batch.cursor }).slice(1, -1)
  const events = batch.events.map(({ json }) => json).join(',')
  const id = hash('sha256', `${end.number} ${head} ${events}`, 'hex').slice(0, 24)
  return { id, posts, data: gzipSync(`{"id":"${id}",${head},"events":[${events}]}`, PACKING) }
}

/** Null if it is no message of this platform. SourceFault 'stream' if a later version wrote it. */
export function readMessage(platform: Platform, data: Uint8Array): ReadMessage | null {
  const message = unpacked(data)
  if (laterShape.safeParse(message).success)
    throw new SourceFault('stream', 'the post stream has messages of a later version; upgrade this process')
  const parsed = headShape.safeParse(message)
  if (!parsed.success || parsed.data.platform !== platform) return null
  const { id, posts, held, cursor, events: given } = parsed.data
  const events = given.flatMap((event) => {
    const { success, data } = eventShape.safeParse(event)
    return success && platformOf(data) === platform ? [data] : []
  })
  return { id, posts, held, cursor, events, invalid: given.length - events.length }
}

function unpacked(data: Uint8Array): unknown {
  try {
    return JSON.parse(gunzipSync(data, UNPACKING).toString())
  } catch {
    // Neither packed nor JSON: nobody's message.
    return null
  }
}

function platformOf(event: SourceEvent): Platform {
  return event.kind === 'post' ? event.post.platform : event.platform
}

const laterShape = z.object({ form: z.int().min(FORM + 1) })

const headShape = z.object({
  form: z.int().positive(),
  id: z.string().min(1).max(64),
  platform: z.enum(PLATFORMS),
  posts: z.int().nonnegative(),
  held: z.int().nonnegative(),
  cursor: cursorShape.nullable(),
  events: z.array(z.unknown()),
})

/** A little above what our own sources let through: its purpose is to keep out what none of them wrote. */
const text = z.string().max(POST_LIMITS.textBytes)
const line = z.string().max(2 * POST_LIMITS.titleCharacters)
const address = z.string().max(POST_LIMITS.addressCharacters)
const nativeId = z.string().min(1).max(POST_LIMITS.nativeIdCharacters)
const count = z.int().nonnegative().nullable()
const time = z.iso.datetime().transform((at) => new Date(at))
const platform = z.enum(PLATFORMS)

const authorShape = z.object({
  id: nativeId.nullable(),
  name: line.nullable(),
  handle: line.nullable(),
  url: address.nullable(),
  avatarUrl: address.nullable(),
  followers: count,
  automated: z.boolean().nullable(),
})

const reviewShape = z.object({
  rating: z.number(),
  ratingMax: z.number(),
  title: line.nullable(),
  version: line.nullable(),
  country: z.string().length(2).nullable(),
  verified: z.boolean().nullable(),
  response: text.nullable(),
  responseAt: time.nullable(),
  app: z.object({ platform: z.enum(['appstore', 'googleplay']), id: nativeId, url: address }).nullable(),
})

const postShape = z.object({
  platform,
  nativeId,
  url: address,
  title: line.nullable(),
  text,
  imageUrl: address.nullable(),
  links: z.array(address).max(POST_LIMITS.links),
  publishedAt: time,
  languageHint: z.string().length(2).nullable(),
  engagement: z
    .object({ likes: count, reposts: count, replies: count, quotes: count, views: count, bookmarks: count })
    .nullable(),
  replyTo: z.object({ author: line.nullable(), url: address.nullable(), text: text.nullable() }).nullable(),
  author: authorShape.nullable(),
  review: reviewShape.nullable(),
}) satisfies z.ZodType<Post>

const eventShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('post'), post: postShape }),
  z.object({ kind: z.literal('post_gone'), platform, nativeId }),
  z.object({ kind: z.literal('author_gone'), platform, authorId: nativeId }),
]) satisfies z.ZodType<SourceEvent>
