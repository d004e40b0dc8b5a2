import { parseRepository } from '../platform/github.ts'
import { parseSubreddit } from '../platform/reddit.ts'
import type { Post } from '../post/post.ts'

/** Rules for all keywords of a workspace, as callers see them. */
export interface WorkspaceFilters {
  /** In lower case; a leading or trailing * stands for the rest of the word. */
  excludedTerms: string[]
  /** Links of profiles, or plain names. */
  excludedAuthors: string[]
  /** owner/name at GitHub. */
  excludedRepos: string[]
  /** Without r/. While `only` names any, `excluded` does not count. */
  subreddits: { only: string[]; excluded: string[] }
}

/** Entries of each list, the characters of one, and how many are added and taken away at once. */
export const FILTER_LIMITS = { entries: 2000, entryMax: 200, entriesAtOnce: 500 } as const

export const NO_FILTERS: WorkspaceFilters = {
  excludedTerms: [],
  excludedAuthors: [],
  excludedRepos: [],
  subreddits: { only: [], excluded: [] },
}

/** The filters that say where posts may stand. */
export interface PlaceFilters {
  excludedRepos: ReadonlySet<string>
  only: ReadonlySet<string>
  excluded: ReadonlySet<string>
}

/** Why a place is filtered out: which list says so, and the repository or subreddit; null when it is not. */
export type PlaceObjection = {
  list: 'excludedRepos' | 'subreddits.only' | 'subreddits.excluded'
  place: string | null
} | null

/**
 * What the filters have against the place of a post. A post of Reddit of which nobody can say where it stands is not in
 * one of the only subreddits that are wanted.
 */
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
