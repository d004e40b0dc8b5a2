import { cleanLine } from '../cli/index.ts'

/** Columns as wide as their widest cell, safe for foreign texts. */
export function table(title: string, rows: readonly (readonly string[])[]): string {
  const plain = rows.map((row) => row.map(cleanLine))
  const widths = plain.reduce<number[]>((wide, row) => row.map((cell, at) => Math.max(wide[at] ?? 0, cell.length)), [])
  const lines = plain.map(
    (row) => `  ${row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  ')}`,
  )
  return [title, ...lines.map((line) => line.trimEnd()), ''].join('\n')
}
