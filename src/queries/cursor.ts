import type { Uuid } from '../kernel/ids.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A place in a list, as callers send it back: the sort it belongs to and the last item that was shown. */
export function cursorText(sort: string, last: Uuid): string {
  return Buffer.from(`${sort} ${last}`).toString('base64url')
}

/** The item behind a cursor; null when it cannot be read or was made for another sort. */
export function readCursorText(sort: string, cursor: string): Uuid | null {
  if (!/^[\w-]{1,200}$/.test(cursor)) return null
  const [named, last, ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ')
  return named === sort && last !== undefined && rest.length === 0 && UUID.test(last) ? (last as Uuid) : null
}

/** The page out of rows that were read with one more than `limit`, and the cursor to what follows; null at the end. */
export function pageOf<Row extends { id: Uuid }>(rows: readonly Row[], limit: number, sort: string): { shown: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { shown, nextCursor: rows.length > limit && last !== undefined ? cursorText(sort, last.id) : null }
}
