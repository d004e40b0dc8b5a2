import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import type { Keyword } from '../api/keywords.ts'
import { getUsageBreakdown, type UsageBreakdown } from '../api/usage.ts'
import { monthAt, monthIn } from '../app/month/month.ts'
import { MonthLinks } from '../app/month/month-links.tsx'
import { centsPerRelevant, relevantIn } from '../app/month/relevant-in-month.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { type WeekBar, WeekBars } from '../kit/bars.tsx'
import { Card } from '../kit/card.tsx'
import { Count } from '../kit/count.tsx'
import { DataTable } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { FigureCard } from '../kit/figure-card.tsx'
import { formatMoney, formatPrice, Money } from '../kit/money.tsx'
import { formatUtcDayOfMonth } from '../kit/time.tsx'
import styles from './keywords.module.css'
import { words } from './words.ts'

/** Days of the longest month. */
const DAYS = 31

const LEGEND = [
  { tone: 'accent', label: words.cents.mentions },
  { tone: 'neutral', label: words.cents.days },
] as const

export function CostTab({ keyword: { id } }: { keyword: Keyword }) {
  const [params] = useSearchParams()
  const now = monthAt(Date.now())
  const month = monthIn(params.get('month'), now)
  const hrefOf = (shown: string) => `/keywords/${id}/cost${shown === now ? '' : `?month=${shown}`}`
  const usage = useQuery({
    queryKey: ['keyword', id, 'usage', month],
    queryFn: ({ signal }) => getUsageBreakdown({ by: 'day', month, keywordIds: [id], limit: DAYS }, signal),
  })
  const relevant = useQuery({
    queryKey: ['keyword', id, 'relevant', month],
    queryFn: async ({ signal }) => (await relevantIn(month, { keywordIds: [id] }, signal)).get(id) ?? 0,
  })
  return (
    <div className={styles.stack}>
      <MonthLinks month={month} now={now} hrefOf={hrefOf} />
      <QueryPanel query={usage} lines={5} height={88}>
        {(breakdown) => <Costs breakdown={breakdown} relevant={relevant.data ?? null} />}
      </QueryPanel>
    </div>
  )
}

function Costs({ breakdown: { totals, data }, relevant }: { breakdown: UsageBreakdown; relevant: number | null }) {
  if (totals.totalCents === 0 && totals.matchedMentions === 0) return <Empty title={words.noCost} />
  return (
    <>
      <CostFigures totals={totals} relevant={relevant} />
      <Card title={words.byDay}>
        <WeekBars caption={words.byDay} legend={LEGEND} bars={data.map(barOf)} />
      </Card>
      <DayTable rows={data.filter(isCharged).toReversed()} />
    </>
  )
}

function barOf({ key, mentionCents, keywordCents }: UsageBreakdown['data'][number]): WeekBar {
  return {
    label: formatUtcDayOfMonth(key),
    parts: [
      { value: mentionCents, tone: 'accent' },
      { value: keywordCents, tone: 'neutral' },
    ],
  }
}

function isCharged({ totalCents, matchedMentions }: UsageBreakdown['data'][number]): boolean {
  return totalCents > 0 || matchedMentions > 0
}

function CostFigures({ totals, relevant }: { totals: UsageBreakdown['totals']; relevant: number | null }) {
  const price = relevant === null ? null : centsPerRelevant(totals.totalCents, relevant)
  const { costFigures } = words
  return (
    <div className={styles.figures}>
      <FigureCard
        label={costFigures.perRelevant}
        value={formatPrice(price)}
        note={relevant === null ? undefined : words.relevantOf(relevant)}
      />
      <FigureCard label={costFigures.total} value={formatMoney(totals.totalCents)} />
      <FigureCard
        label={costFigures.mentions}
        value={<Count value={totals.billableMentions} />}
        note={[words.forMentions(formatMoney(totals.mentionCents)), words.waiting(totals.unclassifiedMentions)]
          .filter((part) => part !== '')
          .join(' · ')}
      />
      <FigureCard
        label={costFigures.days}
        value={<Count value={totals.keywordDays} />}
        note={words.forDays(formatMoney(totals.keywordCents))}
      />
    </div>
  )
}

function DayTable({ rows }: { rows: UsageBreakdown['data'] }) {
  return (
    <Card>
      <DataTable<UsageBreakdown['data'][number]>
        caption={words.byDay}
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          { id: 'day', label: words.day, render: ({ key }) => formatUtcDayOfMonth(key) },
          {
            id: 'mentions',
            label: words.costFigures.mentions,
            align: 'end',
            render: ({ billableMentions }) => <Count value={billableMentions} />,
          },
          {
            id: 'cost',
            label: words.cost,
            align: 'end',
            render: ({ totalCents }) => <Money cents={totalCents} />,
          },
        ]}
      />
    </Card>
  )
}
