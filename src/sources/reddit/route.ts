import type { Post } from '../../domain/post/post.ts'
import type { CollectContext, Limit } from '../contract.ts'

/** One page of a search, newest first as far as Reddit keeps to that. */
export interface SearchPage {
  /** Without those that were deleted or removed. */
  posts: Post[]
  /** When the oldest of all posts of the page was written, in milliseconds; null when the page is empty. */
  oldestMs: number | null
  /** Where the next page begins; null when there is none. */
  after: string | null
}

/** What is asked for. */
export interface SearchPageQuery {
  query: string
  /** How far back, in Reddit's words. */
  span: string
  after: string | null
}

/** A way to Reddit's search. */
export interface Route {
  hosts: readonly string[]
  limits: readonly Limit[]
  /** Pages that one search may take. */
  mostPages: number
  page(context: CollectContext, query: SearchPageQuery): Promise<SearchPage>
  /** The newest comments below a post; absent where they cannot be had or cost too much. */
  comments?(context: CollectContext, post: Post): Promise<Post[]>
  /** Whether so much of the allowance is left that comments may be read. */
  mayReadComments?(): boolean
}

/** A page from what was read and what became of it. */
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
