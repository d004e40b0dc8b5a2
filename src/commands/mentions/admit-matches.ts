import { monthlyLimit } from '../../domain/keyword/keyword.ts'
import { mentionsLeft } from '../../domain/mention/admission.ts'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { postId } from '../../domain/post/post-id.ts'
import { keptDays, keptSince } from '../../domain/workspace/retention.ts'
import { compareUuids, newUuid, type Uuid } from '../../kernel/ids.ts'
import type { ErasedAuthors } from '../../store/erasure/erased-authors.ts'
import { type ExistingMention, pairOf } from '../../store/mention/existing-mentions.ts'
import type { KeywordRef, MatchCounter } from '../../store/mention/match-counters.ts'

export interface Candidate extends MatchedPost, KeywordRef {
  free: boolean
  postId: Uuid
}

export interface AdmittedMatches extends Candidate {
  mentionId: Uuid
  /** The author in the workspace; for an edited post the original one. */
  accountId: Uuid | null
}

export interface AdmissionTally {
  counter: MatchCounter
  /** The month's cap; null without one. */
  limit: number | null
  /** Remaining room before the batch. */
  left: number
  added: number
  /** Older posts are not stored; null for none. */
  since: Date | null
}

export function candidatesOf(matched: readonly MatchedPost[]): Candidate[] {
  return matched.flatMap((post) => {
    const id = postId(post.post.platform, post.post.nativeId)
    return post.keywords.map(({ workspaceId, keywordId, free = false }) => ({
      post: post.post,
      words: post.words,
      authorKeys: post.authorKeys,
      keywords: post.keywords,
      workspaceId,
      keywordId,
      free,
      postId: id,
    }))
  })
}

/** Erased authors are looked up once a post. */
export function withoutErased(
  candidates: readonly Candidate[],
  erased: ErasedAuthors | undefined,
): readonly Candidate[] {
  if (erased === undefined) return candidates
  const posts = new Map<Uuid, Candidate['post'] | null>()
  return candidates.flatMap((candidate) => {
    const known = posts.get(candidate.postId)
    const post = known === undefined ? erased.admitted(candidate.post) : known
    posts.set(candidate.postId, post)
    return post === null ? [] : [post === candidate.post ? candidate : { ...candidate, post }]
  })
}

/** Each keyword once, in locking order. */
export function keywordsOf(candidates: readonly Candidate[]): KeywordRef[] {
  return [...new Map(candidates.map((candidate) => [candidate.keywordId, candidate])).values()].sort(
    (a, b) => compareUuids(a.workspaceId, b.workspaceId) || compareUuids(a.keywordId, b.keywordId),
  )
}

export interface AdmissionRules {
  at: Date
  /** Whether welcome limits apply. */
  metered: boolean
  /** The installation's period of mentions in days; without one, only workspaces' own periods apply. */
  mentionDays?: number | null
}

interface Admission {
  /** Earlier and new mentions by keyword and post. */
  known: ReadonlyMap<string, AdmittedMatches>
  /** New mentions. */
  admitted: readonly AdmittedMatches[]
  tallies: ReadonlyMap<Uuid, AdmissionTally>
}

/**
 * Admits candidates in order while their keyword has room. Posts older than the workspace keeps mentions are left out:
 * a platform that shows an expired post again would have it charged again.
 */
export function admitMatches(
  candidates: readonly Candidate[],
  counters: readonly MatchCounter[],
  existing: ReadonlyMap<string, ExistingMention>,
  { at, madeAt, ...rules }: AdmissionRules & { madeAt: Date },
): Admission {
  const tallies = new Map(counters.map((counter) => [counter.keywordId, tallyOf(counter, { at, ...rules })]))
  const known = new Map<string, AdmittedMatches>()
  const admitted: AdmittedMatches[] = []
  for (const candidate of candidates) {
    const pair = pairOf(candidate.keywordId, candidate.postId)
    const present = existing.get(pair)
    if (present) known.set(pair, { ...candidate, ...present })
    const tally = tallies.get(candidate.keywordId)
    if (!tally || known.has(pair) || tally.added >= tally.left) continue
    if (tally.since !== null && candidate.post.publishedAt < tally.since) continue
    tally.added += 1
    const accountId = accountIdOf(candidate.workspaceId, candidate.post.platform, candidate.post.author)
    const made = { ...candidate, mentionId: newUuid(madeAt), accountId }
    known.set(pair, made)
    admitted.push(made)
  }
  return { known, admitted, tallies }
}

function tallyOf(counter: MatchCounter, { at, metered, mentionDays = null }: AdmissionRules): AdmissionTally {
  const limit = monthlyLimit(counter, metered)
  const since = keptSince(keptDays(counter.mentionsKeptDays, mentionDays), at)
  return { counter, limit, left: mentionsLeft(counter, limit, at), added: 0, since }
}
