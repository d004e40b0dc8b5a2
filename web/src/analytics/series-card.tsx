import { type RefObject, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { AnalyticsSeries } from '../api/analytics.ts'
import type { Filter } from '../app/filter/filter-params.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import type { Place } from '../kit/chart-options.ts'
import { paintChart } from '../kit/chart-picture.ts'
import { TimeChart } from '../kit/time-chart.tsx'
import styles from './analytics.module.css'
import { type Narrowing, narrowed } from './narrow.ts'
import { bucketWindow, periodNames } from './periods.ts'
import { seriesColumns } from './series-columns.ts'
import { SeriesLegend } from './series-legend.tsx'
import { Exports, Sheet } from './sheet.tsx'
import { SpikeList, useSpikesIn } from './spikes.tsx'
import { inboxHref } from './use-report.ts'
import { COLOURS, type ShownSeries, shownSeries } from './values.ts'
import { words } from './words.ts'

interface SeriesCardProps {
  answer: AnalyticsSeries
  filter: Filter
}

/** Mentions over time, split by a dimension. */
export function SeriesCard({ answer, filter }: SeriesCardProps) {
  const [isTable, setTable] = useState(false)
  const canvas = useRef<HTMLCanvasElement>(null)
  const shape = useShape(answer)
  const { dimension, columns, rows, bars } = shape
  const { interval, window } = answer
  const title = words.over(words.dimensions[dimension], words.intervals[interval])
  const head = { title, note: words.window(window.from, window.to) }
  const hrefOf = (period: number) => inboxHref(filter, bucketWindow(answer, period))
  return (
    <Card
      title={title}
      aside={
        <Exports
          title={title}
          file={`mentions-by-${dimension}-${window.from}-${window.to}`}
          columns={columns}
          rows={rows}
          picture={() => (canvas.current === null ? null : paintChart(head, canvas.current, bars))}
          more={
            <Button size="small" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
              {words.asTable}
            </Button>
          }
        />
      }
    >
      <Plot title={title} answer={answer} filter={filter} shape={shape} canvas={canvas} />
      {isTable && (
        <section className={styles.scroll} aria-label={title}>
          <Sheet caption={title} columns={columns} rows={rows} rowKey={String} rowHref={hrefOf} />
        </section>
      )}
    </Card>
  )
}

/** What is drawn and listed; the same objects while the answer is the same. */
function useShape(answer: AnalyticsSeries) {
  return useMemo(() => {
    const dimension = answer.by ?? 'platform'
    const periods = periodNames(answer)
    const series = shownSeries(dimension, answer.series)
    const bars = series.map(({ name, values, colour }) => ({ label: name, values, colour }))
    return { dimension, periods, series, bars, columns: seriesColumns(series, periods), rows: [...periods.keys()] }
  }, [answer])
}

interface PlotProps extends SeriesCardProps {
  title: string
  shape: ReturnType<typeof useShape>
  canvas: RefObject<HTMLCanvasElement | null>
}

function Plot({ title, answer, filter, shape, canvas }: PlotProps) {
  const [, navigate] = useLocation()
  const [held, setHeld] = useState<Place | null>(null)
  const { periods, series, bars, dimension } = shape
  // Another choice of days or of the split may have fewer bars or parts.
  const isThere = held !== null && held.period < periods.length && (held.series ?? 0) < series.length
  const place = isThere ? held : null
  const narrowing = narrowingOf(answer, filter)
  const spikes = useSpikesIn(answer, filter)
  const open = ({ period, series: index }: Place) => {
    const part = index === null ? filter : narrowed(narrowing, series[index]!.key)
    navigate(inboxHref(part ?? filter, bucketWindow(answer, period)))
  }
  const hrefOf = (key: ShownSeries['key']) => {
    const part = narrowed(narrowing, key)
    return part === null ? null : inboxHref(part, answer.window)
  }
  return (
    <>
      <TimeChart
        label={title}
        periods={periods}
        series={bars}
        marks={spikes.marks}
        place={place}
        placeText={placeText(answer, shape, place)}
        onMove={(next) => setHeld((now) => (isSame(now, next) ? now : next))}
        onOpen={open}
        canvas={canvas}
      />
      <SeriesLegend series={series} periods={periods} place={place} hrefOf={hrefOf} />
      <p className={styles.small}>
        {words.chartHint} {dimension === 'intent' && words.intentsAdd}
      </p>
      <SpikeList spikes={spikes.inWindow} />
    </>
  )
}

/** Series that share a colour are part of the others. */
function narrowingOf({ by, series }: AnalyticsSeries, filter: Filter): Narrowing {
  const keys = series.filter(({ other }) => !other).map(({ key }) => key)
  return { by: by ?? 'platform', filter, keys: keys.slice(0, COLOURS), isComplete: series.length <= COLOURS }
}

function isSame(left: Place | null, right: Place | null): boolean {
  return left?.period === right?.period && left?.series === right?.series
}

function placeText(
  { totals }: AnalyticsSeries,
  { periods, series }: ReturnType<typeof useShape>,
  place: Place | null,
): string {
  if (place === null) return words.chosen(words.wholePeriod, null, sumOf(totals.mentions))
  const part = place.series === null ? null : series[place.series]!
  return words.chosen(periods[place.period]!, part?.name ?? null, (part?.values ?? totals.mentions)[place.period]!)
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
