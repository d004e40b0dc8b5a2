import { useLocation } from 'wouter'
import type { AnalyticsSummary } from '../api/analytics.ts'
import type { Filter } from '../app/filter/filter-params.ts'
import { Count } from '../kit/count.tsx'
import { FigureCard } from '../kit/figure-card.tsx'
import type { Tone } from '../kit/tone.ts'
import styles from './analytics.module.css'
import { inboxHref } from './use-report.ts'
import { words } from './words.ts'

type Figure = keyof typeof words.figures

/** Mentions of a figure, on top of the filter. A filter that excludes some keeps doing so. */
const NARROWER: Partial<Record<Figure, Filter>> = {
  mentions: {},
  relevant: { relevant: true },
  positive: { sentiments: ['positive'] },
  negative: { sentiments: ['negative'] },
}

/** Whether more is good; null for neither. */
const GOOD: Partial<Record<Figure, boolean>> = { relevant: true, positive: true, negative: false }

export function SummaryFigures({ summary, filter }: { summary: AnalyticsSummary; filter: Filter }) {
  const [, navigate] = useLocation()
  const [now, before] = [valuesOf(summary.current), summary.previous && valuesOf(summary.previous)]
  const figures = Object.keys(words.figures) as Figure[]
  return (
    <div className={styles.figures}>
      {figures.map((figure) => (
        <FigureCard
          key={figure}
          label={words.figures[figure]}
          value={<Count value={now[figure]} short />}
          href={hrefOf(figure, summary, filter)}
          onNavigate={navigate}
          {...changeOf(figure, summary.change?.[figure] ?? null, before?.[figure] ?? 0)}
        />
      ))}
    </div>
  )
}

function valuesOf({ sentiment, ...totals }: AnalyticsSummary['current']): Record<Figure, number> {
  return { ...totals, positive: sentiment.positive, negative: sentiment.negative }
}

/** Null where the filter and the figure cannot be one filter of the inbox. */
function hrefOf(figure: Figure, { window }: AnalyticsSummary, filter: Filter): string | null {
  const narrower = NARROWER[figure]
  if (narrower === undefined) return null
  if (figure === 'relevant' && filter.relevant === false) return null
  if (narrower.sentiments?.some((wanted) => filter.sentiments !== undefined && !filter.sentiments.includes(wanted)))
    return null
  return inboxHref({ ...filter, ...narrower }, window)
}

function changeOf(figure: Figure, share: number | null, before: number) {
  if (share === null) return { note: words.noneBefore }
  const change = { direction: directionOf(share), text: words.changed(share), tone: toneOf(GOOD[figure], share) }
  return { change, note: words.before(before) }
}

function directionOf(change: number): 'up' | 'down' | 'same' {
  if (change === 0) return 'same'
  return change > 0 ? 'up' : 'down'
}

function toneOf(isMoreGood: boolean | undefined, change: number): Tone {
  if (isMoreGood === undefined || change === 0) return 'neutral'
  return isMoreGood === change > 0 ? 'positive' : 'negative'
}
