import type { Steps } from '../../../kernel/concurrency/steps.ts'

const POSTS_BETWEEN_STOPS = 8

export function* eachPost<Post>(posts: readonly Post[], look: (post: Post, at: number) => void): Steps<void> {
  for (const [at, post] of posts.entries()) {
    look(post, at)
    if (at % POSTS_BETWEEN_STOPS === POSTS_BETWEEN_STOPS - 1) yield
  }
}
