import { RELEVANCE_THRESHOLD } from '../../domain/mention/classification.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { type Statement, sql } from '../../store/database.ts'
import { type MentionSearch, type ResolvedSearch, resolveSearch } from '../mentions/search.ts'
import type { QueryContext } from '../reading.ts'
import { type Row as FigureRow, readFigures } from './figures/read-figures.ts'
import { type Dimension, dimensionOf, namesOf, selectedIn, type Value } from './selected.ts'
import { bucketsOf, type Interval, type Windows } from './window.ts'

/** Values with their own series; the others share one. */
export const SERIES_MAX = 10

export interface Points {
  /** One figure per bucket. */
  mentions: number[]
  relevant: number[]
}

export interface Series extends Value, Points {
  /** True for the series of all other values. */
  other: boolean
  total: number
}

export interface SeriesAnswer {
  buckets: Date[]
  /** All mentions. */
  totals: Points
  /** Most mentions first, the other values last; empty without a dimension. */
  series: Series[]
  /** Null without a comparison. */
  previous: { buckets: Date[]; totals: Points } | null
}

interface Row {
  current: boolean
  /** From 1. */
  bucket: number
  /** True for rows over all values. */
  whole: boolean
  value: string | null
  other: boolean
  mentions: number
  relevant: number
}

/** Includes empty buckets. */
export async function getSeries(
  reading: QueryContext,
  search: MentionSearch,
  windows: Windows,
  { interval, by }: { interval: Interval; by: Dimension | null },
): Promise<SeriesAnswer | Refusal<'not_found' | 'validation_error'>> {
  const buckets = bucketsOf(windows.current, interval)
  const before = windows.previous && bucketsOf(windows.previous, interval)
  const resolved = await resolveSearch(reading, search)
  if (isRefusal(resolved)) return resolved
  const starts = [...(before ?? []), ...buckets]
  const rows =
    (await rowsByFigures(reading, resolved, windows, { starts, by })) ??
    (await rowsByMentions(reading, resolved, windows, { starts, by }))
  const skipped = before?.length ?? 0
  const whole = rows.filter((row) => row.whole)
  return {
    buckets,
    totals: pointsOf(
      whole.filter((row) => row.current),
      buckets.length,
      skipped,
    ),
    series:
      by === null
        ? []
        : await seriesOf(
            reading,
            by,
            rows.filter((row) => row.current && !row.whole),
            buckets.length,
            skipped,
          ),
    previous: before && {
      buckets: before,
      totals: pointsOf(
        whole.filter((row) => !row.current),
        before.length,
        0,
      ),
    },
  }
}

interface Divided {
  starts: readonly Date[]
  by: Dimension | null
}

async function rowsByFigures(
  reading: QueryContext,
  search: ResolvedSearch,
  { current, previous }: Windows,
  { starts, by }: Divided,
): Promise<Row[] | null> {
  const found = await readFigures(reading, search, { starts, end: current.end, by, sums: false, people: false })
  if (found === null) return null
  const isCurrent = (slot: number) => previous === null || starts[slot]! >= current.begin
  const rowOf = ({ slot, value, sums: { mentions, relevant } }: FigureRow) => ({
    current: isCurrent(slot),
    bucket: slot + 1,
    value,
    mentions,
    relevant,
  })
  const whole = found.whole.map((row) => ({ ...rowOf(row), whole: true, other: false }))
  if (by === null) return whole
  return [...whole, ...valueRows(found.parted.filter(({ slot }) => isCurrent(slot)).map(rowOf))]
}

/** The values with most mentions apart, all others together. */
function valueRows(rows: readonly Omit<Row, 'whole' | 'other'>[]): Row[] {
  const totals = new Map<string | null, number>()
  for (const { value, mentions } of rows) totals.set(value, (totals.get(value) ?? 0) + mentions)
  const order = [...totals].sort(([a, m], [b, n]) => n - m || compareValues(a, b))
  const top = new Set(order.slice(0, SERIES_MAX).map(([value]) => value))
  const others = new Map<number, Row>()
  for (const { value, ...row } of rows.filter((row) => !top.has(row.value))) {
    const sum = others.get(row.bucket)
    if (sum === undefined) others.set(row.bucket, { ...row, whole: false, value: null, other: true })
    else {
      sum.mentions += row.mentions
      sum.relevant += row.relevant
    }
  }
  return [
    ...rows.filter(({ value }) => top.has(value)).map((row) => ({ ...row, whole: false, other: false })),
    ...others.values(),
  ]
}

