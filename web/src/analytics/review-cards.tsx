import type { ReactNode } from 'react'
import type { ReviewAnalytics } from '../api/analytics.ts'
import type { Filter } from '../app/filter/filter-params.ts'
import { PLATFORM_NAMES, type Platform } from '../app/platforms.ts'
import { Card } from '../kit/card.tsx'
import { paintBars } from '../kit/chart-picture.ts'
import { formatCount } from '../kit/count.tsx'
import { formatShare, roundedShare } from '../kit/share.tsx'
import { ShareBar } from '../kit/share-bar.tsx'
import styles from './analytics.module.css'
import { Exports, Sheet, type SheetColumn } from './sheet.tsx'
import { inboxHref } from './use-report.ts'
import { words } from './words.ts'

export const RATINGS = [1, 2, 3, 4, 5] as const
type Rating = (typeof RATINGS)[number]

/** From the worst to the best. */
const STAR_COLOURS = ['--negative', '--series-2', '--others', '--series-3', '--positive']

interface Stars {
  platform: Platform
  reviews: number
  mean: number | null
  stars: Record<`${Rating}`, number>
}

/** Reviews by rating. */
export function RatingCard({ answer: { current, window }, filter }: { answer: ReviewAnalytics; filter: Filter }) {
  const rows = RATINGS.toReversed()
  const countOf = (rating: Rating) => current.stars[`${rating}`]
  const shareOf = (rating: Rating) => (current.reviews === 0 ? 0 : countOf(rating) / current.reviews)
  const columns: SheetColumn<Rating>[] = [
    { id: 'rating', label: words.rating, cell: words.ratingOf },
    {
      id: 'reviews',
      label: words.reviews,
      align: 'end',
      cell: countOf,
      show: (rating) => formatCount(countOf(rating)),
    },
    {
      ...{ id: 'share', label: words.columns.share, cell: (rating) => roundedShare(shareOf(rating)) },
      show: (rating) => (
        <span className={styles.share}>
          <ShareBar parts={[{ share: shareOf(rating), colour: STAR_COLOURS[rating - 1]! }]} />
          {formatShare(shareOf(rating))}
        </span>
      ),
    },
  ]
  const picture = () =>
    paintBars(
      { title: words.ratings, note: words.window(window.from, window.to) },
      rows.map((rating) => ({
        label: words.ratingOf(rating),
        value: countOf(rating),
        text: formatCount(countOf(rating)),
        colour: STAR_COLOURS[rating - 1]!,
      })),
    )
  const file = `ratings-${window.from}-${window.to}`
  return (
    <Card
      title={words.ratings}
      aside={<Exports title={words.ratings} file={file} columns={columns} rows={rows} picture={picture} />}
    >
      <Sheet
        caption={words.ratings}
        columns={columns}
        rows={rows}
        rowKey={String}
        rowHref={(rating) => inboxHref({ ...filter, ratings: [rating] }, window)}
      />
    </Card>
  )
}

interface StarsCardProps<Row extends Stars> {
  title: string
  /** The name of the first column. */
  name: string
  file: string
  days: string
  rows: readonly Row[]
  labelOf: (row: Row) => string
  show?: (row: Row) => ReactNode
  hrefOf: (row: Row) => string | null
}

/** Reviews and their ratings by app, country or version. */
export function StarsCard<Row extends Stars>(props: StarsCardProps<Row>) {
  const { title, file, days, rows, labelOf, hrefOf } = props
  if (rows.length === 0) return null
  const columns = starColumns(props)
  const picture = () =>
    paintBars(
      { title, note: days },
      rows.slice(0, BARS_IN_PICTURE).map((row) => ({
        label: labelOf(row),
        value: row.reviews,
        text: `${formatCount(row.reviews)} · ${row.mean === null ? '–' : words.stars(row.mean)}`,
        colour: '--accent',
      })),
    )
  return (
    <Card title={title} aside={<Exports title={title} file={file} columns={columns} rows={rows} picture={picture} />}>
      <Sheet
        caption={title}
        columns={columns}
        rows={rows}
        rowKey={(row) => `${row.platform} ${rows.indexOf(row)}`}
        rowHref={hrefOf}
      />
    </Card>
  )
}

const BARS_IN_PICTURE = 20

function starColumns<Row extends Stars>({ name, labelOf, show }: StarsCardProps<Row>): SheetColumn<Row>[] {
  return [
    { id: 'platform', label: words.platform, cell: ({ platform }) => PLATFORM_NAMES[platform] },
    { id: 'name', label: name, cell: labelOf, ...(show === undefined ? {} : { show }) },
    { id: 'reviews', label: words.reviews, align: 'end', cell: ({ reviews }) => reviews },
    {
      ...{ id: 'mean', label: words.mean, align: 'end', cell: ({ mean }) => mean },
      show: ({ mean }) => (mean === null ? '–' : words.stars(mean)),
    },
    {
      ...{ id: 'spread', label: words.spread, cell: ({ stars }) => RATINGS.map((at) => stars[`${at}`]).join(' / ') },
      show: ({ stars, reviews }) => (
        <span className={styles.share} title={RATINGS.map((at) => stars[`${at}`]).join(' / ')}>
          <ShareBar
            parts={RATINGS.map((at) => ({
              share: reviews === 0 ? 0 : stars[`${at}`] / reviews,
              colour: STAR_COLOURS[at - 1]!,
            }))}
          />
        </span>
      ),
      hideOnPhone: true,
    },
  ]
}
