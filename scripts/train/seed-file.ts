import { readFileSync } from 'node:fs'

/**
 * The rows of `seeds/<name>.tsv`, texts written for this project: a row a line, the columns apart by tabs. Columns that
 * a line leaves out at its end are empty.
 */
export function readSeeds<Column extends string>(name: string, columns: readonly Column[]): Record<Column, string>[] {
  const text = readFileSync(new URL(`seeds/${name}.tsv`, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => rowOf(line.split('\t'), columns))
}

function rowOf<Column extends string>(fields: readonly string[], columns: readonly Column[]): Record<Column, string> {
  return Object.fromEntries(columns.map((column, at) => [column, fields[at] ?? ''])) as Record<Column, string>
}

/** Every row with its number among those of its purpose, from 0. */
export function numberedByPurpose<Row extends { purpose: string }>(rows: readonly Row[]): [Row, number][] {
  const counts = new Map<string, number>()
  return rows.map((row) => {
    const number = counts.get(row.purpose) ?? 0
    counts.set(row.purpose, number + 1)
    return [row, number]
  })
}
