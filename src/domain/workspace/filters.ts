import { parseRepository } from '../platform/github.ts'
import { parseSubreddit } from '../platform/reddit.ts'
import type { Post } from '../post/post.ts'

export interface WorkspaceFilters {
  /** Lower case; a leading or trailing * stands for the rest of the word. */
  excludedTerms: string[]
  excludedAuthors: string[]
  /** Owner/name. */
  excludedRepos: string[]
  /** Without r/. A non-empty `only` overrides `excluded`. */
  subreddits: { only: string[]; excluded: string[] }
}

/** Entries of a list, characters of an entry, and entries per change. */
export const FILTER_LIMITS = { entries: 2000, entryMax: 200, entriesAtOnce: 500 } as const

export const NO_FILTERS: WorkspaceFilters = {
  excludedTerms: [],
  excludedAuthors: [],
  excludedRepos: [],
  subreddits: { only: [], excluded: [] },
}

export interface PlaceFilters {
  excludedRepos: ReadonlySet<string>
  only: ReadonlySet<string>
  excluded: ReadonlySet<string>
}

export type PlaceObjection = {
  list: 'excludedRepos' | 'subreddits.only' | 'subreddits.excluded'
  place: string | null
} | null

/** A Reddit post with an unknown subreddit fails `only`. */
export function objectionToPlace(
  { excludedRepos, only, excluded }: PlaceFilters,
  { platform, url }: Pick<Post, 'platform' | 'url'>,
): PlaceObjection {
  if (platform === 'github' && excludedRepos.size > 0) {
    const place = parseRepository(url)
    if (place !== null && excludedRepos.has(place)) return { list: 'excludedRepos', place }
  }
  if (platform !== 'reddit' || only.size + excluded.size === 0) return null
  const place = parseSubreddit(url)
  if (only.size > 0) return place !== null && only.has(place) ? null : { list: 'subreddits.only', place }
  return place !== null && excluded.has(place) ? { list: 'subreddits.excluded', place } : null
}
