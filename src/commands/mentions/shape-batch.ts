import type { Post } from '../../domain/post/post.ts'
import { compareUuids, timeOfUuid, type Uuid } from '../../kernel/ids.ts'
import type { CountedKeyword, CountedMatch } from '../../store/counts/match-counts.ts'
import type { MatchCounter } from '../../store/mention/match-counters.ts'
import type { StoredPost } from '../../store/mention/posts.ts'
import type { Unscored } from '../../store/model/unscored.ts'
import type { AdmissionTally, AdmittedMatches, Candidate } from './admit-matches.ts'

/** Each post once, in locking order. */
export function postsOf(mentions: Iterable<Candidate>): StoredPost[] {
  const posts = new Map<Uuid, Post>()
  for (const { postId, post } of mentions) posts.set(postId, post)
  return [...posts].sort(([a], [b]) => compareUuids(a, b))
}

/** Counts to add, and the expected current values. */
export function countsOf(
  moved: readonly AdmissionTally[],
  admitted: readonly AdmittedMatches[],
): { keywords: CountedKeyword[]; matches: CountedMatch[] } {
  const keywords = moved.map(countedKeyword)
  const matches = admitted.map(({ keywordId, post }) => ({
    keywordId,
    platform: post.platform,
    publishedAt: post.publishedAt,
  }))
  return { keywords, matches }
}

function countedKeyword({ counter, limit, added }: AdmissionTally): CountedKeyword {
  return {
    workspaceId: counter.workspaceId,
    keywordId: counter.keywordId,
    added,
    month: counter.month,
    capOwn: counter.capOwn,
    cap: limit,
    welcomeLimits: counter.welcomeLimits,
    pausedForCap: counter.pausedForCap,
  }
}

export function newMentionOf(
  { workspaceId, mentionId, keywordId, free, post }: AdmittedMatches,
  { keyword }: MatchCounter,
): Unscored {
  return {
    workspaceId,
    mentionId,
    keywordId,
    ...keyword,
    post,
    free,
    status: 'open',
    createdAt: timeOfUuid(mentionId),
  }
}
