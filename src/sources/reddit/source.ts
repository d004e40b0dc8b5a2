import { lookBackDaysOn } from '../../domain/keyword/queries.ts'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { type BoundedCache, boundedCache } from '../../kernel/concurrency/bounded-cache.ts'
import type { CollectContext, SearchQuery, SearchSource } from '../contract.ts'
import { newestFirst } from '../newest-first.ts'
import { type AtomOptions, atomRoute } from './atom.ts'
import { type OAuthOptions, oauthRoute } from './oauth.ts'
import { type ProviderOptions, providerRoute } from './provider.ts'
import { fitOneQuery, queryOf, spanOf } from './query.ts'
import type { Route } from './route.ts'

/** An approved app, ScrapeCreators or the public feeds. */
export type RedditOptions =
  | ({ route: 'oauth' } & OAuthOptions)
  | ({ route: 'provider' } & ProviderOptions)
  | ({ route: 'atom' } & AtomOptions)

/** More phrases would share the thousand posts of a search. */
const TERMS_PER_SEARCH = 8
/** Each costs a request. */
const THREADS_PER_SEARCH = 5
const CACHED_THREADS = 5000
const CACHED_COMMENTS = 2000

interface Thread {
  replies: number
  comments: Post[]
}

export function reddit(options: RedditOptions): SearchSource {
  const route = routeOf(options)
  const threads = boundedCache<Thread>({
    most: CACHED_THREADS,
    sizes: { of: ({ comments }) => comments.length, most: CACHED_COMMENTS },
  })
  return {
    platform: 'reddit',
    mode: 'search',
    hosts: route.hosts,
    limits: route.limits,
    pollSeconds: PLATFORM_FACTS.reddit.pollSeconds,
    lookBackDays: lookBackDaysOn('reddit'),
    overlapSeconds: 3600,
    searching: {
      termsPerSearch: TERMS_PER_SEARCH,
      fits: fitOneQuery,
      search: (context, query) => search({ route, threads }, context, query),
    },
  }
}

function routeOf(options: RedditOptions): Route {
  switch (options.route) {
    case 'oauth':
      return oauthRoute(options)
    case 'provider':
      return providerRoute(options)
    case 'atom':
      return atomRoute(options)
  }
}

interface Means {
  route: Route
  threads: BoundedCache<Thread>
}

async function* search(
  { route, threads }: Means,
  context: CollectContext,
  { terms, since, limit }: SearchQuery,
): AsyncIterable<Post[]> {
  const query = queryOf(terms)
  if (query === '') return
  const span = spanOf(since, context.at)
  const discussed: Post[] = []
  let left = limit
  let after: string | null = null
  for (let pages = 0; pages < route.mostPages && left > 0; pages += 1) {
    const page = await route.page(context, { query, span, after })
    const posts = newestFirst(page.posts, since, left)
    left -= posts.length
    discussed.push(...posts.filter(hasComments))
    if (posts.length > 0) yield posts
    if (page.oldestMs === null || page.oldestMs < since.getTime() || page.after === null || page.after === after) break
    after = page.after
  }
  let asked = 0
  for (const post of discussed) {
    if (left === 0 || !route.comments) return
    let thread = threads.get(post.nativeId)
    // An unchanged count is most of a poll.
    if (thread?.replies !== repliesTo(post)) {
      if (asked === THREADS_PER_SEARCH || route.mayReadComments?.() === false) continue
      asked += 1
      thread = { replies: repliesTo(post), comments: await route.comments(context, post) }
      threads.set(post.nativeId, thread)
    }
    const comments = newestFirst(thread.comments, since, left)
    left -= comments.length
    if (comments.length > 0) yield comments
  }
}

function repliesTo({ engagement }: Post): number {
  return engagement?.replies ?? 0
}

function hasComments(post: Post): boolean {
  return repliesTo(post) > 0
}
