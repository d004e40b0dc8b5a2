import { z } from 'zod'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { merged } from '../../kernel/concurrency/merged.ts'
import { type CollectContext, type Cursor, type OpenReply, type SourceBatch, SourceFault } from '../contract.ts'
import { faultOfStatus } from '../reply-fault.ts'
import { ShapeWatch } from '../shape-watch.ts'
import { credentialsFor, type HomeServer, targetOf } from './api.ts'
import { CatchUp, OVERLAP_MS, type ServerPage } from './catch-up.ts'
import { eventsOf, type StreamEvent, type StreamLimits } from './event-stream.ts'
import { arrivalMsOf, idBefore, isId } from './ids.ts'
import type { KnownPosts } from './known-posts.ts'
import type { PagePace } from './page-pace.ts'
import { type Honoured, isWanted, timeOf, toPost } from './to-post.ts'
import { type Status, status } from './wire.ts'

/** What lasts over connections. */
export interface FollowOptions {
  /** Origin of the event stream. */
  stream: string
  servers: readonly string[]
  home: HomeServer | null
  honoured: Honoured
  known: KnownPosts
  pace: PagePace
  refusals: Refusals
  clock: Clock
  limits: StreamLimits & { settleMs: number }
}

const cursorShape = z.object({
  /** Of the last stored batch. */
  batch: z.int().nonnegative(),
  /** Unix milliseconds: what the stream brought until then was handed over. */
  timeMs: z.number().positive(),
  /** `server|id` of servers whose timelines still miss posts. */
  pending: z.array(z.string()),
})
type Position = z.infer<typeof cursorShape>

/** Between two readings for messages that could not be understood. */
const REPAIR_EVERY_MS = 5 * MINUTE_MS
const STREAM_PATH = '/api/v1/streaming/public'

export async function* follow(
  context: CollectContext,
  cursor: Cursor | null,
  options: FollowOptions,
): AsyncIterable<SourceBatch> {
  const run = new Run(context, cursor === null ? null : cursorShape.parse(cursor), options)
  const opened = await openStream(context, options).catch((fault: unknown) => ({ fault }))
  const over = new AbortController()
  let ending: { fault: unknown } | null = null
  if ('fault' in opened) {
    ending = opened
    over.abort()
  }
  const first = run.begin(!('fault' in opened))
  if (first) yield first
  const parts = [run.catchUp.pages(over.signal), ...('fault' in opened ? [] : [stream(opened)])]
  try {
    for await (const part of merged<ServerPage | StreamEvent[]>(parts)) {
      const batch = Array.isArray(part) ? run.takeEvents(part) : run.takePage(part)
      if (batch) yield batch
      run.judge()
    }
  } finally {
    over.abort()
    if (!('fault' in opened)) opened.close()
  }
  if (ending && !context.signal.aborted) throw ending.fault

  /** A broken stream leaves the pages to finish what needs no waiting. */
  async function* stream(reply: OpenReply): AsyncIterable<StreamEvent[]> {
    try {
      yield* eventsOf(reply, options.limits, context, options.clock)
    } catch (fault) {
      ending = { fault }
    } finally {
      over.abort()
    }
  }
}

/** Asks a refusing stream ever more rarely, up to an hour. */
export class Refusals {
  private count = 0

  note(fault: SourceFault): SourceFault {
    if (fault.kind !== 'credentials' && fault.kind !== 'gone') return fault
    const retryAfterSeconds = fault.retryAfterSeconds ?? Math.min(3600, 5 * 2 ** Math.min(this.count, 10))
    this.count += 1
    return new SourceFault(fault.kind, fault.message, { retryAfterSeconds, cause: fault })
  }

  end(): void {
    this.count = 0
  }
}

/** Servers may send readers on to a host of their own. */
async function openStream(context: CollectContext, { stream, home, refusals }: FollowOptions): Promise<OpenReply> {
  const address = `${stream}${STREAM_PATH}`
  let reply = await open(address)
  const target = reply.status >= 300 && reply.status < 400 ? targetOf(reply.headers['location'], address) : null
  if (target !== null) {
    reply.close()
    reply = await open(target)
  }
  const fault = faultOfStatus(reply.status, reply.headers, context.at) ?? faultOfType(reply)
  if (fault === null) {
    refusals.end()
    return reply
  }
  reply.close()
  throw refusals.note(fault)

  function open(url: string): Promise<OpenReply> {
    return context.open(url, { accept: 'text/event-stream', ...credentialsFor(url, home) })
  }
}

function faultOfType({ headers }: OpenReply): SourceFault | null {
  const type = headers['content-type'] ?? ''
  return type.includes('text/event-stream') ? null : new SourceFault('unavailable', 'the reply is no event stream')
}

