import type { Units } from '../../kernel/money.ts'
import { MENTION } from '../wallet/prices.ts'

type SourceMode = 'stream' | 'search' | 'page'

/** Reviews older than their page's connection are free. Older posts found by search are charged, but limited. */
export function isFree({ mode, lookedBack }: { mode: SourceMode; lookedBack: boolean }): boolean {
  return mode === 'page' && lookedBack
}

/** `store/mention/billing-sql.ts` has the same rule in SQL. */
export function isBillable({ scored, free }: { scored: boolean; free: boolean }): boolean {
  return scored && !free
}

export function mentionPrice(metered: boolean): Units | 0 {
  return metered ? MENTION : 0
}