/** As the database orders them: unknown last. */
function compareValues(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return a < b ? -1 : 1
}

async function rowsByMentions(
  reading: QueryContext,
  search: ResolvedSearch,
  windows: Windows,
  { starts, by }: Divided,
): Promise<Row[]> {
  const bucket = sql`width_bucket(m.published_at, ${starts}::timestamptz[]) as bucket`
  const all = selectedIn(reading, search, windows, { more: bucket })
  const whole = (rows: Statement<unknown>) => sql<Row>`
    select current, bucket, true as whole, null::text as value, false as other, count(*) as mentions,
      count(*) filter (where relevance >= ${RELEVANCE_THRESHOLD}) as relevant
    from (${rows}) selected group by 1, 2`
  if (by === null) return await reading.db.query<Row>(whole(all))
  const { value, joins, asksKeyword } = dimensionOf(by)
  // Only the current window is divided.
  const parted = selectedIn(reading, search, onlyCurrent(windows), {
    more: sql`${bucket}, ${value} as value`,
    joins,
    asksKeyword,
  })
  return await reading.db.query<Row>(sql`
    with counted as materialized (
      select value, bucket, count(*) as mentions, count(*) filter (where relevance >= ${RELEVANCE_THRESHOLD}) as
        relevant from (${parted}) selected group by 1, 2),
    top as materialized (select value from counted group by value order by sum(mentions) desc, value::text
      limit ${SERIES_MAX})
    ${isPartition(by) && windows.previous === null ? WHOLE_OF_COUNTED : whole(all)}
    union all
    select true, bucket, false, case when t.top then c.value::text end, not t.top, sum(c.mentions)::bigint,
      sum(c.relevant)::bigint
    from counted c cross join lateral (select exists (select from top where top.value is not distinct
      from c.value) as top) t group by 2, 4, 5`)
}

/** Whether each mention has exactly one value (or unknown), so that the values add up to all mentions. */
function isPartition(by: Dimension): boolean {
  return by !== 'intent'
}

/** Totals from the counts by value: reading a year's mentions again would double the time. */
const WHOLE_OF_COUNTED = sql`
  select true as current, bucket, true as whole, null::text as value, false as other, sum(mentions)::bigint as mentions,
    sum(relevant)::bigint as relevant
  from counted group by bucket`

function onlyCurrent({ current }: Windows): Windows {
  return { current, previous: null }
}

async function seriesOf(
  reading: QueryContext,
  by: Dimension,
  rows: readonly Row[],
  length: number,
  skipped: number,
): Promise<Series[]> {
  const parts = new Map<string, Row[]>()
  for (const row of rows) {
    const part = `${row.other} ${row.value}`
    parts.set(part, [...(parts.get(part) ?? []), row])
  }
  const name = await namesOf(
    reading,
    by,
    rows.map(({ value }) => value),
  )
  return [...parts.values()]
    .map((part): Series => {
      const { value, other } = part[0]!
      const points = pointsOf(part, length, skipped)
      const named = other ? { key: null, label: 'Other' } : name(value)
      return { ...named, other, total: points.mentions.reduce((sum, count) => sum + count, 0), ...points }
    })
    .sort((a, b) => Number(a.other) - Number(b.other) || b.total - a.total || (a.label < b.label ? -1 : 1))
}

/** Figures by bucket; the first `skipped` buckets belong to the previous window. */
function pointsOf(rows: readonly Row[], length: number, skipped: number): Points {
  const points = { mentions: Array.from({ length }, () => 0), relevant: Array.from({ length }, () => 0) }
  for (const { bucket, mentions, relevant } of rows) {
    points.mentions[bucket - 1 - skipped] = mentions
    points.relevant[bucket - 1 - skipped] = relevant
  }
  return points
}
