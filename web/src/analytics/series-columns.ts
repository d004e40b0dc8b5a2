import type { SheetColumn } from './sheet.tsx'
import type { ShownSeries } from './values.ts'
import { words } from './words.ts'

/** The table behind the chart: a row for each period, by its number. */
export function seriesColumns(series: readonly ShownSeries[], periods: readonly string[]): SheetColumn<number>[] {
  return [
    { id: 'period', label: words.period, cell: (index) => periods[index]! },
    ...series.map(
      ({ name, values }, at): SheetColumn<number> => ({
        id: String(at),
        label: name,
        align: 'end',
        cell: (index) => values[index]!,
      }),
    ),
  ]
}
