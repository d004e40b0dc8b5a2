import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import { postId } from '../../domain/post/post-id.ts'
import type { Uuid } from '../../kernel/ids.ts'

/** Removals apply first: a post after them with the same id is new. */
export interface Changes {
  /** By native id. */
  matched: Map<string, MatchedPost>
  goneIds: Set<Uuid>
  goneAuthors: Set<string>
}

export function isNothing({ matched, goneIds, goneAuthors }: Changes): boolean {
  return matched.size === 0 && goneIds.size === 0 && goneAuthors.size === 0
}

export interface Size {
  posts: number
  mentions: number
  bytes: number
}

export const NOTHING: Size = { posts: 0, mentions: 0, bytes: 0 }

export function sizeOf({ matched, goneIds, goneAuthors }: Changes): Size {
  const size = { posts: matched.size + goneIds.size + goneAuthors.size, mentions: 0, bytes: 0 }
  for (const { post, words, keywords } of matched.values()) {
    size.mentions += keywords.length
    // Two bytes per UTF-16 unit, and as much again for the rest of the post.
    size.bytes += 4 * post.text.length + 32 * (words.length + keywords.length)
  }
  return size
}

/**
 * Merges consecutive batches: a removal deletes earlier posts, and an edited post keeps its newest version for every
 * keyword that wanted any.
 */
export function mergeChanges(parts: readonly Changes[]): Changes {
  const [first, ...later] = parts
  if (first === undefined || later.length === 0)
    return first ?? { matched: new Map(), goneIds: new Set(), goneAuthors: new Set() }
  const matched = new Map<string, MatchedPost>(first.matched)
  const goneIds = new Set(first.goneIds)
  const goneAuthors = new Set(first.goneAuthors)
  for (const part of later) {
    if (part.goneIds.size > 0 || part.goneAuthors.size > 0) takeAway(matched, part)
    for (const id of part.goneIds) goneIds.add(id)
    for (const author of part.goneAuthors) goneAuthors.add(author)
    for (const post of part.matched.values()) addMatched(matched, post)
  }
  return { matched, goneIds, goneAuthors }
}

function takeAway(matched: Map<string, MatchedPost>, { goneIds, goneAuthors }: Changes): void {
  for (const [nativeId, { post }] of matched) {
    const authorId = post.author?.id
    if (goneIds.has(postId(post.platform, nativeId)) || (authorId && goneAuthors.has(authorId)))
      matched.delete(nativeId)
  }
}

export function addMatched(matched: Map<string, MatchedPost>, now: MatchedPost): void {
  const { nativeId } = now.post
  const before = matched.get(nativeId)
  if (before === undefined) return void matched.set(nativeId, now)
  const keywords = new Map([...before.keywords, ...now.keywords].map((item) => [item.keywordId, item]))
  matched.set(nativeId, { ...now, keywords: [...keywords.values()] })
}

/** A post with more mentions than the limit is a portion of its own. */
export function changeBatchesOf(matched: Iterable<MatchedPost>, mentionsMax: number): MatchedPost[][] {
  const portions: MatchedPost[][] = []
  let mentions = Number.POSITIVE_INFINITY
  for (const post of matched) {
    if (mentions + post.keywords.length > mentionsMax) {
      portions.push([])
      mentions = 0
    }
    portions.at(-1)!.push(post)
    mentions += post.keywords.length
  }
  return portions
}
