import type { Uuid } from '../../kernel/ids.ts'
import { cursorText, type Place, pageOf } from '../cursor.ts'
import type { Reading } from '../reading.ts'
import { readShown } from './mention-rows.ts'
import { type Mention, mentionFromRow } from './mention-shape.ts'
import type { ResolvedSearch } from './search.ts'
import { type Behind, readNewest } from './select-newest.ts'

export interface OldestPage {
  data: Mention[]
  nextCursor: string | null
  /** Goes on with what was not shown yet, now or at any later time. */
  resumeCursor: string
}

const SORT = 'oldest'
/**
 * Cursors of this sort say whether the mention that they name is still to come: its own page ended before it, or nobody
 * has stored it yet.
 */
const [SHOWN, TO_COME] = [0, 1]

/** Whether a cursor stands at a place that no mention has to be at. */
export function isPosition({ marks: [mark] }: Place): boolean {
  return mark === TO_COME
}

/**
 * Mentions in the order of their matches, the oldest first, up to `before`, where nothing can come in between any more.
 * Whoever reads on with the resume cursor, however much later, is shown every mention once, whenever its transaction
 * ended and its score came.
 */
export async function oldestPage(
  reading: Reading,
  search: ResolvedSearch,
  { limit, after, before }: { limit: number; after: Place | null; before: Uuid },
): Promise<OldestPage> {
  const at = reading.clock.now()
  const behind: Behind | null = after && { id: after.last, included: isPosition(after) }
  const found = await readNewest(reading, { search, at, behind, before, direction: 'oldest', limit: limit + 1 })
  const { shown, nextCursor } = pageOf(found, limit, SORT, () => [SHOWN])
  const following = found[limit]?.id
  const data = (await readShown(reading.db, shown)).map((row) => mentionFromRow(row, at))
  return {
    data,
    nextCursor,
    resumeCursor: following === undefined ? behindAll(before, after) : cursorText(SORT, following, [TO_COME]),
  }
}

/** What is settled can shrink for a while, when an old mention is scored again: nobody goes back for that. */
function behindAll(before: Uuid, after: Place | null): string {
  return after !== null && before <= after.last
    ? cursorText(SORT, after.last, after.marks)
    : cursorText(SORT, before, [TO_COME])
}
