import type { Units } from '../../kernel/money.ts'
import { MENTION } from '../wallet/prices.ts'

/** How a source is read: a whole feed, a search for terms, or the page of one product. */
type SourceMode = 'stream' | 'search' | 'page'

/**
 * Whether a mention is never charged: a review that was on its page before the page was connected. Posts that a search
 * finds by looking back are charged, and limited in number instead.
 */
export function isFree({ mode, lookedBack }: { mode: SourceMode; lookedBack: boolean }): boolean {
  return mode === 'page' && lookedBack
}

/**
 * Whether a mention is charged, which happens once. One without a verdict is not: it waits for its score, or its score
 * has failed for good. `store/mention/billing-sql.ts` says the same of stored mentions.
 */
export function isBillable({ scored, free }: { scored: boolean; free: boolean }): boolean {
  return scored && !free
}

/** What a billable mention costs. An unmetered installation charges nothing. */
export function mentionPrice(metered: boolean): Units | 0 {
  return metered ? MENTION : 0
}
