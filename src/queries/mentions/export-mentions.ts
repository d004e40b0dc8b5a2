import { sql } from '../../store/database.ts'
import type { Reading } from '../reading.ts'
import { type MentionSearch, selection } from './list-mentions.ts'
import { type Mention, mentionFromRow, selectMentions } from './mention-shape.ts'

/** The most mentions that an export holds. */
export const EXPORT_MAX = 10_000
const PORTION = 200

/**
 * The mentions that a search finds, newest match first, in portions and in constant memory. At most EXPORT_MAX come; the
 * last portion says whether more were there.
 */
export async function* exportMentions(reading: Reading, search: MentionSearch): AsyncIterable<{ mentions: Mention[]; truncated: boolean }> {
  const at = reading.clock.now()
  let left = EXPORT_MAX
  const statement = selectMentions(sql`${selection(reading.workspaceId, search, null)} order by m.id desc limit ${EXPORT_MAX + 1}`)
  for await (const rows of reading.db.stream(statement, PORTION)) {
    const shown = rows.slice(0, left)
    left -= shown.length
    yield { mentions: shown.map((row) => mentionFromRow(row, at)), truncated: shown.length < rows.length }
  }
}
