/** What a cell can hold; null is an empty cell. */
export type CsvCell = string | number | boolean | null

/**
 * A line of a table as RFC 4180 has it, with its line break. Texts come from strangers, and spreadsheets take a text
 * that begins like a formula for one: such a text is preceded by an apostrophe, which they show as text. So is a
 * formula behind a semicolon, a tab or a line break, where some spreadsheets cut lines whatever the quotes say.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

/**
 * Signs that begin a formula, in their wide forms too, behind anything that is not seen; and breaks that end up before
 * one.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u

/**
 * Whole runs of what is not seen or may be taken for the end of a cell, and the sign behind: taken whole, so that no
 * run is gone through twice.
 */
const BEFORE_SIGN = /([;\s\p{Cc}\p{Cf}]+)([=+@\uff1d\uff0b\uff20])?/gu
/**
 * What some spreadsheets take for the end of a cell. A hyphen behind it is how people write lists, and by itself does
 * nothing.
 */
const CELL_END = /[;\t\r\n]/

function cellText(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const within = cell.replace(BEFORE_SIGN, (all, run: string, sign?: string) =>
    sign !== undefined && CELL_END.test(run) ? `${run}'${sign}` : all,
  )
  const safe = FORMULA.test(cell) ? `'${within}` : within
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
