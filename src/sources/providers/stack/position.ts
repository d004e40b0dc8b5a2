import { z } from 'zod'
import type { Cursor } from '../../contract.ts'
import { advanceFlow, flowFrom, type SeenFlow, type SeenRules, seenEntries, seenEntry } from '../../seen-flow.ts'

/** Replies are cached, and servers differ. */
export const OVERLAP_SECONDS = 600
const FIRST_LOOK_BACK_SECONDS = 60
/** The largest site has fewer than a hundred items in ten minutes; items of evicted ids repeat. */
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

export interface SitePosition {
  sinceSeconds: number
  posts: SeenFlow
  comments: SeenFlow
}

export function positionFrom(
  cursor: Cursor | null,
  atSeconds: number,
  isComment: (nativeId: string) => boolean,
): SitePosition {
  const start = atSeconds - FIRST_LOOK_BACK_SECONDS
  const { sinceSeconds, postsSeconds, commentsSeconds, seen } =
    cursor === null
      ? { sinceSeconds: start, postsSeconds: start, commentsSeconds: start, seen: [] }
      : cursorShape.parse(cursor)
  const position: SitePosition = {
    sinceSeconds,
    posts: { newestSeconds: postsSeconds, seen: new Map() },
    comments: { newestSeconds: commentsSeconds, seen: new Map() },
  }
  for (const entry of seen) {
    const [nativeId, seconds] = seenEntry(entry)
    position[isComment(nativeId) ? 'comments' : 'posts'].seen.set(nativeId, seconds)
  }
  return position
}

export function toCursor({ sinceSeconds, posts, comments }: SitePosition): Cursor {
  const seen = [...seenEntries(posts), ...seenEntries(comments)]
  return { sinceSeconds, postsSeconds: posts.newestSeconds, commentsSeconds: comments.newestSeconds, seen }
}

/** Inclusive. */
export function fromSeconds(position: SitePosition, flow: Flow): number {
  return flowFrom(position[flow], rulesOf(position))
}

export function advance<Item extends { nativeId: string; seconds: number }>(
  position: SitePosition,
  flow: Flow,
  items: readonly Item[],
  atSeconds: number,
): Item[] {
  return advanceFlow(position[flow], items, atSeconds, rulesOf(position))
}

function rulesOf({ sinceSeconds }: SitePosition): SeenRules {
  return { overlapSeconds: OVERLAP_SECONDS, sinceSeconds, mostIds: IDS_MAX / FLOWS.length }
}
