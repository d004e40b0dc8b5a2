import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { CursorPosition } from '../cursor.ts'
import type { QueryContext } from '../reading.ts'
import type { ResolvedSearch } from './search.ts'
import { selectNewest } from './select-newest.ts'

export interface RankedByRelevance {
  id: Uuid
  rank: number
}

interface Span {
  least: number
  most: number
}

/** Most mentions sorted at once; larger spans are halved. */
const SORTED_MAX = 120
const MOST = 100

/**
 * The first mentions by relevance, highest and newest first, behind `after`; unscored ones are left out. No index has
 * this order, because every score would have to update it: spans of relevance are halved until one is small enough to
 * sort, or is a single relevance, which block summaries cover.
 */
export async function readByRelevance(
  reading: QueryContext,
  search: ResolvedSearch,
  { limit, after }: { limit: number; after: CursorPosition | null },
): Promise<RankedByRelevance[]> {
  const at = reading.clock.now()
  const newest = async (
    { least, most }: Span,
    wanted: number,
    behind: Uuid | null = null,
  ): Promise<RankedByRelevance[]> => {
    const within = { ...search, filters: [...search.filters, { minRelevance: least, maxRelevance: most }] }
    const asked = {
      workspaceId: reading.workspaceId,
      search: within,
      at,
      behind: behind && { id: behind, included: false },
      limit: wanted,
    }
    return reading.db.query(selectNewest(sql<RankedByRelevance>`m.id, m.relevance as rank`, asked))
  }
  const rows = after === null ? [] : await newest({ least: after.marks[0]!, most: after.marks[0]! }, limit, after.last)
  const spans: Span[] = [{ least: 0, most: after === null ? MOST : after.marks[0]! - 1 }]
  for (let span = spans.pop(); span !== undefined && rows.length < limit; span = spans.pop()) {
    const { least, most } = span
    if (least > most) continue
    const found = await newest(span, least === most ? limit - rows.length : SORTED_MAX + 1)
    if (least === most || found.length <= SORTED_MAX) {
      rows.push(...found.sort((first, second) => second.rank - first.rank))
      continue
    }
    const middle = Math.ceil((least + most) / 2)
    spans.push({ least, most: middle - 1 }, { least: middle, most })
  }
  return rows.slice(0, limit)
}
