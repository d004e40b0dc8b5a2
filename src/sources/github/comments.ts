import type { Post } from '../../domain/post/post.ts'
import { boundedMemory, forgetOldest } from '../../kernel/concurrency/bounded-memory.ts'
import { type CollectContext, type SearchQuery, SourceFault } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { API, ask } from './ask.ts'
import { commentToPost } from './to-post.ts'
import { comment, commentsReply, type Issue, THREAD_ADDRESS } from './wire.ts'

const PER_PAGE = 100
/**
 * Comments of one thread that a search reads: five pages; a thread with more new ones than that is a bulletin board.
 */
const MAX_PAGES = 5
/**
 * Threads whose comments one search reads. With a token the quota is 5000 requests an hour for all searches, without
 * one 60.
 */
const MAX_THREADS = { withToken: 100, without: 10 }
/** Comments that are remembered, over all threads. */
const REMEMBERED_COMMENTS = 2000
/** Threads that are remembered. */
const REMEMBERED_THREADS = 5000
/** Threads that are put off, over all queries, and how often each is tried. */
const MOST_PUT_OFF = 200
const MOST_TRIES = 5
/** So many threads in a row that cannot be read are the platform's trouble and not their own. */
const TELLING_THREADS = 3
/**
 * A thread may have been removed, moved, or closed to whoever asks since it was indexed; the others are still there.
 */
const WITHHELD = new Set([403, 404, 410, 451])

/** What was read of a thread when it had last been touched at `updatedAt`: its comments from `sinceMs` on. */
interface Read {
  updatedAt: string
  sinceMs: number
  posts: Post[]
}

/** A thread whose comments could not be read, for the query that found it. */
interface PutOff {
  thread: Issue
  sinceMs: number
  tries: number
}

export interface CommentReader {
  /**
   * Comments of the found threads that were written since then, thread by thread, of at most `limit` threads; and of
   * threads that the same query found before and that could not be read then, from that time on.
   */
  read(context: CollectContext, found: readonly Issue[], query: SearchQuery): AsyncIterable<Post[]>
}

/**
 * A search says which threads hold a phrase, but does not name every comment that holds it: all new comments of the
 * found threads are read, and the caller matches them. A thread that was not touched since it was read is not read
 * again, which is most of what a poll finds. One that cannot be read is put off and tried again by the next searches
 * for the same, behind all others, so that it neither fails the search nor hides what is said elsewhere.
 */
export function commentReader(token: string | null): CommentReader {
  const memory = boundedMemory<Read>({
    most: REMEMBERED_THREADS,
    sizes: { of: ({ posts }) => posts.length, most: REMEMBERED_COMMENTS },
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
    let inARow = 0
    for (const { thread, before } of inOrder(chosenNow, search, putOff)) {
      const from = before ? new Date(Math.min(before.sinceMs, since.getTime())) : since
      const posts = known(memory.get(thread.node_id), thread, from) ?? (await readNow(context, token, thread, from))
      if (posts === 'spent') break
      if (posts instanceof SourceFault) {
        note(putOff, search, { thread, sinceMs: from.getTime(), tries: (before?.tries ?? 0) + 1 }, context)
        inARow += 1
        if (inARow < TELLING_THREADS) continue
        // Those that failed before tell nothing new, and stand last.
        if (before) break
        throw posts
      }
      inARow = 0
      putOff.delete(search + thread.node_id)
      if (posts === 'withheld') withheld.push(thread.html_url)
      const said = posts === 'withheld' ? [] : posts
      memory.set(thread.node_id, { updatedAt: thread.updated_at, sinceMs: from.getTime(), posts: said })
      const wanted = said.filter((post) => post.publishedAt >= from)
      if (wanted.length > 0) yield wanted
    }
    if (withheld.length > 0)
      context.log.warn(
        { event: 'source.comments_withheld', platform: 'github', threads: withheld.length, first: withheld[0] },
        'The comments of some threads are not shown',
      )
  }
}

/**
 * Those that failed before come last, the ones that were not found again included; those that failed too often as they
 * are now not at all.
 */
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
  forgetOldest(putOff, MOST_PUT_OFF)
  if (item.tries === MOST_TRIES)
    log.warn(
      { event: 'source.comments_failed', platform: 'github', thread: item.thread.html_url },
      'The comments of a thread cannot be read; they are left out until it changes',
    )
}

/**
 * Threads with comments, those first in which the platform shows a comment with the phrase; without a token only those.
 */
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
 * The comments of a thread. 'withheld' when the platform does not show them; 'spent' when the quota for them is used up
 * and no token widens it; the fault when this thread cannot be read now. Haste and a token that is refused are thrown:
 * they concern every other request as well.
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
    // Sixty requests an hour are soon gone. Searching has a quota of its own and must not stand still for the rest of
    // the hour.
    if (token !== null) throw error
    context.log.warn(
      { event: 'source.comments_paused', platform: 'github', retryAfterSeconds: error.retryAfterSeconds },
      'Comments are paused until the quota for requests without a token is free',
    )
    return 'spent'
  }
}

/** Comments come oldest first, and only those written or edited since then. */
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
