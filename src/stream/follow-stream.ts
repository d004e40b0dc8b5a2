import { z } from 'zod'
import type { Platform } from '../domain/platform/platforms.ts'
import { type CollectContext, type Cursor, type SourceBatch, SourceFault } from '../sources/contract.ts'
import { placeShape } from './contract.ts'
import type { LogMessage, LogState, MessageLog } from './message-log.ts'
import { logNameOf } from './names.ts'
import { readMessage } from './wire.ts'

/** Beside these fields a stored cursor has those of the platform's own cursor. */
const wholePlaceShape = placeShape.extend({
  /** Which log the number is of. */
  streamLog: z.string(),
  /** Id of the message with this number; empty if none was read. */
  streamMessage: z.string(),
  /** Posts published up to that message; -1 if unknown. */
  streamPosts: z.int().min(-1),
})
type Place = z.infer<typeof wholePlaceShape>

/**
 * A platform's batches from its stream. Without a cursor it begins at the present, and with a cursor of the platform
 * itself at the first message that is kept, since posts that come twice are stored once.
 */
export async function* followStream(
  log: MessageLog,
  platform: Platform,
  context: CollectContext,
  cursor: Cursor | null,
): AsyncIterable<SourceBatch> {
  const state = await log.state(logNameOf(platform))
  if (state === null)
    throw new SourceFault('stream', `there is no post stream of ${platform}; start a process with the role gather`)
  const { place, own } = await beginning(log, platform, state, cursor, context)
  const reading = new Reading(platform, context, place, own)
  // Stored at once: a cell that stops before the first post would begin at a later present.
  if (cursor === null) yield { events: [], cursor: reading.cursor }
  for await (const message of log.follow(logNameOf(platform), reading.next, context.signal)) {
    const batch = reading.take(message)
    if (batch) yield batch
  }
}

async function beginning(
  log: MessageLog,
  platform: Platform,
  { id, first, last }: LogState,
  cursor: Cursor | null,
  context: CollectContext,
): Promise<{ place: Place; own: Cursor }> {
  if (cursor === null) {
    const newest = await messageAt(log, platform, last)
    const place = placeOf(id, last, { streamMessage: newest?.id ?? '', streamPosts: newest?.posts ?? -1 })
    return { place, own: newest?.cursor ?? {} }
  }
  const { success, data: place } = wholePlaceShape.safeParse(cursor)
  if (!success) return { place: placeOf(id, first - 1), own: cursor }
  if (place.streamLog === id && place.streamNumber <= last && (await isStill(log, platform, first, place)))
    return { place, own: cursor }
  context.log.error(
    { event: 'stream.replaced', platform, number: place.streamNumber, first, last },
    'The post stream is another one than before; it is read from its first message on, and posts may be missing',
  )
  return { place: placeOf(id, first - 1, { streamLost: place.streamLost }), own: cursor }
}

/** A server that lost its newest messages gives their numbers to others. */
async function isStill(log: MessageLog, platform: Platform, first: number, place: Place): Promise<boolean> {
  if (place.streamNumber < first || place.streamMessage === '') return true
  const message = await messageAt(log, platform, place.streamNumber)
  return message === null || message.id === place.streamMessage
}

async function messageAt(log: MessageLog, platform: Platform, number: number) {
  const message = number === 0 ? null : await log.read(logNameOf(platform), number)
  return message && readMessage(platform, message.data)
}

function placeOf(streamLog: string, streamNumber: number, more: Partial<Place> = {}): Place {
  return { streamLog, streamNumber, streamMessage: '', streamPosts: -1, streamLost: 0, ...more }
}

class Reading {
  private readonly platform: Platform
  private readonly context: CollectContext
  private place: Place
  private own: Cursor

  constructor(platform: Platform, context: CollectContext, place: Place, own: Cursor) {
    this.platform = platform
    this.context = context
    this.place = place
    this.own = own
  }

  get next(): number {
    return this.place.streamNumber + 1
  }

  get cursor(): Cursor {
    return { ...this.own, ...this.place }
  }

  /** Null for a message that was taken before. */
  take({ number, data }: LogMessage): SourceBatch | null {
    if (number < this.next) return null
    const message = readMessage(this.platform, data)
    if (message === null) {
      this.warn(number, 'the message is not one of ours')
      this.place = { ...this.place, streamNumber: number, streamMessage: '' }
      return { events: [], cursor: this.cursor }
    }
    if (message.invalid > 0) this.warn(number, `${message.invalid} events have an unexpected form`)
    const { id, posts, held } = message
    const lost = this.noteLost(number, posts - held)
    this.own = message.cursor ?? this.own
    this.place = {
      ...this.place,
      streamNumber: number,
      streamMessage: id,
      streamPosts: posts,
      streamLost: this.place.streamLost + lost,
    }
    return { events: message.events, cursor: this.cursor }
  }

  /** Posts between the last message that was read and this one. */
  private noteLost(number: number, before: number): number {
    const { streamPosts } = this.place
    if (number === this.next || streamPosts < 0 || before <= streamPosts) return 0
    const lost = before - streamPosts
    this.context.log.error(
      { event: 'stream.posts_lost', platform: this.platform, posts: lost, from: this.next, to: number },
      'Posts left the post stream before they were read; let it keep more, or find out why this cell was so late',
    )
    return lost
  }

  private warn(number: number, reason: string): void {
    const { platform } = this
    this.context.log.warn({ event: 'source.item_invalid', platform, number, reason }, 'Items have an unexpected form')
  }
}
