import { authorKeysOf } from '../domain/person/author-entry.ts'
import type { Platform } from '../domain/post/platform.ts'
import { PLATFORMS, platformNumber, SEARCH_PLATFORMS } from '../domain/post/platform.ts'
import type { Post } from '../domain/post/post.ts'
import { type Clock, dayOf, monthStart } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { createMatcher, type Matcher, tokens } from '../matching/index.ts'
import type { Database } from '../store/database.ts'
import type { MatchedPost } from '../store/ingest.ts'
import { KEYWORD_CHANNEL, readWatched, type WatchedKeyword } from '../store/keywords.ts'

/** Every keyword of the installation, ready to be matched and kept current while it is open. */
export interface Watch {
  /** The keywords whose rules admit the post, with what storing it needs; null when there are none. */
  match(post: Post): MatchedPost | null
  /** How many keywords are being looked for. */
  readonly size: number
  /** Resolves when every keyword that the database had at the start is loaded. */
  readonly loaded: Promise<void>
}

const PORTION = 5000

/**
 * Loads every keyword and follows their changes by notification until `signal` is aborted. After a lost connection all
 * are read again, because notifications may have been missed.
 */
export function openWatch({ db, clock, log, signal }: { db: Database; clock: Clock; log: Log; signal: AbortSignal }): Watch {
  const state: WatchState = { matcher: createMatcher(), keywords: new Map() }
  let resolve: () => void = () => undefined
  let reject: (reason: Error) => void = () => undefined
  const loaded = new Promise<void>((done, fail) => {
    resolve = done
    reject = fail
  })
  let queue: Promise<void> = Promise.resolve()
  // Changes are applied one after the other, so that an older reading never overwrites a newer one.
  const next = (what: string, work: () => Promise<void>) => {
    queue = queue.then(work).catch((error: unknown) => {
      if (signal.aborted) return
      log.error({ err: error }, `could not ${what}; all keywords are read again`)
      retryLater()
    })
  }
  const reload = () => next('read the keywords', () => loadAll(db, state).then(resolve))
  const retryLater = () => void clock.wait(1000, signal).then(() => (signal.aborted ? reject(new Error('stopped before the keywords were loaded')) : reload()))
  // A start that is abandoned has nobody who waits for the keywords.
  loaded.catch(() => undefined)
  db.listen(KEYWORD_CHANNEL, (payload) => next('follow a keyword', () => refresh(db, state, payload)), reload, signal)
  return {
    match: (post) => matchPost(state, post, clock.now()),
    get size() {
      return state.keywords.size
    },
    loaded,
  }
}

interface WatchState {
  matcher: Matcher
  keywords: Map<string, WatchedKeyword>
}

async function loadAll(db: Database, state: WatchState): Promise<void> {
  const present = new Set<string>()
  let after: Uuid | null = null
  for (;;) {
    const portion: WatchedKeyword[] = await readWatched(db, { after, limit: PORTION })
    for (const keyword of portion) {
      present.add(keyword.id)
      put(state, keyword)
    }
    if (portion.length < PORTION) break
    after = portion.at(-1)!.id
  }
  for (const id of state.keywords.keys()) if (!present.has(id)) drop(state, id)
}

async function refresh(db: Database, state: WatchState, payload: string): Promise<void> {
  const id = payload.split(' ')[1] as Uuid | undefined
  if (!id) return
  const [keyword] = await readWatched(db, { ids: [id] })
  if (keyword) put(state, keyword)
  else drop(state, id)
}

function put(state: WatchState, keyword: WatchedKeyword): void {
  if (keyword.muted) {
    drop(state, keyword.id)
    return
  }
  state.keywords.set(keyword.id, keyword)
  state.matcher.put(keyword.id, { term: keyword.term, ...keyword.matching, excludedAuthors: keyword.excludedAuthorKeys, scopes: scopesOf(keyword.platforms) })
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
    return keyword && keyword.cappedMonth !== month ? [{ workspaceId: keyword.workspaceId, keywordId: keyword.id }] : []
  })
  return wanted.length === 0 ? null : { post, words: wordsOf(post), authorKeys, keywords: wanted }
}

/** What the search of lists finds a post by: the words of its text and of its author's names. */
function wordsOf(post: Post): string[] {
  return [...new Set([post.title, post.text, post.author?.name, post.author?.handle].flatMap((text) => (text ? tokens(text) : [])))]
}
