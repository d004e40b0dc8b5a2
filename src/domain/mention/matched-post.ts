import type { Uuid } from '../../kernel/ids.ts'
import type { Post } from '../post/post.ts'

/** A post and the keywords whose rules admitted it. */
export interface MatchedPost {
  post: Post
  /**
   * The words of title, text and author under which the post can be found, in the form of searches, without repeats.
   */
  words: readonly string[]
  /** Every normal form of the author. */
  authorKeys: readonly string[]
  keywords: readonly Wanting[]
}

/** A keyword that wants a post. */
export interface Wanting {
  workspaceId: Uuid
  keywordId: Uuid
  /** True when the mention is never charged. */
  free?: boolean
}
