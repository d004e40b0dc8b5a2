import type { Post } from '../../domain/post/post.ts'
import { boundedCache, trimOldest } from '../../kernel/concurrency/bounded-cache.ts'
import { type CollectContext, type SearchQuery, SourceFault } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { API, ask } from './ask.ts'
import { commentToPost } from './to-post.ts'
import { comment, commentsReply, type Issue, THREAD_ADDRESS } from './wire.ts'

const PER_PAGE = 100
/** Pages of comments read per thread; more new ones are unusual. */
const MAX_PAGES = 5
/** The quota is 5,000 requests an hour for all searches with a token, 60 without. */
const MAX_THREADS = { withToken: 100, without: 10 }
const CACHED_COMMENTS = 2000
const CACHED_THREADS = 5000
/** Over all queries. */
const MOST_PUT_OFF = 200
const MOST_TRIES = 5
/** This many failed threads in a row are a fault of the platform. */
const FAILED_THREADS_MAX = 3
/** A thread may be removed, moved or closed after it was indexed. */
const WITHHELD = new Set([403, 404, 410, 451])

/** Comments since `sinceMs`, read when the thread was at `updatedAt`. */
interface Read {
  updatedAt: string
  sinceMs: number
  posts: Post[]
}

interface PutOff {
  thread: Issue
  sinceMs: number
  tries: number
}

export interface CommentReader {
  /**
   * New comments of at most `limit` found threads, thread by thread, and of threads postponed by the same query, since
   * their first failure.
   */
  read(context: CollectContext, found: readonly Issue[], query: SearchQuery): AsyncIterable<Post[]>
}

/**
 * A search does not name every matching comment, so all new comments of found threads are read and the caller matches
 * them. Unchanged threads are skipped, which is most of a poll. A failed thread is postponed behind all others to the
 * next searches of the query, so that it neither fails the search nor hides other comments.
 */
export function commentReader(token: string | null): CommentReader {
  const cache = boundedCache<Read>({
    most: CACHED_THREADS,
    sizes: { of: ({ posts }) => posts.length, most: CACHED_COMMENTS },
  })
  const putOff = new Map<string, PutOff>()
  return { read }

  async function* read(
    context: CollectContext,
    found: readonly Issue[],
    { terms, since, limit }: SearchQuery,
  ): AsyncIterable<Post[]> {
    const search = JSON.stringify(terms)
    const chosenNow = chosen(context, found, token).slice(0, limit)
    const withheld: string[] = []
    let failedInARow = 0
    for (const { thread, before } of inOrder(chosenNow, search, putOff)) {
      const from = new Date(Math.min(before?.sinceMs ?? Number.POSITIVE_INFINITY, since.getTime()))
      const posts = await readThread(context, thread, from, withheld)
      if (posts === 'spent') break
      if (posts instanceof SourceFault) {
        note(putOff, search, { thread, sinceMs: from.getTime(), tries: (before?.tries ?? 0) + 1 }, context)
        failedInARow += 1
        if (endsReading(posts, failedInARow, before)) break
        continue
      }
      failedInARow = 0
      putOff.delete(search + thread.node_id)
      const wanted = remember(thread, from, posts)
      if (wanted.length > 0) yield wanted
    }
    reportWithheld(context, withheld)
  }

  async function readThread(
    context: CollectContext,
    thread: Issue,
    from: Date,
    withheld: string[],
  ): Promise<Post[] | 'spent' | SourceFault> {
    const posts = known(cache.get(thread.node_id), thread, from) ?? (await readNow(context, token, thread, from))
    if (posts !== 'withheld') return posts
    withheld.push(thread.html_url)
    return []
  }

  function remember(thread: Issue, from: Date, posts: Post[]): Post[] {
    cache.set(thread.node_id, { updatedAt: thread.updated_at, sinceMs: from.getTime(), posts })
    return posts.filter((post) => post.publishedAt >= from)
  }
}

/** Earlier failures are expected and last; other failures in a row are the platform's fault. */
function endsReading(fault: SourceFault, failedInARow: number, before: PutOff | undefined): boolean {
  if (failedInARow < FAILED_THREADS_MAX) return false
  if (before === undefined) throw fault
  return true
}

function reportWithheld(context: CollectContext, withheld: readonly string[]): void {
  if (withheld.length > 0)
    context.log.warn(
      { event: 'source.comments_withheld', platform: 'github', threads: withheld.length, first: withheld[0] },
      'The comments of some threads are not shown',
    )
}

