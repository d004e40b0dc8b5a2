import { SENTIMENTS, type Sentiment } from '../../domain/mention/classification.ts'
import { type Platform, platformFromNumber } from '../../domain/platform/platforms.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import { type MentionSearch, resolveSearch } from '../mentions/search.ts'
import type { QueryContext } from '../reading.ts'
import type { DividedBy } from './figures/division.ts'
import { type Found as Figures, readFigures } from './figures/read-figures.ts'
import { selectedIn } from './selected.ts'
import type { Windows } from './window.ts'

type Found<Row> = Promise<Row[] | Refusal<'not_found' | 'validation_error'>>

/** How to count by some values: from figures, and by looking at mentions. */
interface Counting<Row> {
  by: DividedBy | null
  /** By default the whole window. */
  starts?: readonly Date[]
  rowsOf(found: Figures): Row[]
  values: Statement<unknown>
  names: Statement<unknown>
  asksKeyword?: boolean
}

async function counted<Row>(
  reading: QueryContext,
  search: MentionSearch,
  windows: Windows,
  { by, starts, rowsOf, values, names, asksKeyword = false }: Counting<Row>,
): Found<Row> {
  const resolved = await resolveSearch(reading, search)
  if (isRefusal(resolved)) return resolved
  const { begin, end } = windows.current
  const periods = { starts: starts ?? [begin], end }
  const figures = await readFigures(reading, resolved, { ...periods, by, sums: false, people: false })
  if (figures !== null) return rowsOf(figures)
  const selected = selectedIn(reading, resolved, windows, { more: values, asksKeyword })
  return await reading.db.query<Row>(
    sql`select ${names}, count(*) as count from (${selected}) selected group by ${names}`,
  )
}

/** By day or hour of publication (UTC), ascending, without empty buckets. */
export async function countByTime(
  reading: QueryContext,
  search: MentionSearch,
  windows: Windows,
  unit: 'day' | 'hour',
): Found<{ bucket: Date; count: number }> {
  const { begin, end } = windows.current
  const unitMs = unit === 'day' ? DAY_MS : HOUR_MS
  const first = Math.floor(begin.getTime() / unitMs)
  const buckets = Array.from({ length: Math.ceil(end.getTime() / unitMs) - first }, (_, at) => (first + at) * unitMs)
  const rows = await counted<{ bucket: Date; count: number }>(reading, search, windows, {
    by: null,
    starts: buckets.map((at) => new Date(Math.max(at, begin.getTime()))),
    rowsOf: ({ whole }) => whole.map(({ slot, sums }) => ({ bucket: new Date(buckets[slot]!), count: sums.mentions })),
    values: sql`date_trunc(${unit}, m.published_at, 'UTC') as bucket`,
    names: sql`bucket`,
  })
  return isRefusal(rows) ? rows : rows.sort((a, b) => a.bucket.getTime() - b.bucket.getTime())
}

/** In the order of SENTIMENTS, unscored mentions last. */
export async function countBySentiment(
  reading: QueryContext,
  search: MentionSearch,
  windows: Windows,
): Found<{ sentiment: Sentiment | null; count: number }> {
  const rows = await counted<{ place: number | null; count: number }>(reading, search, windows, {
    by: 'sentiment',
    rowsOf: ({ parted }) =>
      parted.map(({ value, sums }) => ({ place: value === null ? null : Number(value), count: sums.mentions })),
    values: sql`m.sentiment as place`,
    names: sql`place`,
  })
  if (isRefusal(rows)) return rows
  return rows
    .sort((a, b) => (a.place ?? SENTIMENTS.length) - (b.place ?? SENTIMENTS.length))
    .map(({ place, count }) => ({ sentiment: place === null ? null : SENTIMENTS[place]!, count }))
}

/** Replies apart. */
export async function countByPlatform(
  reading: QueryContext,
  search: MentionSearch,
  windows: Windows,
): Found<{ platform: Platform; isReply: boolean; count: number }> {
  const rows = await counted<{ number: number; reply: boolean; count: number }>(reading, search, windows, {
    by: 'platform and reply',
    rowsOf: ({ parted }) =>
      parted.map(({ value, sums }) => {
        const [number, reply] = value!.split(' ')
        return { number: Number(number), reply: reply === 'reply', count: sums.mentions }
      }),
    values: sql`m.platform as number, m.is_reply as reply`,
    names: sql`number, reply`,
  })
  if (isRefusal(rows)) return rows
  return rows.map(({ number, reply, count }) => ({ platform: platformFromNumber(number), isReply: reply, count }))
}

/** Most first. */
export async function countByKeyword(
  reading: QueryContext,
  search: MentionSearch,
  windows: Windows,
): Found<{ id: Uuid; term: string; count: number }> {
  const rows = await counted<{ id: Uuid; term: string; count: number }>(reading, search, windows, {
    by: 'keyword',
    rowsOf: ({ parted, keywords }) => {
      const terms = new Map([...keywords.values()].map(({ id, term }) => [id, term]))
      return parted.map(({ value, sums }) => ({
        id: value as Uuid,
        term: terms.get(value as Uuid)!,
        count: sums.mentions,
      }))
    },
    values: sql`k.id, k.term`,
    names: sql`id, term`,
    asksKeyword: true,
  })
  return isRefusal(rows) ? rows : rows.sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
}
