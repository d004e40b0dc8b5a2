import { z } from 'zod'
import { trimOldest } from '../../kernel/concurrency/bounded-cache.ts'
import type { Cursor } from '../contract.ts'

/** Replies are cached, and servers differ. */
export const OVERLAP_SECONDS = 600
const FIRST_LOOK_BACK_SECONDS = 60
/** The site has fewer than a hundred items in ten minutes; items of evicted ids repeat. */
const IDS_MAX = 4000

/** Read in turn, each with its own position. */
export const FLOWS = ['posts', 'comments'] as const
export type Flow = (typeof FLOWS)[number]

/** `seen` holds `id:seconds` of the items within the overlap. */
const cursorShape = z.object({
  sinceSeconds: z.int(),
  postsSeconds: z.int(),
  commentsSeconds: z.int(),
  seen: z.array(z.string()),
})

interface FlowPlace {
  newestSeconds: number
  seen: Map<string, number>
}
export interface StackOverflowCursor {
  sinceSeconds: number
  posts: FlowPlace
  comments: FlowPlace
}

export function placeFrom(
  cursor: Cursor | null,
  atSeconds: number,
  isComment: (nativeId: string) => boolean,
): StackOverflowCursor {
  const start = atSeconds - FIRST_LOOK_BACK_SECONDS
  const { sinceSeconds, postsSeconds, commentsSeconds, seen } =
    cursor === null
      ? { sinceSeconds: start, postsSeconds: start, commentsSeconds: start, seen: [] }
      : cursorShape.parse(cursor)
  const place: StackOverflowCursor = {
    sinceSeconds,
    posts: { newestSeconds: postsSeconds, seen: new Map() },
    comments: { newestSeconds: commentsSeconds, seen: new Map() },
  }
  for (const entry of seen) {
    const end = entry.lastIndexOf(':')
    const nativeId = entry.slice(0, end)
    place[isComment(nativeId) ? 'comments' : 'posts'].seen.set(nativeId, Number(entry.slice(end + 1)))
  }
  return place
}

export function toCursor({ sinceSeconds, posts, comments }: StackOverflowCursor): Cursor {
  const seen = [...posts.seen, ...comments.seen].map(([id, seconds]) => `${id}:${seconds}`)
  return { sinceSeconds, postsSeconds: posts.newestSeconds, commentsSeconds: comments.newestSeconds, seen }
}

/** Inclusive. */
export function fromSeconds(place: StackOverflowCursor, flow: Flow): number {
  return Math.max(place[flow].newestSeconds - OVERLAP_SECONDS, place.sinceSeconds)
}

export function advance<Item extends { nativeId: string; seconds: number }>(
  place: StackOverflowCursor,
  flow: Flow,
  items: readonly Item[],
  atSeconds: number,
): Item[] {
  const { seen } = place[flow]
  const fresh = items.filter((item) => !seen.has(item.nativeId))
  for (const { nativeId, seconds } of fresh) {
    seen.set(nativeId, seconds)
    // A time ahead of our clock would move the cursor past later items.
    place[flow].newestSeconds = Math.max(place[flow].newestSeconds, Math.min(seconds, atSeconds))
  }
  evictOldIds(seen, fromSeconds(place, flow))
  return fresh
}

function evictOldIds(seen: Map<string, number>, floorSeconds: number): void {
  for (const [id, seconds] of seen) if (seconds < floorSeconds) seen.delete(id)
  trimOldest(seen, IDS_MAX / FLOWS.length)
}
