import type { ReviewPage } from '../domain/keyword/review-source.ts'
import type { Platform } from '../domain/platform/platforms.ts'
import type { Post } from '../domain/post/post.ts'
import type { MissingSetting } from '../domain/source/missing-setting.ts'
import type { Log } from '../kernel/log.ts'
import type { PostDraft } from './normal-post.ts'

/** Position of a source. Opaque to callers; JSON, so that it can be stored. */
export type Cursor = { readonly [field: string]: string | number | readonly string[] }

export type SourceEvent =
  | { kind: 'post'; post: Post }
  /** The post was deleted. */
  | { kind: 'post_gone'; platform: Platform; nativeId: string }
  /** The account and all its posts were deleted. */
  | { kind: 'author_gone'; platform: Platform; authorId: string }

/**
 * Events in the platform's order and the cursor behind the last one. The caller stores both in one transaction, so a
 * batch may come again after a crash.
 */
export interface SourceBatch {
  events: SourceEvent[]
  cursor: Cursor
}

/** The ways in which collecting can fail; 'stream' is the post stream. The caller owns retry, backoff and reporting. */
export type SourceFaultKind = 'throttled' | 'unavailable' | 'credentials' | 'shape_changed' | 'gone' | 'stream'

export class SourceFault extends Error {
  readonly kind: SourceFaultKind
  readonly retryAfterSeconds: number | null
  /** True if a quota is used up for the day, so that a short wait is useless. */
  readonly daily: boolean
  /** True if only the requested term or page is affected; others may be requested meanwhile. */
  readonly onlyThis: boolean

  constructor(kind: SourceFaultKind, message: string, more: FaultDetails = {}) {
    super(message, { cause: more.cause })
    this.name = 'SourceFault'
    this.kind = kind
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
    this.daily = more.daily ?? false
    this.onlyThis = more.onlyThis ?? kind === 'gone'
  }
}

export interface FaultDetails {
  retryAfterSeconds?: number | null
  daily?: boolean
  /** True by default for `gone`. */
  onlyThis?: boolean
  cause?: unknown
}

/** Thrown by our own limits, before a request. */
export class QuotaReached extends SourceFault {
  constructor(message: string, retryAfterSeconds: number, daily: boolean) {
    super('throttled', message, { retryAfterSeconds, daily })
    this.name = 'QuotaReached'
  }
}

export interface SourceReply {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/** Amount by quota, such as { searches: 1 } or { microUsd: 5000 }. */
export type Cost = Readonly<Record<string, number>>

/** A reply that is read while it arrives. */
export interface OpenReply {
  status: number
  headers: Readonly<Record<string, string>>
  /** Read once. Reading rejects with SourceFault 'unavailable' when the connection breaks. */
  chunks: AsyncIterable<Uint8Array>
  close(): void
}

export interface SourceRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** Charged before the request; nothing if absent. */
  cost?: Cost
  /** Returns redirects like other statuses, for links that are followed by hand. */
  redirect?: 'manual'
  /** Longest wait for the whole reply in milliseconds, at most 300,000. */
  timeoutMs?: number
}

export interface Budget {
  /** Resolves when the request may be made, with its cost charged. SourceFault 'throttled' if the wait is too long. */
  take(cost: Cost, signal: AbortSignal): Promise<void>
  /** Charges a difference afterwards. */
  spend(cost: Cost): void
}

/** The only access of a source to the network. */
export interface CollectContext {
  /**
   * Requests an address of the declared hosts and returns any status. Waits for the quotas: a wait that is too long or
   * a quota used up for the day is SourceFault 'throttled'. A redirect to another host, a reply over 10 MB and a wait
   * over 15 s are SourceFault 'unavailable'. The operator's address for the platform replaces every host.
   */
  fetch(url: string, init?: SourceRequest): Promise<SourceReply>
  /** Charges what a reply cost beyond its request, negative if it cost less, on the day of the request. */
  spend(cost: Cost): void
  /**
   * Requests a reply without end, such as an event stream. Resolves with any status within 15 s; redirects are not
   * followed. Faults as with `fetch`. Charges nothing.
   */
  open(url: string, headers: Readonly<Record<string, string>>): Promise<OpenReply>
  /**
   * The address to connect to for a platform's address: itself or its replacement. For connections other than `fetch`,
   * such as web sockets.
   */
  addressOf(url: string): string
  userAgent: string
  at: Date
  signal: AbortSignal
  log: Log
}

