import type { Platform } from '../domain/post/platform.ts'
import type { Post } from '../domain/post/post.ts'
import type { Log } from '../kernel/log.ts'

/** Where a source has got to. Opaque to everybody but the source itself; JSON, so that it can be stored. */
export type Cursor = { readonly [field: string]: string | number | readonly string[] }

/** Something that happened on a platform. */
export type SourceEvent =
  | { kind: 'post'; post: Post }
  /** The post is no longer there. */
  | { kind: 'post_gone'; platform: Platform; nativeId: string }
  /** The person is no longer there, and none of their posts. */
  | { kind: 'author_gone'; platform: Platform; authorId: string }

/**
 * Events in the order of the platform, and the cursor that stands behind the last of them. The caller stores the cursor
 * only together with everything that the events led to, so a batch may be handed over again after a crash.
 */
export interface Batch {
  events: SourceEvent[]
  cursor: Cursor
}

/** The closed set of ways in which collecting can fail; the caller owns retry, back-off and reporting. */
export type FaultKind = 'throttled' | 'unavailable' | 'credentials' | 'shape_changed' | 'gone'

export class SourceFault extends Error {
  readonly kind: FaultKind
  readonly retryAfterSeconds: number | null

  constructor(kind: FaultKind, message: string, more: { retryAfterSeconds?: number | null; cause?: unknown } = {}) {
    super(message, { cause: more.cause })
    this.name = 'SourceFault'
    this.kind = kind
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }
}

/** A reply to an http request of a source, read whole. */
export interface SourceReply {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/** What a source is handed: its only doors to the outside. */
export interface CollectContext {
  /**
   * Asks an address of the platform's own hosts. Redirection to another host, a reply over 10 MB, or a wait over 15 s
   * fail with SourceFault 'unavailable'; statuses are answered as they are. Every host is replaced when the platform's
   * address is set.
   */
  fetch(url: string, init?: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }): Promise<SourceReply>
  /**
   * The address to really connect to for one of the platform's own hosts: itself, or under the address that is set.
   * For connections that `fetch` does not serve, such as web sockets.
   */
  addressOf(url: string): string
  userAgent: string
  /** The instant of the poll. */
  at: Date
  signal: AbortSignal
  log: Log
}

interface SourceBase {
  platform: Platform
  /** Hosts that the source may ask; nothing else is reachable. A leading dot admits sub-domains. */
  hosts: readonly string[]
}

/** A feed that is held open: events arrive on their own. */
export interface LiveSource extends SourceBase {
  mode: 'live'
  /**
   * Yields batches until the signal is aborted. It connects once: a broken connection, or 60 s of silence, ends it with
   * SourceFault, and the caller starts it again from the last stored cursor. Without a cursor it starts at the present.
   */
  follow(context: CollectContext, cursor: Cursor | null): AsyncIterable<Batch>
}

/** A feed of everything on a platform that is asked for again and again. */
export interface StreamSource extends SourceBase {
  mode: 'stream'
  /** Seconds between two polls unless the operator says otherwise. */
  pollSeconds: number
  /** Everything that appeared since the cursor, oldest first. Without a cursor: from the present on. */
  poll(context: CollectContext, cursor: Cursor | null): AsyncIterable<Batch>
}

export type Source = LiveSource | StreamSource
