import type { Keyword } from '../../../domain/keyword/keyword.ts'
import { matchRulesOf } from '../../../domain/keyword/match-rules.ts'
import type { Replay, RulesPatch } from '../../../domain/keyword/suggestions/evidence.ts'
import {
  isReviewPlatform,
  platformBits,
  platformFromNumber,
  REVIEW_PLATFORMS,
} from '../../../domain/platform/platforms.ts'
import { parseAuthorEntry } from '../../../domain/post/author-entry.ts'
import type { SearchedPost } from '../../../domain/post/searched-text.ts'
import { createJudge, createListsTest } from '../../../matching/index.ts'

export type ReplayedKeyword = Pick<Keyword, 'term' | 'platforms' | 'matching' | 'excludedAuthorKeys'>

const REVIEW_SCOPES = platformBits(REVIEW_PLATFORMS)
/** Characters, not posts, because posts differ in length: some milliseconds of work. */
const CHARACTERS_BETWEEN_STOPS = 50_000

/**
 * Judges stored posts by patched rules with the real matcher. Reviews are collected by page, not by term, so only
 * exclusions apply to them.
 */
export function createReplay(keyword: ReplayedKeyword, posts: readonly SearchedPost[]): Replay {
  return function* (patch) {
    const rules = matchRulesOf(patched(keyword, patch))
    const judge = createJudge(rules)
    const judgeReview = createListsTest({ ...rules, requiredTerms: [], scopes: REVIEW_SCOPES })
    const admitted: boolean[] = []
    let read = 0
    for (const post of posts) {
      admitted.push((isReviewPlatform(platformFromNumber(post.scope)) ? judgeReview(post) : judge(post)) === 'accepted')
      read += post.text.length
      if (read < CHARACTERS_BETWEEN_STOPS) continue
      read = 0
      yield
    }
    return admitted
  }
}

function patched(keyword: ReplayedKeyword, { matching = {}, platforms }: RulesPatch): ReplayedKeyword {
  const known = new Set(keyword.matching.excludedAuthors)
  const added = (matching.excludedAuthors ?? []).filter((entry) => !known.has(entry)).map(parseAuthorEntry)
  return {
    term: keyword.term,
    platforms: platforms ?? keyword.platforms,
    matching: { ...keyword.matching, ...matching },
    excludedAuthorKeys: [
      ...keyword.excludedAuthorKeys,
      ...added.flatMap((entry) => ('normal' in entry ? [entry.normal] : [])),
    ],
  }
}
