import type { Post } from '../../domain/post/post.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { agingMemory } from '../bounded-memory.ts'
import { type CollectContext, QuotaReached, type Searching } from '../contract.ts'
import { type List, PAGE } from './listing.ts'
import { queryOf } from './query.ts'
import { toPost } from './to-post.ts'
import { searchItem, video } from './wire.ts'

/**
 * Every page is one of some hundred searches that a key has in a day: what is older than the newest hundred videos of a
 * few terms is left.
 */
const MAX_PAGES = 2
export const MOST_VIDEOS = MAX_PAGES * PAGE
/** The overlap of the searches is a day; a video is met again within it. */
const VIDEOS_KEPT = { most: 2000, forMs: 2 * DAY_MS }

interface Found {
  posts: Post[]
  /** Results on the page, with those left out. */
  count: number
  next: string | null
}

/** Searches the videos, and asks for the whole description of those found. */
export function videoSearch(list: List): Searching['search'] {
  const videos = agingMemory<Post>(VIDEOS_KEPT)

  return async function* search(context, { terms, since, limit }) {
    const q = queryOf(terms)
    if (q === null) {
      context.log.warn({ platform: 'youtube', terms }, 'the platform cannot be searched for punctuation alone')
      return
    }
    const publishedAfter = `${since.toISOString().slice(0, 19)}Z`
    const wanted = {
      part: 'snippet',
      type: 'video',
      order: 'date',
      maxResults: String(PAGE),
      safeSearch: 'none',
      q,
      publishedAfter,
    }
    let found = 0
    let mark: Record<string, string> = {}
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { posts, count, next } =
        page === 0 ? await findPage(context, wanted) : await furtherPage(context, { ...wanted, ...mark })
      found += posts.length
      if (posts.length > 0) yield posts
      // A page that is not full is the last one, whatever the platform says: the search for the next would be lost.
      if (next === null || count < PAGE || found >= limit) return
      mark = { pageToken: next }
    }
  }

  async function findPage(context: CollectContext, parameters: Record<string, string>): Promise<Found> {
    const { items, count, next } = await list(context, {
      method: 'search',
      parameters,
      cost: { searches: 1 },
      shape: searchItem,
    })
    return { posts: await described(context, [...new Set(items.map(({ id }) => id.videoId))]), count, next }
  }

  /**
   * Nothing when there is no search left for it soon: other terms are waiting for theirs, and the newest videos were
   * found.
   */
  async function furtherPage(context: CollectContext, parameters: Record<string, string>): Promise<Found> {
    try {
      return await findPage(context, parameters)
    } catch (error) {
      if (!(error instanceof QuotaReached)) throw error
      context.log.info(
        { platform: 'youtube', retryAfterSeconds: error.retryAfterSeconds },
        'a second page is not read, because no search is left for it',
      )
      return { posts: [], count: 0, next: null }
    }
  }

  /**
   * The videos of one page in its order, as far as they are still there. Those that were read lately are not asked for
   * again.
   */
  async function described(context: CollectContext, ids: readonly string[]): Promise<Post[]> {
    const known = new Map(ids.map((id) => [id, videos.get(id, context.at)]))
    const unknown = ids.filter((id) => known.get(id) === undefined)
    if (unknown.length > 0) {
      const parameters = { part: 'snippet,statistics', id: unknown.join(',') }
      const understood = ids.length - unknown.length
      const { items } = await list(context, {
        method: 'videos',
        parameters,
        cost: { units: 1 },
        shape: video,
        understood,
      })
      for (const one of items) {
        const post = toPost(one, context.at)
        if (post === null) continue
        known.set(one.id, post)
        videos.set(one.id, post, context.at)
      }
    }
    return ids.flatMap((id) => known.get(id) ?? [])
  }
}
