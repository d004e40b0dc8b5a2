import { REJECTIONS } from '../../domain/keyword/rejection.ts'
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { textHash } from '../../kernel/text.ts'

/** Draws a sample of the posts that are dropped for each keyword: the share of one is taken from no other. */
export interface RejectionSample {
  /** Whether a post more of the keyword would be taken. Changes nothing. */
  wants(keywordId: string): boolean
  /** Takes a post into the sample of a keyword; false when the keyword has had its share or the post is in it. */
  take(keywordId: string, postId: string): boolean
  /** Forgets what need not be known any more. To be called every few seconds. */
  tidy(): void
}

/**
 * Of a keyword of which nothing was taken lately so many are taken at once; then they come at even times over the day.
 */
const AT_ONCE = 20
const REFILL_MS = DAY_MS / (REJECTIONS.perDay - AT_ONCE)
/** Keywords of which something was taken lately; beyond it nothing is taken of others until some are forgotten. */
const KEYWORDS_MOST = 100_000
const TIDY_EVERY_MS = 2 * SECOND_MS

/**
 * Keywords that have had their share are left out of every look for so long: much shorter than a share takes to grow,
 * and so long that even very many of them hardly cost a look.
 */
export const LEFT_OUT_MS = 5 * MINUTE_MS

export function createRejectionSample(clock: Pick<Clock, 'monotonicMs'>): RejectionSample {
  /** When each keyword has its whole share again; one that has it is as good as one that is not known. */
  const wholeAtMs = new Map<string, number>()
  /**
   * Searches bring the same posts again and again. Hashes, because texts would be several times as large, and one post
   * less of a sample is no loss.
   */
  const known = new Set<number>()
  let tidiedMs = clock.monotonicMs()

  const wants = (keywordId: string): boolean => {
    const wholeMs = wholeAtMs.get(keywordId)
    if (wholeMs === undefined) return wholeAtMs.size < KEYWORDS_MOST
    return wholeMs - clock.monotonicMs() <= (AT_ONCE - 1) * REFILL_MS
  }
  return {
    wants,
    take(keywordId, postId) {
      if (!wants(keywordId)) return false
      const pair = textHash(`${keywordId} ${postId}`)
      if (known.has(pair)) return false
      known.add(pair)
      wholeAtMs.set(keywordId, Math.max(clock.monotonicMs(), wholeAtMs.get(keywordId) ?? 0) + REFILL_MS)
      return true
    },
    tidy() {
      const nowMs = clock.monotonicMs()
      if (nowMs - tidiedMs < TIDY_EVERY_MS) return
      tidiedMs = nowMs
      if (known.size > KEYWORDS_MOST) known.clear()
      for (const [keywordId, wholeMs] of wholeAtMs) if (wholeMs <= nowMs) wholeAtMs.delete(keywordId)
    },
  }
}
