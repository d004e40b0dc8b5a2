import type { Post } from '../domain/post/post.ts'

/** Posts since `since`, newest first, at most `most`. */
export function newestFirst(found: readonly (Post | null)[], since: Date, most = Number.POSITIVE_INFINITY): Post[] {
  const wanted = found.filter((post): post is Post => post !== null && post.publishedAt >= since)
  return wanted.sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime()).slice(0, most)
}

/** The same as one batch, or none if empty. */
export function* portionOf(found: readonly (Post | null)[], since: Date): Iterable<Post[]> {
  const posts = newestFirst(found, since)
  if (posts.length > 0) yield posts
}
