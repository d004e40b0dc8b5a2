import { SECOND_MS } from '../../kernel/clock.ts'
import type { PageSource, Searching, SearchSource, StreamSource } from '../../sources/contract.ts'
import type { ClaimRef } from '../../store/source/query-claims.ts'
import type { DueQuery } from '../../store/source/source-queries.ts'

/** A source that is queried for single terms or pages. A feed is queried only to look back. */
export type PolledSource = SearchSource | PageSource | (StreamSource & { searching: Searching })

export interface QueriedSource {
  queries: readonly DueQuery[]
  looking: readonly ClaimRef[]
  at: Date
  lookBackMs: number
}

/** Many platforms give times in whole seconds, so a post may seem up to a second older than its keyword. */
export function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / SECOND_MS) * SECOND_MS)
}
