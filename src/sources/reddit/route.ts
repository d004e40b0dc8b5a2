import type { Post } from '../../domain/post/post.ts'
import type { CollectContext, Limit } from '../contract.ts'

/** Newest first, as far as Reddit sorts. */
export interface SearchPage {
  /** Without deleted or removed posts. */
  posts: Post[]
  /** Of all posts of the page, in milliseconds; null if the page is empty. */
  oldestMs: number | null
  /** Null on the last page. */
  after: string | null
}

export interface SearchPageQuery {
  query: string
  /** How far back, as Reddit's time filter. */
  span: string
  after: string | null
}

export interface Route {
  hosts: readonly string[]
  limits: readonly Limit[]
  /** Most pages of one search. */
  mostPages: number
  page(context: CollectContext, query: SearchPageQuery): Promise<SearchPage>
  /** The newest comments below a post; absent where unavailable or too expensive. */
  comments?(context: CollectContext, post: Post): Promise<Post[]>
  /** Whether the remaining allowance permits reading comments. */
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
