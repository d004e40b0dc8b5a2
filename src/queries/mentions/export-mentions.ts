import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { Reading } from '../reading.ts'
import { type Mention, type MentionRow, mentionFromRow, readShown } from './mention-shape.ts'
import type { ResolvedSearch } from './search.ts'
import { readNewest, selectNewest } from './select-newest.ts'

/** The most mentions that an export holds. */
export const EXPORT_MAX = 10_000
const PORTION = 200

/** Where an export begins, and whether there are more mentions than it may hold. */
export interface ExportRange {
  /** Null when there is nothing to export. */
  newest: Uuid | null
  truncated: boolean
}

/** What has to be said of an export before it is sent; looks at as many mentions as it will hold, and at little of each. */
export async function rangeOfExport(reading: Reading, search: ResolvedSearch): Promise<ExportRange> {
  const { workspaceId, clock } = reading
  const found = selectNewest(sql`m.id`, { workspaceId, search, at: clock.now(), behind: null, limit: EXPORT_MAX + 1 })
  const [range] = await reading.db.query<{ newest: Uuid | null; found: number }>(sql`
    select (array_agg(id order by id desc))[1] as newest, count(*) as found from (${found}) f`)
  return { newest: range!.newest, truncated: range!.found > EXPORT_MAX }
}

/**
 * The mentions that a search finds, newest match first, in portions and in constant memory. At most EXPORT_MAX come, from
 * `newest` on where it is given; the last portion says whether more were there. Each portion is short statements of its
 * own, so that a caller who reads slowly holds no connection; ids only grow, so nothing that comes in meanwhile gets
 * between. While one portion is made into text and sent, the database looks for the next; no more are ever held.
 */
export async function* exportMentions(
  reading: Reading,
  search: ResolvedSearch,
  newest: Uuid | null = null,
): AsyncIterable<{ mentions: Mention[]; truncated: boolean }> {
  const at = reading.clock.now()
  const read = (left: number, behind: Behind) => begun(readPortion(reading, search, { at, behind, size: Math.min(PORTION, left) }))
  let reads = read(EXPORT_MAX, newest === null ? null : { id: newest, included: true })
  for (let left = EXPORT_MAX; left > 0; left -= PORTION) {
    const { rows, last, more } = await reads
    const full = left <= PORTION
    if (more && !full) reads = read(left - PORTION, { id: last!, included: false })
    yield { mentions: rows.map((row) => mentionFromRow(row, at)), truncated: more && full }
    if (!more) return
  }
}

type Behind = { id: Uuid; included: boolean } | null

/** A portion that is waited for later, or never when the caller has left: its failure is told to who waits, and is nobody's otherwise. */
function begun<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined)
  return work
}

async function readPortion(
  reading: Reading,
  search: ResolvedSearch,
  { at, behind, size }: { at: Date; behind: Behind; size: number },
): Promise<{ rows: MentionRow[]; last: Uuid | undefined; more: boolean }> {
  const found = await readNewest(reading, { search, at, behind, limit: size + 1 })
  const kept = found.slice(0, size)
  return { rows: await readShown(reading.db, kept), last: kept.at(-1)?.id, more: kept.length < found.length }
}
