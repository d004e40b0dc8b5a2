import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import { type KeyboardEvent, memo, type ReactNode, useCallback, useEffect, useId, useRef } from 'react'
import { InsideRow } from './inside-row.ts'
import styles from './virtual-grid.module.css'

/** Rows that are rendered beyond each edge of the window. */
const OVERSCAN = 6
/** Rows before the end at which the next page is asked for. */
const END_MARGIN = 15

interface RowState {
  active: boolean
  selected: boolean
}

interface VirtualGridProps<Row> {
  label: string
  rows: readonly Row[]
  /** In px, the same for all rows. */
  rowHeight: number
  rowKey: (row: Row) => string
  /** Keep this function the same between renders: rows are rendered anew when it changes. */
  renderRow: (row: Row, state: RowState) => ReactNode
  /** -1 where no row is active. */
  activeIndex: number
  onActivate: (index: number) => void
  /** Enter, or a double click. */
  onOpen?: ((index: number) => void) | undefined
  onReachEnd?: (() => void) | undefined
  /** Rows in all, also those that are not loaded; null where nobody counted. */
  total: number | null
  /** The name of a row for screen readers; its text where left out. */
  rowLabel?: ((row: Row) => string) | undefined
  selectedKeys?: ReadonlySet<string> | undefined
}

/** A long list with one stop of the Tab key: arrows move the active row, the window renders what is seen. */
export function VirtualGrid<Row>(props: VirtualGridProps<Row>) {
  const { label, rows, rowKey, activeIndex, total, selectedKeys } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useRowWindow(props, scroller)
  const activeRow = rows[activeIndex]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be a window on 100,000 rows
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={total ?? -1}
      aria-multiselectable={selectedKeys !== undefined}
      aria-activedescendant={activeRow === undefined ? undefined : `${id}-${rowKey(activeRow)}`}
      className={styles.grid}
      onKeyDown={(event) => moveByKey(event, props, scroller.current)}
    >
      <InsideRow value={true}>
        <div role="presentation" className={styles.rows} style={{ blockSize: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => (
            <GridRow key={rowKey(rows[item.index]!)} grid={props} id={id} index={item.index} start={item.start} />
          ))}
        </div>
      </InsideRow>
    </div>
  )
}

interface GridRowProps<Row> {
  grid: VirtualGridProps<Row>
  id: string
  index: number
  start: number
}

function GridRow<Row>({ grid, id, index, start }: GridRowProps<Row>) {
  const row = grid.rows[index]!
  const key = grid.rowKey(row)
  const active = index === grid.activeIndex
  const selected = grid.selectedKeys?.has(key) ?? false
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its active row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys
    <div
      role="row"
      id={`${id}-${key}`}
      aria-rowindex={index + 1}
      aria-selected={grid.selectedKeys ? selected : active}
      aria-label={grid.rowLabel?.(row)}
      className={clsx(styles.row, active && styles.active, selected && styles.selected)}
      style={{ blockSize: grid.rowHeight, transform: `translateY(${start}px)` }}
      onClick={() => grid.onActivate(index)}
      onDoubleClick={() => grid.onOpen?.(index)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: see the row */}
      <div role="gridcell" className={styles.cell}>
        <RowContent row={row} active={active} selected={selected} renderRow={grid.renderRow} />
      </div>
    </div>
  )
}

interface RowContentProps<Row> extends RowState {
  row: Row
  renderRow: VirtualGridProps<Row>['renderRow']
}

function RenderedRow<Row>({ row, active, selected, renderRow }: RowContentProps<Row>) {
  return renderRow(row, { active, selected })
}

/** Scrolling moves rows and renders their contents only once. */
const RowContent = memo(RenderedRow) as typeof RenderedRow

function useRowWindow<Row>(props: VirtualGridProps<Row>, scroller: { current: HTMLDivElement | null }) {
  const { rows, rowHeight, activeIndex, onReachEnd } = props
  const extractor = useCallback((range: Range) => rangeWith(range, activeIndex), [activeIndex])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    rangeExtractor: extractor,
    overscan: OVERSCAN,
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer does not notice another height by itself
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  useEffect(() => {
    if (activeIndex >= 0) virtualizer.scrollToIndex(activeIndex, { align: 'auto' })
  }, [virtualizer, activeIndex])
  useReachEnd(virtualizer.range?.endIndex ?? -1, rows, onReachEnd)
  return virtualizer
}

/** Asks for more once for each list of rows, however often the caller makes a new function. */
function useReachEnd(lastSeen: number, rows: readonly unknown[], onReachEnd: (() => void) | undefined): void {
  const askedFor = useRef<readonly unknown[]>([])
  useEffect(() => {
    if (rows.length === 0 || lastSeen < rows.length - END_MARGIN || askedFor.current === rows) return
    askedFor.current = rows
    onReachEnd?.()
  }, [lastSeen, rows, onReachEnd])
}

/** The rows of the window, with the active row wherever it is. */
export function rangeWith(range: Range, activeIndex: number): number[] {
  const seen = defaultRangeExtractor(range)
  if (activeIndex < 0 || activeIndex >= range.count || seen.includes(activeIndex)) return seen
  return [...seen, activeIndex].sort((left, right) => left - right)
}

/** Keys by which a grid is moved through; the page's own keys are not asked for these. */
function moveByKey<Row>(
  event: KeyboardEvent,
  { rows, rowHeight, activeIndex, onActivate, onOpen }: VirtualGridProps<Row>,
  scroller: HTMLElement | null,
): void {
  const modified = event.metaKey || event.ctrlKey || event.altKey || event.shiftKey
  if (modified || event.target !== event.currentTarget || rows.length === 0) return
  if (event.key === 'Enter' && activeIndex >= 0 && onOpen) {
    stop(event)
    onOpen(activeIndex)
    return
  }
  const page = Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / rowHeight) - 1)
  const next = nextIndex(event.key, activeIndex, { last: rows.length - 1, page })
  if (next === undefined) return
  stop(event)
  if (next !== activeIndex) onActivate(next)
}

function stop(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

export function nextIndex(
  key: string,
  index: number,
  { last, page }: { last: number; page: number },
): number | undefined {
  const targets: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: last,
  }
  const target = targets[key]
  return target === undefined ? undefined : Math.min(last, Math.max(0, target))
}
