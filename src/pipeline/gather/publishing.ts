import type { Platform } from '../../domain/platform/platforms.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { Condition } from '../../kernel/concurrency/condition.ts'
import type { Cursor, SourceBatch } from '../../sources/contract.ts'
import type { Database } from '../../store/database.ts'
import { holdLease, type SourceLease } from '../../store/source/source-leases.ts'
import { saveCursor } from '../../store/source/source-state.ts'
import {
  type EncodedEvent,
  encodeEvent,
  MESSAGE_BYTES,
  MESSAGE_POSTS,
  type PostStream,
  type StreamEnd,
} from '../../stream/contract.ts'
import type { CollectMetrics } from '../collect/metrics.ts'
import type { Intake } from '../store/intake.ts'
import { newer } from '../store/store-group.ts'

export interface PublishOptions {
  platform: Platform
  lease: SourceLease
  stream: Pick<PostStream, 'publish'>
  db: Database
  clock: Clock
  metrics: CollectMetrics
  onPublished(): void
  onNewest?: (at: Date) => void
}

export interface GatherPlace {
  cursor: Cursor | null
  end: StreamEnd
}

const CURSOR_EVERY_MS = SECOND_MS
/** The batch that exceeds them is taken, and the next waits. */
const WAITING_EVENTS = 1000
const WAITING_BYTES = 8 * MESSAGE_BYTES

/** A batch, or a part of one that is too large for a message. */
interface Part {
  events: EncodedEvent[]
  posts: number
  bytes: number
  /** Null before the last part. */
  cursor: Cursor | null
}

/**
 * Batches that wait for a message. What comes while one is published goes into the next, so that a lone post goes at
 * once and a flood in full messages. Batches stay whole where they can: a process that takes over begins behind one.
 */
export class Publishing implements Intake {
  private readonly options: PublishOptions
  private readonly waiting: Part[] = []
  private readonly changed = new Condition()
  private readonly failing = new AbortController()
  private place: GatherPlace
  private size = { events: 0, bytes: 0 }
  private newestAt: Date | null = null
  private savedAtMs = Number.NEGATIVE_INFINITY
  private isSaved = true
  private running: Promise<void> | null = null

  constructor(options: PublishOptions, place: GatherPlace) {
    this.options = options
    this.place = place
  }

  get failed(): AbortSignal {
    return this.failing.signal
  }

  async put({ events, cursor }: SourceBatch): Promise<void> {
    this.failed.throwIfAborted()
    const { metrics, platform, onNewest } = this.options
    const parts = partsOf(events.map(encodeEvent), cursor)
    this.waiting.push(...parts)
    for (const part of parts) this.resize(part, 1)
    for (const event of events) if (event.kind === 'post') this.newestAt = newer(this.newestAt, event.post.publishedAt)
    metrics.postsRead.inc({ platform }, events.filter(({ kind }) => kind === 'post').length)
    if (this.newestAt) onNewest?.(this.newestAt)
    this.running ??= this.run()
    await this.changed.until(() => this.size.events < WAITING_EVENTS && this.size.bytes < WAITING_BYTES)
    this.failed.throwIfAborted()
  }

  async finish(): Promise<void> {
    while (this.running !== null) await this.running
    this.failed.throwIfAborted()
    if (!this.isSaved) await this.save()
  }

  private async run(): Promise<void> {
    try {
      while (this.waiting.length > 0) await this.publishNext()
    } catch (error) {
      this.failing.abort(error)
      this.waiting.length = 0
      this.size = { events: 0, bytes: 0 }
    } finally {
      this.running = null
      this.changed.notify()
    }
  }

  private async publishNext(): Promise<void> {
    const { stream, platform, clock, metrics, onPublished } = this.options
    const taken = takeMessage(this.waiting)
    const events = taken.flatMap((part) => part.events)
    const cursor = taken.findLast((part) => part.cursor !== null)?.cursor ?? this.place.cursor
    const { end } = this.place
    this.place = { cursor, end: events.length === 0 ? end : await stream.publish(platform, { events, cursor }, end) }
    metrics.postsPublished.inc({ platform }, this.place.end.posts - end.posts)
    for (const part of taken) this.resize(part, -1)
    this.isSaved = false
    onPublished()
    this.changed.notify()
    if (clock.monotonicMs() - this.savedAtMs >= CURSOR_EVERY_MS) await this.save()
  }

  private resize({ events, bytes }: Part, sign: 1 | -1): void {
    this.size = { events: this.size.events + sign * events.length, bytes: this.size.bytes + sign * bytes }
  }

  private async save(): Promise<void> {
    const { db, lease, clock } = this.options
    const { cursor, end } = this.place
    if (cursor === null) return
    await db.transaction(async (tx) => {
      await saveCursor(tx, lease.source, { cursor, ...end }, this.newestAt, clock.now())
      await holdLease(tx, lease)
    })
    this.savedAtMs = clock.monotonicMs()
    this.isSaved = true
  }
}

function partsOf(events: readonly EncodedEvent[], cursor: Cursor): Part[] {
  const parts: Part[] = []
  for (const event of events) {
    const one = { events: [event], posts: event.isPost ? 1 : 0, bytes: event.bytes, cursor: null }
    const last = parts.at(-1)
    if (last === undefined || !fitsWith(last, one)) parts.push(one)
    else {
      last.events.push(event)
      last.posts += one.posts
      last.bytes += one.bytes
    }
  }
  const last = parts.at(-1)
  if (last) last.cursor = cursor
  else parts.push({ events: [], posts: 0, bytes: 0, cursor })
  return parts
}

function takeMessage(waiting: Part[]): Part[] {
  const size = { posts: 0, bytes: 0 }
  const end = waiting.findIndex((part, at) => {
    const isOver = at > 0 && !fitsWith(size, part)
    size.posts += part.posts
    size.bytes += part.bytes
    return isOver
  })
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

type Size = Pick<Part, 'posts' | 'bytes'>

function fitsWith(taken: Size, more: Size): boolean {
  return taken.posts + more.posts <= MESSAGE_POSTS && taken.bytes + more.bytes <= MESSAGE_BYTES
}
