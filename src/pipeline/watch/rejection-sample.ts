import { REJECTIONS } from '../../domain/keyword/rejection.ts'
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { textHash } from '../../kernel/text.ts'

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

/** Draws a sample of the posts that are dropped for each keyword: the share of one is taken from no other. */
export class RejectionSample {
  private readonly clock: Pick<Clock, 'monotonicMs'>
  /** When each keyword has its whole share again; one that has it is as good as one that is not known. */
  private readonly wholeAtMs = new Map<string, number>()
  /**
   * Searches bring the same posts again and again. Hashes, because texts would be several times as large, and one post
   * less of a sample is no loss.
   */
  private readonly known = new Set<number>()
  private tidiedMs: number

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.clock = clock
    this.tidiedMs = clock.monotonicMs()
  }

  /** Whether a post more of the keyword would be taken. Changes nothing. Bound, so that it can be handed on. */
  readonly wants = (keywordId: string): boolean => {
    const wholeMs = this.wholeAtMs.get(keywordId)
    if (wholeMs === undefined) return this.wholeAtMs.size < KEYWORDS_MOST
    return wholeMs - this.clock.monotonicMs() <= (AT_ONCE - 1) * REFILL_MS
  }

  /** Takes a post into the sample of a keyword; false when the keyword has had its share or the post is in it. */
  take(keywordId: string, postId: string): boolean {
    if (!this.wants(keywordId)) return false
    const pair = textHash(`${keywordId} ${postId}`)
    if (this.known.has(pair)) return false
    this.known.add(pair)
    const wholeMs = Math.max(this.clock.monotonicMs(), this.wholeAtMs.get(keywordId) ?? 0)
    this.wholeAtMs.set(keywordId, wholeMs + REFILL_MS)
    return true
  }

  /** Forgets what need not be known any more. To be called every few seconds. */
  tidy(): void {
    const nowMs = this.clock.monotonicMs()
    if (nowMs - this.tidiedMs < TIDY_EVERY_MS) return
    this.tidiedMs = nowMs
    if (this.known.size > KEYWORDS_MOST) this.known.clear()
    for (const [keywordId, wholeMs] of this.wholeAtMs) if (wholeMs <= nowMs) this.wholeAtMs.delete(keywordId)
  }
}
