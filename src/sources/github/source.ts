import { lookBackDaysOn } from '../../domain/keyword/queries.ts'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { type BoundedCache, boundedCache } from '../../kernel/concurrency/bounded-cache.ts'
import { type CollectContext, type Limit, type SearchQuery, type SearchSource, SourceFault } from '../contract.ts'
import { batchOf, newestFirst } from '../newest-first.ts'
import { type CommentReader, commentReader } from './comments.ts'
import { findDiscussions } from './discussions.ts'
import { findIssues } from './issues.ts'
import { people } from './people.ts'
import { fits, queryOf, TERMS_PER_SEARCH } from './query.ts'
import { discussionToPosts, issueToPost } from './to-post.ts'
import type { Issue } from './wire.ts'

/** Documented: searches per minute, other requests and GraphQL points per hour. */
const WITH_TOKEN: Limit[] = [
  { quota: 'searches', kind: 'paced', most: 30, perSeconds: 60, burst: 10 },
  { quota: 'core', kind: 'paced', most: 5000, perSeconds: 3600, burst: 200 },
  { quota: 'points', kind: 'paced', most: 5000, perSeconds: 3600, burst: 200 },
]
const WITHOUT_TOKEN: Limit[] = [
  { quota: 'searches', kind: 'paced', most: 10, perSeconds: 60, burst: 5 },
  { quota: 'core', kind: 'paced', most: 60, perSeconds: 3600, burst: 20 },
]

/** Otherwise a search that always times out would never advance. */
const MOST_REPEATS = 2
const CACHED_SEARCHES = 1000

/** Discussions need a token. */
export function github({ token }: { token: string | null }): SearchSource {
  const means: Means = { token, comments: commentReader(token), givenUp: boundedCache({ most: CACHED_SEARCHES }) }
  const authors = people(token)
  return {
    platform: 'github',
    hosts: ['api.github.com'],
    limits: token === null ? WITHOUT_TOKEN : WITH_TOKEN,
    mode: 'search',
    pollSeconds: PLATFORM_FACTS.github.pollSeconds,
    lookBackDays: lookBackDaysOn('github'),
    overlapSeconds: 3600,
    searching: { termsPerSearch: TERMS_PER_SEARCH, fits, search: (context, query) => search(context, means, query) },
    // Lookups would use up the quota for comments.
    ...(token === null ? {} : { enrich: authors.fillIn }),
    resolveAuthor: authors.idOf,
  }
}

interface Means {
  token: string | null
  comments: CommentReader
  /** Timeouts in a row, by the search's terms. */
  givenUp: BoundedCache<number>
}

/**
 * Threads first: comments cost a request per thread and may exhaust their quota. Drops older threads, which are found
 * because of later activity.
 */
async function* search(
  context: CollectContext,
  { token, comments, givenUp }: Means,
  query: SearchQuery,
): AsyncIterable<Post[]> {
  const q = queryOf(query.terms, query.since)
  if (q === null) return
  const found: Issue[] = []
  let complete = true
  for await (const { issues, whole } of findIssues(context, token, q, query)) {
    found.push(...issues)
    complete &&= whole
    const posts = issues.map((issue) => issueToPost(issue, context.at))
    yield* batchOf(posts, query.since)
  }
  const fault = token === null ? null : yield* discussed(context, token, q, query)
  // Comments of a postponed thread may be older.
  for await (const posts of comments.read(context, found, query)) yield newestFirst(posts, new Date(0))
  if (fault) throw fault
  judgePart(context, givenUp, query, complete)
}

async function* discussed(
  context: CollectContext,
  token: string,
  q: string,
  query: SearchQuery,
): AsyncGenerator<Post[], SourceFault | null> {
  try {
    for await (const discussions of findDiscussions(context, token, q, query)) {
      const posts = discussions.flatMap((discussion) =>
        discussionToPosts(discussion.opening, discussion.comments, context.at),
      )
      yield* batchOf(posts, query.since)
    }
    return null
  } catch (error) {
    if (!(error instanceof SourceFault) || context.signal.aborted) throw error
    return error
  }
}

/**
 * A timed-out search fails after its part was yielded and is repeated; after MOST_REPEATS the part counts as complete.
 */
function judgePart(
  { log }: CollectContext,
  givenUp: BoundedCache<number>,
  { terms }: SearchQuery,
  complete: boolean,
): void {
  const key = JSON.stringify(terms)
  const times = complete ? 0 : (givenUp.get(key) ?? 0) + 1
  if (times === 0 || times > MOST_REPEATS) givenUp.delete(key)
  else givenUp.set(key, times)
  if (times === 0) return
  if (times <= MOST_REPEATS)
    throw new SourceFault('unavailable', 'the search took the platform too long, and it answered with a part')
  log.warn(
    { event: 'source.search_partial', platform: 'github', terms: terms.length, times },
    'The platform gives up a search every time; its partial result counts as complete',
  )
}
