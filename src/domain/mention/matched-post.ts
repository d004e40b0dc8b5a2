import type { Uuid } from '../../kernel/ids.ts'
import type { Post } from '../post/post.ts'

export interface MatchedPost {
  post: Post
  /** Distinct search words of title, text and author. */
  words: readonly string[]
  /** Every normal form of the author. */
  authorKeys: readonly string[]
  keywords: readonly Wanting[]
}

export interface Wanting {
  workspaceId: Uuid
  keywordId: Uuid
  /** True when the mention is never charged. */
  free?: boolean
}
