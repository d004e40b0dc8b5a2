import type { Post } from '../../domain/post/post.ts'
import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { underAny } from '../../kernel/under-any.ts'
import { QuotaReached, type Source, SourceFault } from '../../sources/contract.ts'
import type { Database } from '../../store/database.ts'
import { pauseSource } from '../../store/source/source-quotas.ts'
import type { ReadMetrics } from './metrics.ts'
import type { ContextFor } from './read.ts'

/**
 * Fills in posts that matched, before they are stored. Answers them in the same order; fails only when `signal` is
 * aborted.
 */
export type Enrich = (source: Source, posts: readonly Post[], signal: AbortSignal) => Promise<readonly Post[]>

export interface EnrichOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: ReadMetrics
  contextFor: ContextFor
}

/**
 * After a failure posts of the platform are taken as they are for so long, and from then on until it has been seen to
 * answer.
 */
const REST_MS = 30 * SECOND_MS
/**
 * Longest wait for what is only a complement; a live feed, which everything behind it waits for, does not wait as long.
 */
const LONGEST_MS = { live: SECOND_MS, others: 5 * SECOND_MS }

/** A platform that did not answer, or not in time. */
interface Rest {
  untilMs: number
  /** Whether it is being asked again at this moment. */
  tried: boolean
}

/** One for each process: it remembers which platforms do not answer at present. */
export function createEnrich({ db, clock, log, metrics, contextFor }: EnrichOptions): Enrich {
  const rests = new Map<string, Rest>()

  /** Answers the posts as they are when there are no complements, which begins a rest; complements in time end one. */
  async function fill(
    source: Source & Required<Pick<Source, 'enrich'>>,
    posts: readonly Post[],
    signal: AbortSignal,
  ): Promise<readonly Post[]> {
    const { platform } = source
    const [late, done] = [new AbortController(), new AbortController()]
    const longestMs = source.mode === 'live' ? LONGEST_MS.live : LONGEST_MS.others
    void clock
      .wait(longestMs, done.signal)
      .then(() => late.abort(new SourceFault('unavailable', 'complements took too long')))
    const rest = () => rests.set(platform, { untilMs: clock.monotonicMs() + REST_MS, tried: false })
    try {
      const filled = await underAny([signal, late.signal], (ending) =>
        source.enrich(contextFor(source, clock.now(), ending), posts),
      )
      // Sources take being cut short for no fault, and answer what they have.
      signal.throwIfAborted()
      if (!late.signal.aborted) {
        rests.delete(platform)
        return filled
      }
      rest()
      metrics.sourceFaults.inc({ platform, fault: 'unavailable' })
      log.warn(
        { platform, posts: posts.length, longestMs },
        'complements took too long; posts are stored with what came in time',
      )
      return filled
    } catch (error) {
      signal.throwIfAborted()
      rest()
      const fault = error instanceof SourceFault ? error.kind : 'defect'
      if (error instanceof SourceFault && fault === 'throttled' && !(error instanceof QuotaReached)) {
        const until = plus(clock.now(), (error.retryAfterSeconds ?? 30) * SECOND_MS)
        await pauseSource(db, platform, until).catch((failure: unknown) =>
          log.warn({ err: failure, platform }, 'the pause could not be noted'),
        )
      }
      metrics.sourceFaults.inc({ platform, fault })
      log.warn({ err: error, platform, fault, posts: posts.length }, 'posts are stored without their complements')
      return posts
    } finally {
      done.abort()
    }
  }

  return async (source, posts, signal) => {
    if (!canFill(source) || posts.length === 0) return posts
    const rest = rests.get(source.platform)
    if (!rest) return await fill(source, posts, signal)
    if (rest.untilMs <= clock.monotonicMs() && !rest.tried) {
      // Whether it answers by now is found out aside: a platform that never does would hold up a batch after every
      // rest.
      rest.tried = true
      void fill(source, posts, signal).catch(() => {
        // Only the end of whoever asked comes here; somebody else asks again.
        rest.tried = false
      })
    }
    return posts
  }
}

function canFill(source: Source): source is Source & Required<Pick<Source, 'enrich'>> {
  return source.enrich !== undefined
}
