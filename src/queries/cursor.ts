import type { Uuid } from '../kernel/ids.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const WHOLE = /^-?\d{1,15}$/

/** The last item of a page and the numbers that its sort needs. */
export interface CursorPosition {
  last: Uuid
  marks: readonly number[]
}

export function cursorText(sort: string, last: Uuid, marks: readonly number[] = []): string {
  return Buffer.from([sort, last, ...marks].join(' ')).toString('base64url')
}

/** Null when the cursor is invalid or of another sort. */
export function readCursorText(sort: string, cursor: string): Uuid | null {
  return readPlace(sort, cursor, 0)?.last ?? null
}

/** Null when the cursor is invalid, of another sort or has another number of marks. */
export function readPlace(sort: string, cursor: string, marks: number): CursorPosition | null {
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

/** `rows` holds one more than `limit` when there is a next page; `nextCursor` is null at the end. */
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