class Run {
  readonly catchUp: CatchUp
  private readonly context: CollectContext
  private readonly options: FollowOptions
  private readonly start: Position | null
  private readonly beganMs: number
  private readonly shape = new ShapeWatch()
  private batch: number
  private newestMs: number
  private repairedAtMs = Number.NEGATIVE_INFINITY

  constructor(context: CollectContext, start: Position | null, options: FollowOptions) {
    const { clock, home, pace, limits } = options
    this.context = context
    this.options = options
    this.start = start
    this.beganMs = clock.monotonicMs()
    this.batch = (start?.batch ?? 0) + 1
    this.newestMs = start?.timeMs ?? context.at.getTime()
    this.catchUp = new CatchUp({
      context,
      clock,
      home,
      pace,
      nowMs: () => this.nowMs(),
      settleMs: limits.settleMs,
    })
  }

  /** Without a cursor reading starts at the present, and the cursor is stored at once. */
  begin(hasStream: boolean): SourceBatch | null {
    const { known, servers } = this.options
    const unstored = known.resume(this.start?.batch ?? null)
    if (this.start === null) return hasStream ? this.hand([]) : null
    const after = new Map(this.start.pending.map((entry) => entry.split('|') as [string, string]))
    const overlap = idBefore(this.start.timeMs - OVERLAP_MS)
    for (const server of servers) {
      const pending = after.get(server) ?? ''
      this.catchUp.begin(server, isId(pending) ? pending : overlap, hasStream)
    }
    return unstored.length > 0 ? this.hand(unstored) : null
  }

  takePage({ server, statuses }: ServerPage): SourceBatch | null {
    const at = new Date(this.nowMs())
    const events = statuses.flatMap((item) => this.take(item, server, at) ?? [])
    return this.hand(events)
  }

  takeEvents(events: readonly StreamEvent[]): SourceBatch | null {
    const at = new Date(this.nowMs())
    const taken = events.flatMap((event) => this.takeEvent(event, at) ?? [])
    return taken.length > 0 ? this.hand(taken) : null
  }

  /** Throws when the stream has changed its form. */
  judge(): void {
    if (this.shape.isLost)
      throw new SourceFault('shape_changed', 'more than half of the last 20 posts have an unexpected form')
  }

  private takeEvent({ name, data }: StreamEvent, at: Date): SourceBatch['events'][number] | null {
    if (name === 'delete') return this.options.known.takeGone(data.trim(), this.batch)
    if (name !== 'update' && name !== 'status.update') return null
    const parsed = status.safeParse(jsonOrNull(data))
    const post = parsed.success ? parsed.data : null
    if (post === null) {
      this.noteOdd(parsed.error?.issues[0]?.path.join('.') ?? '')
      return null
    }
    this.shape.note(null)
    this.noteTime(post, at)
    const { stream, home } = this.options
    return this.take(post, home && stream === `https://${home.host}` ? home.host : null, at)
  }

  private take(item: Status, server: string | null, at: Date): SourceBatch['events'][number] | null {
    const { known, honoured } = this.options
    const post = isWanted(item, honoured) ? toPost(item, { server, at }) : null
    return known.take(item, post, this.batch)
  }

  private noteOdd(reason: string): void {
    const { clock, servers } = this.options
    this.context.log.warn(
      { event: 'source.item_invalid', platform: 'mastodon', reason },
      'Items have an unexpected form',
    )
    this.shape.note(this.newestMs)
    if (clock.monotonicMs() - this.repairedAtMs < REPAIR_EVERY_MS) return
    this.repairedAtMs = clock.monotonicMs()
    this.catchUp.repair(servers, this.newestMs)
  }

  /** By the servers' time of arrival, since events may wait on the way to here. */
  private noteTime({ id, created_at }: Status, at: Date): void {
    const nowMs = at.getTime()
    const ms = arrivalMsOf(id, nowMs + MINUTE_MS) ?? timeOf(created_at)?.getTime() ?? 0
    this.newestMs = Math.max(this.newestMs, Math.min(ms, nowMs))
  }

  private hand(events: SourceBatch['events']): SourceBatch {
    const timeMs = Math.min(this.newestMs, this.shape.heldAt)
    const cursor = { batch: this.batch, timeMs, pending: this.catchUp.cursor }
    this.batch += 1
    return { events, cursor }
  }

  private nowMs(): number {
    return this.context.at.getTime() + Math.round(this.options.clock.monotonicMs() - this.beganMs)
  }
}

export const SETTLE_MS = { ownServer: 10 * SECOND_MS, relay: MINUTE_MS }

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Null fits no shape.
    return null
  }
}
