import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'wouter'
import { getUsageBreakdown, type UsageBreakdown } from '../api/usage.ts'
import { monthAt, monthIn } from '../app/month/month.ts'
import { MonthLinks } from '../app/month/month-links.tsx'
import { centsPerRelevant, relevantIn } from '../app/month/relevant-in-month.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { Card } from '../kit/card.tsx'
import { Count } from '../kit/count.tsx'
import { Empty } from '../kit/empty.tsx'
import { NativeSelect } from '../kit/field.tsx'
import { FigureCard } from '../kit/figure-card.tsx'
import { formatMoney, formatPrice } from '../kit/money.tsx'
import styles from './billing.module.css'
import { UsageTable } from './usage-table.tsx'
import { words } from './words.ts'

type By = keyof typeof words.bys
const BYS = Object.keys(words.bys) as By[]
/** Rows that are shown; others are cheaper. */
const ROWS = 200

/** What was spent in a month, and on what. */
export function UsageTab() {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const now = monthAt(Date.now())
  const month = monthIn(params.get('month'), now)
  const by = BYS.find((name) => name === params.get('by')) ?? 'keyword'
  const hrefOf = (shown: string, dimension: By) => {
    const query = new URLSearchParams()
    if (dimension !== 'keyword') query.set('by', dimension)
    if (shown !== now) query.set('month', shown)
    return `/billing/usage${query.size === 0 ? '' : `?${query}`}`
  }
  const usage = useQuery({
    queryKey: ['usage', by, month],
    queryFn: ({ signal }) => getUsageBreakdown({ by, month, limit: ROWS }, signal),
    placeholderData: keepPreviousData,
  })
  const relevant = useQuery({
    queryKey: ['usage', 'relevant', month],
    queryFn: ({ signal }) => relevantIn(month, {}, signal),
  })
  return (
    <div className={styles.stack} aria-busy={usage.isPlaceholderData}>
      <MonthLinks month={month} now={now} hrefOf={(shown) => hrefOf(shown, by)} />
      <QueryPanel query={usage} lines={5} height={88}>
        {(breakdown) => (
          <>
            <UsageFigures totals={breakdown.totals} relevant={relevant.data} />
            <Card
              aside={
                <NativeSelect
                  aria-label={words.by}
                  options={BYS.map((value) => ({ value, label: words.byOne(value) }))}
                  value={by}
                  onChange={(event) => navigate(hrefOf(month, event.target.value as By), { replace: true })}
                />
              }
            >
              <UsageRows breakdown={breakdown} relevant={relevant.data} />
            </Card>
          </>
        )}
      </QueryPanel>
      <p className={styles.small}>{words.settlement}</p>
    </div>
  )
}

interface UsageProps {
  breakdown: UsageBreakdown
  /** Relevant mentions by keyword. */
  relevant: ReadonlyMap<string, number> | undefined
}

function UsageRows({ breakdown, relevant }: UsageProps) {
  const rows = breakdown.data.filter(({ totalCents, matchedMentions }) => totalCents !== 0 || matchedMentions > 0)
  if (rows.length === 0) return <Empty title={words.noUsage}>{words.noUsageHint}</Empty>
  return (
    <>
      <UsageTable by={breakdown.by} rows={rows} totals={breakdown.totals} relevant={relevant} />
      {breakdown.data.length === ROWS && <p className={styles.small}>{words.moreRows(ROWS)}</p>}
    </>
  )
}

function UsageFigures({ totals, relevant }: { totals: UsageBreakdown['totals']; relevant: UsageProps['relevant'] }) {
  const count = relevant && [...relevant.values()].reduce((sum, mentions) => sum + mentions, 0)
  const { usageFigures } = words
  return (
    <div className={styles.figures}>
      <FigureCard label={usageFigures.total} value={formatMoney(totals.totalCents)} />
      <FigureCard
        label={usageFigures.perRelevant}
        value={formatPrice(count === undefined ? null : centsPerRelevant(totals.totalCents, count))}
        note={count === undefined ? undefined : words.relevantOf(count)}
      />
      <FigureCard
        label={usageFigures.mentions}
        value={<Count value={totals.billableMentions} />}
        note={[words.ofCents(formatMoney(totals.mentionCents)), words.waiting(totals.unclassifiedMentions)]
          .filter((part) => part !== '')
          .join(' · ')}
      />
      <FigureCard
        label={usageFigures.days}
        value={<Count value={totals.keywordDays} />}
        note={words.ofCents(formatMoney(totals.keywordCents))}
      />
    </div>
  )
}
