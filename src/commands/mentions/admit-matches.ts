import { monthlyLimit } from '../../domain/keyword/keyword.ts'
import { mentionsLeft } from '../../domain/mention/admission.ts'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { postId } from '../../domain/post/post-id.ts'
import { compareUuids, newUuid, type Uuid } from '../../kernel/ids.ts'
import { type ExistingMention, pairOf } from '../../store/mention/existing-mentions.ts'
import type { KeywordRef, MatchCounter } from '../../store/mention/match-counters.ts'

/** A post and a keyword that it matched. */
export interface Candidate extends MatchedPost, KeywordRef {
  free: boolean
  postId: Uuid
}

/** A candidate with its mention. */
export interface Admitted extends Candidate {
  mentionId: Uuid
  /** The author as the workspace sees it; of an edited post the one whom its mention was made for. */
  accountId: Uuid | null
}

/** What a batch does to a keyword. */
export interface Tally {
  counter: MatchCounter
  /** The limit of the month that is in force; null without one. */
  limit: number | null
  /** Mentions that the keyword had room for before the batch. */
  left: number
  added: number
}

/** Each pair of a post and a keyword that it matched. */
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

/** Each keyword of the candidates once, in the order in which counters are locked. */
export function keywordsOf(candidates: readonly Candidate[]): KeywordRef[] {
  return [...new Map(candidates.map((candidate) => [candidate.keywordId, candidate])).values()].sort(
    (a, b) => compareUuids(a.workspaceId, b.workspaceId) || compareUuids(a.keywordId, b.keywordId),
  )
}

interface Admission {
  /** Mentions that were there before, and those that are made now, by pair of keyword and post. */
  known: ReadonlyMap<string, Admitted>
  /** Those that are made now. */
  admitted: readonly Admitted[]
  tallies: ReadonlyMap<Uuid, Tally>
}

/** Decides which candidates become mentions, as far as each keyword has room; the first come first. */
export function admitMatches(
  candidates: readonly Candidate[],
  counters: readonly MatchCounter[],
  existing: ReadonlyMap<string, ExistingMention>,
  { at, madeAt, metered }: { at: Date; madeAt: Date; metered: boolean },
): Admission {
  const tallies = new Map(counters.map((counter) => [counter.keywordId, tallyOf(counter, metered, at)]))
  const known = new Map<string, Admitted>()
  const admitted: Admitted[] = []
  for (const candidate of candidates) {
    const pair = pairOf(candidate.keywordId, candidate.postId)
    const present = existing.get(pair)
    if (present) known.set(pair, { ...candidate, ...present })
    const tally = tallies.get(candidate.keywordId)
    if (!tally || known.has(pair) || tally.added >= tally.left) continue
    tally.added += 1
    const accountId = accountIdOf(candidate.workspaceId, candidate.post.platform, candidate.post.author)
    const made = { ...candidate, mentionId: newUuid(madeAt), accountId }
    known.set(pair, made)
    admitted.push(made)
  }
  return { known, admitted, tallies }
}

function tallyOf(counter: MatchCounter, metered: boolean, at: Date): Tally {
  const limit = monthlyLimit(counter, metered)
  return { counter, limit, left: mentionsLeft(counter, limit, at), added: 0 }
}
