import { REJECTIONS, type RejectionReason } from '../../domain/keyword/rejection.ts'
import type { Wanting } from '../../domain/mention/matched-post.ts'
import type { Author, Post } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { TokenBucket } from '../../kernel/concurrency/token-bucket.ts'
import { newUuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { excerpt } from '../../kernel/text.ts'
import { type Rejection, storeRejections } from '../../store/counts/rejections.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { ErasedAuthors } from '../../store/erasure/erased-authors.ts'
import { holdIngest } from '../../store/mention/ingests-in-flight.ts'
import { RejectionSample } from './rejection-sample.ts'

export interface RejectionOptions {
  db: Database
  clock: Clock
  log: Log
  erased: ErasedAuthors
  signal: AbortSignal
}

const LOOKS_PER_SECOND = 200
const WAITING_MOST = 1000
const WRITE_EVERY_MS = 2 * SECOND_MS

/** Samples posts that hold a term and were dropped, so that people can see what their rules exclude. */
export class Rejections {
  private readonly options: RejectionOptions
  private readonly looks: TokenBucket
  private readonly sample: RejectionSample
  private waiting: { rejection: Rejection; author: Author | null }[] = []
  readonly ended: Promise<void>

  constructor(options: RejectionOptions) {
    this.options = options
    this.looks = new TokenBucket(LOOKS_PER_SECOND, options.clock)
    this.sample = new RejectionSample(options.clock)
    this.ended = this.writeAgainAndAgain()
  }

  /** Limits the search for dropping keywords, which costs as much as a match. */
  mayLook(): boolean {
    this.looks.refill()
    return this.looks.take()
  }

  /** Keywords with a full sample should not cost a check. */
  get wants(): (keywordId: string) => boolean {
    return this.sample.wants
  }

  /** Samples or ignores the post. Costs almost nothing and never waits. */
  note(post: Post, { workspaceId, keywordId }: Wanting, reason: RejectionReason): void {
    if (this.waiting.length >= WAITING_MOST || !this.sample.wants(keywordId)) return
    const id = postId(post.platform, post.nativeId)
    if (!this.sample.take(keywordId, id)) return
    const rejection = {
      workspaceId,
      id: newUuid(this.options.clock.now()),
      keywordId,
      postId: id,
      platform: post.platform,
      authorId: post.author?.id ?? null,
      url: post.url,
      excerpt: excerpt([post.title, post.text].filter(Boolean).join('\n'), REJECTIONS.excerpt),
      reason,
      publishedAt: post.publishedAt,
    }
    this.waiting.push({ rejection, author: post.author })
  }

  private async writeAgainAndAgain(): Promise<void> {
    const { clock, signal } = this.options
    while (!signal.aborted) {
      await clock.wait(WRITE_EVERY_MS, signal)
      await this.write()
    }
  }

  private async write(): Promise<void> {
    const { db, log } = this.options
    const rejections = this.waiting
    this.waiting = []
    this.sample.tidy()
    try {
      if (rejections.length > 0) await db.transaction((tx) => this.store(tx, rejections))
    } catch (error) {
      // A sample is not retried.
      log.warn(
        { event: 'rejection.not_stored', err: error, posts: rejections.length },
        'A sample of rejected posts could not be stored',
      )
    }
  }

  private async store(tx: Transaction, waiting: typeof this.waiting): Promise<void> {
    const { clock, erased } = this.options
    await holdIngest(tx, clock.now())
    await erased.refresh(tx)
    const left = waiting.filter(({ rejection, author }) => !erased.isErased(rejection.platform, author))
    await storeRejections(
      tx,
      left.map(({ rejection }) => rejection),
      clock.now(),
    )
  }
}
