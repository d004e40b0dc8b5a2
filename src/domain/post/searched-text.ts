import { platformNumber } from '../platform/platforms.ts'
import { authorKeysOf } from './author-entry.ts'
import type { Post } from './post.ts'

export interface SearchedPost {
  scope: number
  title: string | null
  text: string
  links: readonly string[]
  readonly authorKeys: readonly string[]
  authorName: string | null
}

export function searchedTextOf(post: Pick<Post, 'platform' | 'title' | 'text' | 'links' | 'author'>): SearchedPost {
  return {
    scope: platformNumber(post.platform),
    title: post.title,
    text: post.text,
    links: post.links,
    // Lazy: few posts meet author rules, and the name forms cost as much as matching.
    get authorKeys() {
      return post.author ? authorKeysOf(post.platform, post.author) : []
    },
    authorName: post.author?.name ?? null,
  }
}
