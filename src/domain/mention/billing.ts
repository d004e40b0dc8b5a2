import type { Units } from '../../kernel/money.ts'
import { MENTION } from '../wallet/prices.ts'

type SourceMode = 'stream' | 'search' | 'page'

/**
 * Reviews older than their page's connection are free. Older posts that a search finds are charged, but limited in
 * number.
 */
export function isFree({ mode, lookedBack }: { mode: SourceMode; lookedBack: boolean }): boolean {
  return mode === 'page' && lookedBack
}

/** A mention is charged once, when it has a verdict. `store/mention/billing-sql.ts` has the same rule in SQL. */
export function isBillable({ scored, free }: { scored: boolean; free: boolean }): boolean {
  return scored && !free
}

export function mentionPrice(metered: boolean): Units | 0 {
  return metered ? MENTION : 0
}
