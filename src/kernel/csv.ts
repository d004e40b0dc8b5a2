export type CsvCell = string | number | boolean | null

/**
 * A line by RFC 4180 with its line break. Spreadsheets run text that begins like a formula, so such text gets an
 * apostrophe in front; also behind a semicolon, a tab or a line break, where some spreadsheets split cells whatever the
 * quotes say.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

/** A formula's sign, wide forms included, behind any invisible characters. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u

/** Takes whole invisible runs, so that no run is scanned twice. */
const BEFORE_SIGN = /([;\s\p{Cc}\p{Cf}]+)([=+@\uff1d\uff0b\uff20])?/gu
/** Where some spreadsheets end a cell. A hyphen after it is harmless and common in lists. */
const CELL_END = /[;\t\r\n]/

function cellText(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const within = cell.replace(BEFORE_SIGN, (all, run: string, sign?: string) =>
    sign !== undefined && CELL_END.test(run) ? `${run}'${sign}` : all,
  )
  const safe = FORMULA.test(cell) ? `'${within}` : within
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