/**
 * A limit of one quota. `paced`: at most `most` in any `perSeconds`, spread evenly, with bursts of `burst`. `daily`: a
 * hard cap per calendar day.
 */
export type Limit =
  | { quota: string; kind: 'paced'; most: number; perSeconds: number; burst: number }
  | { quota: string; kind: 'daily'; most: number; timeZone: 'UTC' | 'America/Los_Angeles' }

export { MONEY } from '../domain/source/money.ts'

/** In `hosts`: any host that the egress guard lets through. */
export const ANY_HOST = '*'

interface SourceBase {
  platform: Platform
  /** The only reachable hosts. A leading dot admits subdomains. Empty where each place has its own. */
  hosts: readonly string[]
  /** Several limits of one quota apply together. */
  limits: readonly Limit[]
  /** The platform whose quotas it shares, with the same limits; its own if absent. */
  countsWith?: Platform
  /**
   * Fills in what the first reply lacks (followers, avatar, parent, counts) for matched posts, free or within a budget.
   * Returns the same posts in order, with the same ids and texts. Fails like collecting; the posts are then stored
   * unchanged.
   */
  enrich?(context: CollectContext, posts: readonly Post[]): Promise<Post[]>
  /** The platform's id of a handle; null if there is no such person. */
  resolveAuthor?(context: CollectContext, handle: string): Promise<string | null>
}

export interface LiveSource extends SourceBase {
  mode: 'live'
  /**
   * Yields batches until the signal aborts. Connects once: a broken or dead connection ends with SourceFault, a live
   * one that is quiet for long ends normally. The caller restarts from the last stored cursor. Starts at the present
   * without a cursor.
   */
  follow(context: CollectContext, cursor: Cursor | null): AsyncIterable<SourceBatch>
  searching?: Searching
}

/** A feed of a whole platform that is polled. */
export interface StreamSource extends SourceBase {
  mode: 'stream'
  /** Seconds between two polls by default. */
  pollSeconds: number
  /** Everything since the cursor, oldest first; from the present on without a cursor. */
  poll(context: CollectContext, cursor: Cursor | null): AsyncIterable<SourceBatch>
  searching?: Searching
}

export interface SearchQuery {
  /** Phrases as people wrote them; a post must hold one of them. 1 to `termsPerSearch`, accepted by `fits`. */
  terms: readonly string[]
  /** Earlier posts are not wanted. Platforms with coarser times are asked for more. */
  since: Date
  /** Most posts wanted, the newest first. */
  limit: number
}

export interface Searching {
  /** Most phrases in one search. */
  termsPerSearch: number
  /** Most posts that a poll may read where reading costs money. */
  mostPosts?: number
  /** True if a search takes too long for interactive use. */
  slow?: boolean
  /** Whether these phrases fit one request; true if absent. A single phrase always fits. */
  fits?(terms: readonly string[]): boolean
  /**
   * Batches of candidate posts, newest first. Platforms stem and fold, so the caller matches them itself. Ends at
   * `since`, at `limit` or at the end of the results. Later searches may repeat posts.
   */
  search(context: CollectContext, query: SearchQuery): AsyncIterable<Post[]>
}

/** A platform that is searched per term. */
export interface SearchSource extends SourceBase {
  mode: 'search'
  /** Seconds between two polls of a term by default. */
  pollSeconds: number
  /** Days that the first poll of a term looks back. */
  lookBackDays: number
  /** Seconds that a poll looks behind the last one: the platform's indexing delay. */
  overlapSeconds: number
  searching: Searching
}

