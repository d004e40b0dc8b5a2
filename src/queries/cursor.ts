import type { Uuid } from '../kernel/ids.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const WHOLE = /^-?\d{1,15}$/

/** A place in a list: its last item, and the whole numbers that the sort needs besides to read on. */
export interface Place {
  last: Uuid
  marks: readonly number[]
}

/**
 * A place in a list, as callers send it back: the sort it belongs to, the last item that was shown, and the sort's own
 * marks.
 */
export function cursorText(sort: string, last: Uuid, marks: readonly number[] = []): string {
  return Buffer.from([sort, last, ...marks].join(' ')).toString('base64url')
}

/** The item behind a cursor; null when it cannot be read or was made for another sort. */
export function readCursorText(sort: string, cursor: string): Uuid | null {
  return readPlace(sort, cursor, 0)?.last ?? null
}

/** The place behind a cursor with so many marks; null when it cannot be read or was made for another sort. */
export function readPlace(sort: string, cursor: string, marks: number): Place | null {
  if (!/^[\w-]{1,200}$/.test(cursor)) return null
  const [named, last, ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ')
  const readable =
    named === sort &&
    last !== undefined &&
    UUID.test(last) &&
    rest.length === marks &&
    rest.every((mark) => WHOLE.test(mark))
  return readable ? { last: last as Uuid, marks: rest.map(Number) } : null
}

/** The page out of rows that were read with one more than `limit`, and the cursor to what follows; null at the end. */
export function pageOf<Row extends { id: Uuid }>(
  rows: readonly Row[],
  limit: number,
  sort: string,
  marksOf: (last: Row) => readonly number[] = () => [],
): { shown: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    shown,
    nextCursor: rows.length > limit && last !== undefined ? cursorText(sort, last.id, marksOf(last)) : null,
  }
}
