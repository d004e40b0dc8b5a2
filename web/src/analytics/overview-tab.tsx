import { useLocation } from 'wouter'
import { QueryPanel } from '../app/query-panel.tsx'
import { useReplace } from '../app/use-replace.ts'
import { Button } from '../kit/button.tsx'
import { ChoiceLinks } from '../kit/choice-links.tsx'
import { Empty } from '../kit/empty.tsx'
import styles from './analytics.module.css'
import { BreakdownCard } from './breakdown-card.tsx'
import { DIMENSIONS, type ReportQuery, reportHref } from './report-query.ts'
import { SeriesCard } from './series-card.tsx'
import { SummaryFigures } from './summary-figures.tsx'
import { useBreakdown, useSeries, useSummary } from './use-report.ts'
import { words } from './words.ts'

export function OverviewTab({ query }: { query: ReportQuery }) {
  const summary = useSummary(query)
  const [series, breakdown] = [useSeries(query), useBreakdown(query)]
  return (
    <div className={styles.stack} data-stale={summary.isPlaceholderData || undefined}>
      <QueryPanel query={summary} lines={3} height={88}>
        {(answer) =>
          answer.current.mentions === 0 && answer.previous?.mentions === 0 ? (
            <NoMentions query={query} />
          ) : (
            <>
              <SummaryFigures summary={answer} filter={query.filter} />
              <Charts query={query} series={series} breakdown={breakdown} />
            </>
          )
        }
      </QueryPanel>
    </div>
  )
}

interface ChartsProps {
  query: ReportQuery
  series: ReturnType<typeof useSeries>
  breakdown: ReturnType<typeof useBreakdown>
}

function Charts({ query, series, breakdown }: ChartsProps) {
  return (
    <>
      <ChoiceLinks
        label={words.by}
        values={DIMENSIONS}
        names={words.dimensions}
        current={query.by}
        hrefOf={(by) => reportHref({ ...query, by }, '/analytics')}
        onNavigate={useReplace()}
      />
      <div className={styles.stack} data-stale={series.isPlaceholderData || breakdown.isPlaceholderData || undefined}>
        <QueryPanel query={series} lines={1} height={320}>
          {(answer) => <SeriesCard answer={answer} filter={query.filter} />}
        </QueryPanel>
        <QueryPanel query={breakdown} lines={6} height={36}>
          {(answer) => <BreakdownCard answer={answer} filter={query.filter} />}
        </QueryPanel>
      </div>
    </>
  )
}

function NoMentions({ query }: { query: ReportQuery }) {
  const [, navigate] = useLocation()
  const isFiltered = Object.keys(query.filter).length > 0
  const next = isFiltered ? { ...query, filter: {} } : { ...query, days: null, range: '90d' as const }
  return (
    <Empty
      title={words.none}
      action={
        <Button onClick={() => navigate(reportHref(next, '/analytics'))}>
          {isFiltered ? words.clearFilter : words.last90}
        </Button>
      }
    >
      {words.noneHint}
    </Empty>
  )
}
