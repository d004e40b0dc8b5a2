import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { Reading } from '../reading.ts'
import { type MentionSearch, selection } from './list-mentions.ts'
import { type Mention, type MentionRow, mentionFromRow, selectMentions } from './mention-shape.ts'

/** The most mentions that an export holds. */
export const EXPORT_MAX = 10_000
const PORTION = 200

/**
 * The mentions that a search finds, newest match first, in portions and in constant memory. At most EXPORT_MAX come; the
 * last portion says whether more were there. Each portion is a short statement of its own, so that a caller who reads
 * slowly holds no connection; ids only grow, so nothing that comes in meanwhile gets between.
 */
export async function* exportMentions(reading: Reading, search: MentionSearch): AsyncIterable<{ mentions: Mention[]; truncated: boolean }> {
  const at = reading.clock.now()
  let after: Uuid | null = null
  for (let left = EXPORT_MAX; left > 0; left -= PORTION) {
    const size = Math.min(PORTION, left)
    const rows: MentionRow[] = await reading.db.query(
      selectMentions(sql`${selection(reading.workspaceId, search, after)} order by m.id desc limit ${size + 1}`),
    )
    const shown = rows.slice(0, size)
    const more = shown.length < rows.length
    yield { mentions: shown.map((row) => mentionFromRow(row, at)), truncated: more && size === left }
    if (!more) return
    after = shown.at(-1)!.id
  }
}
