import { z } from 'zod'
import type { Platform } from '../domain/platform/platforms.ts'
import type { Cursor, LiveSource, SourceEvent } from '../sources/contract.ts'

/** Most posts in a message. */
export const MESSAGE_POSTS = 100
/** Most bytes of events in a message, uncompressed. Far more than any single event takes. */
export const MESSAGE_BYTES = 512 * 1024

/** An event as it is written into a message. */
export interface EncodedEvent {
  json: string
  bytes: number
  isPost: boolean
}

/** What one message holds. */
export interface StreamBatch {
  /** In the platform's order, within the limits above. */
  events: readonly EncodedEvent[]
  /** The platform's cursor; events behind it may already be in the message. Null if the platform gave none yet. */
  cursor: Cursor | null
}

/** Where a gatherer publishes: behind the message of this number, 0 at the beginning. */
export interface StreamEnd {
  number: number
  /** Posts published up to that message, over the life of the stream. */
  posts: number
}

/** The end of a stream, with the newest message's cursor. `posts` and `cursor` are null if it is kept no longer. */
export interface NewestMessage {
  number: number
  posts: number | null
  cursor: Cursor | null
}

export interface StreamState {
  /** Number of the first message that is kept; one above `last` if none is. */
  first: number
  /** Number of the newest message, 0 in a new stream. */
  last: number
  bytes: number
}

/**
 * Posts of live platforms, a stream of numbered messages for each, kept for a while. Every method rejects with
 * SourceFault 'stream' if the server cannot be reached, refuses or does not answer within seconds.
 */
export interface PostStream {
  /** Creates the platform's stream if it is missing, and sets how long messages are kept. */
  prepare(platform: Platform): Promise<void>
  newest(platform: Platform): Promise<NewestMessage>
  /**
   * Resolves when the server has stored the message. StreamMoved, with nothing stored, if another message came behind
   * `end` meanwhile. A repeat within two minutes is stored once.
   */
  publish(platform: Platform, batch: StreamBatch, end: StreamEnd): Promise<StreamEnd>
  /**
   * The source as the stream tells it: its cursor is a place in the stream, and the platform's own beside it, so that
   * a cell may leave or join the stream without a loss.
   */
  followed(source: LiveSource): LiveSource
  /** Null if there is no stream of the platform. */
  state(platform: Platform): Promise<StreamState | null>
  /** The server in words. */
  describe(): Promise<string>
  close(): Promise<void>
}

/** Another gatherer published meanwhile. */
export class StreamMoved extends Error {
  constructor(platform: Platform) {
    super(`another process publishes posts of ${platform}`)
    this.name = 'StreamMoved'
  }
}

/** A place in the stream as a cell stores it. */
export interface StreamPlace {
  number: number
  /** Posts that left the stream before this cell read them. */
  lost: number
}

/** A platform's own cursor. */
export const cursorShape = z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())]))

/** What a cell's cursor says of its place. */
export const placeShape = z.object({ streamNumber: z.int().nonnegative(), streamLost: z.int().nonnegative() })

/** Null if the cursor is of a platform that was not read from a stream. */
export function placeIn(cursor: unknown): StreamPlace | null {
  const { success, data } = placeShape.safeParse(cursor)
  return success ? { number: data.streamNumber, lost: data.streamLost } : null
}

export function encodeEvent(event: SourceEvent): EncodedEvent {
  const json = JSON.stringify(event)
  return { json, bytes: Buffer.byteLength(json), isPost: event.kind === 'post' }
}
