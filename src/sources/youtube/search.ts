import type { Post } from '../../domain/post/post.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { timedCache } from '../../kernel/concurrency/bounded-cache.ts'
import { type CollectContext, QuotaReached, type Searching } from '../contract.ts'
import type { CommentWatch } from './comments.ts'
import { type List, PAGE } from './listing.ts'
import { queryOf } from './query.ts'
import { toPost } from './to-post.ts'
import { searchItem, video } from './wire.ts'

/** A page costs one of about 100 searches a day. */
const MAX_PAGES = 2
export const MOST_VIDEOS = MAX_PAGES * PAGE
/** Searches overlap by a day. */
const VIDEO_CACHE_BOUNDS = { most: 2000, forMs: 2 * DAY_MS }

interface Found {
  posts: Post[]
  /** Includes skipped results. */
  count: number
  next: string | null
}

/** Videos first, then comments that are younger than the search asks for. */
export function videoSearch(list: List, watch: CommentWatch | null): Searching['search'] {
  const videos = new DescribedVideos(list)
  return async function* (context, asked) {
    for await (const posts of search(list, videos, context, asked)) {
      watch?.watch(posts, asked.terms, context.at)
      yield posts
    }
    const comments = (await watch?.since(context, asked)) ?? []
    if (comments.length > 0) yield comments
  }
}

async function* search(
  list: List,
  videos: DescribedVideos,
  context: CollectContext,
  { terms, since, limit }: Parameters<Searching['search']>[1],
): AsyncIterable<Post[]> {
  const q = queryOf(terms)
  if (q === null) {
    context.log.warn(
      { event: 'source.term_unsearchable', platform: 'youtube', terms },
      'The platform cannot search for punctuation alone',
    )
    return
  }
  let found = 0
  let parameters = firstPage(q, since)
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const read = page === 0 ? findPage : furtherPage
    const { posts, count, next } = await read(list, videos, context, parameters)
    found += posts.length
    if (posts.length > 0) yield posts
    // An incomplete page is the last one.
    if (next === null || count < PAGE || found >= limit) return
    parameters = { ...parameters, pageToken: next }
  }
}

function firstPage(q: string, since: Date): Record<string, string> {
  return {
    part: 'snippet',
    type: 'video',
    order: 'date',
    maxResults: String(PAGE),
    safeSearch: 'none',
    q,
    publishedAfter: `${since.toISOString().slice(0, 19)}Z`,
  }
}

async function findPage(
  list: List,
  videos: DescribedVideos,
  context: CollectContext,
  parameters: Record<string, string>,
): Promise<Found> {
  const asked = { method: 'search' as const, parameters, cost: { searches: 1 }, shape: searchItem }
  const { items, count, next } = await list(context, asked)
  return { posts: await videos.describe(context, [...new Set(items.map(({ id }) => id.videoId))]), count, next }
}

/** Null if no search is soon available: other terms come first. */
async function furtherPage(
  list: List,
  videos: DescribedVideos,
  context: CollectContext,
  parameters: Record<string, string>,
): Promise<Found> {
  try {
    return await findPage(list, videos, context, parameters)
  } catch (error) {
    if (!(error instanceof QuotaReached)) throw error
    context.log.info(
      { event: 'source.page_skipped', platform: 'youtube', retryAfterSeconds: error.retryAfterSeconds },
      'A second page is skipped, because no search is left for it',
    )
    return { posts: [], count: 0, next: null }
  }
}

/** Fetches whole descriptions and caches the videos. */
class DescribedVideos {
  private readonly list: List
  private readonly cached = timedCache<Post>(VIDEO_CACHE_BOUNDS)

  constructor(list: List) {
    this.list = list
  }

  async describe(context: CollectContext, ids: readonly string[]): Promise<Post[]> {
    const known = new Map(ids.map((id) => [id, this.cached.get(id, context.at)]))
    const unknown = ids.filter((id) => known.get(id) === undefined)
    if (unknown.length > 0)
      for (const [id, post] of await this.read(context, unknown, ids.length - unknown.length)) {
        known.set(id, post)
        this.cached.set(id, post, context.at)
      }
    return ids.flatMap((id) => known.get(id) ?? [])
  }

  private async read(context: CollectContext, ids: readonly string[], understood: number): Promise<[string, Post][]> {
    const parameters = { part: 'snippet,statistics', id: ids.join(',') }
    const asked = { method: 'videos' as const, parameters, cost: { units: 1 }, shape: video, understood }
    const { items } = await this.list(context, asked)
    return items.flatMap((item): [string, Post][] => {
      const post = toPost(item, context.at)
      return post === null ? [] : [[item.id, post]]
    })
  }
}
