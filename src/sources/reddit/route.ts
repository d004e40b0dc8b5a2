import type { Post } from '../../domain/post/post.ts'
import type { CollectContext, Limit } from '../contract.ts'

/** Newest first, as far as Reddit sorts. */
export interface SearchPage {
  /** Without deleted or removed posts. */
  posts: Post[]
  /** Of all posts, removed ones included; null if empty. */
  oldestMs: number | null
  /** Null on the last page. */
  after: string | null
}

export interface SearchPageQuery {
  query: string
  span: string
  after: string | null
}

export interface Route {
  hosts: readonly string[]
  limits: readonly Limit[]
  mostPages: number
  page(context: CollectContext, query: SearchPageQuery): Promise<SearchPage>
  /** Absent where unavailable or too expensive. */
  comments?(context: CollectContext, post: Post): Promise<Post[]>
  mayReadComments?(): boolean
}

export function pageFrom(
  posts: readonly (Post | null)[],
  timesMs: readonly number[],
  after: string | null | undefined,
): SearchPage {
  return {
    posts: posts.filter((post) => post !== null),
    oldestMs: timesMs.length === 0 ? null : Math.min(...timesMs),
    after: after || null,
  }
}
