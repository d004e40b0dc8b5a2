import { ingestPosts, type NewMention } from '../../commands/mentions/ingest-posts.ts'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { announceWork } from '../../store/announcements.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { KnownWords } from '../../store/filter/search-words.ts'
import type { StoreStageMetrics } from './metrics.ts'

export interface StoreOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: StoreStageMetrics
  metered: boolean
  /**
   * Takes new mentions on to be scored in this process. Resolves when there is room for more. Null when other processes
   * score: mentions are then left to whoever takes them, and announced.
   */
  onMentions: ((mentions: readonly NewMention[]) => Promise<void>) | null
}

/** What every transaction that stores posts needs. */
export interface Storing extends StoreOptions {
  knownWords: KnownWords
}

/** The owner of a new mention for this long; whoever finds it unscored afterwards may score it. */
export const SCORE_LEASE_MS = 20 * SECOND_MS
/**
 * Mentions that nobody owns look as if they had been given back this long ago: the clocks of machines differ a little.
 */
const FREE_SINCE_MS = 30 * SECOND_MS
/** Mentions of one transaction, as far as whole batches allow. */
export const GROUP_MENTIONS = 500

/** Stores matched posts and makes their mentions, which are announced when other processes score. */
export async function storePosts(
  tx: Transaction,
  matched: readonly MatchedPost[],
  { clock, metered, onMentions, knownWords }: Storing,
): Promise<NewMention[]> {
  const at = clock.now()
  const leasedUntil = plus(at, onMentions ? SCORE_LEASE_MS : -FREE_SINCE_MS)
  const made = await ingestPosts(tx, matched, { at, now: () => clock.now(), metered, leasedUntil, knownWords })
  if (made.length > 0 && !onMentions) await announceWork(tx, 'mentions')
  return made
}

/** Counted with each commit: what follows may fail, and this is there all the same. */
export function countStored(platform: Platform, made: readonly NewMention[], { metrics }: StoreOptions): void {
  metrics.storeBatch.observe(made.length)
  metrics.mentionsStored.inc({ platform }, made.length)
}
