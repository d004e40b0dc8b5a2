import type { Post } from '../domain/post/post.ts'
import { type Clock, plus, SECOND_MS } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { QuotaReached, type Source, SourceFault } from '../sources/contract.ts'
import type { Database } from '../store/database.ts'
import { pauseSource } from '../store/source-quotas.ts'
import type { ContextFor } from './read.ts'

/** Fills in posts that matched, before they are stored. Answers them in the same order; fails only when `signal` is aborted. */
export type Enrich = (source: Source, posts: readonly Post[], signal: AbortSignal) => Promise<readonly Post[]>

export interface EnrichOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: Metrics
  contextFor: ContextFor
}

/** After a failure posts of the platform are taken as they are for so long. */
const REST_MS = 30 * SECOND_MS
/** Longest wait for what is only a complement; a live feed, which everything behind it waits for, does not wait as long. */
const LONGEST_MS = { live: SECOND_MS, others: 5 * SECOND_MS }

/** One for each process: it remembers which platforms do not answer at present. */
export function createEnrich({ db, clock, log, metrics, contextFor }: EnrichOptions): Enrich {
  const restUntilMs = new Map<string, number>()
  return async (source, posts, signal) => {
    const { platform } = source
    if (!source.enrich || posts.length === 0 || (restUntilMs.get(platform) ?? 0) > clock.monotonicMs()) return posts
    const [late, done] = [new AbortController(), new AbortController()]
    const longestMs = source.mode === 'live' ? LONGEST_MS.live : LONGEST_MS.others
    void clock.wait(longestMs, done.signal).then(() => late.abort(new SourceFault('unavailable', 'complements took too long')))
    const rest = () => restUntilMs.set(platform, clock.monotonicMs() + REST_MS)
    try {
      const filled = await source.enrich(contextFor(source, clock.now(), AbortSignal.any([signal, late.signal])), posts)
      if (!late.signal.aborted) return filled
      // Sources take being cut short for no fault, and answer what they have: without a rest every batch would wait as long again.
      signal.throwIfAborted()
      rest()
      metrics.sourceFaults.inc({ platform, fault: 'unavailable' })
      log.warn({ platform, posts: posts.length, longestMs }, 'complements took too long; posts are stored with what came in time')
      return filled
    } catch (error) {
      signal.throwIfAborted()
      rest()
      const fault = error instanceof SourceFault ? error.kind : 'defect'
      if (error instanceof SourceFault && fault === 'throttled' && !(error instanceof QuotaReached)) {
        const until = plus(clock.now(), (error.retryAfterSeconds ?? 30) * SECOND_MS)
        await pauseSource(db, platform, until).catch((failure: unknown) => log.warn({ err: failure, platform }, 'the pause could not be noted'))
      }
      metrics.sourceFaults.inc({ platform, fault })
      log.warn({ err: error, platform, fault, posts: posts.length }, 'posts are stored without their complements')
      return posts
    } finally {
      done.abort()
    }
  }
}