/** A review page in one storefront or language. */
export interface ReviewPageQuery {
  /** Store number, package name, company domain or place id. */
  id: string
  /** Two lowercase letters where the platform has storefronts, else null. */
  country: string | null
  /** A language tag such as `en` or `pt-BR` where the platform is read by language, else null. */
  language: string | null
}

export interface PageSource extends SourceBase {
  mode: 'page'
  /** Seconds between two polls of a page by default. */
  pollSeconds: number
  /** Seconds that a poll looks behind the last one. */
  overlapSeconds: number
  /**
   * Batches of reviews back to `since`, newest first where the platform can sort. SourceFault 'gone' if the page does
   * not exist.
   */
  read(context: CollectContext, page: ReviewPageQuery, since: Date): AsyncIterable<Post[]>
  /** The review page behind a link that does not name it, such as a short link; null if there is none. */
  resolveLink?(context: CollectContext, link: string): Promise<ReviewPage | null>
}

/** A place of a platform that has very many, such as a feed or a forum. */
export interface Place {
  /** In canonical form. */
  address: string
  /** When the place was named: earlier posts do not count as new. */
  since: Date
}

export interface PlacePoll {
  /** Posts that the cursor did not know. */
  posts: Post[]
  cursor: Cursor
  /** The name that the place gives itself; null if this reply has none. */
  title: string | null
  /** Seconds that the place asks its readers to stay away, at most a day; null if it asks nothing. */
  restSeconds: number | null
}

/** What an address that a person named leads to. */
export interface FoundPlace {
  address: string
  title: string | null
}

/** A platform of very many places, each named by a person or by the operator and polled by itself. */
export interface PlacesSource extends SourceBase {
  mode: 'places'
  /** Seconds between two polls of a place by default. */
  pollSeconds: number
  /** Addresses that the operator named, in canonical form. */
  named: readonly string[]
  /** The hosts that polling this place may reach. */
  hostsOf(address: string): readonly string[]
  /**
   * What is new at a place since the cursor; since it was named without a cursor. Faults concern the place, or its host
   * where they say `throttled` or `unavailable` and not `onlyThis`.
   */
  poll(context: CollectContext, place: Place, cursor: Cursor | null): Promise<PlacePoll>
  /**
   * The place behind an address that a person wrote, which may be a page that links to it. SourceFault 'gone' if there
   * is none, with a message for that person.
   */
  find(context: CollectContext, address: string): Promise<FoundPlace>
}

/** The platform under which the quotas and the pauses of a source are stored. */
export function quotaPlatform({ platform, countsWith }: Pick<Source, 'platform' | 'countsWith'>): Platform {
  return countsWith ?? platform
}

export type FeedSource = LiveSource | StreamSource
export type QuerySource = SearchSource | PageSource
export type Source = FeedSource | QuerySource | PlacesSource

export function isFeed(source: Source): source is FeedSource {
  return source.mode === 'live' || source.mode === 'stream'
}

export function isLive(source: Source): source is LiveSource {
  return source.mode === 'live'
}

export interface SourceSetup {
  platform: Platform
  /** How posts arrive: live, by repeated searches, or from review pages. */
  mode: 'live' | 'search' | 'reviews'
  /** Null if settings are missing or the operator switched the platform off. */
  source: Source | null
  /** Settings whose absence prevents the source; empty if there is a source. */
  missing: readonly MissingSetting[]
  /** True if the operator switched the platform off. */
  off: boolean
}

export interface Sources {
  readonly setups: readonly SourceSetup[]
  /** Why an address that a person named may not be asked, continuing the name of its field; null if it may. */
  checkAddress(address: string): { reason: string } | null
  /**
   * A post as it would have been collected at `at`: bounded, in normal form. Null for an invalid address or id.
   */
  normalPost(draft: PostDraft, at: Date): Post | null
  /** Network access for one task; requests count against the quotas that all processes share. */
  contextFor(source: Source, at: Date, signal: AbortSignal): CollectContext
}