/** Earlier failures come last, also if not found again; after MOST_TRIES an unchanged thread is dropped. */
function inOrder(
  found: readonly Issue[],
  search: string,
  putOff: ReadonlyMap<string, PutOff>,
): { thread: Issue; before: PutOff | undefined }[] {
  const all = new Map(
    [...putOff].filter(([key]) => key.startsWith(search)).map(([, putOff]) => [putOff.thread.node_id, putOff.thread]),
  )
  for (const item of found) all.set(item.node_id, item)
  const entries = [...found, ...all.values()].map((thread) => ({ thread, before: putOff.get(search + thread.node_id) }))
  const fresh = entries.slice(0, found.length).filter(({ before }) => before === undefined)
  const again = entries.slice(found.length).filter(({ before }) => before !== undefined)
  return [
    ...fresh,
    ...again.filter(
      ({ thread, before }) => before!.tries < MOST_TRIES || before!.thread.updated_at !== thread.updated_at,
    ),
  ]
}

function note(putOff: Map<string, PutOff>, search: string, item: PutOff, { log }: CollectContext): void {
  putOff.set(search + item.thread.node_id, item)
  trimOldest(putOff, MOST_PUT_OFF)
  if (item.tries === MOST_TRIES)
    log.warn(
      { event: 'source.comments_failed', platform: 'github', thread: item.thread.html_url },
      'The comments of a thread cannot be read; they are left out until it changes',
    )
}

/** Threads with a matching comment first; without a token only those. */
function chosen(context: CollectContext, found: readonly Issue[], token: string | null): Issue[] {
  const withComments = found.filter((item) => item.comments > 0)
  const shown = withComments.filter(showsComment)
  const others = token === null ? [] : withComments.filter((withComment) => !showsComment(withComment))
  const threads = [...shown, ...others]
  const most = token === null ? MAX_THREADS.without : MAX_THREADS.withToken
  if (threads.length > most)
    context.log.warn(
      { event: 'source.comments_cut', platform: 'github', unread: threads.length - most },
      'There are more new comments than are read',
    )
  return threads.slice(0, most)
}

function showsComment(thread: Issue): boolean {
  return (thread.text_matches ?? []).some((match) => match.object_type === 'IssueComment')
}

function known(read: Read | undefined, thread: Issue, since: Date): Post[] | null {
  return read && read.updatedAt === thread.updated_at && read.sinceMs <= since.getTime() ? read.posts : null
}

/**
 * 'withheld' if the platform refuses the thread, 'spent' if the quota without a token is used up, the fault if only
 * this thread fails. Throws throttling and a refused token.
 */
async function readNow(
  context: CollectContext,
  token: string | null,
  thread: Issue,
  since: Date,
): Promise<Post[] | 'withheld' | 'spent' | SourceFault> {
  try {
    return await readThread(context, token, thread, since)
  } catch (error) {
    if (!(error instanceof SourceFault) || error.kind === 'credentials' || context.signal.aborted) throw error
    if (error.kind !== 'throttled') return error
    // The quota is 60 requests an hour; searches have another and must go on.
    if (token !== null) throw error
    context.log.warn(
      { event: 'source.comments_paused', platform: 'github', retryAfterSeconds: error.retryAfterSeconds },
      'Comments are paused until the quota for requests without a token is free',
    )
    return 'spent'
  }
}

/** Oldest first, written or edited since `since`. */
async function readThread(
  context: CollectContext,
  token: string | null,
  thread: Issue,
  since: Date,
): Promise<Post[] | 'withheld'> {
  const [, owner, name, number] = thread.html_url.match(THREAD_ADDRESS) ?? []
  const posts: Post[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const url = new URL(`${API}/repos/${owner}/${name}/issues/${number}/comments`)
    url.searchParams.set('since', `${since.toISOString().slice(0, 19)}Z`)
    url.searchParams.set('per_page', String(PER_PAGE))
    url.searchParams.set('page', String(page))
    const reply = await ask(context, token, url.href, { cost: { core: 1 } })
    if (WITHHELD.has(reply.status)) return 'withheld'
    const raw = readJson(reply, commentsReply, context.at)
    for (const item of readItems(raw, comment, context, 'github')) {
      const post = commentToPost(item, thread, context.at)
      if (post !== null) posts.push(post)
    }
    if (raw.length < PER_PAGE) return posts
  }
  context.log.warn(
    { event: 'source.comments_cut', platform: 'github', thread: thread.html_url },
    'There are more new comments than are read',
  )
  return posts
}
