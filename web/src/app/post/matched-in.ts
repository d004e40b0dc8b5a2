import type { FoundPost } from '../../api/search.ts'

/** How many of the posts of a live search a keyword would match. */
export function matchedIn(posts: readonly FoundPost[]): number {
  return posts.filter(({ matched }) => matched).length
}
