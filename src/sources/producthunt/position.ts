import { z } from 'zod'
import { trimOldest } from '../../kernel/concurrency/bounded-cache.ts'
import type { Cursor } from '../contract.ts'
import { type SeenFlow, type SeenRules, seenEntries, seenEntry } from '../seen-flow.ts'

/** Posts are watched for comments this long. */
export const WATCHED_DAYS = 7
/** A product is made known up to so many days after its page was created. */
export const LATE_DAYS = 3
export const DAY_SECONDS = 86_400
const FIRST_LOOK_BACK_SECONDS = 60
const POSTS_MAX = 1900
const COMMENTS_MAX = 2000

export interface KnownLaunch {
  createdSeconds: number
  /** As far as they were read. */
  comments: number
}

export interface LaunchesPosition {
  sinceSeconds: number
  /** Unknown posts from before are not new. */
  floorSeconds: number
  polls: number
  posts: Map<string, KnownLaunch>
  comments: SeenFlow
}

const cursorShape = z.object({
  sinceSeconds: z.int(),
  floorSeconds: z.int(),
  polls: z.int().nonnegative(),
  commentsSeconds: z.int(),
  /** As `id:created:comments`. */
  posts: z.array(z.string()),
  /** As `id:seconds`. */
  comments: z.array(z.string()),
})

export function firstPosition(atSeconds: number): LaunchesPosition {
  const start = atSeconds - FIRST_LOOK_BACK_SECONDS
  return {
    sinceSeconds: start,
    floorSeconds: start,
    polls: 0,
    posts: new Map(),
    comments: { newestSeconds: start, seen: new Map() },
  }
}

export function positionFrom(cursor: Cursor): LaunchesPosition {
  const { posts, comments, commentsSeconds, ...rest } = cursorShape.parse(cursor)
  return {
    ...rest,
    posts: new Map(posts.map(launchFrom)),
    comments: { newestSeconds: commentsSeconds, seen: new Map(comments.map(seenEntry)) },
  }
}

function launchFrom(entry: string): [string, KnownLaunch] {
  const [id = '', createdSeconds = 0, comments = 0] = entry.split(':')
  return [id, { createdSeconds: Number(createdSeconds), comments: Number(comments) }]
}

export function toCursor({ sinceSeconds, floorSeconds, polls, posts, comments }: LaunchesPosition): Cursor {
  return {
    sinceSeconds,
    floorSeconds,
    polls,
    commentsSeconds: comments.newestSeconds,
    posts: [...posts].map(([id, { createdSeconds, comments: read }]) => `${id}:${createdSeconds}:${read}`),
    comments: seenEntries(comments),
  }
}

/** A comment may be read a day late, when points were short. */
export function commentRules({ sinceSeconds }: LaunchesPosition): SeenRules {
  return { sinceSeconds, overlapSeconds: DAY_SECONDS, mostIds: COMMENTS_MAX }
}

/** What is no longer watched is older than everything that counts as new. */
export function forgetOld(position: LaunchesPosition, atSeconds: number): void {
  const oldest = atSeconds - WATCHED_DAYS * DAY_SECONDS
  for (const [id, { createdSeconds }] of position.posts) if (createdSeconds < oldest) position.posts.delete(id)
  position.floorSeconds = Math.max(position.floorSeconds, oldest)
  trimOldest(position.posts, POSTS_MAX)
}
