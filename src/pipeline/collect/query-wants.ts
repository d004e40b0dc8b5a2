import type { MatchedPost, Wanting } from '../../domain/mention/matched-post.ts'
import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { searchedTextOf } from '../../domain/post/searched-text.ts'
import { createListsTest } from '../../matching/index.ts'
import type { PageSource, SearchSource, StreamSource } from '../../sources/contract.ts'
import { readWatched } from '../../store/keyword/watched-keywords.ts'
import { type QueryClaim, readClaims, readPageClaims } from '../../store/source/query-claims.ts'
import type { DueQuery } from '../../store/source/source-queries.ts'
import { matchedPost, rulesOf } from '../watch/watched-index.ts'
import type { CollectorOptions } from './collect.ts'

export interface Wants {
  match(post: Post): MatchedPost | null
  claims(matched: readonly MatchedPost[]): Promise<QueryClaim[]>
}

/** Any keyword of the installation may match a search result. */
export function wantsOfTerms({ platform }: SearchSource | StreamSource, { db, watch }: CollectorOptions): Wants {
  return {
    match: (post) => watch.match(post),
    async claims(matched) {
      const keywords = new Map(
        matched.flatMap((post) => post.keywords.map((keyword) => [keyword.keywordId, keyword] as const)),
      )
      return keywords.size === 0 ? [] : await readClaims(db, platform, [...keywords.values()])
    },
  }
}

/** Reviews go to the page's keywords unless their rules exclude them. A review need not hold the term. */
export async function wantsOfPage(
  { platform }: PageSource,
  { key }: DueQuery,
  { db, watch }: CollectorOptions,
): Promise<Wants> {
  const claims = await readPageClaims(db, platform, key)
  const keywords = await readWatched(
    db,
    claims.map(({ keywordId }) => keywordId),
  )
  const tests = keywords.map((keyword) => ({
    wanting: { workspaceId: keyword.workspaceId, keywordId: keyword.id },
    test: createListsTest({ ...rulesOf(keyword), requiredTerms: [], scopes: 1 << platformNumber(platform) }),
  }))
  return {
    match(post) {
      const text = searchedTextOf(post)
      const wanting: Wanting[] = []
      for (const test of tests) {
        const verdict = test.test(text)
        if (verdict === 'accepted') wanting.push(test.wanting)
        else watch.noteRejected(post, test.wanting, verdict)
      }
      return wanting.length === 0 ? null : watch.admitted(matchedPost(post, wanting))
    },
    claims: async () => claims,
  }
}
