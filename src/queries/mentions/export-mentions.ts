import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { Reading } from '../reading.ts'
import { selectNewest } from './list-mentions.ts'
import { MENTION_COLUMNS, type Mention, type MentionRow, mentionFromRow, selectMentions } from './mention-shape.ts'
import type { ResolvedSearch } from './search.ts'

/** The most mentions that an export holds. */
export const EXPORT_MAX = 10_000
const PORTION = 200

/** Where an export begins, and whether there are more mentions than it may hold. */
export interface ExportRange {
  /** Null when there is nothing to export. */
  newest: Uuid | null
  truncated: boolean
}

/** What has to be said of an export before it is sent; looks at as many mentions as it will hold, and at little of each. */
export async function rangeOfExport(reading: Reading, search: ResolvedSearch): Promise<ExportRange> {
  const { workspaceId, clock } = reading
  const found = selectNewest(sql`m.id`, { workspaceId, search, at: clock.now(), behind: null, limit: EXPORT_MAX + 1 })
  const [range] = await reading.db.query<{ newest: Uuid | null; found: number }>(sql`
    select (array_agg(id order by id desc))[1] as newest, count(*) as found from (${found}) f`)
  return { newest: range!.newest, truncated: range!.found > EXPORT_MAX }
}

/**
 * The mentions that a search finds, newest match first, in portions and in constant memory. At most EXPORT_MAX come, from
 * `newest` on where it is given; the last portion says whether more were there. Each portion is a short statement of its
 * own, so that a caller who reads slowly holds no connection; ids only grow, so nothing that comes in meanwhile gets
 * between.
 */
export async function* exportMentions(
  reading: Reading,
  search: ResolvedSearch,
  newest: Uuid | null = null,
): AsyncIterable<{ mentions: Mention[]; truncated: boolean }> {
  const at = reading.clock.now()
  let behind = newest === null ? null : { id: newest, included: true }
  for (let left = EXPORT_MAX; left > 0; left -= PORTION) {
    const size = Math.min(PORTION, left)
    const rows: MentionRow[] = await reading.db.query(
      selectMentions(selectNewest(MENTION_COLUMNS, { workspaceId: reading.workspaceId, search, at, behind, limit: size + 1 })),
    )
    const shown = rows.slice(0, size)
    const more = shown.length < rows.length
    yield { mentions: shown.map((row) => mentionFromRow(row, at)), truncated: more && size === left }
    if (!more) return
    behind = { id: shown.at(-1)!.id, included: false }
  }
}
