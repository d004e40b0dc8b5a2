import type { ReviewPage } from '../domain/keyword/review-source.ts'
import type { Platform } from '../domain/platform/platforms.ts'
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
  /** True when a quota is used up for the day, so that waiting a moment helps nobody. */
  readonly daily: boolean
  /** True when the trouble is with what was asked for alone; other terms and pages may be asked for meanwhile. */
  readonly onlyThis: boolean

  constructor(kind: FaultKind, message: string, more: FaultDetails = {}) {
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
  /** What is gone is so for itself, unless told otherwise. */
  onlyThis?: boolean
  cause?: unknown
}

/** The source's own limits say no, before anything was asked. */
export class QuotaReached extends SourceFault {
  constructor(message: string, retryAfterSeconds: number, daily: boolean) {
    super('throttled', message, { retryAfterSeconds, daily })
    this.name = 'QuotaReached'
  }
}

/** A reply to an http request of a source, read whole. */
export interface SourceReply {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/** How much of each of the source's quotas something takes, such as { searches: 1 } or { microUsd: 5000 }. */
export type Cost = Readonly<Record<string, number>>

/** How a source asks. */
export interface SourceRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** What the request takes of the source's quotas; nothing when absent. It is taken before the request is made. */
  cost?: Cost
  /** Redirections are answered like other statuses instead of being followed; for links that are followed by hand. */
  redirect?: 'manual'
  /** Longest wait for the whole reply in milliseconds, for requests that take the platform long; at most 300,000. */
  timeoutMs?: number
}

/** Who watches over the quotas of a source. */
export interface Budget {
  /**
   * Resolves once the request may be made, and its cost is taken; fails with SourceFault 'throttled' when that is too
   * far away.
   */
  take(cost: Cost, signal: AbortSignal): Promise<void>
  /** Counts a difference afterwards. */
  spend(cost: Cost): void
}

