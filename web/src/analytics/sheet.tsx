import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../kit/button.tsx'
import { savePicture } from '../kit/chart-picture.ts'
import { type CsvCell, csvLine } from '../kit/csv.ts'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { saveFile } from '../kit/save-file.ts'
import styles from './analytics.module.css'
import { words } from './words.ts'

/** A column of a table that is also saved as CSV. */
export interface SheetColumn<Row> {
  id: string
  label: string
  align?: 'end'
  cell: (row: Row) => CsvCell
  /** What the page shows instead of the cell. */
  show?: (row: Row) => ReactNode
  hideOnPhone?: boolean
}

interface SheetProps<Row> {
  caption: string
  columns: readonly SheetColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Null where no filter says exactly what the row counts. */
  rowHref?: (row: Row) => string | null
}

export function Sheet<Row>({ caption, columns, rows, rowKey, rowHref }: SheetProps<Row>) {
  const [, navigate] = useLocation()
  const shown = columns.map(
    ({ id, label, align, cell, show, hideOnPhone }): Column<Row> => ({
      ...{ id, label, align, hideOnPhone },
      render: (row) => (show === undefined ? <bdi>{cell(row)}</bdi> : show(row)),
    }),
  )
  return (
    <DataTable caption={caption} columns={shown} rows={rows} rowKey={rowKey} rowHref={rowHref} onNavigate={navigate} />
  )
}

export function csvOf<Row>(columns: readonly SheetColumn<Row>[], rows: readonly Row[]): string {
  const head = csvLine(columns.map(({ label }) => label))
  return head + rows.map((row) => csvLine(columns.map(({ cell }) => cell(row)))).join('')
}

interface ExportsProps<Row> {
  title: string
  /** Without ending. */
  file: string
  columns: readonly SheetColumn<Row>[]
  rows: readonly Row[]
  /** Null while there is nothing to draw. */
  picture: () => HTMLCanvasElement | null
  more?: ReactNode
}

/** Saves a chart as the table behind it or as a picture. */
export function Exports<Row>({ title, file, columns, rows, picture, more }: ExportsProps<Row>) {
  const savePng = () => {
    const painted = picture()
    if (painted !== null) savePicture(`${file}.png`, painted)
  }
  const saveCsv = () => saveFile(`${file}.csv`, new Blob([csvOf(columns, rows)], { type: 'text/csv' }))
  return (
    <span className={styles.exports}>
      {more}
      <Button size="small" aria-label={words.saveCsv(title)} onClick={saveCsv}>
        {words.csv}
      </Button>
      <Button size="small" aria-label={words.savePng(title)} onClick={savePng}>
        {words.png}
      </Button>
    </span>
  )
}
