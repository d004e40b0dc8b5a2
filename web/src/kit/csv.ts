export type CsvCell = string | number | null

/** A formula's sign, wide forms included, behind any invisible characters. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u
const BEFORE_SIGN = /([;\s\p{Cc}\p{Cf}]+)([=+@\uff1d\uff0b\uff20])?/gu
const CELL_END = /[;\t\r\n]/

/** A line as exports of the service have it: text that a spreadsheet would run as a formula gets an apostrophe. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const within = cell.replace(BEFORE_SIGN, (all, run: string, sign?: string) =>
    sign !== undefined && CELL_END.test(run) ? `${run}'${sign}` : all,
  )
  const safe = FORMULA.test(cell) ? `'${within}` : within
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
