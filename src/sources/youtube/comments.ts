import type { Post } from '../../domain/post/post.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts'
import { trimOldest } from '../../kernel/concurrency/bounded-cache.ts'
import { type CollectContext, QuotaReached, type SearchQuery, SourceFault } from '../contract.ts'
import { newestFirst } from '../newest-first.ts'
import type { List } from './listing.ts'
import { threadToPost } from './to-post.ts'
import { thread } from './wire.ts'

/** With one request an hour for a week each. */
const MOST_VIDEOS = 50
const WATCHED_MS = 7 * DAY_MS
const THREADS = 100
/** Lists that one search reads; the others wait for later searches. */
const READS_A_SEARCH = 10
/** A used up quota and a refused key concern every list. */
const OF_ALL_LISTS = new Set(['throttled', 'credentials'])

interface Watched {
  parameters: Record<string, string>
  /** The video itself; null for a channel, whose threads name theirs. */
  video: Post | null
  /** 0 before the first time. */
  readAtMs: number
  /** Like `readAtMs`, and moves with failures too, so that a list that fails stands behind the others. */
  triedAtMs: number
  comments: Post[]
}

export interface CommentOptions {
  /** Channels whose comments are read below all their videos. */
  channels: readonly string[]
}

/**
 * Comments below videos that were found, and of whole channels. The platform has no search for them, so they are read
 * and kept, and every search hands over the newest. In memory: after a restart videos are watched again once found.
 */
export class CommentWatch {
  private readonly list: List
  private readonly channels: readonly Watched[]
  private readonly videos = new Map<string, Watched>()

  constructor(list: List, { channels }: CommentOptions) {
    this.list = list
    this.channels = channels.map((id) => watched({ allThreadsRelatedToChannelId: id }, null))
  }

  /** Videos that hold one of the terms, which search results need not. */
  watch(posts: readonly Post[], terms: readonly string[], at: Date): void {
    const wanted = terms.map((term) => term.toLowerCase())
    for (const post of posts) {
      const words = `${post.title} ${post.text}`.toLowerCase()
      const isNew = at.getTime() - post.publishedAt.getTime() < WATCHED_MS && !this.videos.has(post.nativeId)
      if (isNew && wanted.some((term) => words.includes(term)))
        this.videos.set(post.nativeId, watched({ videoId: post.nativeId }, post))
    }
    for (const [id, { video }] of this.videos)
      if (video !== null && at.getTime() - video.publishedAt.getTime() >= WATCHED_MS) this.videos.delete(id)
    trimOldest(this.videos, MOST_VIDEOS)
  }

  /** Newest first. What cannot be read now is left for a later search. */
  async since(context: CollectContext, { since, limit }: Pick<SearchQuery, 'since' | 'limit'>): Promise<Post[]> {
    const all = [...this.channels, ...this.videos.values()]
    await this.readDue(context, all)
    return newestFirst(
      all.flatMap(({ comments }) => comments),
      since,
      limit,
    )
  }

  private async readDue(context: CollectContext, all: readonly Watched[]): Promise<void> {
    const isDue = ({ readAtMs }: Watched) => context.at.getTime() - readAtMs >= HOUR_MS
    const longestAgo = all.filter(isDue).sort((a, b) => a.triedAtMs - b.triedAtMs)
    for (const item of longestAgo.slice(0, READS_A_SEARCH)) {
      // Another search may have read it meanwhile.
      if (isDue(item) && !(await this.read(context, item))) return
    }
  }

  /** False when no more should be asked for now. */
  private async read(context: CollectContext, item: Watched): Promise<boolean> {
    const before = { readAtMs: item.readAtMs, triedAtMs: item.triedAtMs }
    item.triedAtMs = context.at.getTime()
    // Other searches that run meanwhile leave it out.
    item.readAtMs = item.triedAtMs
    try {
      const { items } = await this.list(context, {
        method: 'commentThreads',
        parameters: { part: 'snippet', order: 'time', maxResults: String(THREADS), ...item.parameters },
        cost: { units: 1, 'comment units': 1 },
        shape: thread,
      })
      item.comments = items.flatMap((found) => threadToPost(found, item.video, context.at) ?? [])
      return true
    } catch (error) {
      item.readAtMs = before.readAtMs
      if (!(error instanceof SourceFault) || context.signal.aborted) throw error
      // The owner took the video or the comments away.
      if (error.kind === 'gone') {
        item.readAtMs = context.at.getTime() + WATCHED_MS
        return true
      }
      const level = error instanceof QuotaReached ? 'info' : 'warn'
      context.log[level](
        { event: 'source.comments_skipped', err: error, platform: 'youtube', fault: error.kind },
        'Comments are not read now; a later search reads them',
      )
      if (!OF_ALL_LISTS.has(error.kind)) return true
      item.triedAtMs = before.triedAtMs
      return false
    }
  }
}

function watched(parameters: Record<string, string>, video: Post | null): Watched {
  return { parameters, video, readAtMs: 0, triedAtMs: 0, comments: [] }
}
