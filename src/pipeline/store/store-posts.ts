import { ingestPosts, type NewMention } from '../../commands/mentions/ingest-posts.ts'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { announceWork } from '../../store/announcements.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { ErasedAuthors } from '../../store/erasure/erased-authors.ts'
import type { SearchWords } from '../../store/filter/search-words.ts'
import type { StoreStageMetrics } from './metrics.ts'

export interface StoreOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: StoreStageMetrics
  metered: boolean
  /** The installation's period of mentions in days; null keeps them without an end. */
  mentionDays: number | null
  erased: ErasedAuthors
  /** Resolves when scoring has capacity. Null announces mentions to other processes. */
  onMentions: ((mentions: readonly NewMention[]) => Promise<void>) | null
}

export interface Storing extends StoreOptions {
  knownWords: SearchWords
}

/** A new mention belongs to one process this long. After that any process may score it. */
export const SCORE_LEASE_MS = 20 * SECOND_MS
/** Unowned mentions get a lease that ended this long ago, because clocks of machines differ. */
const FREE_SINCE_MS = 30 * SECOND_MS
export const GROUP_MENTIONS = 500

export async function storePosts(
  tx: Transaction,
  matched: readonly MatchedPost[],
  { clock, metered, mentionDays, onMentions, knownWords, erased }: Storing,
): Promise<NewMention[]> {
  const at = clock.now()
  const leasedUntil = plus(at, onMentions ? SCORE_LEASE_MS : -FREE_SINCE_MS)
  const made = await ingestPosts(tx, matched, {
    ...{ at, metered, mentionDays, leasedUntil, knownWords, erased },
    now: () => clock.now(),
  })
  if (made.length > 0 && !onMentions) await announceWork(tx, 'mentions')
  return made
}

/** Counted at each commit, since a later portion may fail. */
export function countStored(platform: Platform, made: readonly NewMention[], { metrics }: StoreOptions): void {
  metrics.storeBatch.observe(made.length)
  metrics.mentionsStored.inc({ platform }, made.length)
}
