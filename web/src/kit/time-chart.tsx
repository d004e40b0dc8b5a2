import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { chartData, chartOptions, type Place, type Series, seriesAt } from './chart-options.ts'
import styles from './time-chart.module.css'

interface TimeChartProps {
  /** The name of the chart for screen readers. */
  label: string
  /** Names of the periods, in order. */
  periods: readonly string[]
  /** From the bottom of the stack. */
  series: readonly Series[]
  /** Periods with a mark above them. */
  marks: readonly number[]
  /** Where the pointer or the keys are; null for nowhere. */
  place: Place | null
  /** What stands there, in words. */
  placeText: string
  onMove: (place: Place | null) => void
  onOpen: (place: Place) => void
  /** Gets the canvas, for pictures of the chart. */
  canvas: RefObject<HTMLCanvasElement | null>
}

/** Stacked bars over time. Left and right choose a period, up and down one of its parts, Enter opens what is chosen. */
export function TimeChart(props: TimeChartProps) {
  const { label, periods, place, placeText, onMove, onOpen } = props
  const host = useRef<HTMLDivElement>(null)
  usePlot(host, props)
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' && place !== null) onOpen(place)
    else {
      const next = placeAfter(event.key, place, periods.length, props.series)
      if (next === undefined) return
      onMove(next)
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={host}
      className={styles.chart}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={periods.length}
      aria-valuenow={(place?.period ?? periods.length - 1) + 1}
      aria-valuetext={placeText}
      onKeyDown={press}
    />
  )
}

/** Undefined for keys that do not move. */
export function placeAfter(
  key: string,
  place: Place | null,
  periods: number,
  series: readonly Series[],
): Place | null | undefined {
  if (key === 'Escape') return place === null ? undefined : null
  if (key === 'ArrowUp' || key === 'ArrowDown')
    return partAfter(key, place ?? { period: periods - 1, series: null }, series)
  const period = place?.period ?? (key === 'ArrowRight' ? -1 : periods)
  const targets: Record<string, number> = {
    ArrowRight: period + 1,
    ArrowLeft: period - 1,
    PageUp: period + 7,
    PageDown: period - 7,
    Home: 0,
    End: periods - 1,
  }
  const target = targets[key]
  if (target === undefined) return undefined
  return { period: Math.min(periods - 1, Math.max(0, target)), series: place?.series ?? null }
}

/** The whole bar stands below its first part and above its last. Parts without height are passed over. */
function partAfter(key: 'ArrowUp' | 'ArrowDown', { period, series: part }: Place, series: readonly Series[]): Place {
  const parts = [null, ...[...series.keys()].filter((index) => series[index]!.values[period]! > 0)]
  const at = Math.max(0, parts.indexOf(part))
  return { period, series: parts.at((at + (key === 'ArrowUp' ? 1 : -1)) % parts.length)! }
}

/** Draws the chart anew when its figures change, and resizes and repaints it when the page does. */
function usePlot(host: RefObject<HTMLDivElement | null>, props: TimeChartProps): void {
  const { periods, series, marks, place, canvas } = props
  const newest = useRef(props)
  newest.current = props
  const plot = useRef<uPlot | null>(null)
  useEffect(() => {
    const element = host.current!
    const shape = { periods, series, marks, ...sizeOf(element) }
    const moved = (at: uPlot) => newest.current.onMove(pointedAt(at, newest.current))
    const chart = new uPlot(chartOptions(shape, moved), chartData(shape), element)
    chart.over.addEventListener('click', () => {
      const pointed = pointedAt(chart, newest.current)
      if (pointed !== null) newest.current.onOpen(pointed)
    })
    plot.current = chart
    canvas.current = chart.ctx.canvas
    const stopWatching = watchLooks(element, chart)
    return () => {
      stopWatching()
      chart.destroy()
      plot.current = null
    }
  }, [host, periods, series, marks, canvas])
  const period = place?.period
  useEffect(() => {
    const chart = plot.current
    // The pointer has moved the cursor already, and its height tells which part it is on.
    if (chart === null || (chart.cursor.idx ?? undefined) === period) return
    chart.setCursor(
      { left: period === undefined ? -10 : chart.valToPos(period, 'x'), top: period === undefined ? -10 : 0 },
      false,
    )
  }, [period])
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement) {
  return { width: clientWidth, height: clientHeight }
}

/** What is under the pointer. */
function pointedAt(chart: uPlot, { series }: TimeChartProps): Place | null {
  const { idx, top } = chart.cursor
  if (idx == null || top == null || top < 0) return null
  return { period: idx, series: seriesAt(series, idx, chart.posToVal(top, 'y')) }
}

function watchLooks(element: HTMLElement, chart: uPlot): () => void {
  const resized = new ResizeObserver(() => chart.setSize(sizeOf(element)))
  resized.observe(element)
  const repaint = () => chart.redraw()
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', repaint)
  const themed = new MutationObserver(repaint)
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    resized.disconnect()
    themed.disconnect()
    dark.removeEventListener('change', repaint)
  }
}
