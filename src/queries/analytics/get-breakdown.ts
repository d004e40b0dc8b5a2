import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { sql } from '../../store/database.ts'
import { type MentionSearch, type ResolvedSearch, resolveSearch } from '../mentions/search.ts'
import type { QueryContext } from '../reading.ts'
import { readInWindows } from './figures/in-windows.ts'
import {
  type Dimension,
  dimensionOf,
  type Figures,
  figuresOf,
  namesOf,
  SUMS,
  type SumsRow,
  selectedIn,
  shareOf,
  type Value,
} from './selected.ts'
import type { Windows } from './window.ts'

export interface MentionBreakdownRow extends Value, Figures {
  /** Of all mentions of the window, 0 to 1. */
  share: number
  /** Null without a comparison. */
  previousMentions: number | null
}

export interface MentionBreakdown {
  data: MentionBreakdownRow[]
  /** Number of values. */
  total: number
  /** Less than the sum over intents, because a mention may have several. */
  mentions: number
}

interface Row extends SumsRow {
  value: string | null
  current: boolean
}

interface Rows {
  rows: Row[]
  /** All of the current window. */
  mentions: number
}

/** Mentions by the values of a dimension, most first. Values that occur only in the previous window are left out. */
export async function getMentionBreakdown(
  reading: QueryContext,
  search: MentionSearch,
  windows: Windows,
  { by, limit }: { by: Dimension; limit: number },
): Promise<MentionBreakdown | Refusal<'not_found' | 'validation_error'>> {
  const resolved = await resolveSearch(reading, search)
  if (isRefusal(resolved)) return resolved
  const { rows, mentions } =
    (await rowsByFigures(reading, resolved, windows, by)) ?? (await rowsByMentions(reading, resolved, windows, by))
  const before = new Map(rows.filter((row) => !row.current).map((row) => [row.value, row.mentions]))
  const now = rows.filter((row) => row.current).sort((a, b) => b.mentions - a.mentions || compare(a.value, b.value))
  const shown = now.slice(0, limit)
  const name = await namesOf(
    reading,
    by,
    shown.map((row) => row.value),
  )
  return {
    data: shown.map((row) => ({
      ...name(row.value),
      ...figuresOf(row),
      share: shareOf(row.mentions, mentions) ?? 0,
      previousMentions: windows.previous && (before.get(row.value) ?? 0),
    })),
    total: now.length,
    mentions,
  }
}

async function rowsByFigures(
  reading: QueryContext,
  search: ResolvedSearch,
  windows: Windows,
  by: Dimension,
): Promise<Rows | null> {
  const found = await readInWindows(reading, search, windows, { by })
  return found && { rows: found.parted, mentions: found.whole.find(({ current }) => current)?.mentions ?? 0 }
}

async function rowsByMentions(
  reading: QueryContext,
  search: ResolvedSearch,
  windows: Windows,
  by: Dimension,
): Promise<Rows> {
  const { value, joins, asksKeyword, first } = dimensionOf(by)
  const selected = selectedIn(reading, search, windows, {
    more: sql`${value} as value, ${first} as first`,
    joins,
    asksKeyword,
  })
  // Mentions first counted in a row add up to all.
  const rows = await reading.db.query<Row & { firsts: number }>(
    sql`select current, value::text as value, count(*) filter (where first) as firsts, ${SUMS}
        from (${selected}) selected
        group by current, selected.value`,
  )
  return { rows, mentions: rows.reduce((sum, row) => sum + (row.current ? row.firsts : 0), 0) }
}

function compare(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : 1
}
