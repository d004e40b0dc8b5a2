import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import type { MatchedPost } from '../../domain/mention/matched-post.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import { Semaphore } from '../../kernel/concurrency/semaphore.ts'
import { watchQueue } from '../../kernel/metrics.ts'
import type { FeedSource } from '../../sources/contract.ts'
import type { Transaction } from '../../store/database.ts'
import { SearchWords } from '../../store/filter/search-words.ts'
import { holdLease, type SourceLease } from '../../store/source/source-leases.ts'
import { changeBatchesOf, type Size } from '../watch/changes.ts'
import type { BatchIntake } from './intake.ts'
import { PartitionedIntake } from './partitioned-intake.ts'
import { STORES_AT_ONCE, type StoreStageSettings } from './settings.ts'
import { PENDING_MAX, SourceIntake } from './source-intake.ts'
import { countStored, GROUP_MENTIONS, type StoreOptions, type Storing, storePosts } from './store-posts.ts'

export type WritePoll = (tx: Transaction, made: readonly NewMention[], last: boolean) => Promise<void>

/**
 * Whatever gathers during one transaction goes into the next: a single post is stored at once, a flood in large groups,
 * without a timer.
 */
export class StoreStage {
  private readonly storing: Storing
  private readonly transactions = new Semaphore(STORES_AT_ONCE)
  private readonly partitions: number
  private readonly pending = new Map<Platform, Size[]>()

  constructor({ partitions, ...options }: StoreOptions & StoreStageSettings) {
    this.storing = { ...options, knownWords: new SearchWords() }
    this.partitions = partitions
  }

  open(
    { platform, mode }: Pick<FeedSource, 'platform' | 'mode'>,
    lease: SourceLease,
    onStored: () => void,
  ): BatchIntake {
    const { storing, transactions } = this
    const partitions = mode === 'live' ? this.partitions : 1
    const sizes = this.pendingOf(platform, partitions)
    const options = { ...storing, platform, lease, onStored, transactions }
    const onResized = (size: Size, partition = 0) => {
      sizes[partition] = size
    }
    return partitions === 1
      ? new SourceIntake({ ...options, partition: null, onResized })
      : new PartitionedIntake({ ...options, onResized }, partitions)
  }

  /**
   * `write` runs in each transaction, usually one; `last` in the last. Throws LeaseLost, with nothing stored, when
   * another process has the lease.
   */
  async storePoll(
    platform: Platform,
    lease: SourceLease,
    matched: readonly MatchedPost[],
    write: WritePoll,
  ): Promise<number> {
    const portions = [...changeBatchesOf(matched, GROUP_MENTIONS)]
    if (portions.length === 0) portions.push([])
    let count = 0
    for (const [place, posts] of portions.entries()) {
      const last = place === portions.length - 1
      const portion = {
        platform,
        lease,
        posts,
        write: (tx: Transaction, made: readonly NewMention[]) => write(tx, made, last),
      }
      const made = await this.transactions.run(() => storePortion(portion, this.storing))
      count += made.length
      if (made.length > 0) await this.storing.onMentions?.(made)
    }
    return count
  }

  private pendingOf(platform: Platform, partitions: number): Size[] {
    const known = this.pending.get(platform)
    if (known) return known
    const sizes: Size[] = []
    this.pending.set(platform, sizes)
    for (const what of ['posts', 'mentions', 'bytes'] as const)
      watchQueue(this.storing.metrics, `store_${platform}_${what}`, partitions * PENDING_MAX[what], () =>
        sizes.reduce((sum, size) => sum + size[what], 0),
      )
    return sizes
  }
}

interface Portion {
  platform: Platform
  lease: SourceLease
  posts: readonly MatchedPost[]
  write: (tx: Transaction, made: readonly NewMention[]) => Promise<void>
}

async function storePortion({ platform, lease, posts, write }: Portion, storing: Storing): Promise<NewMention[]> {
  const { db, clock, metrics } = storing
  const beganMs = clock.monotonicMs()
  const made = await db.transaction(async (tx) => {
    const made = await storePosts(tx, posts, storing)
    await write(tx, made)
    await holdLease(tx, lease)
    return made
  })
  if (posts.length > 0) metrics.storeSeconds.observe((clock.monotonicMs() - beganMs) / 1000)
  countStored(platform, made, storing)
  return made
}
