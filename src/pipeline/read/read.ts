import { setImmediate as breathe } from 'node:timers/promises'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import type { Post } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { batchesOf } from '../../kernel/batches.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { CollectContext, Cursor, FeedSource, Source, SourceBatch } from '../../sources/contract.ts'
import { addMatched, type Changes } from '../watch/changes.ts'
import type { Watch } from '../watch/watch.ts'
import { sampleOf } from '../watch/word-flow.ts'

export interface Brought {
  changes: Changes
  cursor: Cursor
  newestAt: Date | null
  /** Posts read, wanted or not. */
  posts: number
}

/**
 * Reads and matches one source from a cursor on, a live feed until `signal` is aborted. Rejects with the source's
 * errors.
 */
export type Read = (
  source: FeedSource,
  from: { at: Date; cursor: Cursor | null; signal: AbortSignal },
) => AsyncIterable<Brought>

export type ContextFor = (source: Source, at: Date, signal: AbortSignal) => CollectContext

const MATCH_SLICE = 500

export function readHere({
  watch,
  contextFor,
}: {
  watch: Pick<Watch, 'match' | 'noteRead'>
  contextFor: ContextFor
}): Read {
  return async function* read(source, { at, cursor, signal }) {
    const context = contextFor(source, at, signal)
    for await (const batch of sourceBatches(source, context, cursor)) {
      const { posts, ...reduced } = reduce(batch)
      watch.noteRead(reduced.read, sampleOf(posts))
      const matched = new Map<string, MatchedPost>()
      for (const slice of batchesOf(posts, MATCH_SLICE)) {
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

export function sourceBatches(
  source: FeedSource,
  context: CollectContext,
  cursor: Cursor | null,
): AsyncIterable<SourceBatch> {
  return source.mode === 'live' ? source.follow(context, cursor) : source.poll(context, cursor)
}

/** The net effect of a batch: a post that is removed in the same batch does not count. */
export interface Reduced {
  /** A post edited within the batch has each version here, oldest first. */
  posts: Post[]
  goneIds: Set<Uuid>
  goneAuthors: Set<string>
  newestAt: Date | null
  read: number
}

export function reduce(batch: SourceBatch): Reduced {
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
