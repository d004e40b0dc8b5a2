import type { Uuid } from '../../kernel/ids.ts'
import { type CursorPosition, cursorText, pageOf } from '../cursor.ts'
import type { QueryContext } from '../reading.ts'
import { readShown } from './mention-rows.ts'
import { type Mention, mentionFromRow } from './mention-shape.ts'
import type { ResolvedSearch } from './search.ts'
import { type Behind, readNewest } from './select-newest.ts'

export interface OldestPage {
  data: Mention[]
  nextCursor: string | null
  /** Continues with mentions not shown yet, now or later. */
  resumeCursor: string
}

const SORT = 'oldest'
/** Whether the mention named by a cursor was shown, or is a position at which one may still appear. */
const [SHOWN, TO_COME] = [0, 1]

/** Whether the cursor is a position without a mention. */
export function isPosition({ marks: [mark] }: CursorPosition): boolean {
  return mark === TO_COME
}

/**
 * Matches oldest first up to `before`, where no mention can still appear. A reader who follows `resumeCursor` sees
 * every mention once, whenever its transaction ended and its score arrived.
 */
export async function oldestPage(
  reading: QueryContext,
  search: ResolvedSearch,
  { limit, after, before }: { limit: number; after: CursorPosition | null; before: Uuid },
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

/** The settled range can shrink when an old mention is scored again; the cursor never goes back. */
function behindAll(before: Uuid, after: CursorPosition | null): string {
  return after !== null && before <= after.last
    ? cursorText(SORT, after.last, after.marks)
    : cursorText(SORT, before, [TO_COME])
}
