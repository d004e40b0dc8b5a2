import type { MentionSort } from '../../domain/mention/sorts.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { readOrder } from './list-mentions.ts'
import { type MentionRow, readShown } from './mention-rows.ts'
import { type Mention, mentionFromRow } from './mention-shape.ts'
import { readMentions } from './read-mentions.ts'
import type { ResolvedSearch } from './search.ts'
import { type Behind, readNewest, selectNewest } from './select-newest.ts'

export const EXPORT_MAX = 10_000
const PORTION = 200

/** The first mentions of a sort. */
export interface ExportOrder {
  sort: MentionSort
  /** At most EXPORT_MAX. */
  limit: number
}

/** `truncated` is final in the last batch. */
export interface ExportBatch {
  mentions: Mention[]
  truncated: boolean
}

export interface Export {
  truncated: boolean
  /** Mentions that it holds, unless some are deleted meanwhile. */
  count: number
  portions: AsyncIterable<ExportBatch>
}

/** An export whose truncation is known before it starts, by a search of ids only. */
export async function beginExport(reading: QueryContext, search: ResolvedSearch, order: ExportOrder): Promise<Export> {
  if (order.sort !== 'newest') return await exportInOrder(reading, search, order)
  const { limit } = order
  const { workspaceId, clock } = reading
  const found = selectNewest(sql`m.id`, { workspaceId, search, at: clock.now(), behind: null, limit: limit + 1 })
  const [range] = await reading.db.query<{ newest: Uuid | null; found: number }>(sql`
    select (array_agg(id order by id desc))[1] as newest, count(*) as found from (${found}) f`)
  const { newest, found: there } = range!
  return {
    truncated: there > limit,
    count: Math.min(there, limit),
    portions: newest === null ? nothing() : exportNewest(reading, search, { newest, limit }),
  }
}

/** For callers that need `truncated` only at the end. */
export async function exportMentions(
  reading: QueryContext,
  search: ResolvedSearch,
  order: ExportOrder,
): Promise<AsyncIterable<ExportBatch>> {
  return order.sort === 'newest'
    ? exportNewest(reading, search, { newest: null, limit: order.limit })
    : (await exportInOrder(reading, search, order)).portions
}

async function* nothing(): AsyncIterable<ExportBatch> {}

/** The ids are fixed at the start, because ranks change; mentions deleted meanwhile are left out. */
async function exportInOrder(reading: QueryContext, search: ResolvedSearch, order: ExportOrder): Promise<Export> {
  const ids = await readOrder(reading, search, order)
  const truncated = ids.length > order.limit
  return {
    truncated,
    count: Math.min(ids.length, order.limit),
    portions: portionsOf(reading, ids.slice(0, order.limit), truncated),
  }
}

async function* portionsOf(
  { db, clock, workspaceId }: QueryContext,
  ids: readonly Uuid[],
  truncated: boolean,
): AsyncIterable<ExportBatch> {
  for (let from = 0; from < ids.length; from += PORTION) {
    const portion = ids.slice(from, from + PORTION)
    const mentions = await readMentions(
      db,
      portion.map((mentionId) => ({ workspaceId, mentionId })),
      clock.now(),
    )
    yield {
      mentions: portion.flatMap((id) => mentions.get(id) ?? []),
      truncated: truncated && from + PORTION >= ids.length,
    }
  }
}

/**
 * Matches in batches and constant memory, newest first, from `newest` on. Each batch is a short statement, so a slow
 * reader holds no connection; ids only grow, so new mentions do not interfere. One batch is prefetched.
 */
export async function* exportNewest(
  reading: QueryContext,
  search: ResolvedSearch,
  { newest, limit }: { newest: Uuid | null; limit: number },
): AsyncIterable<ExportBatch> {
  const at = reading.clock.now()
  const read = (left: number, behind: Behind | null) =>
    begun(readPortion(reading, search, { at, behind, size: Math.min(PORTION, left) }))
  let reads = read(limit, newest === null ? null : { id: newest, included: true })
  for (let left = limit; left > 0; left -= PORTION) {
    const { rows, last, more } = await reads
    const full = left <= PORTION
    if (more && !full) reads = read(left - PORTION, { id: last!, included: false })
    yield { mentions: rows.map((row) => mentionFromRow(row, at)), truncated: more && full }
    if (!more) return
  }
}

/** Prevents an unhandled rejection when the caller never awaits the batch. */
function begun<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined)
  return work
}

async function readPortion(
  reading: QueryContext,
  search: ResolvedSearch,
  { at, behind, size }: { at: Date; behind: Behind | null; size: number },
): Promise<{ rows: MentionRow[]; last: Uuid | undefined; more: boolean }> {
  const found = await readNewest(reading, { search, at, behind, limit: size + 1 })
  const kept = found.slice(0, size)
  return { rows: await readShown(reading.db, kept), last: kept.at(-1)?.id, more: kept.length < found.length }
}
