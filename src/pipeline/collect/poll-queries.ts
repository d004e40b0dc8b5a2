import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { QuotaReached, type SourceFault } from '../../sources/contract.ts'
import { readOpenLookBacks } from '../../store/source/query-claims.ts'
import type { SourceLease } from '../../store/source/source-leases.ts'
import type { DueQuery } from '../../store/source/source-queries.ts'
import type { CollectorOptions } from './collect.ts'
import { type AdmittedLookBack, admitted, LookBackTaken, lookBackDaysOf, pairOf } from './look-back.ts'
import type { PolledSource, QueriedSource } from './polled-source.ts'
import { ask, type QueryAnswer } from './query-answer.ts'
import { type Wants, wantsOfPage, wantsOfTerms } from './query-wants.ts'
import { type End, storeAnswer } from './store-answer.ts'

/** Each other platform may use up the look-back once between reading and storing. */
const TRIES = 12
export interface PollOutcome {
  made: number
  /** What the platform returned before the fault is stored. */
  fault: SourceFault | null
  settled: boolean
}

/**
 * Queries for a page, or for terms in one search, and stores mentions and due times together. Throws when nothing could
 * be read or stored.
 */
export async function pollQueries(
  source: PolledSource,
  queries: readonly DueQuery[],
  lease: SourceLease,
  options: CollectorOptions,
  signal: AbortSignal,
): Promise<PollOutcome> {
  const asked = await askedOf(source, queries, options)
  const answer = await ask(source, asked, options, signal)
  if (answer.fault && answer.posts.length === 0) throw answer.fault
  // A keyword created just now must be in the index before its look-back ends.
  if (asked.looking.length > 0) await options.watch.caughtUp()
  const wants = source.mode === 'page' ? await wantsOfPage(source, queries[0]!, options) : wantsOfTerms(source, options)
  const matched = answer.posts.flatMap((post) => wants.match(post) ?? [])
  options.metrics.postsMatched.inc({ platform: source.platform }, matched.length)
  const admit = (posts: readonly MatchedPost[]) => admitted(source, posts, wants, asked, options)
  let wanted = await admit(matched)
  const filled = await filledIn(source, wanted, wants.match, options, signal)
  if (filled !== wanted.matched) wanted = await admit(filled)
  const end = endOf(answer)
  for (let tries = 1; ; tries += 1) {
    try {
      const made = await storeAnswer(source, wanted, { ...asked, end }, lease, options)
      return { made, fault: answer.fault, settled: end !== 'broken' }
    } catch (error) {
      if (!(error instanceof LookBackTaken) || tries === TRIES) throw error
      wanted = await admit(filled)
    }
  }
}

async function askedOf(
  source: PolledSource,
  queries: readonly DueQuery[],
  { db, clock }: CollectorOptions,
): Promise<QueriedSource> {
  const at = clock.now()
  const keys = queries.filter(({ lookBack }) => lookBack).map(({ key }) => key)
  const looking = keys.length === 0 ? [] : await readOpenLookBacks(db, source.platform, keys)
  return { queries, looking, at, lookBackMs: lookBackDaysOf(source) * DAY_MS }
}

/** Enriches only new mentions, since enrichment costs, and matches again, since a rule may name the author. */
async function filledIn(
  source: PolledSource,
  { matched, known }: AdmittedLookBack,
  match: Wants['match'],
  { enrich }: CollectorOptions,
  signal: AbortSignal,
): Promise<readonly MatchedPost[]> {
  const isNew = (post: MatchedPost) => post.keywords.some((keyword) => !known.has(pairOf(keyword, post)))
  const before = matched.filter(isNew).map(({ post }) => post)
  const after = await enrich(source, before, signal)
  if (after === before) return matched
  return [...matched.filter((post) => !isNew(post)), ...after.flatMap((post) => match(post) ?? [])]
}

/** A retry would spend the quota on the same posts, so the unread rest is given up. */
function endOf({ fault, cut }: QueryAnswer): End {
  if (fault) return fault instanceof QuotaReached ? 'over' : 'broken'
  return cut ? 'cut' : 'over'
}
