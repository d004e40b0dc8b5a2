import type { MentionBreakdown } from '../api/analytics.ts'
import type { Filter } from '../app/filter/filter-params.ts'
import { Card } from '../kit/card.tsx'
import { paintBars } from '../kit/chart-picture.ts'
import { formatCount } from '../kit/count.tsx'
import { formatShare, roundedShare } from '../kit/share.tsx'
import { ShareBar } from '../kit/share-bar.tsx'
import styles from './analytics.module.css'
import { ChangeWord } from './change-word.tsx'
import { narrowed } from './narrow.ts'
import type { Dimension } from './report-query.ts'
import { Exports, Sheet, type SheetColumn } from './sheet.tsx'
import { inboxHref } from './use-report.ts'
import { valueName } from './values.ts'
import { words } from './words.ts'

type Row = MentionBreakdown['data'][number]

const BARS_IN_PICTURE = 20

/** Mentions by the values of a dimension, with their shares as bars. */
export function BreakdownCard({ answer, filter }: { answer: MentionBreakdown; filter: Filter }) {
  const { by, data, total, window } = answer
  const title = words.table(words.dimensions[by])
  const columns = columnsOf(by, Math.max(0, ...data.map(({ share }) => share)))
  const narrowing = { by, filter, keys: data.map(({ key }) => key), isComplete: total <= data.length }
  const hrefOf = ({ key }: Row) => {
    const part = narrowed(narrowing, key)
    return part === null ? null : inboxHref(part, window)
  }
  const picture = () =>
    paintBars(
      { title, note: words.window(window.from, window.to) },
      data.slice(0, BARS_IN_PICTURE).map(({ key, label, mentions }) => ({
        label: valueName(by, key, label),
        value: mentions,
        text: formatCount(mentions),
        colour: '--accent',
      })),
    )
  return (
    <Card
      title={title}
      aside={
        <Exports
          title={title}
          file={`${by}-${window.from}-${window.to}`}
          columns={columns}
          rows={data}
          picture={picture}
        />
      }
    >
      <Sheet caption={title} columns={columns} rows={data} rowKey={({ key }) => String(key)} rowHref={hrefOf} />
      {total > data.length && <p className={styles.small}>{words.rowsShown(data.length, total)}</p>}
    </Card>
  )
}

function columnsOf(by: Dimension, most: number): SheetColumn<Row>[] {
  const { columns } = words
  const count = (id: keyof typeof columns, cell: (row: Row) => number | null): SheetColumn<Row> => ({
    ...{ id, label: columns[id], align: 'end', cell },
    show: (row) => {
      const value = cell(row)
      return value === null ? '–' : formatCount(value)
    },
  })
  return [
    { id: 'value', label: words.dimensions[by], cell: ({ key, label }) => valueName(by, key, label) },
    count('mentions', ({ mentions }) => mentions),
    {
      ...{ id: 'share', label: columns.share, cell: ({ share }) => roundedShare(share) },
      show: ({ share }) => (
        <span className={styles.share}>
          <ShareBar parts={[{ share: most === 0 ? 0 : share / most, colour: '--accent' }]} />
          {formatShare(share)}
        </span>
      ),
    },
    {
      ...{ id: 'before', label: columns.before, align: 'end', cell: ({ previousMentions }) => previousMentions },
      show: ({ mentions, previousMentions }) => <ChangeWord now={mentions} before={previousMentions} />,
    },
    count('relevant', ({ relevant }) => relevant),
    count('positive', ({ sentiment }) => sentiment.positive),
    count('negative', ({ sentiment }) => sentiment.negative),
    { ...count('reach', ({ reach }) => reach), hideOnPhone: true },
  ]
}
