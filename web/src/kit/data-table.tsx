import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import styles from './data-table.module.css'
import { followBy, type Navigate } from './follow.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface Column<Row> {
  id: string
  label: string
  /** `end` is for figures. */
  align?: 'start' | 'end' | undefined
  /** The address that sorts by this column. */
  sortHref?: string | undefined
  sorted?: 'ascending' | 'descending' | undefined
  render: (row: Row) => ReactNode
  hideOnPhone?: boolean | undefined
}

interface DataTableProps<Row> {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** What the table holds; for screen readers. */
  caption: string
  /** Makes the whole row a link, which is the first cell; null for rows that lead nowhere. */
  rowHref?: ((row: Row) => string | null) | undefined
  onNavigate?: Navigate | undefined
}

/** A table of text and figures. On a phone each row is a block of labels and values. */
export function DataTable<Row>({ columns, rows, rowKey, caption, rowHref, onNavigate }: DataTableProps<Row>) {
  return (
    <table className={styles.table}>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <thead className={styles.head}>
        <tr>
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} onNavigate={onNavigate} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TableRow
            key={rowKey(row)}
            row={row}
            columns={columns}
            href={rowHref?.(row) ?? null}
            onNavigate={onNavigate}
          />
        ))}
      </tbody>
    </table>
  )
}

interface TableRowProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
  href: string | null
  onNavigate: Navigate | undefined
}

function TableRow<Row>({ row, columns, href, onNavigate }: TableRowProps<Row>) {
  return (
    <tr className={clsx(styles.row, href !== null && styles.linked)}>
      {columns.map((column, index) => (
        <td key={column.id} className={cellClass(column)}>
          <span aria-hidden="true" className={styles.label}>
            {column.label}
          </span>
          <CellContent href={index === 0 ? href : null} onNavigate={onNavigate}>
            {column.render(row)}
          </CellContent>
        </td>
      ))}
    </tr>
  )
}

const SORT_SIGNS = { ascending: '▲', descending: '▼' }

function HeadCell<Row>({ column, onNavigate }: { column: Column<Row>; onNavigate: Navigate | undefined }) {
  const { label, sortHref, sorted } = column
  const text = (
    <>
      {label}
      {sorted && <span aria-hidden="true"> {SORT_SIGNS[sorted]}</span>}
    </>
  )
  return (
    <th scope="col" aria-sort={sorted} className={cellClass(column)}>
      {sortHref === undefined ? (
        text
      ) : (
        <a href={sortHref} className={styles.sort} onClick={followBy(onNavigate)}>
          {text}
        </a>
      )}
    </th>
  )
}

interface CellContentProps {
  href: string | null
  onNavigate: Navigate | undefined
  children: ReactNode
}

function CellContent({ href, onNavigate, children }: CellContentProps) {
  if (href === null) return <div className={styles.value}>{children}</div>
  return (
    <a href={href} className={clsx(styles.value, styles.rowLink)} onClick={followBy(onNavigate)}>
      {children}
    </a>
  )
}

function cellClass<Row>({ align, hideOnPhone }: Column<Row>): string {
  return clsx(styles.cell, align === 'end' && styles.end, hideOnPhone && styles.wideOnly)
}
