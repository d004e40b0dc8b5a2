import { SECOND_MS } from '../../kernel/clock.ts'
import type { PageSource, Searching, SearchSource, StreamSource } from '../../sources/contract.ts'
import type { ClaimRef } from '../../store/source/query-claims.ts'
import type { DueQuery } from '../../store/source/source-queries.ts'

/** A source that is asked for single things; a feed is so only for what was there before. */
export type AskedSource = SearchSource | PageSource | (StreamSource & { searching: Searching })

/** What one poll asks for. */
export interface Asked {
  queries: readonly DueQuery[]
  /** The keywords that look back with this poll. */
  looking: readonly ClaimRef[]
  at: Date
  lookBackMs: number
}

/**
 * Many platforms tell the time in whole seconds, so a post may seem older by a second than the keyword that it follows.
 */
export function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / SECOND_MS) * SECOND_MS)
}