/** What a source is handed: its only doors to the outside. */
export interface CollectContext {
  /**
   * Asks an address of the platform's own hosts. Redirection to another host, a reply over 10 MB, or a wait over 15 s
   * fail with SourceFault 'unavailable'; statuses are answered as they are. Every host is replaced when the platform's
   * address is set. Waits until the quotas allow the request; a wait that would be too long, or a quota that is used up
   * for the day, is SourceFault 'throttled'.
   */
  fetch(url: string, init?: SourceRequest): Promise<SourceReply>
  /**
   * Counts what a reply turned out to cost beyond what its request had taken; negative when it cost less. It belongs to
   * the day on which the request was made.
   */
  spend(cost: Cost): void
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

/**
 * A limit on what is taken of one quota. `paced`: at most `most` in any `perSeconds`, spread evenly, with up to `burst`
 * at once. `daily`: a hard cap by calendar day.
 */
export type Limit =
  | { quota: string; kind: 'paced'; most: number; perSeconds: number; burst: number }
  | { quota: string; kind: 'daily'; most: number; timeZone: 'UTC' | 'America/Los_Angeles' }

export { MONEY } from '../domain/source/money.ts'

interface SourceBase {
  platform: Platform
  /** Hosts that the source may ask; nothing else is reachable. A leading dot admits sub-domains. */
  hosts: readonly string[]
  /** What may be taken of each quota; several limits of one quota hold together. */
  limits: readonly Limit[]
  /**
   * Fills in what the first reply does not say (followers, avatar, parent, counts) for posts that matched, where it is
   * free or within a budget. Answers as many posts in the same order, with the same ids and texts. It fails as
   * collecting does, and the posts are then stored as they were.
   */
  enrich?(context: CollectContext, posts: readonly Post[]): Promise<Post[]>
  /** The platform's own id of a person who is known by handle only; null when there is nobody of that name. */
  resolveAuthor?(context: CollectContext, handle: string): Promise<string | null>
}

/** A feed that is held open: events arrive on their own. */
export interface LiveSource extends SourceBase {
  mode: 'live'
  /**
   * Yields batches until the signal is aborted. It connects once: a connection that is broken, or silent and dead, ends
   * it with SourceFault, one that is alive and brings nothing for long without. Either way the caller starts it again
   * from the last stored cursor. Without a cursor it starts at the present.
   */
  follow(context: CollectContext, cursor: Cursor | null): AsyncIterable<Batch>
  searching?: Searching
}

/** A feed of everything on a platform that is asked for again and again. */
export interface StreamSource extends SourceBase {
  mode: 'stream'
  /** Seconds between two polls unless the operator says otherwise. */
  pollSeconds: number
  /** Everything that appeared since the cursor, oldest first. Without a cursor: from the present on. */
  poll(context: CollectContext, cursor: Cursor | null): AsyncIterable<Batch>
  searching?: Searching
}

/** What posts are wanted. */
export interface SearchQuery {
  /**
   * Phrases as people wrote them; a post is wanted that holds one of them. At least one, at most `termsPerSearch`, and
   * such that `fits` admits.
   */
  terms: readonly string[]
  /** Posts from before are not wanted. A platform that cannot be asked for exactly this is asked for more. */
  since: Date
  /** So many of the newest suffice. */
  limit: number
}

/** Asking a platform for posts that hold a phrase. */
export interface Searching {
  /** Most phrases that one request serves. */
  termsPerSearch: number
  /** The most posts that one poll may read, where reading costs; the caller then asks for no more. */
  mostPosts?: number
  /** True when a search takes longer than a caller waits: then it is for polls only. */
  slow?: boolean
  /** Whether these phrases fit one request; true when absent. A single phrase always does. */
  fits?(terms: readonly string[]): boolean
  /**
   * Posts in portions, newest first, in which the platform says that a phrase stands: candidates, because platforms
   * stem, fold and guess; the caller matches them itself. Ends when everything since `since` was read, `limit` is
   * reached, or the platform shows no more. The same post may come again in a later search.
   */
  search(context: CollectContext, query: SearchQuery): AsyncIterable<Post[]>
}

/** A platform that is asked for each term. */
export interface SearchSource extends SourceBase {
  mode: 'search'
  /** Seconds between two polls of one term unless the operator says otherwise. */
  pollSeconds: number
  /** Days that the first poll of a term looks back. */
  lookBackDays: number
  /** Seconds before the last poll from which the next one asks: how late the platform's search may take posts in. */
  overlapSeconds: number
  searching: Searching
}

/** A review page as it is read: one storefront or language of it. */
export interface ReviewPageQuery {
  /** Store number, package name, company domain or place id. */
  id: string
  /** Two lowercase letters where the platform has storefronts, else null. */
  country: string | null
  /** A language such as `en` or `pt-BR` where the platform is read by language, else null. */
  language: string | null
}

/** A platform whose review pages are read. */
export interface PageSource extends SourceBase {
  mode: 'page'
  /** Seconds between two polls of one page unless the operator says otherwise. */
  pollSeconds: number
  /** Seconds before the last poll from which the next one asks. */
  overlapSeconds: number
  /**
   * Reviews of a page in portions, newest first where the platform can sort, until everything since `since` was read.
   * SourceFault 'gone' when there is no such page.
   */
  read(context: CollectContext, page: ReviewPageQuery, since: Date): AsyncIterable<Post[]>
  /** The review page behind a link that does not name it, such as a short link; null when it leads to none. */
  resolveLink?(context: CollectContext, link: string): Promise<ReviewPage | null>
}

/** A source of everything that is published on its platform, in the order of a cursor. */
export type FeedSource = LiveSource | StreamSource
/** A source that is asked for one thing at a time: a term, or a page. */
export type QuerySource = SearchSource | PageSource
export type Source = FeedSource | QuerySource

export function isFeed(source: Source): source is FeedSource {
  return source.mode === 'live' || source.mode === 'stream'
}

export function isLive(source: Source): source is LiveSource {
  return source.mode === 'live'
}

/** A platform on this installation, whether or not it can be collected from. */
export interface SourceSetup {
  platform: Platform
  /** How posts are got: as they appear, by asking again and again, or from review pages. */
  mode: 'live' | 'search' | 'reviews'
  /** Null when settings are missing or the operator has switched the platform off. */
  source: Source | null
  /** Names of settings without which there is no source; empty when there is one. */
  missing: readonly string[]
  /** True when the operator has switched it off. */
  off: boolean
}

/** What the rest of the service may ask of the platforms on behalf of a caller. */
export interface Sources {
  /** Every platform, in their order. */
  readonly setups: readonly SourceSetup[]
  /** The doors of a source for one piece of work; its requests count against the quotas that all processes share. */
  contextFor(source: Source, at: Date, signal: AbortSignal): CollectContext
}
