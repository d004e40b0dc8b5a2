import { setMaxListeners } from 'node:events'
import type { MatchedPost, Wanting } from '../../domain/mention/matched-post.ts'
import type { Post } from '../../domain/post/post.ts'
import type { Log } from '../../kernel/log.ts'
import type { Drop, OwnedMatches, RuleVerdict, SharedMatcher } from '../../matching/index.ts'
import type { ErasedAuthors } from '../../store/erasure/erased-authors.ts'
import { WatchedFilters } from './filters.ts'
import { IndexKeeper, type KeeperOptions } from './index-keeper.ts'
import { LEFT_OUT_MS } from './rejection-sample.ts'
import { Rejections } from './rejections.ts'
import { type DropListener, isReason } from './watched-index.ts'
import { WordFlow } from './word-flow.ts'

/** Also of the filters and of the samples of dropped posts. */
export interface WatchOptions extends KeeperOptions {
  erased: ErasedAuthors
}

/**
 * Loads every keyword and follows changes until `signal` is aborted. None is missed when connections or notifications
 * fail: docs/decisions/0009-keyword-changes-and-snapshot.md.
 */
export function openWatch(options: WatchOptions): Watch {
  // More loops listen to it than Node.js expects.
  setMaxListeners(0, options.signal)
  return new Watch(options)
}

export class Watch {
  private readonly clock: WatchOptions['clock']
  private readonly keeper: IndexKeeper
  private readonly filters: WatchedFilters
  private readonly rejections: Rejections
  private readonly words: WordFlow
  private readonly dropListener: DropListener
  private readonly log: Log
  /** Resolves after the signal, when the last snapshot is written. */
  readonly ended: Promise<void>

  constructor(options: WatchOptions) {
    this.clock = options.clock
    this.log = options.log
    this.keeper = new IndexKeeper(options)
    this.filters = new WatchedFilters(options)
    const rejections = new Rejections(options)
    this.rejections = rejections
    this.words = new WordFlow(options)
    this.dropListener = {
      mayLook: () => rejections.mayLook(),
      wants: rejections.wants,
      dropped: (post, keyword, reason) => rejections.note(post, keyword, reason),
    }
    this.ended = this.run().catch((error: unknown) =>
      options.log.warn(
        { event: 'keyword.snapshot_failed', err: error },
        'The snapshot of the keyword index could not be written',
      ),
    )
  }

  get size(): number {
    return this.keeper.index.totals.count
  }

  get loaded(): Promise<void> {
    return this.keeper.loaded
  }

  /** The shared index for other threads. Call it once the keywords are loaded. Always the same. */
  get shared(): SharedMatcher {
    return this.keeper.index.matcher.share()
  }

  async caughtUp(): Promise<void> {
    await this.keeper.caughtUp()
  }

  /** Null when no keyword admits the post. */
  match(post: Post): MatchedPost | null {
    return this.admitted(this.keeper.index.match(post, this.clock.now(), this.dropListener))
  }

  /** Like `match`, for posts that only some workspaces may see: notes nothing and applies no workspace filters yet. */
  find(post: Post): MatchedPost | null {
    return this.keeper.index.match(post, this.clock.now())
  }

  /** Like `match`, for what another thread found with `searchedTextOf(post)` in the shared index. */
  describe(post: Post, found: OwnedMatches): MatchedPost | null {
    return this.admitted(this.keeper.index.describe(post, found, this.clock.now(), this.dropListener))
  }

  /** Applies workspace filters to keywords that want a post for a reason other than their term. */
  admitted(matched: MatchedPost | null): MatchedPost | null {
    if (matched === null) return null
    return this.filters.admitted(matched, (keyword) => this.rejections.note(matched.post, keyword, 'workspace_filter'))
  }

  noteRejected(post: Post, keyword: Wanting, verdict: RuleVerdict): void {
    if (isReason(verdict)) this.rejections.note(post, keyword, verdict)
  }

  noteDrops(post: Post, drops: readonly Drop[]): void {
    this.keeper.index.tellDrops(post, drops, this.dropListener)
  }

  noteRead(read: number, texts: readonly string[]): void {
    this.words.note(read, texts)
  }

  private async run(): Promise<void> {
    const { keeper, filters, rejections, words } = this
    await Promise.all([
      filters.ended,
      rejections.ended,
      words.ended,
      keeper.run(filters.loaded),
      keeper.whenLoaded(
        LEFT_OUT_MS,
        async () => keeper.index.matcher.tellOfAll(),
        (err) =>
          this.log.warn(
            { event: 'keyword.left_out_check_failed', err },
            'The keywords that are left out could not be checked again',
          ),
      ),
    ])
    await keeper.save(true)
  }
}
