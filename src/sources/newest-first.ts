import type { Post } from '../domain/post/post.ts'

/** At most `most`, newest first. */
export function newestFirst(found: readonly (Post | null)[], since: Date, most = Number.POSITIVE_INFINITY): Post[] {
  const wanted = found.filter((post): post is Post => post !== null && post.publishedAt >= since)
  return wanted.sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime()).slice(0, most)
}

/** None if empty. */
export function* batchOf(found: readonly (Post | null)[], since: Date): Iterable<Post[]> {
  const posts = newestFirst(found, since)
  if (posts.length > 0) yield posts
}
