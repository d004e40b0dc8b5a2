import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { LOOK_BACK } from '../../domain/keyword/queries.ts'
import { lookBackLeft } from '../../domain/mention/admission.ts'
import { isFree } from '../../domain/mention/billing.ts'
import type { MatchedPost, Wanting } from '../../domain/mention/matched-post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { countLookBacks, type QueryClaim, readClaims, readKnownPairs } from '../../store/source/query-claims.ts'
import type { CollectorOptions } from './collect.ts'
import { type PolledSource, type QueriedSource, wholeSecond } from './polled-source.ts'
import type { Wants } from './query-wants.ts'

const NEW_FOR_MS = DAY_MS

export function lookBackDaysOf(source: PolledSource): number {
  return source.mode === 'search' ? source.lookBackDays : LOOK_BACK.pageDays
}

export interface AdmittedLookBack {
  matched: readonly MatchedPost[]
  claims: ReadonlyMap<Uuid, QueryClaim>
  known: ReadonlySet<string>
}

export function pairOf({ keywordId }: Wanting, { post }: MatchedPost): string {
  return `${keywordId} ${postId(post.platform, post.nativeId)}`
}

export async function admitted(
  source: PolledSource,
  matched: readonly MatchedPost[],
  wants: Wants,
  asked: QueriedSource,
  { db }: CollectorOptions,
): Promise<AdmittedLookBack> {
  const claims = new Map((await wants.claims(matched)).map((claim) => [claim.keywordId, claim]))
  const pairs = matched.flatMap(({ post, keywords }) =>
    keywords.map((keyword) => ({ ...keyword, postId: postId(post.platform, post.nativeId) })),
  )
  const known = pairs.length === 0 ? new Set<string>() : await readKnownPairs(db, pairs)
  return { matched: admit(source, matched, { claims, known }, asked), claims, known }
}

/**
 * Drops posts from before a keyword's start, except on its first look-back, newest first. Mentions stay, since the post
 * may be edited.
 */
function admit(
  source: PolledSource,
  matched: readonly MatchedPost[],
  { claims, known }: Omit<AdmittedLookBack, 'matched'>,
  { looking, at, lookBackMs }: QueriedSource,
): MatchedPost[] {
  const served = new Set(looking.map(({ keywordId, key }) => `${keywordId} ${key}`))
  const earliest = plus(at, -lookBackMs)
  const taken = new Map<Uuid, number>()
  const admits = (post: MatchedPost, { keywordId }: Wanting): Wanting[] => {
    const claim = claims.get(keywordId)
    if (claim === undefined) return []
    const wanting = { workspaceId: claim.workspaceId, keywordId }
    const { publishedAt } = post.post
    if (known.has(pairOf(wanting, post)) || publishedAt >= beginOf(claim, at)) return [wanting]
    if (!served.has(`${keywordId} ${claim.key}`) || publishedAt < earliest) return []
    if (source.mode === 'page') return [{ ...wanting, free: isFree({ mode: source.mode, lookedBack: true }) }]
    const count = taken.get(keywordId) ?? 0
    if (count >= lookBackLeft(claim)) return []
    taken.set(keywordId, count + 1)
    return [wanting]
  }
  return matched
    .map((post) => ({ ...post, keywords: post.keywords.flatMap((keyword) => admits(post, keyword)) }))
    .filter(({ keywords }) => keywords.length > 0)
}

function beginOf({ since, lookBack }: QueryClaim, at: Date): Date {
  const newest = plus(at, -NEW_FOR_MS)
  return lookBack && since < newest ? newest : wholeSecond(since)
}

/** Another platform used up the look-back of a keyword meanwhile. */
export class LookBackTaken extends Error {}

/** The transaction holds the keywords' counter locks, so no other process counts meanwhile. */
export async function countOlder(
  tx: Transaction,
  { platform }: PolledSource,
  made: readonly NewMention[],
  claims: ReadonlyMap<Uuid, QueryClaim>,
  at: Date,
): Promise<void> {
  const older = made.filter(({ keywordId, post }) => post.publishedAt < beginOf(claims.get(keywordId)!, at))
  if (older.length === 0) return
  const byKeyword = groupBy(older, ({ keywordId }) => keywordId)
  const current = await readClaims(
    tx,
    platform,
    [...byKeyword.keys()].map((keywordId) => claims.get(keywordId)!),
  )
  if (current.some((claim) => byKeyword.get(claim.keywordId)!.length > lookBackLeft(claim)))
    throw new LookBackTaken('the look-back of a keyword is used up')
  const counts = current.map(({ workspaceId, keywordId, key }) => ({
    workspaceId,
    keywordId,
    key,
    made: byKeyword.get(keywordId)!.length,
  }))
  await countLookBacks(tx, platform, counts)
}
