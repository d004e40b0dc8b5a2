import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { getKeywordHealth, type Keyword, type KeywordHealth } from '../api/keywords.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { useReplace } from '../app/use-replace.ts'
import { Card } from '../kit/card.tsx'
import { ChoiceLinks } from '../kit/choice-links.tsx'
import { Time } from '../kit/time.tsx'
import { HealthBadge } from './health-badge.tsx'
import { HealthFigures } from './health-figures.tsx'
import styles from './keywords.module.css'
import { NoiseAuthors, NoiseTerms, PlatformTable } from './noise-tables.tsx'
import { SuggestionList } from './suggestion-list.tsx'
import { WeeklyBars } from './weekly-bars.tsx'
import { words } from './words.ts'

const RANGES = ['7d', '30d', '90d'] as const

export function HealthTab({ keyword }: { keyword: Keyword }) {
  const [params] = useSearchParams()
  const range = RANGES.find((name) => name === params.get('range')) ?? '30d'
  const health = useQuery({
    queryKey: ['keyword', keyword.id, 'health', range],
    queryFn: ({ signal }) => getKeywordHealth(keyword.id, { range }, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <div className={styles.stack}>
      <ChoiceLinks
        label={words.range}
        values={RANGES}
        names={words.ranges}
        current={range}
        hrefOf={(name) => `/keywords/${keyword.id}${name === '30d' ? '' : `?range=${name}`}`}
        onNavigate={useReplace()}
      />
      <div className={styles.list} data-stale={health.isPlaceholderData || undefined}>
        <QueryPanel query={health} lines={6} height={88}>
          {(report) => <Report keyword={keyword} report={report} />}
        </QueryPanel>
      </div>
    </div>
  )
}

function Report({ keyword, report }: { keyword: Keyword; report: KeywordHealth }) {
  const { status, reasons, stats, window, suggestions, noiseTerms, noiseAuthors } = report
  return (
    <div className={styles.stack}>
      <HealthFigures keyword={keyword} report={report} />
      <Card title={words.reasons} aside={<HealthBadge health={status} />}>
        <ul className={styles.reasons}>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
        {stats.judgedSince !== null && (
          <p className={styles.small}>
            {words.judgedSince} <Time at={stats.judgedSince} />
          </p>
        )}
      </Card>
      <SuggestionList keyword={keyword} suggestions={suggestions} days={window.days} />
      <div className={styles.wideFirst}>
        <WeeklyBars keywordId={keyword.id} weekly={stats.weekly} until={window.to} />
        <NoiseTerms terms={noiseTerms} />
      </div>
      <div className={styles.wideFirst}>
        <PlatformTable keywordId={keyword.id} rows={stats.byPlatform} />
        <NoiseAuthors authors={noiseAuthors} />
      </div>
    </div>
  )
}
