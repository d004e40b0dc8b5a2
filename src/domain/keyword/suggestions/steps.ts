/**
 * Work that stops for a moment every few milliseconds, so that whoever runs it can let others have a turn. What it
 * yields says nothing; what it returns is the result.
 */
export type Steps<Result> = Generator<void, Result, void>

/** Posts that are gone through between two stops. */
const POSTS_BETWEEN_STOPS = 8

/** Calls `look` with each post and its place, stopping now and then. */
export function* eachPost<Post>(posts: readonly Post[], look: (post: Post, at: number) => void): Steps<void> {
  for (const [at, post] of posts.entries()) {
    look(post, at)
    if (at % POSTS_BETWEEN_STOPS === POSTS_BETWEEN_STOPS - 1) yield
  }
}
