import { setImmediate as breathe } from 'node:timers/promises'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import type { Post } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Batch, CollectContext, Cursor, FeedSource, Source } from '../../sources/contract.ts'
import { addMatched, type Changes } from '../watch/changes.ts'
import type { Watch } from '../watch/watch.ts'
import { sampleOf } from '../watch/word-flow.ts'

/** What a source has brought, matched, and the place behind it. */
export interface Brought {
  changes: Changes
  cursor: Cursor
  /** The platform's time of the newest post. */
  newestAt: Date | null
  /** How many posts were read, wanted or not. */
  posts: number
}

/**
 * Reads one source from a place on, a live feed until `signal` is aborted, and matches what it brings. Fails as sources
 * do.
 */
export type Read = (
  source: FeedSource,
  from: { at: Date; cursor: Cursor | null; signal: AbortSignal },
) => AsyncIterable<Brought>

/** How a source reaches the outside at this moment. */
export type ContextFor = (source: Source, at: Date, signal: AbortSignal) => CollectContext

/** How many posts are matched before other work gets its turn. */
const MATCH_SLICE = 500

/** Reads and matches in this thread. */
export function readHere({
  watch,
  contextFor,
}: {
  watch: Pick<Watch, 'match' | 'noteRead'>
  contextFor: ContextFor
}): Read {
  return async function* read(source, { at, cursor, signal }) {
    const context = contextFor(source, at, signal)
    for await (const batch of batchesOf(source, context, cursor)) {
      const { posts, ...reduced } = reduce(batch)
      watch.noteRead(reduced.read, sampleOf(posts))
      const matched = new Map<string, MatchedPost>()
      for (const slice of slicesOf(posts)) {
        for (const post of slice) {
          const match = watch.match(post)
          if (match) addMatched(matched, match)
        }
        if (slice.length === MATCH_SLICE) await breathe()
      }
      yield {
        changes: { matched, goneIds: reduced.goneIds, goneAuthors: reduced.goneAuthors },
        cursor: batch.cursor,
        newestAt: reduced.newestAt,
        posts: reduced.read,
      }
    }
  }
}

export function batchesOf(source: FeedSource, context: CollectContext, cursor: Cursor | null): AsyncIterable<Batch> {
  return source.mode === 'live' ? source.follow(context, cursor) : source.poll(context, cursor)
}

/** A batch as far as it lasts: a post that goes again in the same batch never was. */
export interface Reduced {
  /** A post that was edited within the batch stands here in each of its forms, the oldest first. */
  posts: Post[]
  goneIds: Set<Uuid>
  goneAuthors: Set<string>
  newestAt: Date | null
  /** How many posts there were, those that went again included. */
  read: number
}

export function reduce(batch: Batch): Reduced {
  const posts = new Map<string, Post[]>()
  const goneIds = new Set<Uuid>()
  const goneAuthors = new Set<string>()
  let newestAt: Date | null = null
  let read = 0
  for (const event of batch.events) {
    if (event.kind === 'post') {
      const { nativeId } = event.post
      const forms = posts.get(nativeId)
      if (forms) forms.push(event.post)
      else posts.set(nativeId, [event.post])
      if (!newestAt || event.post.publishedAt > newestAt) newestAt = event.post.publishedAt
      read += 1
    } else if (event.kind === 'post_gone') {
      posts.delete(event.nativeId)
      goneIds.add(postId(event.platform, event.nativeId))
    } else {
      for (const [nativeId, forms] of posts)
        if (forms.some(({ author }) => author?.id === event.authorId)) posts.delete(nativeId)
      goneAuthors.add(event.authorId)
    }
  }
  return { posts: [...posts.values()].flat(), goneIds, goneAuthors, newestAt, read }
}

function* slicesOf(posts: readonly Post[]): Iterable<readonly Post[]> {
  for (let begin = 0; begin < posts.length; begin += MATCH_SLICE) yield posts.slice(begin, begin + MATCH_SLICE)
}
