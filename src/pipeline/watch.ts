import { authorKeysOf } from '../domain/person/author-entry.ts'
import type { Platform } from '../domain/post/platform.ts'
import { PLATFORMS, platformNumber, SEARCH_PLATFORMS } from '../domain/post/platform.ts'
import type { Post } from '../domain/post/post.ts'
import { type Clock, dayOf, monthStart } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { type Metrics, onRead } from '../kernel/metrics.ts'
import { createMatcher, type Matcher, tokens } from '../matching/index.ts'
import type { Database } from '../store/database.ts'
import type { MatchedPost } from '../store/ingest.ts'
import { KEYWORD_CHANNEL } from '../store/keywords.ts'
import { readWatched, readWatchedAfter, WATCHED_KINDS, type WatchedKeyword, type WatchedKind, type WatchedPortion } from '../store/watched-keywords.ts'

/** Every keyword of the installation, ready to be matched and kept current while it is open. */
export interface Watch {
  /** The keywords whose rules admit the post, with what storing it needs; null when there are none. */
  match(post: Post): MatchedPost | null
  /** How many keywords are being looked for. */
  readonly size: number
  /** Resolves when every keyword that the database had at the start is loaded. */
  readonly loaded: Promise<void>
}

export interface WatchOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: Metrics
  signal: AbortSignal
}

const PORTION = 10_000
const RETRY_MS = 1000

/**
 * Loads every keyword and follows their changes by notification until `signal` is aborted. After a lost connection all
 * are read again, because notifications may have been missed.
 */
export function openWatch({ db, clock, log, metrics, signal }: WatchOptions): Watch {
  const state: WatchState = { matcher: createMatcher(), keywords: new Map(), workspaces: new Map() }
  const { promise: loaded, resolve, reject } = withResolvers()
  /** What has to be read again. Gathered, so that a thousand changes at once are a few readings. */
  const changed = new Set<Uuid>()
  let everything = false
  let reading = false

  const read = async () => {
    if (!everything) return await refresh(db, state, takeSome(changed))
    everything = false
    changed.clear()
    await loadAll(db, state)
    resolve()
  }
  // One reading at a time, so that an older one never overwrites a newer one.
  const catchUp = async () => {
    if (reading) return
    reading = true
    while (!signal.aborted && (everything || changed.size > 0)) {
      try {
        await read()
      } catch (error) {
        if (signal.aborted) break
        log.error({ err: error }, 'could not follow the keywords; all of them are read again')
        everything = true
        await clock.wait(RETRY_MS, signal)
      }
    }
    reading = false
  }
  const heard = (payload: string) => {
    const id = payload.match(NOTIFICATION)?.[1] as Uuid | undefined
    if (id) changed.add(id)
    void catchUp()
  }
  const reconnected = () => {
    everything = true
    void catchUp()
  }
  signal.addEventListener('abort', () => reject(new Error('stopped before the keywords were loaded')), { once: true })
  db.listen(KEYWORD_CHANNEL, heard, reconnected, signal)
  onRead(metrics, () => {
    metrics.keywordsWatched.set(state.keywords.size)
    metrics.indexBytes.set(state.matcher.stats().bytes)
  })
  return {
    match: (post) => matchPost(state, post, clock.now()),
    get size() {
      return state.keywords.size
    },
    loaded,
  }
}

/** The workspace of a keyword and its id. */
const NOTIFICATION = /^[0-9a-f-]{36} ([0-9a-f-]{36})$/

/** What is needed of a keyword that matches; there may be millions. */
interface Watched {
  workspaceId: Uuid
  cappedMonth: string | null
}

interface WatchState {
  matcher: Matcher
  keywords: Map<string, Watched>
  /** What the keywords of a workspace share. */
  workspaces: Map<Uuid, Watched>
}

