import type { Platform } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import { underAny } from '../../kernel/concurrency/under-any.ts'
import type { Log } from '../../kernel/log.ts'
import { QuotaReached, quotaPlatform, type Source, SourceFault } from '../../sources/contract.ts'
import type { Database } from '../../store/database.ts'
import { pauseSource } from '../../store/source/source-quotas.ts'
import type { ReadMetrics } from './metrics.ts'
import type { ContextFor } from './read.ts'

/** Enriches matched posts before they are stored, in the same order. Rejects only when `signal` is aborted. */
export type Enrich = (source: Source, posts: readonly Post[], signal: AbortSignal) => Promise<readonly Post[]>

export interface EnrichOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: ReadMetrics
  contextFor: ContextFor
}

/** A failed platform is not enriched this long, and then until a trial succeeds. */
const REST_MS = 30 * SECOND_MS
/** Longest wait for enrichment. A live feed stalls meanwhile, so its limit is shorter. */
const LONGEST_MS = { live: SECOND_MS, others: 5 * SECOND_MS }

interface Rest {
  untilMs: number
  tried: boolean
}

type Filling = Source & Required<Pick<Source, 'enrich'>>

/** One per process, since it remembers which platforms fail. */
export function createEnrich(options: EnrichOptions): Enrich {
  const complements = new Complements(options)
  return (source, posts, signal) => complements.enrich(source, posts, signal)
}

class Complements {
  private readonly options: EnrichOptions
  private readonly rests = new Map<string, Rest>()

  constructor(options: EnrichOptions) {
    this.options = options
  }

  async enrich(source: Source, posts: readonly Post[], signal: AbortSignal): Promise<readonly Post[]> {
    if (!canFill(source) || posts.length === 0) return posts
    const rest = this.rests.get(source.platform)
    if (!rest) return await this.fill(source, posts, signal)
    if (rest.untilMs <= this.options.clock.monotonicMs() && !rest.tried) {
      // The trial runs in the background: a platform that is still down would delay a batch after every rest.
      rest.tried = true
      void this.fill(source, posts, signal).catch(() => {
        // Only the caller's abort gets here. Another call may try again.
        rest.tried = false
      })
    }
    return posts
  }

  /** A failure returns the posts unchanged and begins a rest. A success in time ends it. */
  private async fill(source: Filling, posts: readonly Post[], signal: AbortSignal): Promise<readonly Post[]> {
    try {
      const { filled, inTime } = await this.fillInTime(source, posts, signal)
      // Sources do not fail when cut short but return what they have.
      signal.throwIfAborted()
      if (inTime) this.rests.delete(source.platform)
      else this.noteLate(source, posts)
      return filled
    } catch (error) {
      signal.throwIfAborted()
      await this.noteFailure(source, posts, error)
      return posts
    }
  }

  private async fillInTime(
    source: Filling,
    posts: readonly Post[],
    signal: AbortSignal,
  ): Promise<{ filled: readonly Post[]; inTime: boolean }> {
    const { clock, contextFor } = this.options
    const [late, done] = [new AbortController(), new AbortController()]
    void clock
      .wait(longestMsOf(source), done.signal)
      .then(() => late.abort(new SourceFault('unavailable', 'complements took too long')))
    try {
      const filled = await underAny([signal, late.signal], (ending) =>
        source.enrich(contextFor(source, clock.now(), ending), posts),
      )
      return { filled, inTime: !late.signal.aborted }
    } finally {
      done.abort()
    }
  }

  private noteLate(source: Filling, posts: readonly Post[]): void {
    const { metrics, log } = this.options
    const { platform } = source
    this.rest(platform)
    metrics.sourceFaults.inc({ platform, fault: 'unavailable' })
    log.warn(
      { event: 'enrichment.timed_out', platform, posts: posts.length, longestMs: longestMsOf(source) },
      'Enrichment took too long; posts are stored with what arrived',
    )
  }

  private async noteFailure(source: Filling, posts: readonly Post[], error: unknown): Promise<void> {
    const { metrics, log } = this.options
    const { platform } = source
    this.rest(platform)
    const fault = error instanceof SourceFault ? error.kind : 'defect'
    if (error instanceof SourceFault && fault === 'throttled' && !(error instanceof QuotaReached))
      await this.pause(quotaPlatform(source), error)
    metrics.sourceFaults.inc({ platform, fault })
    log.warn(
      { event: 'enrichment.failed', err: error, platform, fault, posts: posts.length },
      'Enrichment failed; posts are stored without it',
    )
  }

  private async pause(platform: Platform, { retryAfterSeconds }: SourceFault): Promise<void> {
    const { db, clock, log } = this.options
    const until = plus(clock.now(), (retryAfterSeconds ?? 30) * SECOND_MS)
    await pauseSource(db, platform, until).catch((failure: unknown) =>
      log.warn(
        { event: 'source.pause_not_recorded', err: failure, platform },
        'A pause for a platform could not be recorded',
      ),
    )
  }

  private rest(platform: Platform): void {
    this.rests.set(platform, { untilMs: this.options.clock.monotonicMs() + REST_MS, tried: false })
  }
}

function longestMsOf({ mode }: Source): number {
  return mode === 'live' ? LONGEST_MS.live : LONGEST_MS.others
}

function canFill(source: Source): source is Filling {
  return source.enrich !== undefined
}
