import type { Uuid } from '../../kernel/ids.ts'
import type { Post } from '../post/post.ts'

export interface MatchedPost {
  post: Post
  /** Distinct, of title, text and author. */
  words: readonly string[]
  authorKeys: readonly string[]
  keywords: readonly Wanting[]
}

export interface Wanting {
  workspaceId: Uuid
  keywordId: Uuid
  free?: boolean
}
