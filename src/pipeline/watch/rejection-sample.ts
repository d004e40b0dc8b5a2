import { REJECTIONS } from '../../domain/keyword/rejection.ts'
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { textHash } from '../../kernel/text.ts'

/** Burst per keyword. The rest of the share is spread over the day. */
const AT_ONCE = 20
const REFILL_MS = DAY_MS / (REJECTIONS.perDay - AT_ONCE)
/** Most keywords with recent samples. Others wait until some are evicted. */
const KEYWORDS_MOST = 100_000
const TIDY_EVERY_MS = 2 * SECOND_MS

/**
 * Keywords with a full share are skipped this long: much shorter than its refill, and long enough to save most checks.
 */
export const LEFT_OUT_MS = 5 * MINUTE_MS

export class RejectionSample {
  private readonly clock: Pick<Clock, 'monotonicMs'>
  /** When each keyword's share is full again. A full share equals an unknown keyword. */
  private readonly wholeAtMs = new Map<string, number>()
  /** Searches repeat posts. Hashes are several times smaller than texts, and a collision loses one post. */
  private readonly known = new Set<number>()
  private tidiedMs: number

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.clock = clock
    this.tidiedMs = clock.monotonicMs()
  }

  readonly wants = (keywordId: string): boolean => {
    const wholeMs = this.wholeAtMs.get(keywordId)
    if (wholeMs === undefined) return this.wholeAtMs.size < KEYWORDS_MOST
    return wholeMs - this.clock.monotonicMs() <= (AT_ONCE - 1) * REFILL_MS
  }

  take(keywordId: string, postId: string): boolean {
    if (!this.wants(keywordId)) return false
    const pair = textHash(`${keywordId} ${postId}`)
    if (this.known.has(pair)) return false
    this.known.add(pair)
    const wholeMs = Math.max(this.clock.monotonicMs(), this.wholeAtMs.get(keywordId) ?? 0)
    this.wholeAtMs.set(keywordId, wholeMs + REFILL_MS)
    return true
  }

  tidy(): void {
    const nowMs = this.clock.monotonicMs()
    if (nowMs - this.tidiedMs < TIDY_EVERY_MS) return
    this.tidiedMs = nowMs
    if (this.known.size > KEYWORDS_MOST) this.known.clear()
    for (const [keywordId, wholeMs] of this.wholeAtMs) if (wholeMs <= nowMs) this.wholeAtMs.delete(keywordId)
  }
}
