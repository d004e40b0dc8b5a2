import { useLocation } from 'wouter'
import type { UsageBreakdown } from '../api/usage.ts'
import { centsPerRelevant } from '../app/month/relevant-in-month.ts'
import { PLATFORM_NAMES, type Platform } from '../app/platforms.ts'
import { Count } from '../kit/count.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { followBy } from '../kit/follow.ts'
import { Bar } from '../kit/meter.tsx'
import { formatPrice, Money } from '../kit/money.tsx'
import { formatUtcDay } from '../kit/time.tsx'
import styles from './billing.module.css'
import { words } from './words.ts'

type Row = UsageBreakdown['data'][number]

interface UsageTableProps {
  by: UsageBreakdown['by']
  rows: readonly Row[]
  totals: UsageBreakdown['totals']
  relevant: ReadonlyMap<string, number> | undefined
}

/** What each keyword, group, platform or day cost. Days are shown newest first. */
export function UsageTable({ by, rows, totals, relevant }: UsageTableProps) {
  const { columns } = words
  const prices: Column<Row>[] =
    by === 'keyword'
      ? [
          {
            id: 'price',
            label: columns.perRelevant,
            align: 'end',
            render: ({ key, totalCents }) => formatPrice(centsPerRelevant(totalCents, relevant?.get(key) ?? 0)),
          },
        ]
      : []
  return (
    <DataTable<Row>
      caption={words.usageCaption}
      rows={by === 'day' ? rows.toReversed() : rows}
      rowKey={({ key }) => key}
      columns={[
        { id: 'name', label: words.bys[by], render: (row) => <Name by={by} row={row} /> },
        {
          id: 'mentions',
          label: columns.mentions,
          align: 'end',
          render: ({ matchedMentions }) => <Count value={matchedMentions} />,
        },
        {
          id: 'charged',
          label: columns.charged,
          align: 'end',
          render: ({ billableMentions }) => <Count value={billableMentions} />,
        },
        {
          id: 'days',
          label: columns.days,
          align: 'end',
          render: ({ keywordDays }) => (keywordDays === null ? '–' : <Count value={keywordDays} />),
        },
        ...prices,
        { id: 'cost', label: columns.cost, align: 'end', render: ({ totalCents }) => <Money cents={totalCents} /> },
        {
          id: 'share',
          label: columns.share,
          hideOnPhone: true,
          render: (row) => (
            <span className={styles.share}>
              <Bar share={totals.totalCents > 0 ? row.totalCents / totals.totalCents : 0} label={columns.share} />
            </span>
          ),
        },
      ]}
    />
  )
}

function Name({ by, row }: { by: UsageBreakdown['by']; row: Row }) {
  const [, navigate] = useLocation()
  const { key, label, keyword, group } = row
  if (by === 'day') return formatUtcDay(key)
  if (by === 'platform') return PLATFORM_NAMES[key as Platform] ?? words.keywordDays
  const removed = (keyword ?? group)?.removed ?? false
  if (keyword === null || removed)
    return (
      <>
        <bdi>{label}</bdi> {removed && <small className={styles.small}>{words.removed}</small>}
      </>
    )
  return (
    <a href={`/keywords/${keyword.id}/cost`} onClick={followBy(navigate)}>
      <bdi>{label}</bdi>
    </a>
  )
}
