import { SENTIMENTS, type Sentiment } from '../../domain/mention/classification.ts'
import { type Platform, platformFromNumber } from '../../domain/platform/platforms.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import { type MentionSearch, resolveSearch } from '../mentions/search.ts'
import type { QueryContext } from '../reading.ts'
import { selectedIn } from './selected.ts'
import type { Windows } from './window.ts'

type Found<Row> = Promise<Row[] | Refusal<'not_found' | 'validation_error'>>

async function counted<Row>(
  reading: QueryContext,
  search: MentionSearch,
  windows: Windows,
  {
    values,
    names,
    asksKeyword = false,
  }: { values: Statement<unknown>; names: Statement<unknown>; asksKeyword?: boolean },
): Found<Row> {
  const resolved = await resolveSearch(reading, search)
  if (isRefusal(resolved)) return resolved
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
  const bucket = sql`date_trunc(${unit}, m.published_at, 'UTC') as bucket`
  const rows = await counted<{ bucket: Date; count: number }>(reading, search, windows, {
    values: bucket,
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
    values: sql`k.id, k.term`,
    names: sql`id, term`,
    asksKeyword: true,
  })
  return isRefusal(rows) ? rows : rows.sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
}
