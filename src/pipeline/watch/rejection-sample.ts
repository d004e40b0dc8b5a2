import { REJECTIONS } from '../../domain/keyword/rejection.ts'
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'

/** Draws a sample of the posts that are dropped for each keyword: the share of one is taken from no other. */
export interface RejectionSample {
  /** Whether a post more of the keyword would be taken. Changes nothing. */
  wants(keywordId: string): boolean
  /** Takes a post into the sample of a keyword; false when the keyword has had its share or the post is in it. */
  take(keywordId: string, postId: string): boolean
  /** Forgets what need not be known any more. To be called every few seconds. */
  tidy(): void
}

/** Of a keyword of which nothing was taken lately so many are taken at once; then they come at even times over the day. */
const AT_ONCE = 20
const REFILL_MS = DAY_MS / (REJECTIONS.perDay - AT_ONCE)
/** Keywords of which something was taken lately; beyond it nothing is taken of others until some are forgotten. */
const KEYWORDS_MOST = 100_000
const TIDY_EVERY_MS = 2 * SECOND_MS

/**
 * Keywords that have had their share are left out of every look for so long: much shorter than a share takes to grow, and so
 * long that even very many of them hardly cost a look.
 */
export const LEFT_OUT_MS = 5 * MINUTE_MS

export function createRejectionSample(clock: Pick<Clock, 'monotonicMs'>): RejectionSample {
  const shares = new Map<string, Share>()
  /** Searches bring the same posts again and again. */
  const known = new Set<string>()
  let tidiedMs = clock.monotonicMs()

  const wants = (keywordId: string): boolean => {
    const share = shares.get(keywordId)
    if (share === undefined) return shares.size < KEYWORDS_MOST
    return leftOf(share, clock.monotonicMs()) >= 1
  }
  return {
    wants,
    take(keywordId, postId) {
      if (!wants(keywordId)) return false
      const pair = `${keywordId} ${postId}`
      if (known.has(pair)) return false
      known.add(pair)
      const nowMs = clock.monotonicMs()
      const share = shares.get(keywordId)
      shares.set(keywordId, { left: (share === undefined ? AT_ONCE : leftOf(share, nowMs)) - 1, atMs: nowMs })
      return true
    },
    tidy() {
      const nowMs = clock.monotonicMs()
      if (nowMs - tidiedMs < TIDY_EVERY_MS) return
      tidiedMs = nowMs
      if (known.size > KEYWORDS_MOST) known.clear()
      // A keyword that has its whole share again is as good as one that is not known.
      for (const [keywordId, share] of shares) if (leftOf(share, nowMs) >= AT_ONCE) shares.delete(keywordId)
    },
  }
}

/** How many posts of a keyword may be taken, as of a moment. */
interface Share {
  left: number
  atMs: number
}

function leftOf({ left, atMs }: Share, nowMs: number): number {
  return Math.min(AT_ONCE, left + (nowMs - atMs) / REFILL_MS)
}