function withResolvers(): { promise: Promise<void>; resolve: () => void; reject: (reason: Error) => void } {
  let resolve: () => void = () => undefined
  let reject: (reason: Error) => void = () => undefined
  const promise = new Promise<void>((done, fail) => {
    resolve = done
    reject = fail
  })
  // A start that is abandoned has nobody who waits.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

async function loadAll(db: Database, state: WatchState): Promise<void> {
  const unseen = new Set(state.keywords.keys())
  for (const kind of WATCHED_KINDS) await loadKind(db, state, kind, unseen)
  for (const id of unseen) drop(state, id)
}

/** The next portion is on its way while one is put in place: the database and this thread work at the same time. */
async function loadKind(db: Database, state: WatchState, kind: WatchedKind, unseen: Set<string>): Promise<void> {
  const portionAfter = (after: Uuid | null): Promise<WatchedPortion> => {
    const portion = readWatchedAfter(db, kind, after)
    // Should it fail while another is put in place, the failure is met when its turn comes.
    portion.catch(() => undefined)
    return portion
  }
  let coming: Promise<WatchedPortion> | null = portionAfter(null)
  while (coming) {
    const { keywords, last }: WatchedPortion = await coming
    coming = last && portionAfter(last)
    for (const keyword of keywords) {
      if (unseen.size > 0) unseen.delete(keyword.id)
      put(state, keyword)
    }
  }
}

function takeSome(changed: Set<Uuid>): Uuid[] {
  const ids = [...changed].slice(0, PORTION)
  for (const id of ids) changed.delete(id)
  return ids
}

async function refresh(db: Database, state: WatchState, ids: readonly Uuid[]): Promise<void> {
  const found = new Map((await readWatched(db, ids)).map((keyword) => [keyword.id, keyword]))
  for (const id of ids) {
    const keyword = found.get(id)
    if (keyword) put(state, keyword)
    else drop(state, id)
  }
}

function put(state: WatchState, keyword: WatchedKeyword): void {
  const { workspaceId, id, cappedMonth } = keyword
  state.keywords.set(id, cappedMonth === null ? workspaceOf(state, workspaceId) : { workspaceId: workspaceOf(state, workspaceId).workspaceId, cappedMonth })
  const { requiredTerms, requiredMode, excludedTerms, caseSensitive } = keyword.matching
  state.matcher.put(id, {
    term: keyword.term,
    caseSensitive,
    requiredTerms,
    requiredMode,
    excludedTerms,
    excludedAuthors: keyword.excludedAuthorKeys,
    scopes: scopesOf(keyword.platforms),
  })
}

/** Keywords of a workspace that are not capped share what is kept of them. */
function workspaceOf({ workspaces }: WatchState, workspaceId: Uuid): Watched {
  const known = workspaces.get(workspaceId)
  if (known) return known
  // A copy: the text that the id was read from would stay in memory with it.
  const watched: Watched = { workspaceId: Buffer.from(workspaceId).toString() as Uuid, cappedMonth: null }
  workspaces.set(watched.workspaceId, watched)
  return watched
}

function drop(state: WatchState, id: string): void {
  state.keywords.delete(id)
  state.matcher.remove(id)
}

const ALL_SCOPES = SEARCH_PLATFORMS.reduce((bits, platform) => bits | (1 << platformNumber(platform)), 0)

function scopesOf(platforms: readonly Platform[] | null): number {
  return platforms === null ? ALL_SCOPES : platforms.reduce((bits, platform) => bits | (1 << PLATFORMS.indexOf(platform)), 0)
}

function matchPost({ matcher, keywords }: WatchState, post: Post, at: Date): MatchedPost | null {
  const authorKeys = post.author ? authorKeysOf(post.platform, post.author) : []
  const hits = matcher.match({
    scope: platformNumber(post.platform),
    title: post.title,
    text: post.text,
    links: post.links,
    authorKeys,
    authorName: post.author?.name ?? null,
  })
  if (hits.length === 0) return null
  const month = dayOf(monthStart(at))
  const wanted = hits.flatMap((id) => {
    const keyword = keywords.get(id)
    return keyword && keyword.cappedMonth !== month ? [{ workspaceId: keyword.workspaceId, keywordId: id as Uuid }] : []
  })
  return wanted.length === 0 ? null : { post, words: wordsOf(post), authorKeys, keywords: wanted }
}

/** What the search of lists finds a post by: the words of its text and of its author's names. */
function wordsOf(post: Post): string[] {
  return [...new Set([post.title, post.text, post.author?.name, post.author?.handle].flatMap((text) => (text ? tokens(text) : [])))]
}
