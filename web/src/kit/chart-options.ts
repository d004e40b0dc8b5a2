import uPlot from 'uplot'
import { colourOf } from './chart-picture.ts'
import { formatShort } from './count.tsx'

export interface Series {
  label: string
  /** One figure for each period. */
  values: readonly number[]
  /** A custom property such as `--series-1`. */
  colour: string
}

/** A period, and a series in it or all of them. */
export interface Place {
  period: number
  series: number | null
}

interface ChartShape {
  periods: readonly string[]
  series: readonly Series[]
  marks: readonly number[]
  width: number
  height: number
}

/** Pixels for a label below the chart. */
const LABEL_WIDTH = 76
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
/** Steps of the scale at the side: mentions are whole. */
const STEPS = [...Array(10).keys()].flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power))

/** Bars stand on the axis one behind the other, the highest sum first, which looks stacked. */
export function chartData({ periods, series }: Pick<ChartShape, 'periods' | 'series'>): uPlot.AlignedData {
  const sums = sumsOf(series, periods.length).map((heights) => heights.map((height) => (height === 0 ? null : height)))
  return [periods.map((_, index) => index), ...sums.toReversed()] as uPlot.AlignedData
}

/** For each series its figures with those below. */
function sumsOf(series: readonly Series[], length: number): number[][] {
  const below = Array.from({ length }, () => 0)
  return series.map(({ values }) => values.map((value, index) => (below[index] = below[index]! + value)))
}

/** The series that is drawn at a height; null above all. */
export function seriesAt(series: readonly Series[], period: number, height: number): number | null {
  let sum = 0
  for (const [index, { values }] of series.entries()) {
    sum += values[period]!
    if (height <= sum) return index
  }
  return null
}

export function chartOptions(shape: ChartShape, onMove: (chart: uPlot) => void): uPlot.Options {
  const { periods, series, width, height } = shape
  const bars = uPlot.paths.bars!({ size: [0.78, 56] })
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [-0.6, periods.length - 0.4] },
      y: { range: (_, __, most) => [0, Math.max(4, most * 1.12)] },
    },
    axes: [timeAxis(periods), countAxis()],
    series: [
      {},
      ...series.toReversed().map(({ label, colour }) => ({
        label,
        paths: bars,
        points: { show: false },
        fill: () => colourOf(colour),
        stroke: () => colourOf('--sheet'),
        width: 1,
      })),
    ],
    hooks: { setCursor: [onMove], draw: [(chart) => drawMarks(chart, shape.marks)] },
  }
}

const lines = { stroke: () => colourOf('--line'), width: 1 }

function timeAxis(periods: readonly string[]): uPlot.Axis {
  return {
    stroke: () => colourOf('--quiet'),
    font: FONT,
    grid: { show: false },
    ticks: { show: false },
    gap: 6,
    size: 28,
    splits: (chart) => {
      const step = Math.ceil(periods.length / Math.max(1, Math.floor(chart.width / LABEL_WIDTH)))
      return [...periods.keys()].filter((index) => index % step === 0)
    },
    values: (_, splits) => splits.map((index) => periods[index] ?? ''),
  }
}

function countAxis(): uPlot.Axis {
  return {
    stroke: () => colourOf('--quiet'),
    font: FONT,
    grid: lines,
    ticks: { show: false },
    gap: 6,
    size: 44,
    incrs: STEPS,
    values: (_, splits) => splits.map(formatShort),
  }
}

/** Small triangles above the bars. */
function drawMarks(chart: uPlot, marks: readonly number[]): void {
  const { ctx: pen, bbox } = chart
  const size = 6 * devicePixelRatio
  pen.save()
  pen.fillStyle = colourOf('--warning')
  for (const period of marks) {
    const middle = chart.valToPos(period, 'x', true)
    pen.beginPath()
    pen.moveTo(middle - size, bbox.top)
    pen.lineTo(middle + size, bbox.top)
    pen.lineTo(middle, bbox.top + size * 1.4)
    pen.fill()
  }
  pen.restore()
}
